import type { Utterance } from '../../contract/timeline.ts';
import { type ContextWeights, sigmoid } from '../acts/act-model.ts';
import type { SentenceAct } from '../acts/dialogue-acts.ts';
import type { ActSentence } from '../acts/sentences.ts';
import { type AnswerFeatures, readAnswer } from './answers.ts';
import { logOdds } from './decisions.ts';
import { greatest } from './features.ts';
import type { OpenOffer } from './open-offer.ts';
import { type AnswerReading, type TurnReader, type TurnReading, withReading } from './turn-reader.ts';

/** What an utterance may settle, and the utterance read as an answer to it. */
export interface MayAnswer {
  offer: OpenOffer;
  read: AnswerFeatures;
}

/** The answer that settles an offer. */
export interface Answer {
  offer: OpenOffer;
  accepted: boolean;
  sentence: ActSentence;
  confidence: number;
  /** `late` after more than three turns of the other side or after a deferral. */
  labels: string[];
}

/** An utterance with what is known of it. */
export interface Heard {
  u: Utterance;
  /** Place in the conversation, from 0. */
  index: number;
  acts: SentenceAct[];
  /** Where its encoding is known. */
  reading?: TurnReading;
}

/** Turns of the other side in which any answer can settle an offer (methods, section 6). */
export const ANSWER_TURNS = 3;
/** Probability from which an utterance may turn out to be an offer by the way it is answered. */
const CANDIDATE_PROBABILITY = 0.02;
/** After this many turns of the other side an offer is forgotten: 98 % of the marked answers come earlier. */
const FORGOTTEN_TURNS = 10;
/** ... and one that may not be an offer at all. */
const FORGOTTEN_CANDIDATE_TURNS = 4;
/** Utterances of the other side that one answer is held against. */
const MAX_CANDIDATES = 8;
/** Least probability with which an answer settles a further offer; chosen by cross-validation. */
const FURTHER_ANSWER = 0.5;

/**
 * What was said that somebody may still settle, and the reading of what is said as an answer to it. An answer is held
 * against every utterance that may have been an offer, so that it finds its offer though others were made since, and so
 * that the answer can show that there was one. "Let me think about it" settles nothing and keeps the offer open.
 */
export class OfferBook {
  readonly #reader: TurnReader | undefined;
  #open: OpenOffer[] = [];
  #lastSpeaker: string | undefined;

  /** @param reader has read each utterance before it comes here */
  constructor(reader?: TurnReader) {
    this.#reader = reader;
  }

  /** What this utterance may answer, read as an answer to it; latest last. Once an utterance, before anything else. */
  read({ u, acts, reading }: Pick<Heard, 'u' | 'acts' | 'reading'>): MayAnswer[] {
    this.#pass(u.speaker);
    if (acts.length === 0) return [];
    const candidates = this.#open.filter((o) => o.utterance.speaker !== u.speaker).slice(-MAX_CANDIDATES);
    const mayAnswer = candidates.map((offer, i) => {
      const since = candidates.slice(i + 1);
      const read = readAnswer(u.speaker, acts, { offer, since, before: candidates.slice(0, i) });
      if ((read.values.deferral ?? 0) > 0 && offer.turns <= 1) offer.deferred = true;
      return { offer, read };
    });
    return reading && this.#reader ? withAnswerReadings(mayAnswer, reading, this.#reader) : mayAnswer;
  }

  /** Keeps an utterance that may be an offer. */
  keep(offer: OpenOffer): void {
    if (sigmoid(offer.logit) >= CANDIDATE_PROBABILITY) this.#open.push(offer);
  }

  /** Counts turns of the other side and forgets what nobody answered for long. */
  #pass(speaker: string): void {
    if (speaker === this.#lastSpeaker) return;
    this.#lastSpeaker = speaker;
    for (const o of this.#open) if (o.utterance.speaker !== speaker) o.turns++;
    this.#open = this.#open.filter((o) => o.turns <= (o.moment ? FORGOTTEN_TURNS : FORGOTTEN_CANDIDATE_TURNS));
  }
}

/** What an utterance may answer, with what the networks say of it and of the other offers that it may answer instead. */
export function withAnswerReadings(
  mayAnswer: readonly MayAnswer[],
  reading: TurnReading,
  reader: Pick<TurnReader, 'answers'>,
): MayAnswer[] {
  const said = mayAnswer.map(({ offer }) => reader.answers(offer.utterance));
  return mayAnswer.map(({ offer, read }, i) => {
    const others = said.filter((_, other) => other !== i);
    const most = (how: keyof AnswerReading): number => greatest(others.map((o) => o[how]));
    const rivals = { 'answers another yes': most('accepted'), 'answers another no': most('rejected') };
    return { offer, read: { ...read, values: { ...withReading(read.values, reading, said[i]), ...rivals } } };
  });
}

/**
 * The offers that an utterance settles beside those it was found to settle before, the likeliest last. It settles one when
 * it is likely to settle any of those it was held against, and that is the likeliest; and each further one that it very
 * likely settles.
 */
export function answersOf(
  readings: readonly MayAnswer[],
  weights: Pick<ContextWeights, 'accepted' | 'rejected'>,
  before: readonly Pick<Answer, 'offer'>[] = [],
): Answer[] {
  const [yes, no] = ([weights.accepted, weights.rejected] as const).map((model) => {
    const chances = readings.map(({ read }) => sigmoid(logOdds(model, read.values)));
    const any = 1 - chances.reduce((none, p) => none * (1 - p), 1);
    const which = chances.reduce((best, p, i) => (p > chances[best]! ? i : best), 0);
    return { chances, any, which, threshold: model.threshold };
  }) as [Chances, Chances];
  const answer = (which: number, accepted: boolean, confidence: number): Answer => {
    const { offer, read } = readings[which]!;
    const labels = offer.turns > ANSWER_TURNS || offer.deferred ? ['late'] : [];
    return { offer, accepted, sentence: accepted ? read.agreeing : read.refusing, confidence, labels };
  };
  const likeliest: Answer[] = [];
  if (before.length === 0) {
    const accepted = yes.any / yes.threshold >= no.any / no.threshold;
    const { which, any, threshold } = accepted ? yes : no;
    if (any < threshold) return [];
    likeliest.push(answer(which, accepted, any));
  }
  const settled = [...before, ...likeliest];
  const further = readings.flatMap(({ offer }, i) => {
    const accepted = yes.chances[i]! >= no.chances[i]!;
    const { chances, threshold } = accepted ? yes : no;
    const sure = chances[i]! >= Math.max(FURTHER_ANSWER, threshold);
    if (!sure || settled.some((other) => isSame(other.offer, offer))) return [];
    const found = answer(i, accepted, chances[i]!);
    settled.push(found);
    return [found];
  });
  return [...further, ...likeliest];
}

/** An offer told in two breaths is one. */
const isSame = (a: OpenOffer, b: OpenOffer): boolean => a === b || (a.moment !== undefined && a.moment === b.moment);

/** How likely it is that an utterance settles each offer in one way, and any of them; `which` is the likeliest. */
interface Chances {
  chances: number[];
  any: number;
  which: number;
  threshold: number;
}

/** An offer at the moment it is made. */
export function openOffer(
  u: Utterance,
  { sentence, cues }: Pick<SentenceAct, 'sentence' | 'cues'>,
  logit: number,
): OpenOffer {
  return {
    utterance: u,
    sentence,
    asked: sentence.question,
    asksFact: cues.has('offer.not-fact'),
    logit,
    words: new Set(sentence.tokens),
    turns: 0,
    deferred: false,
    settledBy: new Set(),
  };
}
