/** What an utterance's words say as a vector of length 1: the pipeline's sentence encoder makes it (`models/sentence-encoder.ts`). */
export const ENCODING_DIMENSIONS = 512;
