import type { Utterance } from '../../contract/timeline.ts';
import { linear, momentWeights, sigmoid } from '../dialogue-acts/act-model.ts';
import type { Sentence } from '../dialogue-acts/sentences.ts';
import type { SentenceAct } from '../dialogue-acts.ts';
import { readAnswer } from './answers.ts';
import { strongest } from './context.ts';
import type { OpenOffer } from './open-offer.ts';

/** The answer that settles an offer. */
export interface Answer {
  offer: OpenOffer;
  accepted: boolean;
  sentence: Sentence;
  confidence: number;
  /** `late` after more than three turns of the other side or after a deferral. */
  labels: string[];
}

/** Probability from which an utterance offers; chosen by `bench/moments/cross-validation.ts`. */
export const OFFER_PROBABILITY = 0.35;
/** ... and from which it may turn out to be one by the way it is answered. */
export const TENTATIVE_PROBABILITY = 0.12;
/** Probability from which an answer settles an offer, and later than `ANSWER_TURNS`. */
export const SETTLED = 0.3;
/** ... and from which it shows that what it answers was an offer after all. */
export const SETTLED_TENTATIVE = 0.5;
const SETTLED_LATE = 0.8;
/** Turns of the other side in which any answer can settle an offer (methods, section 6). */
export const ANSWER_TURNS = 3;
/** After this many turns an offer is forgotten. */
const FORGOTTEN_TURNS = 40;
/** Offers kept open at once. */
const MAX_OPEN = 8;

/**
 * The offers of a conversation that nobody has answered yet, and the reading of what is said as an answer to them.
 *
 * Any answer counts within three turns of the other side; later only a plain one. "Let me think about it" settles nothing
 * and keeps the offer open, so that a late answer finds it.
 */
export class OfferBook {
  #open: OpenOffer[] = [];
  #lastSpeaker: string | undefined;
  /** Reads an utterance as the answer to the latest open offer of somebody else; settles that offer if it is one. */
  answer(u: Utterance, acts: SentenceAct[]): Answer | undefined {
    this.#pass(u.speaker);
    const others = this.#open.filter((o) => o.utterance.speaker !== u.speaker);
    // What may not be an offer at all is only answered at once; after that the last real one counts.
    const offer = others.findLast((o) => o.moment !== undefined || o.turns <= 1);
    if (!offer || acts.length === 0) return undefined;
    const read = readAnswer(acts, offer);
    const yes = sigmoid(linear(momentWeights().answer.accepted, read.values));
    const no = sigmoid(linear(momentWeights().answer.rejected, read.values));
    const confidence = Math.max(yes, no);
    const late = offer.turns > ANSWER_TURNS;
    if (read.values.deferral !== undefined && read.values.deferral > 0) offer.deferred = true;
    if (confidence < (late ? SETTLED_LATE : offer.moment ? SETTLED : SETTLED_TENTATIVE)) return undefined;
    this.#open = this.#open.filter((o) => o !== offer);
    const accepted = yes >= no;
    return {
      offer,
      accepted,
      sentence: accepted ? read.agreeing : read.refusing,
      confidence,
      labels: late || offer.deferred ? ['late'] : [],
    };
  }

  /**
   * Opens the strongest offer of an utterance whose features, by `TalkContext.offer`, speak for one.
   * @returns it when it is certain enough to be reported; a less certain one waits for its answer to tell
   */
  open(u: Utterance, acts: SentenceAct[], values: Record<string, number>): OpenOffer | undefined {
    const best = strongest(acts, 'offer');
    const logit = linear(momentWeights().offer, values);
    if (!best || sigmoid(logit) < TENTATIVE_PROBABILITY) return undefined;
    const offer = openOffer(u, best.sentence, logit);
    this.#open = [...this.#open, offer].slice(-MAX_OPEN);
    return sigmoid(logit) >= OFFER_PROBABILITY ? offer : undefined;
  }

  /** Counts turns of the other side and forgets what nobody answered for long. */
  #pass(speaker: string): void {
    if (speaker === this.#lastSpeaker) return;
    this.#lastSpeaker = speaker;
    for (const o of this.#open) if (o.utterance.speaker !== speaker) o.turns++;
    this.#open = this.#open.filter((o) => o.turns <= FORGOTTEN_TURNS);
  }
}

/** An offer at the moment it is made. */
export function openOffer(utterance: Utterance, sentence: Sentence, logit: number): OpenOffer {
  const words = new Set(sentence.tokens);
  return { utterance, sentence, asked: sentence.question, logit, words, turns: 0, deferred: false };
}
