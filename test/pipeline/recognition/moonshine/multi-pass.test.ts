import { describe, expect, it } from 'vitest';
import { combinePasses } from '../../../../containers/pipeline/recognition/moonshine/combine-passes.ts';
import {
  LATER,
  PLAYED_FASTER,
  recogniseInPasses,
} from '../../../../containers/pipeline/recognition/moonshine/multi-pass.ts';
import type { Recognition } from '../../../../containers/pipeline/recognition/recogniser.ts';

/** A recognition: each word with its probability, half a second each. */
function reading(text: string, confidences: number[] | number): Recognition {
  const words = text
    .split(' ')
    .filter(Boolean)
    .map((word, i) => ({
      word,
      start: i / 2,
      end: (i + 1) / 2,
      confidence: typeof confidences === 'number' ? confidences : confidences[i]!,
      tokens: 1,
    }));
  const mean = words.reduce((sum, { confidence }) => sum + Math.log(confidence), 0) / Math.max(1, words.length);
  return { text, confidence: words.length > 0 ? Math.exp(mean) : 0, words, cut: false };
}

/** Returns the recognitions in turn, and notes each call and the length of its audio. */
const recogniser = (...readings: Recognition[]) => {
  const calls: [pass: string, samples: number][] = [];
  const recognise = (pass: string) => async (samples: Float32Array) =>
    readings[calls.push([pass, samples.length]) - 1]!;
  return {
    calls,
    passes: { first: recognise('first'), again: recognise('again'), variants: [LATER, PLAYED_FASTER] },
  };
};
const samples = new Float32Array(16_000);

describe('several passes', () => {
  it('are not made after a confident or empty first one', async () => {
    for (const first of [reading('yes', 0.9), reading('', 0)]) {
      const { calls, passes } = recogniser(first);
      expect(await recogniseInPasses(samples, passes)).toBe(first);
      expect(calls).toEqual([['first', 16_000]]);
    }
  });

  it('use shifted and faster sound, with times converted to the original', async () => {
    const { calls, passes } = recogniser(reading('no', 0.3), reading('yes', 0.5), reading('yes', 0.8));
    const { text, words } = await recogniseInPasses(samples, passes);
    expect(calls).toEqual([
      ['first', 16_000],
      ['again', 16_000 - 192],
      ['again', Math.floor(15_999 / 1.1)],
    ]);
    expect(text).toBe('yes');
    expect(words[0]!.end).toBeCloseTo(0.55, 10);
  });
});

describe('combining passes by passages', () => {
  it('keeps the most confident one and takes more likely passages from others, with their times and probabilities', () => {
    const one = reading('the same flight came on already', [0.9, 0.9, 0.3, 0.9, 0.9, 0.9]);
    const other = reading('the same light came on all ready', [0.8, 0.8, 0.7, 0.8, 0.8, 0.2, 0.2]);
    const { text, words } = combinePasses([one, other]);
    expect(text).toBe('the same light came on already');
    expect(words.map(({ confidence }) => confidence)).toEqual([0.9, 0.9, 0.7, 0.9, 0.9, 0.9]);
    expect(words.map(({ agreement }) => agreement)).toEqual([1, 1, 0.5, 1, 1, 0.5]);
  });

  it('counts the passes that have each word, whatever its punctuation', () => {
    const { words } = combinePasses([
      reading('Yes, please.', 0.8),
      reading('yes please', 0.7),
      reading('guess please', 0.5),
    ]);
    expect(words.map(({ word, agreement }) => [word, agreement])).toEqual([
      ['Yes,', 2 / 3],
      ['please.', 1],
    ]);
  });

  it('ignores empty passes', () => {
    expect(combinePasses([reading('yes', 0.5), reading('', 0)]).words).toMatchObject([{ word: 'yes', agreement: 1 }]);
    expect(combinePasses([reading('', 0), reading('', 0)]).words).toEqual([]);
  });

  it('keeps times rising where passages meet', () => {
    const late = { ...reading('b', 0.9), words: [{ word: 'b', start: 0.2, end: 0.3, confidence: 0.9, tokens: 1 }] };
    const { words } = combinePasses([reading('a c', [0.9, 0.1]), late]);
    for (const [i, { start, end }] of words.entries()) {
      expect(start).toBeGreaterThanOrEqual(words[i - 1]?.end ?? 0);
      expect(end).toBeGreaterThanOrEqual(start);
    }
  });
});
