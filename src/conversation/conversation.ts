import type { Findings, MomentEvent, TransitionEvent } from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';
import { allRounded } from '../contract/wire-numbers.ts';
import { TransitionDetector } from './affect/transitions.ts';
import type { RecordedAt } from './commitments/recorded-at.ts';
import { conclude } from './conclude.ts';
import type { Language } from './language.ts';
import { languageOf } from './languages.ts';
import { FLOORS_WITHOUT_ENCODINGS } from './moments/floors.ts';
import { MomentDetector } from './moments/moment-detector.ts';
import type { FoundMoment } from './moments/offers.ts';
import { describeMoment } from './summary/moment-descriptions.ts';
import { type Alone, loneVoice, type SpeakerFacts } from './turn-taking/lone-voice.ts';
import { MetricsCounter } from './turn-taking/metrics.ts';
import { readable } from './unread.ts';
import type { ConversationWeights } from './weights.ts';

export interface ConversationOptions {
  conversationId: string;
  /** The client's analysis focus, or '' for none. */
  goal: string;
  /** BCP 47. English is used if it is absent or has no row in `languages.ts`. */
  language?: string | undefined;
  /** When and in which time zone it was recorded. Without it, no date that was said can be worked out. */
  recorded?: RecordedAt | undefined;
}

/** The events that one more utterance completes. */
export interface Completed {
  transitions: TransitionEvent[];
  moments: MomentEvent[];
}

/**
 * Turns utterances into findings. Pure and synchronous. Batch, replay, live and re-segmentation use the same interface.
 */
export interface ConversationModel {
  /**
   * Adds an utterance. Utterances come in order of `t_start`.
   * @param encoding a vector of the words' meaning (`decodeEncoding`); absent when only text was given
   */
  add(utterance: Utterance, encoding?: Float32Array): Completed;
  /** The events that are complete only at the end of the conversation. */
  end(): Completed;
  /**
   * The findings about everything added, including its end. Call it once.
   * @param heard what the sound shows about its speakers
   */
  finish(heard?: SpeakerFacts): Findings;
}

/**
 * The model that every mode uses. The findings contain every transition and moment that `add` and `end` returned, under
 * the same id. Moments are unchanged and in the same order, and transitions are `final` if they lasted.
 */
export class Conversation implements ConversationModel {
  readonly #goal: string;
  readonly #language: Language;
  readonly #weights: ConversationWeights;
  readonly #utterances: Utterance[] = [];
  readonly #transitions: TransitionDetector;
  readonly #conversationId: string;
  /** Created with the first utterance, which shows whether there are encodings. */
  #detector: MomentDetector | undefined;
  /** The moments returned so far, in the order in which they were returned. */
  readonly #moments: MomentEvent[] = [];
  readonly #metrics: MetricsCounter;
  readonly #recorded: RecordedAt | undefined;

  constructor({ conversationId, goal, language, recorded }: ConversationOptions, weights: ConversationWeights) {
    this.#goal = goal;
    this.#language = languageOf(language);
    this.#metrics = new MetricsCounter(this.#language);
    this.#weights = weights;
    this.#transitions = new TransitionDetector(conversationId);
    this.#conversationId = conversationId;
    this.#recorded = recorded;
  }

  add(given: Utterance, encoding?: Float32Array): Completed {
    const utterance = readable(given);
    this.#utterances.push(utterance);
    this.#metrics.add(utterance);
    this.#detector ??= this.#newDetector(encoding !== undefined || utterance.unread !== undefined);
    return allRounded({
      transitions: this.#transitions.add(utterance),
      moments: this.#described(this.#detector.add(utterance, utterance.unread ? undefined : encoding)),
    });
  }

  end(): Completed {
    return allRounded({ transitions: [], moments: this.#described(this.#detector?.end() ?? []) });
  }

  #newDetector(hasEncodings: boolean): MomentDetector {
    if (hasEncodings) return new MomentDetector(this.#conversationId, this.#weights.moments, this.#language);
    const floors = FLOORS_WITHOUT_ENCODINGS;
    return new MomentDetector(this.#conversationId, this.#weights.momentsWithoutEncodings, this.#language, { floors });
  }

  #described(found: FoundMoment[]): MomentEvent[] {
    const moments = found.map((one) => describeMoment(one, this.#language));
    this.#moments.push(...moments);
    return moments;
  }

  finish(heard?: SpeakerFacts): Findings {
    this.end();
    const alone: Alone = loneVoice(this.#utterances, this.#language, heard);
    const { metrics } = this.#metrics;
    const { transitions } = this.#transitions;
    const moments = this.#moments;
    const observations = { utterances: this.#utterances, transitions, moments, metrics, goal: this.#goal, alone };
    const recorded = this.#recorded;
    return conclude({ ...observations, language: this.#language, ...(recorded && { recorded }) }, this.#weights);
  }
}
