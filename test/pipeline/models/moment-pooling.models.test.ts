import { expect, it } from 'vitest';
import { poolStates } from '../../../containers/pipeline/models/moment-pooling.ts';
import { SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { POOLED_DIMENSIONS } from '../../../src/conversation/encoding.ts';

const encoder = await SentenceEncoder.load();
const pooled = async (text: string): Promise<Float32Array> => poolStates((await encoder.read(text)).states);
const likeness = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, x, i) => sum + x * b[i]!, 0) / (Math.hypot(...a) * Math.hypot(...b));

it('gives numbers between -1 and 1 for a text of any length', async () => {
  for (const text of ['', 'Yes.', 'We could send somebody round on Monday morning. '.repeat(40)]) {
    const vector = await pooled(text);
    expect(vector).toHaveLength(POOLED_DIMENSIONS);
    expect(Math.max(...vector.map(Math.abs))).toBeLessThanOrEqual(1);
    expect(Math.hypot(...vector)).toBeGreaterThan(0.1);
  }
});

it('separates the act of a sentence from its topic', async () => {
  const offer = await pooled('Would you like me to send the samples on Tuesday?');
  const otherOffer = await pooled('Shall I book the small hall for your party?');
  const objection = await pooled('Those samples cost far too much for what they are.');
  expect(likeness(offer, otherOffer)).toBeGreaterThan(likeness(offer, objection));
});
