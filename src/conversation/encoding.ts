/**
 * Dimensions of the sentence encoder's vector of an utterance. The vector has length 1, and texts of similar meaning
 * point in the same direction.
 */
export const SENTENCE_DIMENSIONS = 512;
/**
 * Dimensions of the vector for key moments, with values from -1 to 1 in equal steps (computed by the pipeline's
 * `models/moment-pooling.ts`).
 */
export const POOLED_DIMENSIONS = 512;
export const POOLED_STEP = 1 / 127;
/** Dimensions of the two vectors in sequence, which form the encoding of an utterance. */
export const ENCODING_DIMENSIONS = SENTENCE_DIMENSIONS + POOLED_DIMENSIONS;
