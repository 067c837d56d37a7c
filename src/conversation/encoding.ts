/**
 * What an utterance's words say as far as it bears on key moments, as `moments/turn-reader.ts` reads it: numbers in
 * -1..1, 128 for each of four readers (the pipeline's `models/moment-pooling.ts` makes them).
 */
export const ENCODING_DIMENSIONS = 512;
/** The numbers come in whole steps of this. */
export const ENCODING_STEP = 1 / 127;
