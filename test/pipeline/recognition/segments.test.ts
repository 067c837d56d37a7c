import { describe, expect, it } from 'vitest';
import { FRAME_S } from '../../../containers/pipeline/audio/speech.ts';
import { recognitionSegments } from '../../../containers/pipeline/recognition/segments.ts';

const turn = (start: number, end: number, speaker: number) => ({ start, end, speaker, confidence: 1 });
/** Continuous speech with dips at the given seconds. */
const speaking = (seconds: number, ...dips: [number, number][]) =>
  Float32Array.from({ length: Math.ceil(seconds / FRAME_S) }, (_, frame) =>
    dips.some(([from, to]) => frame * FRAME_S >= from && frame * FRAME_S < to) ? 0.1 : 0.95,
  );

describe('recognition segments', () => {
  it('joins one person over short gaps and not over long ones', () => {
    const speech = [
      { start: 1, end: 3 },
      { start: 3.8, end: 5 },
      { start: 7, end: 8 },
    ];
    const segments = recognitionSegments(speech, speaking(10), [turn(0, 10, 0)], 15);
    expect(segments.map(({ speech: { length } }) => length)).toEqual([2, 1]);
    expect(segments[0]!.start).toBeLessThan(1);
    expect(segments[0]!.end).toBeGreaterThan(5);
  });

  it('never joins two people', () => {
    const speech = [
      { start: 1, end: 3 },
      { start: 3.6, end: 5 },
    ];
    const segments = recognitionSegments(speech, speaking(6), [turn(1, 3, 0), turn(3.6, 5, 1)], 15);
    expect(segments.map(({ speaker }) => speaker)).toEqual([0, 1]);
    expect(segments[0]!.end).toBeLessThanOrEqual(segments[1]!.start);
  });

  it('cuts in the pause where the speaker changes', () => {
    const segments = recognitionSegments(
      [{ start: 0, end: 8 }],
      speaking(8, [3.9, 4.15]),
      [turn(0, 4.2, 0), turn(4.2, 8, 1)],
      15,
    );
    expect(segments.map(({ speaker }) => speaker)).toEqual([0, 1]);
    expect(segments[0]!.end).toBeCloseTo(4.02, 1);
  });

  it('does not cut at a change without a pause', () => {
    const segments = recognitionSegments([{ start: 0, end: 8 }], speaking(8), [turn(0, 4, 0), turn(4, 8, 1)], 15);
    expect(segments.map(({ speaker }) => speaker)).toEqual([null]);
  });

  it.each([
    [15, 3],
    [30, 2],
  ])('cuts long speech at its least likely frame into segments of at most %d s', (longestS, parts) => {
    const turns = [turn(0, 40, 0)];
    const segments = recognitionSegments([{ start: 0, end: 40 }], speaking(40, [11, 11.1]), turns, longestS);
    for (const { start, end } of segments) expect(end - start).toBeLessThanOrEqual(longestS);
    expect(segments).toHaveLength(parts);
    expect(segments[0]!.end).toBeCloseTo(11.05, 1);
    expect(segments.at(-1)!.end).toBeCloseTo(40, 1);
  });
});
