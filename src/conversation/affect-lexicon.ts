import type { Emotion } from '../contract/timeline.ts';

/**
 * The words and phrases of a language that show feeling, hesitation and commitment. Words are in lower case with plain
 * apostrophes.
 */
export interface AffectLexicon {
  hesitation: HesitationForms;
  cues: AffectCues;
  factuality: readonly FactualityMarker[];
  reactions: readonly Reaction[];
  sentiment: SentimentForms;
  ratedWords: RatedWordRules;
  /**
   * The people that a text refers to: speaker, listener and both, in this order. They are trained features of the
   * affect network.
   */
  personMarks: readonly RegExp[];
}

/**
 * Hedges, following Prokofieva & Hirschberg (2014). Relational hedges limit the speaker's own commitment; propositional
 * hedges make the content vague.
 */
export type HedgeKind = 'relational' | 'propositional';

export interface HesitationForms {
  /** Plain phrases. A phrase listed under both kinds is propositional. */
  hedges: Readonly<Record<HedgeKind, readonly string[]>>;
  /** A word that negates a hedge after it. */
  negation: RegExp;
  /** Hedges that contain a negation, or that are hedges only because of one. */
  negatedHedge: RegExp;
  /** Phrases that are not hedges when these words surround them. */
  lookAlikes: readonly { phrase: RegExp; before?: RegExp; after?: RegExp }[];
  /** Words that are hedges only before a number, and the words for numbers. */
  approximators: ReadonlySet<string>;
  number: RegExp;
  /** Words that keep a following approximator from approximating. */
  noApproximation: RegExp;
  fillers: ReadonlySet<string>;
  /** Phrases that announce a repair, and phrases that are fillers unless they begin something new. */
  editTerms: Readonly<Record<'repair' | 'filler', readonly string[]>>;
  /** Words that are repeated for emphasis or by grammar, not because the speaker stumbles. */
  repeatable: RegExp;
  /**
   * Words with which a speaker restarts, words that correct, and words that may precede a repeated word without a
   * restart.
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
  /** A word without content if the utterance contains nothing else. */
  listening: RegExp;
}

/** Words with which a speaker vouches for a statement. */
export interface FactualityMarker {
  /** The label that readers see before these words. */
  label: string;
  pattern: RegExp;
}

/**
 * An interjection, which is common in speech but rare in written comments. It is matched in the lower-case text with
 * its punctuation, and multiplies the odds of its emotion.
 */
export interface Reaction {
  emotion: Emotion;
  pattern: RegExp;
}

/**
 * A set phrase whose sentiment its single words do not show: a complaint without a negative word, praise made of
 * negations, a disappointed wish, or an idiom. It is matched in the lower-case text with its apostrophes.
 */
export interface ValuedPattern {
  /** The speaker's attitude, from -1 to 1. */
  value: number;
  pattern: RegExp;
}

export interface SentimentForms {
  /** Praise and agreement. */
  positive: readonly ValuedPattern[];
  /** Complaint, refusal and worry. */
  negative: readonly ValuedPattern[];
  /** Polite formulas, and words about the subject of the call. They are removed before the words are rated. */
  unfelt: readonly RegExp[];
  /** The pattern of `unfelt` that is removed only before the last question mark of a line. */
  unfeltAsked: RegExp;
  /** A negation that applies to the set phrase right after it. */
  negatedBefore: RegExp;
  /** A clause that is retracted, and the clause that counts: groups 1 and 2. */
  turned: RegExp;
}

/** The language-specific parts of VADER's rules, apart from its rated words. */
export interface RatedWordRules {
  boosters: ReadonlySet<string>;
  dampeners: ReadonlySet<string>;
  negations: ReadonlySet<string>;
  /** The part of a word that makes it a negation. */
  negationPart: string;
  /** Phrases of two or three words with a rating of their own. */
  idioms: ReadonlyMap<string, number>;
  but: string;
  /** A word that negates one of the next two words, or the third if `nor` comes right before it. */
  no: string;
  nor: RegExp;
  /** A negation that intensifies if one of `afterNever` follows. */
  never: string;
  afterNever: RegExp;
  /** Two words that together are not a negation. */
  withoutDoubt: readonly [string, string];
  /** A dampener of two words, and the pair of words whose first word has a different rating. */
  kindOf: RegExp;
  kind: readonly [string, string];
  /** A word that negates the next word, unless it follows one of `beforeLeast`. */
  least: string;
  beforeLeast: RegExp;
}
