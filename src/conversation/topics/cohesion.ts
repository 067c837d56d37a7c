import type { Turns } from '../text/turns.ts';
import { DIMENSIONS } from '../text/word-vectors.ts';

/**
 * Cosine of the tf-idf sums of the `window` turns before and after every boundary (Hearst 1997). It is updated turn by
 * turn, so that a wide window costs no more than a narrow one.
 * @returns one value from 0 to 1 for each boundary; [i - 1] is before turn i.
 */
export function lexicalSimilarity(turns: Turns, window: number): Float32Array {
  const { count } = turns;
  const [left, right] = [new Float64Array(turns.vocabulary), new Float64Array(turns.vocabulary)];
  const products = new Float64Array(3);
  const moveLeft = (turn: number, sign: number) => move(turns, turn, sign, left, right, products, LEFT);
  const moveRight = (turn: number, sign: number) => move(turns, turn, sign, right, left, products, RIGHT);
  const out = new Float32Array(Math.max(0, count - 1));
  for (let i = 0; i < Math.min(window, count); i++) moveRight(i, 1);
  for (let i = 1; i < count; i++) {
    moveRight(i - 1, -1);
    moveLeft(i - 1, 1);
    if (i - 1 - window >= 0) moveLeft(i - 1 - window, -1);
    if (i - 1 + window < count) moveRight(i - 1 + window, 1);
    out[i - 1] = cosine(products[BOTH]!, products[LEFT]!, products[RIGHT]!);
  }
  return out;
}

/** Dot product of the two sides' sums, and of each sum with itself. */
const BOTH = 0;
const LEFT = 1;
const RIGHT = 2;

/**
 * Adds a turn to the sums of one side, by stem, or removes it. It is a separate function with its numbers in arrays,
 * because it is small and hot and is then compiled early.
 */
function move(
  { stems, weights }: Turns,
  turn: number,
  sign: number,
  sums: Float64Array,
  others: Float64Array,
  products: Float64Array,
  own: number,
): void {
  const ids = stems[turn]!;
  const shares = weights[turn]!;
  let dot = products[BOTH]!;
  let norm = products[own]!;
  for (let k = 0; k < ids.length; k++) {
    const id = ids[k]!;
    const before = sums[id]!;
    const after = before + sign * shares[k]!;
    dot += (after - before) * others[id]!;
    norm += after * after - before * before;
    sums[id] = after;
  }
  products[BOTH] = dot;
  products[own] = norm;
}

/** Below this, a norm is a rounding error left over from removed turns. */
const NORM_FLOOR = 1e-6;

const cosine = (dot: number, a: number, b: number): number =>
  a > NORM_FLOOR && b > NORM_FLOOR ? dot / Math.sqrt(a * b) : 0;

/** The same cosine over the sums of word vectors, -1 to 1. */
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

/** Row i is the sum of the vectors of all turns before turn i. Cached as long as the turns exist. */
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
 * Depth of each value below the peaks on both sides (Hearst 1997).
 * @param reach distance within which a peak is sought, in values
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
