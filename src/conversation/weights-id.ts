/**
 * Id of all weights of a conversation: the first digits of the SHA-256 over the ids on their cards. `writeWeights`
 * updates it, and a test compares it with the files. The Worker logs when a pipeline's weights differ from its own.
 */
export const WEIGHTS_ID = '28a02b1f21f5';
