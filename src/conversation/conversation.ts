import type { Findings, MomentEvent, TransitionEvent } from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';
import { allRounded } from '../contract/wire-numbers.ts';
import { TransitionDetector } from './affect/transitions.ts';
import { conclude } from './conclude.ts';
import type { Language } from './language.ts';
import { languageOf } from './languages.ts';
import { MomentDetector } from './moments/moment-detector.ts';
import type { FoundMoment } from './moments/offers.ts';
import { describeMoment } from './summary/moment-descriptions.ts';
import { MetricsCounter } from './turn-taking/metrics.ts';
import type { ConversationWeights } from './weights.ts';

/** Who asked and what for; both steer what is named first. */
export interface ConversationOptions {
  conversationId: string;
  /** The client's analysis focus; '' for none. */
  goal: string;
  /** BCP 47; English where it is absent or has no row in `languages.ts`. */
  language?: string | undefined;
}

/** What one more utterance completes. */
export interface Completed {
  transitions: TransitionEvent[];
  moments: MomentEvent[];
}

/** Utterances in, findings out. Pure and synchronous; the same for batch, replay, live and re-segmentation. */
export interface ConversationModel {
  /**
   * Utterances come in order of `t_start`.
   * @param encoding what the words say as a vector (`decodeEncoding`); absent where only text came
   */
  add(utterance: Utterance, encoding?: Float32Array): Completed;
  /** What only the end of the conversation completes; after the last utterance. */
  end(): Completed;
  /** Concludes over everything added, its end included; may be called once. */
  finish(): Findings;
}

/**
 * The one model of the house. Every transition and moment that `add` and `end` return is found in the findings under the same id;
 * a moment unchanged and in the order told, a transition `final` where it held.
 */
export class Conversation implements ConversationModel {
  readonly #goal: string;
  readonly #language: Language;
  readonly #weights: ConversationWeights;
  readonly #utterances: Utterance[] = [];
  readonly #transitions: TransitionDetector;
  readonly #detector: MomentDetector;
  /** Those told, in that order. */
  readonly #moments: MomentEvent[] = [];
  readonly #metrics: MetricsCounter;

  constructor({ conversationId, goal, language }: ConversationOptions, weights: ConversationWeights) {
    this.#goal = goal;
    this.#language = languageOf(language);
    this.#metrics = new MetricsCounter(this.#language);
    this.#weights = weights;
    this.#transitions = new TransitionDetector(conversationId);
    this.#detector = new MomentDetector(conversationId, weights.moments, this.#language);
  }

  add(utterance: Utterance, encoding?: Float32Array): Completed {
    this.#utterances.push(utterance);
    this.#metrics.add(utterance);
    return allRounded({
      transitions: this.#transitions.add(utterance),
      moments: this.#told(this.#detector.add(utterance, encoding)),
    });
  }

  end(): Completed {
    return allRounded({ transitions: [], moments: this.#told(this.#detector.end()) });
  }

  #told(found: FoundMoment[]): MomentEvent[] {
    const told = found.map((one) => describeMoment(one, this.#language));
    this.#moments.push(...told);
    return told;
  }

  finish(): Findings {
    this.end();
    const { metrics } = this.#metrics;
    const { transitions } = this.#transitions;
    const moments = this.#moments;
    const noticed = { utterances: this.#utterances, transitions, moments, metrics, goal: this.#goal };
    return conclude({ ...noticed, language: this.#language }, this.#weights);
  }
}
