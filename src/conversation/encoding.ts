/** Numbers of the sentence encoder's vector of an utterance's words, of length 1: texts of like meaning point the same way. */
export const SENTENCE_DIMENSIONS = 512;
/** Numbers of what in them bears on key moments, -1..1 in whole steps (the pipeline's `models/moment-pooling.ts` makes them). */
export const POOLED_DIMENSIONS = 512;
export const POOLED_STEP = 1 / 127;
/** What an utterance's words say, for the conversation: the one after the other. */
export const ENCODING_DIMENSIONS = SENTENCE_DIMENSIONS + POOLED_DIMENSIONS;
