import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { fittedDialogues, foldOf } from '../../scripts/train/moments/corpus.ts';
import { sentimentExamples } from '../../scripts/train/text-affect/sentiment-examples.ts';
import { parseDialogues, readDialogues, readSentimentLines, writtenDialogues } from '../../support/own-data.ts';

/** Shorter turns ("Yes, please.") occur in any conversation. */
const SPECIFIC_WORDS = 6;

test('nothing held out is in the training set', () => {
  const heldOut = readDialogues('held-out');
  expect(heldOut).toHaveLength(48);
  const texts = new Set(fittedDialogues().flatMap(({ turns }) => turns.map(({ text }) => text)));
  const leaked = heldOut.filter(({ turns }) =>
    turns.some(({ text }) => text.split(' ').length >= SPECIFIC_WORDS && texts.has(text)),
  );
  expect(leaked.map(({ id }) => id)).toEqual([]);
});

test('real dialogues are in folds, all excerpts of a conversation in the same one, and none is also scored', () => {
  const real = fittedDialogues().filter((dialogue) => dialogue.real);
  expect(real.length).toBeGreaterThanOrEqual(540);
  expect([...new Set(real.map(({ fold }) => fold))].sort()).toEqual([0, 1, 2, 3, 4]);
  const meetings = Map.groupBy(real, ({ id }) => id.split('-').slice(0, 3).join('-'));
  for (const excerpts of meetings.values()) expect(new Set(excerpts.map(({ fold }) => fold)).size).toBe(1);
  for (const { id, fold } of real) expect(fold, id).toBe(foldOf(id));
  const judged = new Set(readDialogues('judge').map(({ id }) => id));
  expect(judged.size).toBe(84);
  expect(real.filter(({ id }) => judged.has(id))).toEqual([]);
});

test('each writer is in one fold, and written dialogues are fitted to in every fold', () => {
  const writers = Map.groupBy(writtenDialogues(), ({ writer }) => writer);
  for (const [writer, own] of writers) expect(new Set(own.map(({ fold }) => fold)).size, writer).toBe(1);
  const written = fittedDialogues().filter(({ real }) => !real);
  expect(written.length).toBeGreaterThanOrEqual(225);
  expect(written.every(({ fold }) => fold === null)).toBe(true);
});

test('sentiment is trained on lines that are not scored', () => {
  const scored = new Set(readSentimentLines('held-out').map(({ text }) => text));
  expect(scored.size).toBeGreaterThan(200);
  expect(sentimentExamples()).toHaveLength(458);
  expect(sentimentExamples().filter(({ text, shares }) => Math.max(...shares) === 1 && scored.has(text))).toEqual([]);
});

test.each([
  ['moments', ['GUIDELINES.md', 'README.md', 'fit.jsonl', 'held-out.jsonl', 'judge-kinds.jsonl', 'judge.jsonl']],
  ['sentiment', ['fit.tsv', 'held-out.tsv']],
])('data/%s holds nothing that the reader does not read', (set, files) => {
  const root = join(import.meta.dirname, '../../data', set);
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(found.map(({ name }) => name).sort()).toEqual(files);
});

describe('a line of dialogues', () => {
  const dialogue = {
    id: 'a',
    source: 'undertone',
    kind: 'dialogue',
    writer: 'unknown',
    reviewer: 'none',
    fold: 0,
    turns: [{ speaker: 'Speaker_0', text: 'Shall we?', moments: [{ category: 'cta_offered' }] }],
  };
  const line = (changes: object): string => JSON.stringify({ ...dialogue, ...changes });

  it('is read with its origin', () => {
    expect(parseDialogues('fit', `${line({})}\n`)).toEqual([dialogue]);
  });

  it.each([
    ['an unknown source', { source: 'elsewhere' }, /line 2: .*\n.*source/],
    ['an unknown field', { hand: 'k' }, /line 2: .*hand/],
    ['a turn without its text', { turns: [{ speaker: 'Speaker_0' }] }, /line 2: .*\n.*turns\[0\]\.text/],
    ['no source', { source: undefined }, /line 2: .*\n.*source/],
    ['no writer', { writer: undefined }, /line 2: .*\n.*writer/],
    ['no reviewer', { reviewer: undefined }, /line 2: .*\n.*reviewer/],
    ['no fold', { fold: undefined }, /line 2: .*\n.*fold/],
    ['text of others without a licence', { source: 'QMSum' }, /line 2: QMSum needs its licence/],
  ])('is refused with %s', (_, changes, reason) => {
    expect(() => parseDialogues('fit', `${line({})}\n${line(changes)}\n`)).toThrow(reason);
  });

  it.each(['held-out', 'judge'] as const)('of %s is refused with a fold', (part) => {
    expect(parseDialogues(part, line({ fold: null }))).toHaveLength(1);
    expect(() => parseDialogues(part, line({}))).toThrow('fold');
  });

  it('of the judge set may lack the text', () => {
    const [judged] = parseDialogues('judge', line({ fold: null, turns: [{}] }));
    expect(judged?.turns).toEqual([{}]);
  });
});
