import { describe, expect, test } from 'vitest';
import { bestAssignment, diarizationErrors, parseRttm } from '../../../bench/der.ts';

const REFERENCE = [
  { start: 0, end: 4, speaker: 'a' },
  { start: 5, end: 8, speaker: 'b' },
];
const score = (hypothesis: typeof REFERENCE, collar = 0) => diarizationErrors(REFERENCE, hypothesis, 10, collar);

describe('diarizationErrors', () => {
  test('is zero for the same turns under other names', () => {
    expect(score(REFERENCE.map((r) => ({ ...r, speaker: `x${r.speaker}` })))).toEqual({
      total: 7,
      miss: 0,
      falseAlarm: 0,
      confusion: 0,
    });
  });

  test('separates miss, false alarm and confusion', () => {
    const errors = score([
      { start: 0, end: 3, speaker: '1' },
      { start: 5, end: 6, speaker: '1' },
      { start: 6, end: 9, speaker: '2' },
    ]);
    expect(errors.miss).toBeCloseTo(1);
    expect(errors.falseAlarm).toBeCloseTo(1);
    expect(errors.confusion).toBeCloseTo(1);
  });

  test('counts overlap for each speaker', () => {
    const both = [...REFERENCE, { start: 1, end: 2, speaker: 'b' }];
    const errors = diarizationErrors(both, REFERENCE, 10, 0);
    expect(errors.total).toBeCloseTo(8);
    expect(errors.miss).toBeCloseTo(1);
  });

  test('ignores errors within the collar of a border', () => {
    expect(
      score(
        [
          { start: 0.2, end: 4.2, speaker: '1' },
          { start: 5, end: 8, speaker: '2' },
        ],
        0.25,
      ),
    ).toMatchObject({
      miss: 0,
      falseAlarm: 0,
    });
  });
});

test('bestAssignment finds the greatest sum, with more rows or more columns', () => {
  expect(
    bestAssignment([
      [5, 6],
      [4, 1],
    ]).sort(),
  ).toEqual([
    [0, 1],
    [1, 0],
  ]);
  expect(bestAssignment([[1, 9, 3]])).toEqual([[0, 1]]);
  expect(bestAssignment([[1], [9], [3]])).toEqual([[1, 0]]);
  expect(bestAssignment([])).toEqual([]);
});

test('parseRttm reads SPEAKER lines and skips the others', () => {
  expect(parseRttm('SPEAKER f 1 0.50 1.25 <NA> <NA> anna <NA> <NA>\nSPKR-INFO f 1\n')).toEqual([
    { start: 0.5, end: 1.75, speaker: 'anna' },
  ]);
});
