import { describe, expect, it } from 'vitest';
import { surerReading } from '../../../../containers/pipeline/recognition/moonshine/second-reading.ts';

const words = [{ word: 'yes', start: 1, end: 2, confidence: 0.9, tokens: 1 }];
const reading = (text: string, confidence: number) => ({ text, confidence, words: text ? words : [], cut: false });
/** Reads as told, one reading after another, and counts. */
const recogniser = (...readings: ReturnType<typeof reading>[]) => {
  const lengths: number[] = [];
  const recognise = async (samples: Float32Array) => readings[lengths.push(samples.length) - 1]!;
  return { lengths, recognise };
};
const samples = new Float32Array(1100);

describe('a second reading', () => {
  it('is not made of what is sure or empty', async () => {
    for (const first of [reading('yes', 0.9), reading('', 0)]) {
      const { lengths, recognise } = recogniser(first);
      expect(await surerReading(samples, recognise)).toBe(first);
      expect(lengths).toEqual([1100]);
    }
  });

  it('is kept when it is surer, its times in the time of the sound', async () => {
    const { lengths, recognise } = recogniser(reading('no', 0.5), reading('yes', 0.8));
    const kept = await surerReading(samples, recognise);
    expect(kept).toMatchObject({ text: 'yes', confidence: 0.8 });
    expect(kept.words[0]!.start).toBeCloseTo(1.1, 10);
    expect(lengths[1]).toBeCloseTo(1000, -1);
  });

  it('is dropped when it is less sure', async () => {
    const { recognise } = recogniser(reading('no', 0.5), reading('yes', 0.4));
    expect((await surerReading(samples, recognise)).text).toBe('no');
  });
});
