/** What sort of conversation a phase belongs to; 'any' fits all. */
export type Genre = 'any' | 'sales' | 'support' | 'interview' | 'meeting';

/**
 * A kind of phase and the phrases by which it is known, parted by commas. A phrase is words with blanks between: `a|b` is
 * one of them, `_` any word, `#` a number in words or digits, `@day` and `@month` their names.
 */
export interface PhaseKind {
  name: string;
  /** Conversations in which it is at home; elsewhere it takes more to be named. */
  genres: readonly Genre[];
  /** Where in a conversation it belongs: 0 the start, 1 the end; absent when it may stand anywhere. */
  place?: number;
  /** Phrases each of which alone tells the kind. */
  cues: readonly string[];
  /** Phrases that agree with it. */
  hints?: readonly string[];
  /** Moments that agree with it. */
  moments?: readonly string[];
}
