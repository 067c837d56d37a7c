import type { CueWeights } from '../../../containers/pipeline/affect/text/encoding-reading.ts';
import { featuresOf, NGRAM_COLUMNS, ngramsOf } from '../../../containers/pipeline/affect/text/features.ts';

/** Rows of features weighted by rarity, each block of unit length, stored one after another. */
export interface Matrix {
  starts: Uint32Array;
  columns: Uint32Array;
  values: Float32Array;
  /** Number of columns. */
  width: number;
}

/** Inverse document frequency of each bucket: ln((1 + n) / (1 + df)) + 1. */
export function rarityOf(texts: string[]): Float32Array {
  const seen = new Uint32Array(NGRAM_COLUMNS);
  for (const text of texts) {
    const { words, characters } = featuresOf(text);
    for (const column of [...words, ...characters]) seen[column]! += 1;
  }
  return Float32Array.from(seen, (df) => Math.log((1 + texts.length) / (1 + df)) + 1);
}

/** N-gram features of every text, followed by its cues (dense columns, the same number for each text, or none). */
export function matrixOf(texts: string[], rarity: Float32Array, cues: number[][] = []): Matrix {
  const starts = new Uint32Array(texts.length + 1);
  const columns: number[] = [];
  const values: number[] = [];
  texts.forEach((text, row) => {
    for (const { column, value } of ngramsOf(text, rarity)) {
      columns.push(column);
      values.push(value);
    }
    cues[row]?.forEach((value, i) => {
      columns.push(NGRAM_COLUMNS + i);
      values.push(value);
    });
    starts[row + 1] = columns.length;
  });
  const width = NGRAM_COLUMNS + (cues[0]?.length ?? 0);
  return { starts, columns: Uint32Array.from(columns), values: Float32Array.from(values), width };
}

/** Dense rows as a matrix. */
export const denseMatrix = (rows: number[][]): Matrix => {
  const width = rows[0]!.length;
  return {
    starts: Uint32Array.from({ length: rows.length + 1 }, (_, row) => row * width),
    columns: Uint32Array.from({ length: rows.length * width }, (_, i) => i % width),
    values: Float32Array.from(rows.flat()),
    width,
  };
};

/**
 * Scores of every row (rows x outputs), including the bias. The weights are columns x outputs, followed by the biases.
 */
function scoresOf({ starts, columns, values }: Matrix, weights: Float32Array, outputs: number): Float32Array {
  const rows = starts.length - 1;
  const scores = new Float32Array(rows * outputs);
  const bias = weights.length - outputs;
  for (let row = 0; row < rows; row++) {
    const out = row * outputs;
    for (let k = 0; k < outputs; k++) scores[out + k] = weights[bias + k]!;
    for (let i = starts[row]!; i < starts[row + 1]!; i++) {
      const value = values[i]!;
      const base = columns[i]! * outputs;
      for (let k = 0; k < outputs; k++) scores[out + k]! += value * weights[base + k]!;
    }
  }
  return scores;
}

/**
 * Loss of a row and its gradient with respect to the scores. Takes scores, replaces them with gradients, and returns
 * the loss.
 */
export type RowLoss = (scores: Float32Array, row: number) => number;

/** Half of the squared error against real-valued targets. */
export const squaredLoss =
  (targets: Float32Array, outputs: number): RowLoss =>
  (scores, row) => {
    let loss = 0;
    for (let k = row * outputs; k < (row + 1) * outputs; k++) {
      scores[k]! -= targets[k]!;
      loss += scores[k]! ** 2 / 2;
    }
    return loss;
  };

/** Cross-entropy of softmax against class shares. Shares that sum to less than 1 reduce the row's weight. */
export const shareLoss =
  (shares: Float32Array, outputs: number): RowLoss =>
  (scores, row) => {
    const at = row * outputs;
    const top = Math.max(...scores.subarray(at, at + outputs));
    let sum = 0;
    let weight = 0;
    let loss = 0;
    for (let k = at; k < at + outputs; k++) {
      sum += Math.exp(scores[k]! - top);
      weight += shares[k]!;
    }
    for (let k = at; k < at + outputs; k++) {
      const p = Math.exp(scores[k]! - top) / sum;
      loss -= shares[k]! * Math.log(p + 1e-12);
      scores[k] = weight * p - shares[k]!;
    }
    return loss;
  };

/**
 * Fits weights by L-BFGS (Nocedal 1980) with a backtracking line search; deterministic.
 * @param penalties L2 weight of each output, on everything but its bias: loss + penalty / 2 |w|^2.
 */
export function fitLinear(
  matrix: Matrix,
  outputs: number,
  rowLoss: RowLoss,
  penalties: number[],
  iterations: number,
): Float32Array {
  const size = (matrix.width + 1) * outputs;
  const bias = size - outputs;
  const rows = matrix.starts.length - 1;
  const evaluate = (weights: Float32Array): { loss: number; slope: Float32Array } => {
    const scores = scoresOf(matrix, weights, outputs);
    const slope = new Float32Array(size);
    let loss = 0;
    for (let row = 0; row < rows; row++) {
      loss += rowLoss(scores, row);
      const at = row * outputs;
      for (let k = 0; k < outputs; k++) slope[bias + k]! += scores[at + k]!;
      for (let i = matrix.starts[row]!; i < matrix.starts[row + 1]!; i++) {
        const value = matrix.values[i]!;
        const base = matrix.columns[i]! * outputs;
        for (let k = 0; k < outputs; k++) slope[base + k]! += value * scores[at + k]!;
      }
    }
    for (let i = 0; i < bias; i++) {
      const penalty = penalties[i % outputs]!;
      loss += (penalty / 2) * weights[i]! ** 2;
      slope[i]! += penalty * weights[i]!;
    }
    return { loss, slope };
  };
  const dot = (a: Float32Array, b: Float32Array) => {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += a[i]! * b[i]!;
    return sum;
  };
  const HISTORY = 6;
  const pairs: { s: Float32Array; y: Float32Array; rho: number }[] = [];
  let weights = new Float32Array(size);
  let current = evaluate(weights);
  for (let iteration = 0; iteration < iterations; iteration++) {
    const direction = Float32Array.from(current.slope, (g) => -g);
    const alphas: number[] = [];
    for (const { s, y, rho } of pairs.toReversed()) {
      const alpha = rho * dot(s, direction);
      alphas.push(alpha);
      for (let i = 0; i < size; i++) direction[i]! -= alpha * y[i]!;
    }
    const last = pairs.at(-1);
    const scale = last ? 1 / (last.rho * dot(last.y, last.y)) : 1 / Math.sqrt(dot(current.slope, current.slope));
    for (let i = 0; i < size; i++) direction[i]! *= scale;
    for (const { s, y, rho } of pairs) {
      const shift = alphas.pop()! - rho * dot(y, direction);
      for (let i = 0; i < size; i++) direction[i]! += shift * s[i]!;
    }
    const descent = dot(current.slope, direction);
    let step = 1;
    let next = weights;
    let reached = current;
    for (let halvings = 0; halvings < 12; halvings++, step /= 2) {
      next = weights.map((w, i) => w + step * direction[i]!);
      reached = evaluate(next);
      if (reached.loss <= current.loss + 1e-4 * step * descent) break;
    }
    const s = next.map((w, i) => w - weights[i]!);
    const y = reached.slope.map((g, i) => g - current.slope[i]!);
    const curvature = dot(s, y);
    if (curvature > 1e-10) pairs.push({ s, y, rho: 1 / curvature });
    if (pairs.length > HISTORY) pairs.shift();
    const gain = (current.loss - reached.loss) / Math.max(1, current.loss);
    weights = next;
    current = reached;
    if (gain < 1e-4) break;
  }
  return weights;
}

/** Mean and standard deviation of each column (1 for a constant column). */
export function momentsOf(rows: number[][]): { means: number[]; scales: number[] } {
  const average = (value: (row: number[]) => number) => rows.reduce((sum, row) => sum + value(row), 0) / rows.length;
  const means = rows[0]!.map((_, i) => average((row) => row[i]!));
  const scales = means.map((mean, i) => Math.sqrt(average((row) => (row[i]! - mean) ** 2)) || 1);
  return { means, scales };
}

/**
 * Weight of a standardised cue relative to n-gram blocks of length 1, so that one penalty fits both. With .1, r over
 * the folds was the same.
 */
const CUE_SCALE = 0.05;

export type Moments = ReturnType<typeof momentsOf>;

/** Cues as used for fitting: standardised and scaled. */
export const standardised = (cues: number[][], { means, scales }: Moments): number[][] =>
  cues.map((row) => row.map((value, i) => (CUE_SCALE * (value - means[i]!)) / scales[i]!));

/**
 * Converts weights fitted on three outputs and `standardised` cues (cues x 3, followed by others) to weights of the
 * standardised cues alone.
 */
export const cueWeightsOf = (fitted: Float32Array, { means, scales }: Moments): CueWeights => ({
  means,
  scales,
  weights: [0, 1, 2].map((k) => means.map((_, i) => CUE_SCALE * fitted[i * 3 + k]!)),
});
