import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** The rooms of a place, and its files beside them, by what they may import of it: what stands before them, where named. */
type Rooms = Readonly<Record<string, readonly string[]>>;

const PLACES: Readonly<Record<string, Rooms>> = {
  'src/conversation': {
    'packed-weights.ts': [],
    'encoding.ts': [],
    'weights-id.ts': [],
    lexicon: [],
    'affect-lexicon.ts': [],
    affect: [],
    sentences: ['lexicon', 'affect'],
    'language.ts': ['lexicon', 'affect-lexicon.ts', 'sentences'],
    en: ['lexicon', 'affect-lexicon.ts', 'affect', 'sentences', 'language.ts'],
    'languages.ts': ['language.ts', 'en'],
    text: ['lexicon', 'language.ts', 'packed-weights.ts'],
    'dialogue-acts': ['lexicon', 'language.ts', 'text'],
    moments: ['lexicon', 'language.ts', 'text', 'dialogue-acts', 'packed-weights.ts', 'encoding.ts'],
    'turn-taking': ['language.ts', 'text', 'affect'],
    topics: ['language.ts', 'text', 'packed-weights.ts'],
    phases: ['lexicon', 'language.ts', 'text', 'affect', 'topics'],
    'weights.ts': ['text', 'moments', 'topics', 'packed-weights.ts'],
    'outcomes.ts': ['language.ts', 'text'],
    summary: [
      ...['lexicon', 'sentences', 'language.ts', 'languages.ts', 'text', 'dialogue-acts', 'affect', 'turn-taking'],
      ...['topics', 'phases', 'weights.ts', 'outcomes.ts'],
    ],
    'conclude.ts': [
      ...['sentences', 'language.ts', 'languages.ts', 'turn-taking', 'topics', 'phases', 'weights.ts', 'outcomes.ts'],
      'summary',
    ],
    'conversation.ts': [
      ...['sentences', 'language.ts', 'languages.ts', 'moments', 'affect', 'turn-taking', 'weights.ts', 'summary'],
      'conclude.ts',
    ],
  },
  'containers/pipeline': {
    'settings.ts': [],
    'request-body.ts': [],
    'admission.ts': [],
    'conversation-weights.ts': [],
    'scratch-file.ts': [],
    'stage-lines.ts': [],
    'analysis-output.ts': ['conversation-weights.ts', 'stage-lines.ts'],
    audio: ['scratch-file.ts'],
    dsp: [],
    models: ['settings.ts'],
    media: ['audio', 'scratch-file.ts'],
    diarization: ['settings.ts', 'audio', 'dsp', 'models'],
    recognition: ['settings.ts', 'audio', 'models', 'diarization'],
    prosody: ['audio', 'dsp'],
    affect: ['prosody'],
    workers: ['settings.ts', 'audio', 'models', 'diarization', 'recognition', 'prosody', 'affect'],
    stages: [
      'stage-lines.ts',
      'audio',
      'models',
      'media',
      'diarization',
      'recognition',
      'prosody',
      'affect',
      'workers',
    ],
    'pipeline.ts': ['stage-lines.ts', 'audio', 'affect', 'media', 'recognition', 'workers', 'stages'],
    live: [
      ...['settings.ts', 'admission.ts', 'scratch-file.ts', 'stage-lines.ts', 'analysis-output.ts'],
      ...['audio', 'models', 'media', 'diarization', 'recognition', 'workers', 'stages', 'pipeline.ts'],
    ],
    'server.ts': [
      ...[
        'settings.ts',
        'request-body.ts',
        'admission.ts',
        'analysis-output.ts',
        'models',
        'recognition',
        'workers',
        'stages',
      ],
      ...['pipeline.ts', 'live'],
    ],
  },
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

const roomOf = (place: string, file: string): string => file.slice(place.length + 1).split('/')[0]!;

describe.each(Object.entries(PLACES))('the rooms of %s', (place, rooms) => {
  const files = importsIn(place);

  it('import what stands before them and nothing else', () => {
    expect(files.length).toBeGreaterThan(50);
    const strays = files.flatMap(({ file, imported }) => {
      const room = roomOf(place, file);
      const allowed = [room, ...(rooms[room] ?? [])];
      return imported
        .filter((path) => path.startsWith(`${place}/`) && !allowed.includes(roomOf(place, path)))
        .map((path) => `${file} imports ${path}`);
    });
    expect(strays).toEqual([]);
  });

  it('have an order without a circle that names every room', () => {
    const order = Object.keys(rooms);
    for (const [at, room] of order.entries())
      expect(order.slice(0, at), room).toEqual(expect.arrayContaining([...rooms[room]!]));
    expect([...new Set(files.map(({ file }) => roomOf(place, file)))].sort()).toEqual(order.toSorted());
  });
});

it('scripts import no bench', () => {
  const strays = importsIn('scripts').flatMap(({ file, imported }) =>
    imported.filter((path) => path.startsWith('bench/')).map((path) => `${file} imports ${path}`),
  );
  expect(strays).toEqual([]);
});

it('a language is one folder and one row: at most three files outside name English, one of them in the service', () => {
  const folder = join('src', 'conversation', 'en');
  const namedIn = (places: readonly string[]) =>
    places
      .flatMap((place) => importsIn(place))
      .filter(({ file }) => !file.startsWith(`${folder}/`))
      .filter(({ imported }) => imported.some((path) => path.startsWith(`${folder}/`)))
      .map(({ file }) => file);
  const service = namedIn(['src', 'containers', 'scripts']);
  expect(service).toEqual(['src/conversation/languages.ts']);
  expect([...service, ...namedIn(['bench'])].length).toBeLessThanOrEqual(3);
});
