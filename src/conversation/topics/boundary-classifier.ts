import type { PackedMatrix } from '../packed-weights.ts';

/** A logistic regression over numbers and hashed words. */
export interface BoundaryModel {
  bias: number;
  /** Per numeric feature, in its own units. */
  numeric: Float32Array;
  /** One step count a bucket. */
  words: PackedMatrix;
}

/** What `scripts/train/segmentation.ts` writes. */
export interface BoundaryModels {
  /** Trained on joints of short dialogues. */
  chat: BoundaryModel;
  /** Trained on the topic spans of long meetings. */
  meeting: BoundaryModel;
}

/** Log-odds that a new topic opens, one a boundary; [i - 1] for the boundary before turn i. */
export function boundaryLogits(features: Float32Array[], words: Uint16Array[], model: BoundaryModel): Float32Array {
  const { step, values } = model.words;
  const out = Float32Array.from(words, (row) => {
    let lexical = 0;
    for (const bucket of row) lexical += values[bucket]!;
    return model.bias + lexical * step;
  });
  features.forEach((column, f) => {
    const weight = model.numeric[f]!;
    for (let i = 0; i < out.length; i++) out[i]! += weight * column[i]!;
  });
  return out;
}
