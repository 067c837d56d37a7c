import { HEAD, NOMINAL } from '../generated/noun-shares.ts';
import { stem } from '../segmentation/tokens.ts';
import { wordVectors } from '../segmentation/word-vectors.ts';

/** Endings that adverbs, adjectives and verb forms have. */
const NOT_A_NOUN = /(?:ly|ful|ous|able|ible|ial|ing|ed|est|ive|less)$/;
/** Share given to a word the training text did not hold, and to one of them with such an ending. */
const UNKNOWN = 0.6;
const UNKNOWN_ENDING = 0.25;
const STEPS = 9;

const share = (digits: string, word: string): number => {
  const row = wordVectors().index.get(stem(word));
  if (row === undefined) return NOT_A_NOUN.test(word) ? UNKNOWN_ENDING : UNKNOWN;
  return (digits.charCodeAt(row) - 48) / STEPS;
};

/** How often a word is the noun of its phrase, 0..1. */
export const headShare = (word: string): number => share(HEAD, word);

/** How often it stands within a noun phrase at all, rather than where verbs stand, 0..1. */
export const nominalShare = (word: string): number => share(NOMINAL, word);
