import type { MomentEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Sentence } from '../acts/sentences.ts';

/** A key moment before it is worded. */
export type FoundMoment = Omit<MomentEvent, 'summary'>;

/** An offer that waits for its answer. */
export interface OpenOffer {
  /** What was reported of it; absent while it may not be one. */
  moment?: FoundMoment;
  utterance: Utterance;
  sentence: Sentence;
  /** Whether it was put as a question, which a bare yes or no can answer. */
  asked: boolean;
  /** Whether it asks for a fact: a yes to that takes nothing up. */
  asksFact: boolean;
  /** Log-odds of its being an offer at all. */
  logit: number;
  /** Its words, which an answer may take up. */
  words: ReadonlySet<string>;
  /** Turns of others since it was made. */
  turns: number;
  deferred: boolean;
  /** Who has settled it already. */
  settledBy: Set<string>;
}
