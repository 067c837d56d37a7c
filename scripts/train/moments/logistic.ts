import type { LinearWeights } from '../../../src/conversation/dialogue-acts/act-model.ts';

/** One sentence: buckets of its n-grams, log-odds by the hand-set cues, and what it is. */
export interface SparseExample {
  buckets: number[];
  prior: number;
  positive: boolean;
  weight: number;
}

/** A fitted head. */
export interface SparseModel {
  bias: number;
  /** Share of the cues' log-odds that holds. */
  cues: number;
  weights: Float64Array;
}

const EPOCHS = 20;
const RATE = 0.3;
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/**
 * Logistic regression over hashed n-grams beside a hand-set prior, by AdaGrad (Duchi et al. 2011) in a fixed order.
 * @param shrinkage L2 penalty on every n-gram weight, per epoch
 */
export function fitSparse(examples: SparseExample[], buckets: number, shrinkage: number): SparseModel {
  const weights = new Float64Array(buckets);
  const squares = new Float64Array(buckets).fill(1e-2);
  let bias = 0;
  let cues = 0.7;
  let biasSquares = 1e-2;
  let cueSquares = 1e-2;
  const logit = (ids: number[], prior: number): number => {
    let sum = 0;
    for (const b of ids) sum += weights[b]!;
    return bias + cues * prior + sum / Math.sqrt(Math.max(1, ids.length));
  };
  const shuffled = examples
    .map((e, i) => ({ e, key: Math.imul(i + 1, 0x9e3779b1) >>> 0 }))
    .sort((a, b) => a.key - b.key);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE * (1 - epoch / EPOCHS);
    for (const { e } of shuffled) {
      const error = e.weight * (sigmoid(logit(e.buckets, e.prior)) - (e.positive ? 1 : 0));
      const share = error / Math.sqrt(Math.max(1, e.buckets.length));
      for (const b of e.buckets) {
        const g = share + shrinkage * weights[b]!;
        squares[b]! += g * g;
        weights[b]! -= (rate * g) / Math.sqrt(squares[b]!);
      }
      biasSquares += error * error;
      bias -= (rate * error) / Math.sqrt(biasSquares);
      const g = (error * e.prior) / 4;
      cueSquares += g * g;
      cues -= (rate * g) / 4 / Math.sqrt(cueSquares);
    }
  }
  return { bias, cues, weights };
}

/** Penalty on the weights of the small context models; chosen by cross-validation. */
const LINEAR_PENALTY = 10;
const NEWTON_STEPS = 12;
/** Change of every weight at which the fit has settled. */
const SETTLED = 1e-4;

/** Logistic regression over named features by Newton's method (iteratively reweighted least squares). */
export function fitLinear(rows: { values: Record<string, number>; positive: boolean }[]): LinearWeights {
  const names = Object.keys(rows[0]?.values ?? {});
  const n = names.length + 1;
  const x = rows.map((r) => Float64Array.from([...names.map((name) => r.values[name] ?? 0), 1]));
  const w = new Float64Array(n);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const gradient = Float64Array.from(w, (v, j) => (j < n - 1 ? LINEAR_PENALTY * v : 0));
    const hessian = Array.from({ length: n }, (_, j) => {
      const row = new Float64Array(n);
      row[j] = j < n - 1 ? LINEAR_PENALTY : 1e-6;
      return row;
    });
    x.forEach((xs, r) => {
      let logit = 0;
      for (let j = 0; j < n; j++) logit += xs[j]! * w[j]!;
      const p = sigmoid(logit);
      const error = p - (rows[r]!.positive ? 1 : 0);
      const spread = Math.max(1e-6, p * (1 - p));
      for (let j = 0; j < n; j++) {
        const v = xs[j]!;
        if (v === 0) continue;
        gradient[j]! += error * v;
        for (let k = 0; k <= j; k++) hessian[j]![k]! += spread * v * xs[k]!;
      }
    });
    const change = solve(hessian, gradient);
    let largest = 0;
    for (let j = 0; j < n; j++) {
      w[j]! -= change[j]!;
      largest = Math.max(largest, Math.abs(change[j]!));
    }
    if (largest < SETTLED) break;
  }
  return { bias: w[n - 1]!, weights: Object.fromEntries(names.map((name, j) => [name, w[j]!])) };
}

/** Solves a positive definite system by Cholesky's decomposition; of the matrix only the lower half is read. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const lower = matrix.map((row) => Float64Array.from(row));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i]![j]!;
      for (let k = 0; k < j; k++) sum -= lower[i]![k]! * lower[j]![k]!;
      lower[i]![j] = i === j ? Math.sqrt(Math.max(1e-12, sum)) : sum / lower[j]![j]!;
    }
  }
  const solution = Float64Array.from(right);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) solution[i]! -= lower[i]![k]! * solution[k]!;
    solution[i]! /= lower[i]![i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) solution[i]! -= lower[k]![i]! * solution[k]!;
    solution[i]! /= lower[i]![i]!;
  }
  return solution;
}
