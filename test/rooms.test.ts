import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const CONVERSATION = 'src/conversation';

/** The rooms of the conversation, and its files beside them, by what they may import: what stands before them, where named. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'packed-weights.ts': [],
  'encoding.ts': [],
  'weights-id.ts': [],
  lexicon: [],
  words: ['lexicon', 'packed-weights.ts'],
  acts: ['lexicon', 'words', 'packed-weights.ts'],
  moments: ['lexicon', 'words', 'acts', 'packed-weights.ts', 'encoding.ts'],
  affect: [],
  talk: ['words', 'affect'],
  topics: ['lexicon', 'words', 'packed-weights.ts'],
  purposes: ['lexicon', 'words', 'affect', 'topics'],
  'weights.ts': ['words', 'acts', 'topics', 'packed-weights.ts'],
  'outcomes.ts': ['words'],
  telling: ['lexicon', 'words', 'acts', 'affect', 'talk', 'topics', 'purposes', 'weights.ts', 'outcomes.ts'],
  'conversation.ts': ['moments', 'affect', 'talk', 'weights.ts', 'telling'],
};

/** The TypeScript files of a folder with what each imports of the project, as paths from the root. */
function importsIn(folder: string): { file: string; imported: string[] }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const file = join(folder, name);
      const found = readFileSync(join(ROOT, file), 'utf8').matchAll(/\b(?:from|import\(|import) ?'(\.[^']+)'/g);
      return { file, imported: [...found].map(([, path = '']) => normalize(join(dirname(file), path))) };
    });
}

const roomOf = (file: string): string => file.slice(CONVERSATION.length + 1).split('/')[0]!;

it('the rooms of the conversation import what stands before them and nothing else', () => {
  const files = importsIn(CONVERSATION);
  expect(files.length).toBeGreaterThan(50);
  const strays = files.flatMap(({ file, imported }) => {
    const room = roomOf(file);
    const allowed = ROOMS[room] ?? [];
    return imported
      .filter((path) => path.startsWith(`${CONVERSATION}/`) && roomOf(path) !== room && !allowed.includes(roomOf(path)))
      .map((path) => `${file} imports ${path}`);
  });
  expect(strays).toEqual([]);
});

it('the order of the rooms has no circle and names every room', () => {
  const order = Object.keys(ROOMS);
  for (const [at, room] of order.entries())
    expect(order.slice(0, at), room).toEqual(expect.arrayContaining([...ROOMS[room]!]));
  const rooms = new Set(importsIn(CONVERSATION).map(({ file }) => roomOf(file)));
  expect([...rooms].sort()).toEqual(order.toSorted());
});

it('scripts import no bench', () => {
  const strays = importsIn('scripts').flatMap(({ file, imported }) =>
    imported.filter((path) => path.startsWith('bench/')).map((path) => `${file} imports ${path}`),
  );
  expect(strays).toEqual([]);
});
