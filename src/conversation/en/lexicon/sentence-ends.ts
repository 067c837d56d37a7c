import type { SentenceEnds } from '../../language.ts';

/** The point of an abbreviation or an initial does not end a sentence: `8 a.m. and`, `Mr. Hill`. */
export const SENTENCE_ENDS: SentenceEnds = {
  sentenceEnd:
    /(?<![.!?…])(?:(?<!\b(?:mr|mrs|ms|dr|st|vs|(?<!['’])[a-hj-z]))\.|\.(?=[.!?…])|[!?…])[.!?…]*["'”’)\]]*(?=\s|$)/giu,

  betweenClauses: /(?<=[,;])\s+(?=(?:and|but|so|because|then|i|we|you|it|the)\b)/iu,
};
