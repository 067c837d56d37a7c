import type { Turns } from '../words/turns.ts';
import { DIMENSIONS } from '../words/word-vectors.ts';

/**
 * Cosine of the tf-idf sums of the `window` turns before and after every boundary (Hearst 1997).
 * Kept up to date turn by turn, so that a wide window costs no more than a narrow one.
 * @returns one value 0..1 a boundary; [i - 1] lies before turn i.
 */
export function lexicalSimilarity(turns: Turns, window: number): Float32Array {
  const { count, stems, weights } = turns;
  const side = (): Side => ({ sums: new Float64Array(turns.vocabulary), norm: 0 });
  const [left, right] = [side(), side()];
  let dot = 0;
  /** Adds a turn to one side, or takes it out. */
  const move = (own: Side, other: Side, turn: number, sign: number): void => {
    const ids = stems[turn]!;
    const shares = weights[turn]!;
    for (let k = 0; k < ids.length; k++) {
      const id = ids[k]!;
      const before = own.sums[id]!;
      const after = before + sign * shares[k]!;
      dot += (after - before) * other.sums[id]!;
      own.norm += after * after - before * before;
      own.sums[id] = after;
    }
  };
  const out = new Float32Array(Math.max(0, count - 1));
  for (let i = 0; i < Math.min(window, count); i++) move(right, left, i, 1);
  for (let i = 1; i < count; i++) {
    move(right, left, i - 1, -1);
    move(left, right, i - 1, 1);
    if (i - 1 - window >= 0) move(left, right, i - 1 - window, -1);
    if (i - 1 + window < count) move(right, left, i - 1 + window, 1);
    out[i - 1] = cosine(dot, left.norm, right.norm);
  }
  return out;
}

/** Sums of the tf-idf of turns, by stem, and their squared norm. */
interface Side {
  sums: Float64Array;
  norm: number;
}

/** Below this a norm is rounding left over from taking turns out again. */
const NORM_FLOOR = 1e-6;

const cosine = (dot: number, a: number, b: number): number =>
  a > NORM_FLOOR && b > NORM_FLOOR ? dot / Math.sqrt(a * b) : 0;

/** The same over the sums of word vectors; -1..1. */
export function semanticSimilarity(turns: Turns, window: number): Float32Array {
  const { count } = turns;
  const sums = runningSums(turns);
  const out = new Float32Array(Math.max(0, count - 1));
  for (let i = 1; i < count; i++) {
    const from = Math.max(0, i - window) * DIMENSIONS;
    const middle = i * DIMENSIONS;
    const to = Math.min(count, i + window) * DIMENSIONS;
    let dot = 0;
    let a = 0;
    let b = 0;
    for (let j = 0; j < DIMENSIONS; j++) {
      const left = sums[middle + j]! - sums[from + j]!;
      const right = sums[to + j]! - sums[middle + j]!;
      dot += left * right;
      a += left * left;
      b += right * right;
    }
    out[i - 1] = cosine(dot, a, b);
  }
  return out;
}

const sumsOf = new WeakMap<Turns, Float64Array>();

/** Row i: the sum of the vectors of all turns before turn i. Kept for as long as the turns are. */
function runningSums(turns: Turns): Float64Array {
  let sums = sumsOf.get(turns);
  if (!sums) {
    sums = new Float64Array((turns.count + 1) * DIMENSIONS);
    for (let k = 0; k < turns.count * DIMENSIONS; k++) sums[k + DIMENSIONS] = sums[k]! + turns.dense[k]!;
    sumsOf.set(turns, sums);
  }
  return sums;
}

/**
 * How deep each value lies below the peaks on both sides (Hearst 1997).
 * @param reach how far a peak is looked for, values.
 */
export function depth(similarity: Float32Array, reach: number): Float32Array {
  const out = new Float32Array(similarity.length);
  for (let i = 0; i < out.length; i++) {
    const first = Math.max(0, i - reach);
    const last = Math.min(out.length - 1, i + reach);
    let l = i;
    while (l > first && similarity[l - 1]! >= similarity[l]!) l--;
    let r = i;
    while (r < last && similarity[r + 1]! >= similarity[r]!) r++;
    out[i] = similarity[l]! + similarity[r]! - 2 * similarity[i]!;
  }
  return out;
}
