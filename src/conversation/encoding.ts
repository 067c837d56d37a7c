/**
 * Dimensions of the sentence encoder's vector of an utterance, of length 1: texts with similar meaning point the same
 * way.
 */
export const SENTENCE_DIMENSIONS = 512;
/**
 * Dimensions of the vector for key moments, -1..1 in whole steps (made by the pipeline's `models/moment-pooling.ts`).
 */
export const POOLED_DIMENSIONS = 512;
export const POOLED_STEP = 1 / 127;
/** Dimensions of both, one after the other: the encoding of an utterance. */
export const ENCODING_DIMENSIONS = SENTENCE_DIMENSIONS + POOLED_DIMENSIONS;
