import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../containers/pipeline/diarization/clusters.ts';
import { averageLinkage } from '../../../containers/pipeline/diarization/linkage.ts';
import {
  believedFrom,
  type CountEvidence,
  findSpeakers,
  givenSpeakers,
} from '../../../containers/pipeline/diarization/speaker-count.ts';
import { randomNumbers } from './voices.ts';

const WIDE: CountEvidence = { seconds: 120, longSilence: 0.05, bandwidth: 'wide' };
const CALL: CountEvidence = { ...WIDE, bandwidth: 'telephone' };

/** Windows of voices whose keys point in different directions, `spread` apart from their own. */
function voices(
  count: number,
  each: number,
  spread: number,
): { leaves: Cluster[]; tree: ReturnType<typeof averageLinkage> } {
  const random = randomNumbers(2);
  const size = 16;
  const leaves = Array.from({ length: count * each }, (_, i): Cluster => {
    const key = Float32Array.from({ length: size }, (_, c) => (c % count === i % count ? 1 : 0) + spread * random());
    return { windows: [i], key, pitch: new Float32Array(144) };
  });
  const rows = new Float32Array(leaves.flatMap(({ key }) => [...key]));
  return { leaves, tree: averageLinkage(rows, size) };
}

describe('the number of speakers', () => {
  test.each([1, 2, 3, 4])('is found for %i clear voices', (count) => {
    const { leaves, tree } = voices(count, 40, 0.1);
    const { speakers, clusters } = findSpeakers(leaves, tree, WIDE);
    expect(speakers).toMatchObject({ count, source: 'estimated' });
    expect(speakers.confidence).toBeGreaterThan(0.6);
    expect(speakers.note).toBeUndefined();
    expect(clusters.flatMap(({ windows }) => windows).sort((a, b) => a - b)).toEqual(leaves.map((_, i) => i));
  });

  test('comes with a note when it is uncertain', () => {
    const { leaves, tree } = voices(2, 40, 0.5);
    const { speakers } = findSpeakers(leaves, tree, WIDE);
    expect(speakers.confidence).toBeLessThan(0.6);
    expect(speakers.note).toMatch(/uncertain: \d found, \d possible/);
  });

  test('is the given number', () => {
    const { leaves, tree } = voices(2, 40, 0.1);
    expect(givenSpeakers(leaves, tree, 4).clusters).toHaveLength(4);
    expect(givenSpeakers(leaves, tree, 2).speakers).toEqual({ count: 2, confidence: 1, source: 'given' });
  });
});

describe('the required evidence', () => {
  test('is more for little speech', () => {
    expect(believedFrom(2, { ...WIDE, seconds: 10 })).toBeGreaterThan(believedFrom(2, WIDE));
  });

  test('is less for two people on a telephone line, but not for one side of a call', () => {
    expect(believedFrom(2, CALL)).toBeLessThan(believedFrom(2, WIDE) - 0.2);
    expect(believedFrom(2, { ...CALL, longSilence: 0.5 })).toBe(believedFrom(2, WIDE));
  });

  test('is more for a third person on a telephone line', () => {
    expect(believedFrom(3, CALL)).toBeGreaterThan(believedFrom(3, WIDE));
  });
});
