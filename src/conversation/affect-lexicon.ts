import type { Emotion } from '../contract/timeline.ts';

/**
 * The words and phrases of a language that show feeling, hesitation and commitment. Words are lower-cased, apostrophes
 * plain.
 */
export interface AffectLexicon {
  hesitation: HesitationForms;
  cues: AffectCues;
  factuality: readonly FactualityMarker[];
  reactions: readonly Reaction[];
  sentiment: SentimentForms;
  ratedWords: RatedWordRules;
  /**
   * The persons a text refers to; trained features of the affect network, three in this order: speaker, listener, both.
   */
  personMarks: readonly RegExp[];
}

/**
 * Hedges after Prokofieva & Hirschberg (2014): relational ones limit the speaker's own commitment, propositional ones
 * make the content vague.
 */
export type HedgeKind = 'relational' | 'propositional';

export interface HesitationForms {
  /** Plain phrases; one that both kinds list is propositional. */
  hedges: Readonly<Record<HedgeKind, readonly string[]>>;
  /** A word that negates a hedge behind it. */
  negation: RegExp;
  /** Hedges that contain their own negation, or are hedges because of it. */
  negatedHedge: RegExp;
  /** Phrases that are not hedges between these words. */
  lookAlikes: readonly { phrase: RegExp; before?: RegExp; after?: RegExp }[];
  /** Hedges only before a number, and the numbers. */
  approximators: ReadonlySet<string>;
  number: RegExp;
  /** Words behind which an approximator is not one. */
  noApproximation: RegExp;
  fillers: ReadonlySet<string>;
  /** Phrases that announce a repair, and those that are fillers when they open nothing. */
  editTerms: Readonly<Record<'repair' | 'filler', readonly string[]>>;
  /** Words repeated for emphasis or by grammar, not by stumbling. */
  repeatable: RegExp;
  /**
   * Words with which a speaker restarts, words that correct, and words behind which a repeated one is not a restart.
   */
  begunAgain: RegExp;
  correcting: RegExp;
  joining: RegExp;
}

export interface AffectCues {
  /** Plain phrases. */
  phrases: Readonly<Record<'confusion' | 'reflection' | 'interest' | 'disinterest' | 'condition', readonly string[]>>;
  /** Words of certainty. */
  boosters: readonly string[];
  /** Words of strong feeling. */
  intensifiers: readonly string[];
  /** A date by which something is due. */
  deadline: RegExp;
  /** A word without content of its own in an utterance that holds no other. */
  listening: RegExp;
}

/** Words with which a speaker vouches for a statement. */
export interface FactualityMarker {
  /** Shown to readers before the words. */
  label: string;
  pattern: RegExp;
}

/**
 * An interjection: common in speech, rare in written comments. Matched in the lower-case text with its marks; it
 * multiplies the odds of its emotion.
 */
export interface Reaction {
  emotion: Emotion;
  pattern: RegExp;
}

/**
 * A set phrase whose sentiment the single words do not show: complaints without a negative word, praise made of
 * negations, disappointed wishes, idioms. Matched against the lower-case text, apostrophes kept.
 */
export interface ValuedPattern {
  /** The speaker's attitude, -1..1. */
  value: number;
  pattern: RegExp;
}

export interface SentimentForms {
  /** Praise and agreement. */
  positive: readonly ValuedPattern[];
  /** Complaint, refusal and worry. */
  negative: readonly ValuedPattern[];
  /** Polite formulas or the subject of the call: removed before the words are rated. */
  unfelt: readonly RegExp[];
  /** The pattern of `unfelt` that is removed only before the last question mark of a line. */
  unfeltAsked: RegExp;
  /** A negation that applies to the set phrase right after it. */
  negatedBefore: RegExp;
  /** A clause that is retracted, and the one that counts: groups 1 and 2. */
  turned: RegExp;
}

/** The parts of VADER's rules that depend on the language, beside its rated words. */
export interface RatedWordRules {
  boosters: ReadonlySet<string>;
  dampeners: ReadonlySet<string>;
  negations: ReadonlySet<string>;
  /** Part of a word that makes it a negation. */
  negationPart: string;
  /** Phrases of two or three words with their own rating. */
  idioms: ReadonlyMap<string, number>;
  but: string;
  /** A word that negates one of the next two, or the third where `nor` is right before it. */
  no: string;
  nor: RegExp;
  /** A negation that intensifies when one of `afterNever` follows. */
  never: string;
  afterNever: RegExp;
  /** Two words that together are not a negation. */
  withoutDoubt: readonly [string, string];
  /** A dampener of two words, and the words whose first one has another rating. */
  kindOf: RegExp;
  kind: readonly [string, string];
  /** A word that negates the next, unless behind one of `beforeLeast`. */
  least: string;
  beforeLeast: RegExp;
}
