import type { SentenceEnds } from '../../language.ts';

/** The full stop of an abbreviation or an initial, which does not end a sentence: `8 a.m. and`, `Mr. Hill`. */
export const SENTENCE_ENDS: SentenceEnds = {
  sentenceEnd:
    /(?<![.!?…])(?:(?<!\b(?:mr|mrs|ms|dr|st|vs|(?<!['’])[a-hj-z]))\.|\.(?=[.!?…])|[!?…])[.!?…]*["'”’)\]]*(?=\s|$)/giu,

  betweenClauses: /(?<=[,;])\s+(?=(?:and|but|so|because|then|i|we|you|it|the)\b)/iu,
};
