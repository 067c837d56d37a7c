import { readdirSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { conversationWeights, WEIGHTS_FOLDER, weightsBytes } from '../../containers/pipeline/conversation-weights.ts';
import { digest, fingerprintOf, PROBES } from '../../scripts/train/feature-fingerprints.ts';
import { idOfAll, readCard } from '../../scripts/train/write-weights.ts';
import { readSurfaces } from '../../src/conversation/dialogue-acts/dialogue-acts.ts';
import { languageOf } from '../../src/conversation/languages.ts';
import { DIMENSIONS } from '../../src/conversation/text/word-vectors.ts';
import { ConversationWeights, WEIGHTS_FILES, type WeightsName } from '../../src/conversation/weights.ts';
import { WEIGHTS_ID } from '../../src/conversation/weights-id.ts';

const ENGLISH = languageOf('en');

describe.each(WEIGHTS_FILES)('the weights %s', (name) => {
  const card = readCard(name);

  it('are those of their card', () => {
    expect(digest(weightsBytes(name)), `${name}.bin is another than its card says: run ${card.made_by}`).toBe(card.id);
  });

  it('get the features that they were trained on', () => {
    const sentence = `A feature that ${name}.bin was trained on changed: train it again (${card.made_by}) or put the feature back.`;
    expect(fingerprintOf(name), sentence).toBe(card.features);
  });
});

test('each weights file has a card and the folder holds nothing else', () => {
  const files = WEIGHTS_FILES.flatMap((name) => [`${name}.bin`, `${name}.card.json`]);
  expect(readdirSync(WEIGHTS_FOLDER).sort()).toEqual(files.sort());
});

test('the weights id matches the cards', () => expect(WEIGHTS_ID).toBe(idOfAll()));

test('the feature probes contain every cue', () => {
  const { cues } = ENGLISH.acts;
  const found = new Set(
    PROBES.flatMap(({ turns }) => turns.flatMap(({ text }) => readSurfaces(text, ENGLISH).flatMap((s) => [...s.cues]))),
  );
  expect(Object.keys(cues).filter((cue) => !found.has(cue))).toEqual([]);
});

test('each file is decoded once, on first use', () => {
  const broken = new Uint8Array(0);
  const none = Object.fromEntries(WEIGHTS_FILES.map((name) => [name, broken])) as Record<WeightsName, Uint8Array>;
  const weights = new ConversationWeights({ ...none, 'word-vectors': weightsBytes('word-vectors') });
  expect(weights.vectors).toBe(weights.vectors);
  expect(() => weights.moments).toThrow();
});

test('every stem has a vector, a rarity and its shares', () => {
  const { vectors, nouns } = conversationWeights();
  expect(vectors.rows).toHaveLength(vectors.index.size * DIMENSIONS);
  expect(vectors.weights).toHaveLength(vectors.index.size);
  const shares = [...vectors.index.keys()].flatMap((stem) => [nouns.head(stem, ENGLISH), nouns.nominal(stem, ENGLISH)]);
  expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
});
