/**
 * Names the weights that the conversation reads with, wherever it runs: the first digits of the SHA-256 over the ids on
 * their cards. `writeWeights` keeps it and a test holds it to the files; a Worker and a pipeline of different weights
 * refuse each other.
 */
export const WEIGHTS_ID = '0e8cf02f0e90';
