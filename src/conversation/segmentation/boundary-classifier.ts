import { unpackInt8 } from '../../contract/packed-int8.ts';
import { CHAT, MEETING, type PackedModel } from '../generated/segmentation-weights.ts';

/** A logistic regression over numbers and hashed words. */
export interface BoundaryModel {
  bias: number;
  /** Per numeric feature, in its own units. */
  numeric: Float32Array;
  /** Per bucket, int8 times `scale`. */
  words: Int8Array;
  scale: number;
}

const unpack = ({ bias, numeric, scale, words }: PackedModel): BoundaryModel => ({
  bias,
  numeric: Float32Array.from(numeric),
  scale,
  words: unpackInt8(words),
});

let chat: BoundaryModel | undefined;
let meeting: BoundaryModel | undefined;

/** Trained on joints of short dialogues; decoded on first use. */
export const chatModel = (): BoundaryModel => {
  chat ??= unpack(CHAT);
  return chat;
};

/** Trained on the topic spans of long meetings; decoded on first use. */
export const meetingModel = (): BoundaryModel => {
  meeting ??= unpack(MEETING);
  return meeting;
};

/** Log-odds that a new topic opens, one a boundary; [i - 1] for the boundary before turn i. */
export function boundaryLogits(features: Float32Array[], words: Uint16Array[], model: BoundaryModel): Float32Array {
  const out = Float32Array.from(words, (row) => {
    let lexical = 0;
    for (const bucket of row) lexical += model.words[bucket]!;
    return model.bias + lexical * model.scale;
  });
  features.forEach((column, f) => {
    const weight = model.numeric[f]!;
    for (let i = 0; i < out.length; i++) out[i]! += weight * column[i]!;
  });
  return out;
}
