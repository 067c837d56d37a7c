/** Rows of dense numbers and sparse binary words. */
export interface Examples {
  /** Row-major rows x width, standardised. */
  dense: Float32Array;
  width: number;
  words: Uint16Array[];
  /** 0 or 1. */
  labels: Uint8Array;
}

/** Result of the gradient descent. */
export interface Fit {
  bias: number;
  dense: Float64Array;
  words: Float64Array;
}

/** Regularisation and scales of the fit. */
export interface FitOptions {
  buckets: number;
  /** Inverse of the L2 penalty, as in liblinear: the loss is the sum over examples, and the penalty is |w|^2 / (2C). */
  c: number;
  /** Value of a word that is present. Below 1, the dense numbers have more weight. */
  wordScale: number;
  /** Scale of one standard deviation of a number. */
  denseScale: number;
  iterations: number;
  /** Weight of each example. 1 if absent. */
  exampleWeights?: Float32Array;
}

/**
 * L2-regularised logistic regression, fitted by full-batch Adam with a falling learning rate. The problem is convex.
 */
export function fitLogistic(examples: Examples, options: FitOptions): Fit {
  const { dense, width, words, labels } = examples;
  const { buckets, c, wordScale, denseScale, iterations, exampleWeights } = options;
  const n = labels.length;
  const size = 1 + width + buckets;
  const w = new Float64Array(size);
  const m = new Float64Array(size);
  const v = new Float64Array(size);
  const gradient = new Float64Array(size);
  for (let t = 1; t <= iterations; t++) {
    gradient.fill(0);
    for (let i = 0; i < n; i++) {
      let z = w[0]!;
      for (let f = 0; f < width; f++) z += w[1 + f]! * denseScale * dense[i * width + f]!;
      const row = words[i]!;
      for (const b of row) z += w[1 + width + b]! * wordScale;
      const error = (1 / (1 + Math.exp(-z)) - labels[i]!) * (exampleWeights?.[i] ?? 1);
      gradient[0]! += error;
      for (let f = 0; f < width; f++) gradient[1 + f]! += error * denseScale * dense[i * width + f]!;
      for (const b of row) gradient[1 + width + b]! += error * wordScale;
    }
    const rate = 0.08 * (1 - (t - 1) / iterations);
    for (let k = 0; k < size; k++) {
      const g = gradient[k]! + (k > 0 ? w[k]! / c : 0);
      m[k] = 0.9 * m[k]! + 0.1 * g;
      v[k] = 0.99 * v[k]! + 0.01 * g * g;
      w[k]! -= (rate * (m[k]! / (1 - 0.9 ** t))) / (Math.sqrt(v[k]! / (1 - 0.99 ** t)) + 1e-9);
    }
  }
  return {
    bias: w[0]!,
    dense: w.slice(1, 1 + width).map((x) => x * denseScale),
    words: w.slice(1 + width).map((x) => x * wordScale),
  };
}
