import { describe, expect, it } from 'vitest';
import { bestPartition } from '../../../src/conversation/topics/partition.ts';

const EVEN = { mean: 5, spread: 0.7, weight: 0.3 };

describe('the best partition', () => {
  it('cuts where the scores gain', () => {
    const scores = new Array(19).fill(-3);
    scores[6] = 4;
    scores[13] = 4;
    expect(bestPartition(scores, 20, EVEN)).toEqual([7, 14]);
  });

  it('cuts nowhere when no score gains', () => {
    expect(bestPartition(new Array(19).fill(-50), 20, EVEN)).toEqual([]);
  });

  it('lets the length prior decide among equals', () => {
    const starts = bestPartition(new Array(29).fill(0), 30, { mean: 10, spread: 0.2, weight: 5 });
    expect(starts).toEqual([10, 20]);
  });

  it('does not cut one turn', () => {
    expect(bestPartition([], 1, EVEN)).toEqual([]);
  });

  it('finds the best boundaries of a very long conversation too', () => {
    const scores = new Array(4999).fill(-3);
    for (const at of [999, 2499, 3999]) scores[at] = 6;
    expect(bestPartition(scores, 5000, { mean: 1250, spread: 1, weight: 0.3 })).toEqual([1000, 2500, 4000]);
  });
});
