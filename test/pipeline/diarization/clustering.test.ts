import { describe, expect, test } from 'vitest';
import { BinaryKeys } from '../../../containers/pipeline/diarization/binary-keys.ts';
import { GaussianMixture } from '../../../containers/pipeline/diarization/gaussian-mixture.ts';
import { averageLinkage } from '../../../containers/pipeline/diarization/linkage.ts';
import { principalComponents } from '../../../containers/pipeline/diarization/principal-components.ts';
import { CEPSTRA } from '../../../containers/pipeline/diarization/speaker-features.ts';
import { randomNumbers } from './voices.ts';

describe('averageLinkage', () => {
  test('joins the nearest rows first and opposite rows last, with the average of all pairs as distance', () => {
    // Directions at 0, 10, 180 and 200 degrees; their mean is near zero.
    const rows = new Float32Array(
      [0, 10, 180, 200].flatMap((deg) => [Math.cos((deg * Math.PI) / 180), Math.sin((deg * Math.PI) / 180)]),
    );
    const tree = averageLinkage(rows, 2);
    expect(tree).toHaveLength(3);
    expect(tree.map(({ left, right }) => [left, right].sort())).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect(tree[0]!.distance).toBeLessThan(0.05);
    expect(tree[2]!.distance).toBeGreaterThan(1.8);
  });

  test('has no merges for one row or none', () => {
    expect(averageLinkage(new Float32Array([1, 2]), 2)).toEqual([]);
    expect(averageLinkage(new Float32Array(0), 2)).toEqual([]);
  });
});

describe('BinaryKeys', () => {
  const marksOf = (frames: number): number => {
    const random = randomNumbers(2);
    const cepstra = Float32Array.from({ length: frames * CEPSTRA }, () => random() - 0.5);
    return new BinaryKeys(cepstra).of({ from: 0, to: frames }).reduce((a, b) => a + b, 0);
  };

  test('count eight marks of every second frame', () => {
    expect(marksOf(2001)).toBe(8 * 1001);
  });

  test('mark fewer frames of hours of speech', () => {
    expect(marksOf(161_000)).toBe(8 * Math.ceil(161_000 / 3));
  });
});

describe('principalComponents', () => {
  test('keeps distances along the directions of most variance', () => {
    const random = randomNumbers(5);
    const width = 12;
    const rows = new Float32Array(200 * width);
    const spread = Array.from({ length: 200 }, () => [random() - 0.5, random() - 0.5]);
    for (const [r, [a, b]] of spread.entries()) {
      for (let c = 0; c < width; c++) rows[r * width + c] = 10 * a! * Math.cos(c) + 5 * b! * Math.sin(2 * c);
    }
    const before = Float32Array.from(rows);
    const projected = principalComponents(rows, width, 2);
    const distance = (m: Float32Array, w: number, i: number, j: number): number =>
      Math.hypot(...Array.from({ length: w }, (_, c) => m[i * w + c]! - m[j * w + c]!));
    for (const [i, j] of [
      [0, 1],
      [3, 99],
      [150, 7],
    ] as const) {
      expect(distance(projected, 2, i, j)).toBeCloseTo(distance(before, width, i, j), 2);
    }
  });
});

describe('GaussianMixture', () => {
  test('gives its own data a higher likelihood than other data', () => {
    const random = randomNumbers(9);
    const cloud = (centre: number): Float32Array =>
      Float32Array.from({ length: 600 * CEPSTRA }, () => centre + random() + random() - 1);
    const rows = cloud(0);
    const model = GaussianMixture.fit(
      rows,
      Int32Array.from({ length: 600 }, (_, i) => i),
    );
    const mean = (data: Float32Array): number => model.logDensities(data).reduce((a, b) => a + b, 0) / 600;
    expect(mean(cloud(0))).toBeGreaterThan(mean(cloud(2)) + 20);
  });

  test('is as dense as the Gaussian it was fitted on', () => {
    const random = randomNumbers(4);
    const normal = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
    const rows = Float32Array.from({ length: 140 * CEPSTRA }, normal);
    const model = GaussianMixture.fit(
      rows,
      Int32Array.from({ length: 140 }, (_, i) => i),
    );
    const atMean = model.logDensities(new Float32Array(CEPSTRA))[0]!;
    expect(Math.abs(atMean + (CEPSTRA / 2) * Math.log(2 * Math.PI))).toBeLessThan(2);
  });
});
