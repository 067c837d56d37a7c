import { describe, expect, it } from 'vitest';
import { FRAME_S, speechRegions } from '../../../containers/pipeline/audio/speech.ts';

/** Frame probabilities from runs of [seconds, probability]. */
const frames = (...runs: [number, number][]) =>
  Float32Array.from(runs.flatMap(([seconds, p]) => Array<number>(Math.round(seconds / FRAME_S)).fill(p)));

describe('speech regions', () => {
  it('finds the regions that are likely speech', () => {
    const regions = speechRegions(frames([1, 0.1], [2, 0.9], [1, 0.1]), { pad: 0 });
    expect(regions).toHaveLength(1);
    expect(regions[0]!.start).toBeCloseTo(1, 1);
    expect(regions[0]!.end).toBeCloseTo(3, 1);
  });

  it('bridges a silence shorter than half a second', () => {
    expect(speechRegions(frames([1, 0.9], [0.4, 0], [1, 0.9]))).toHaveLength(1);
    expect(speechRegions(frames([1, 0.9], [0.7, 0], [1, 0.9]))).toHaveLength(2);
  });

  it('continues at a probability that would not begin speech', () => {
    expect(speechRegions(frames([1, 0.9], [1, 0.4], [1, 0.9]))).toHaveLength(1);
    expect(speechRegions(frames([3, 0.45]))).toHaveLength(0);
  });

  it('pads regions without letting them meet or leave the recording', () => {
    const regions = speechRegions(frames([1, 0.9], [0.6, 0], [1, 0.9]), { pad: 0.5, duration: 2.5 });
    expect(regions[0]!.start).toBe(0);
    expect(regions[0]!.end).toBeLessThanOrEqual(regions[1]!.start);
    expect(regions[1]!.end).toBeLessThanOrEqual(2.5);
  });

  it('drops a click', () => {
    expect(speechRegions(frames([1, 0], [0.064, 0.9], [1, 0]))).toHaveLength(0);
  });
});
