import type { PackedMatrix } from '../packed-weights.ts';

/** A logistic regression over numbers and hashed words. */
export interface BoundaryModel {
  bias: number;
  /** One weight for each numeric feature, in the feature's own units. */
  numeric: Float32Array;
  /** One weight for each bucket. */
  words: PackedMatrix;
}

/** The weights that `scripts/train/segmentation.ts` writes. */
export interface BoundaryModels {
  /** Trained on the joints of short dialogues. */
  chat: BoundaryModel;
  /** Trained on the topic spans of long meetings. */
  meeting: BoundaryModel;
}

/** Log-odds that a new topic begins, one for each boundary. [i - 1] is the boundary before turn i. */
export function boundaryLogits(features: Float32Array[], words: Uint16Array[], model: BoundaryModel): Float32Array {
  const { step, values } = model.words;
  const out = new Float32Array(words.length);
  for (let i = 0; i < out.length; i++) out[i] = model.bias + sumAt(values, words[i]!) * step;
  features.forEach((column, f) => {
    addScaled(out, column, model.numeric[f]!);
  });
  return out;
}

// Separate functions, because they are small and hot and are then compiled early.

function sumAt(values: PackedMatrix['values'], buckets: Uint16Array): number {
  let sum = 0;
  for (let k = 0; k < buckets.length; k++) sum += values[buckets[k]!]!;
  return sum;
}

function addScaled(to: Float32Array, column: Float32Array, weight: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += weight * column[i]!;
}
