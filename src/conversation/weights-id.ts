/**
 * Id of the weights of a conversation, the same everywhere: the first digits of the SHA-256 over the ids on their
 * cards. `writeWeights` updates it and a test compares it with the files; a Worker and a pipeline with different
 * weights refuse each other.
 */
export const WEIGHTS_ID = '8ee2f600b2e6';
