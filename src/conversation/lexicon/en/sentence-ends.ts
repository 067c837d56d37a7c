/** An end of sentence: marks before a blank, but for the one point of an abbreviation or an initial (`8 a.m. and`, `Mr. Hill`). */
export const SENTENCE_END =
  /(?<![.!?…])(?:(?<!\b(?:mr|mrs|ms|dr|st|vs|(?<!['’])[a-hj-z]))\.|\.(?=[.!?…])|[!?…])[.!?…]*["'”’)\]]*(?=\s|$)/giu;

/** The blank between two clauses of a long sentence. */
export const BETWEEN_CLAUSES = /(?<=[,;])\s+(?=(?:and|but|so|because|then|i|we|you|it|the)\b)/iu;
