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
