import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { type Dialogue, fittedDialogues } from '../../scripts/train/moments/corpus.ts';
import { ownFiles, readJson, readSet } from '../../scripts/train/own-data.ts';
import { sentimentExamples } from '../../scripts/train/text-affect/sentiment-examples.ts';

/** Shorter turns ("Yes, please.") are said everywhere. */
const TELLING_WORDS = 6;

test('nothing held out is fitted to', () => {
  const heldOut = ownFiles('moments', 'held-out', 'dialogues').flatMap((file) => readJson<Dialogue[]>(file));
  expect(heldOut).toHaveLength(48);
  const texts = new Set(fittedDialogues().flatMap(({ turns }) => turns.map(({ text }) => text)));
  const leaked = heldOut.filter(({ turns }) =>
    turns.some(({ text }) => text.split(' ').length >= TELLING_WORDS && texts.has(text)),
  );
  expect(leaked.map(({ id }) => id)).toEqual([]);
});

test('real dialogues are in folds, all of one conversation in the same, and none is judged by as well', () => {
  const real = fittedDialogues().filter((dialogue) => dialogue.real);
  expect(real.length).toBeGreaterThanOrEqual(540);
  expect([...new Set(real.map(({ fold }) => fold))].sort()).toEqual([0, 1, 2, 3, 4]);
  const meetings = Map.groupBy(real, ({ id }) => id.split('-').slice(0, 3).join('-'));
  for (const excerpts of meetings.values()) expect(new Set(excerpts.map(({ fold }) => fold)).size).toBe(1);
  const judged = new Set(
    ownFiles('moments', 'judge', 'marks').flatMap((file) => readJson<Dialogue[]>(file).map((d) => d.id)),
  );
  expect(judged.size).toBe(84);
  expect(real.filter(({ id }) => judged.has(id))).toEqual([]);
});

test('sentiment is learned from lines that are not scored', () => {
  const scored = new Set(
    ownFiles('sentiment', 'held-out', 'lines').flatMap(({ path }) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .map((line) => line.split('\t')[3]),
    ),
  );
  expect(scored.size).toBeGreaterThan(200);
  expect(sentimentExamples().filter(({ text, shares }) => Math.max(...shares) === 1 && scored.has(text))).toEqual([]);
});

describe('a set of data', () => {
  let root: string;
  const row = { kind: 'lines', writer: 'unknown', reviewer: 'none', fold: null };
  const tell = (rows: object) => writeFileSync(join(root, 'manifest.json'), JSON.stringify(rows));
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'own-data-'));
    for (const folder of ['fit', 'held-out', 'other']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'fit/a.json'), '[]');
    tell({ 'fit/a.json': row });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('gives its files with what the manifest says of them', () => {
    expect(readSet(root)).toEqual([{ ...row, folder: 'fit', name: 'a', path: join(root, 'fit/a.json') }]);
  });

  it.each(['b.json', 'other/b.json', 'fit.json'])('refuses the file %s, in neither folder', (file) => {
    writeFileSync(join(root, file), '[]');
    tell({ 'fit/a.json': row, [file]: row });
    expect(() => readSet(root)).toThrow('in none of fit/');
  });

  it('refuses a file that the manifest says nothing of', () => {
    writeFileSync(join(root, 'fit/third-dialogues-zz.json'), '[]');
    expect(() => readSet(root)).toThrow('says nothing of fit/third-dialogues-zz.json');
  });

  it('refuses a row without a file', () => {
    tell({ 'fit/a.json': row, 'fit/b.json': row });
    expect(() => readSet(root)).toThrow('not there: fit/b.json');
  });

  it('refuses a row that leaves out who wrote and who reviewed', () => {
    tell({ 'fit/a.json': { kind: 'lines', fold: null } });
    expect(() => readSet(root)).toThrow('writer');
  });

  it('refuses a fold of what is held out', () => {
    writeFileSync(join(root, 'held-out/b.json'), '[]');
    tell({ 'fit/a.json': row, 'held-out/b.json': { ...row, fold: 1 } });
    expect(() => readSet(root)).toThrow('held out');
  });
});
