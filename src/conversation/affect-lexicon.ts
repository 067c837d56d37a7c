import type { Emotion } from '../contract/timeline.ts';

/** How the words of an utterance show feeling, hesitation and commitment. Words are lower-cased, apostrophes plain. */
export interface AffectLexicon {
  hesitation: HesitationForms;
  cues: AffectCues;
  factuality: readonly FactualityMarker[];
  reactions: readonly Reaction[];
  sentiment: SentimentForms;
  ratedWords: RatedWordRules;
  /** Who a text speaks of; trained features of the affect network, three in this order: speaker, listener, both. */
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
  /** A word that takes a hedge behind it back. */
  negation: RegExp;
  /** Hedges that carry their own negation, or are hedges because of it. */
  negatedHedge: RegExp;
  /** Phrases that are no hedge between these words. */
  lookAlikes: readonly { phrase: RegExp; before?: RegExp; after?: RegExp }[];
  /** Hedges only before a number, and the numbers. */
  approximators: ReadonlySet<string>;
  number: RegExp;
  /** Words behind which an approximator is none. */
  noApproximation: RegExp;
  fillers: ReadonlySet<string>;
  /** Phrases that announce a repair, and those that fill when they open nothing. */
  editTerms: Readonly<Record<'repair' | 'filler', readonly string[]>>;
  /** Words that are repeated for emphasis or by grammar, not by stumbling. */
  repeatable: RegExp;
  /** Words that a speaker begins again with, words that correct, and words behind which a repeated one is no restart. */
  begunAgain: RegExp;
  correcting: RegExp;
  joining: RegExp;
}

export interface AffectCues {
  /** Plain phrases. */
  phrases: Readonly<Record<'confusion' | 'reflection' | 'interest' | 'disinterest' | 'condition', readonly string[]>>;
  /** Words of certainty. */
  boosters: readonly string[];
  /** Words of heat. */
  intensifiers: readonly string[];
  /** A date by which something is to be done. */
  deadline: RegExp;
  /** A word without content of its own when nothing else is said. */
  listening: RegExp;
}

/** Words that mark how a speaker vouches for what they say. */
export interface FactualityMarker {
  /** As readers see it, before the words. */
  label: string;
  pattern: RegExp;
}

/**
 * A spoken reaction: what people call out in talk and seldom write in a comment. Searched in the lower-case text with its
 * marks; it multiplies the odds of its emotion.
 */
export interface Reaction {
  emotion: Emotion;
  pattern: RegExp;
}

/**
 * A turn of phrase whose sentiment the single words do not show: complaints without a bad word, praise made of negations,
 * disappointed wishes, idioms. Matched against the lower-case text, apostrophes kept.
 */
export interface ValuedPattern {
  /** How the speaker takes the matter, -1..1. */
  value: number;
  pattern: RegExp;
}

export interface SentimentForms {
  /** Praise and consent. */
  positive: readonly ValuedPattern[];
  /** Complaint, refusal and worry. */
  negative: readonly ValuedPattern[];
  /** Said out of politeness or as the matter of the call: cut out before the words are rated. */
  unfelt: readonly RegExp[];
  /** The one of `unfelt` that is cut out only before the last question mark of a line. */
  unfeltAsked: RegExp;
  /** A negation that reaches the turn of phrase right behind it. */
  negatedBefore: RegExp;
  /** A clause that is taken back, and the one that counts: groups 1 and 2. */
  turned: RegExp;
}

/** What the rules of VADER need of a language, beside its rated words. */
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
  /** A negation that intensifies before one of `afterNever`. */
  never: string;
  afterNever: RegExp;
  /** Two words that together are no negation. */
  withoutDoubt: readonly [string, string];
  /** A dampener of two words, and the words of which the first is rated otherwise. */
  kindOf: RegExp;
  kind: readonly [string, string];
  /** A word that negates the next, unless behind one of `beforeLeast`. */
  least: string;
  beforeLeast: RegExp;
}
