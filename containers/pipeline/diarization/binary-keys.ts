import { logDensities, ROWS_AT_ONCE } from './diagonal-gaussians.ts';
import { CEPSTRA } from './speaker-features.ts';
import type { Span } from './speech-frames.ts';

/** Each Gaussian is fitted on two seconds of speech (Anguera & Bonastre 2010; Patino et al., pyBK, 2018). */
const POOL_FRAMES = 200;
const POOL_SIZE = 600;
const SHORTEST_STEP = 10;
const VARIANCE_FLOOR = 0.01;
const MOST_GAUSSIANS = 320;
const FEWEST_GAUSSIANS = 8;
/** Number of Gaussians marked by each frame. */
const MARKS = 8;
/**
 * Every second frame is marked, because neighbouring frames agree and this step is the slowest. Where that is more than
 * the most, which half an hour of talk is, the marked frames are farther apart.
 */
const SHORTEST_STRIDE = 2;
const MOST_MARKED = 80_000;

/**
 * Binary keys, based on Gaussians fitted to the recording itself. The key of a span counts how often each Gaussian was
 * among the eight nearest to one of its frames.
 */
export class BinaryKeys {
  /** Number of Gaussians, which is the length of a key. */
  readonly size: number;
  readonly #marks: Uint16Array;
  readonly #perFrame: number;
  /** Marked frames are this far apart. */
  readonly #stride: number;

  /** @param cepstra standardised rows of the speech frames, at least one. */
  constructor(cepstra: Float32Array) {
    const frames = cepstra.length / CEPSTRA;
    const pool = gaussianPool(cepstra, frames);
    const chosen = spreadOut(pool.means, Math.min(MOST_GAUSSIANS, Math.max(FEWEST_GAUSSIANS, pool.n >> 1), pool.n));
    this.size = chosen.length;
    this.#perFrame = Math.min(MARKS, this.size);
    this.#stride = Math.max(SHORTEST_STRIDE, Math.ceil(frames / MOST_MARKED));
    this.#marks = nearest(cepstra, frames, pool, chosen, { perFrame: this.#perFrame, stride: this.#stride });
  }

  /** The key of a span, which has `size` counts. */
  of(span: Span): Float32Array {
    const key = new Float32Array(this.size);
    const first = Math.ceil(span.from / this.#stride) * this.#perFrame;
    const last = Math.ceil(span.to / this.#stride) * this.#perFrame;
    for (let i = first; i < last; i++) {
      const gaussian = this.#marks[i]!;
      key[gaussian] = key[gaussian]! + 1;
    }
    return key;
  }
}

interface Pool {
  n: number;
  means: Float64Array;
  variances: Float64Array;
}

function gaussianPool(cepstra: Float32Array, frames: number): Pool {
  const step = Math.max(SHORTEST_STEP, Math.floor(frames / POOL_SIZE));
  const starts: number[] = [];
  for (let from = 0; from < Math.max(1, frames - POOL_FRAMES / 2); from += step) starts.push(from);
  const means = new Float64Array(starts.length * CEPSTRA);
  const variances = new Float64Array(starts.length * CEPSTRA);
  for (const [g, from] of starts.entries()) {
    const to = Math.min(frames, from + POOL_FRAMES);
    for (let c = 0; c < CEPSTRA; c++) {
      let sum = 0;
      let squares = 0;
      for (let i = from * CEPSTRA + c; i < to * CEPSTRA; i += CEPSTRA) {
        sum += cepstra[i]!;
        squares += cepstra[i]! ** 2;
      }
      const mean = sum / (to - from);
      means[g * CEPSTRA + c] = mean;
      variances[g * CEPSTRA + c] = Math.max(0, squares / (to - from) - mean * mean) + VARIANCE_FLOOR;
    }
  }
  return { n: starts.length, means, variances };
}

/**
 * Starts with the Gaussian nearest to the global mean, and repeatedly adds the one that is farthest (cosine) from all
 * chosen.
 */
function spreadOut(means: Float64Array, wanted: number): number[] {
  const n = means.length / CEPSTRA;
  const unit = new Float64Array(means.length);
  let first = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (let g = 0; g < n; g++) {
    let norm = 0;
    for (let c = 0; c < CEPSTRA; c++) norm += means[g * CEPSTRA + c]! ** 2;
    norm = Math.sqrt(norm);
    if (norm < smallest) {
      smallest = norm;
      first = g;
    }
    for (let c = 0; c < CEPSTRA; c++) unit[g * CEPSTRA + c] = means[g * CEPSTRA + c]! / (norm + 1e-9);
  }
  const chosen = [first];
  const distance = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  while (chosen.length < wanted) {
    const last = chosen[chosen.length - 1]!;
    let farthest = 0;
    for (let g = 0; g < n; g++) {
      let dot = 0;
      for (let c = 0; c < CEPSTRA; c++) dot += unit[g * CEPSTRA + c]! * unit[last * CEPSTRA + c]!;
      distance[g] = Math.min(distance[g]!, 1 - dot);
      if (distance[g]! > distance[farthest]!) farthest = g;
    }
    chosen.push(farthest);
  }
  return chosen;
}

function nearest(
  cepstra: Float32Array,
  frames: number,
  pool: Pool,
  chosen: number[],
  { perFrame, stride }: { perFrame: number; stride: number },
): Uint16Array {
  const size = chosen.length;
  const linear = new Float64Array(size * CEPSTRA);
  const quadratic = new Float64Array(size * CEPSTRA);
  const constant = new Float64Array(size);
  for (const [g, from] of chosen.entries()) {
    for (let c = 0; c < CEPSTRA; c++) {
      const mean = pool.means[from * CEPSTRA + c]!;
      const variance = pool.variances[from * CEPSTRA + c]!;
      linear[g * CEPSTRA + c] = mean / variance;
      quadratic[g * CEPSTRA + c] = -0.5 / variance;
      constant[g] = constant[g]! - 0.5 * (Math.log(variance) + (mean * mean) / variance);
    }
  }
  const marked = Math.ceil(frames / stride);
  const marks = new Uint16Array(marked * perFrame);
  const rows = new Float64Array(ROWS_AT_ONCE * CEPSTRA);
  const scores = new Float64Array(ROWS_AT_ONCE * size);
  for (let first = 0; first < marked; first += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, marked - first);
    for (let i = 0; i < count; i++) {
      const from = (first + i) * stride * CEPSTRA;
      for (let c = 0; c < CEPSTRA; c++) rows[i * CEPSTRA + c] = cepstra[from + c]!;
    }
    logDensities(rows, { size, constant, linear, quadratic }, scores);
    for (let i = 0; i < count; i++) {
      const own = marks.subarray((first + i) * perFrame, (first + i + 1) * perFrame);
      highest(scores.subarray(i * size, (i + 1) * size), own);
    }
  }
  return marks;
}

/** The positions of the highest scores, highest first, as many as `at` holds. */
function highest(scores: Float64Array, at: Uint16Array): void {
  const last = at.length - 1;
  const best = new Float64Array(at.length).fill(Number.NEGATIVE_INFINITY);
  for (let g = 0; g < scores.length; g++) {
    const score = scores[g]!;
    if (score <= best[last]!) continue;
    let k = last;
    for (; k > 0 && best[k - 1]! < score; k--) {
      best[k] = best[k - 1]!;
      at[k] = at[k - 1]!;
    }
    best[k] = score;
    at[k] = g;
  }
}

/** 1 - cosine of two keys, 0 to 1. */
export function keyDistance(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return 1 - dot / (Math.sqrt(aa * bb) + 1e-9);
}
