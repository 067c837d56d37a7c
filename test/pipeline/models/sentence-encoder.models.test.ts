import { beforeAll, describe, expect, it } from 'vitest';
import { loadRuntime } from '../../../containers/pipeline/models/runtime.ts';
import { ENCODING_SIZE, SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';

let encoder: SentenceEncoder;
beforeAll(async () => {
  encoder = await SentenceEncoder.load();
});

const SOME = [0, 1, 2, 255, 510, 511];
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** The output of tensorflow.js for the same weights with the model's own tokenizer. */
const REFERENCE: [string, number[]][] = [
  ['The price is too high for our budget.', [0.032025, 0.002422, -0.029306, 0.031673, -0.067472, 0.063327]],
  ['My cat sleeps all day.', [0.038549, -0.009552, -0.057392, 0.056412, -0.055845, 0.013377]],
  [
    'The price is too high for our budget. '.repeat(30),
    [-0.020038, 0.002801, -0.065283, -0.047338, -0.057003, 0.047186],
  ],
  ['', [0.012216, -0.049313, 0.049306, 0.049259, 0.049305, 0.037332]],
];

describe('the sentence encoder', () => {
  it("gives the numbers of the model's own runtime, also for too long and empty texts", async () => {
    for (const [text, expected] of REFERENCE) {
      const encoding = await encoder.encode(text);
      expect(encoding).toHaveLength(ENCODING_SIZE);
      for (const [i, at] of SOME.entries()) expect(encoding[at]).toBeCloseTo(expected[i]!, 5);
      expect(dot(encoding, encoding)).toBeCloseTo(1, 5);
    }
  });

  it('gives the same text the same bytes during other requests', async () => {
    const texts = ['We ship on Monday.', 'Who told you that?', 'We ship on Monday.'];
    const [first, other, again] = await Promise.all(texts.map((text) => encoder.encode(text)));
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('places sentences of similar meaning near one another', async () => {
    const texts = [
      'The price is too high for our budget.',
      'That costs more than we can afford.',
      'My cat sleeps all day.',
    ];
    const [price, cost, cat] = await Promise.all(texts.map((text) => encoder.encode(text)));
    expect(dot(price!, cost!)).toBeGreaterThan(0.7);
    expect(dot(price!, cat!)).toBeLessThan(0.25);
  });

  it('runs on the portable runtime too', async () => {
    const portable = await SentenceEncoder.load(await loadRuntime('web'));
    const [text, expected] = REFERENCE[0]!;
    const encoding = await portable.encode(text);
    for (const [i, at] of SOME.entries()) expect(encoding[at]).toBeCloseTo(expected[i]!, 4);
  });
});
