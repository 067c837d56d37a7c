import type { SentenceAct } from '../acts/dialogue-acts.ts';
import type { ActSentence } from '../acts/sentences.ts';
import { clip, greatest } from './features.ts';
import type { OpenOffer } from './open-offer.ts';

/** An utterance read as an answer to an offer. */
export interface AnswerFeatures {
  /** Named features of the answer models. */
  values: Record<string, number>;
  /** The sentence that agrees most, and the one that refuses most, to be quoted. */
  agreeing: ActSentence;
  refusing: ActSentence;
}

/** Classes of words that say something: not function words, not yes or no. */
const ECHO = new Set(['<w>', '<day>', '<month>', '<num>', '<act>', '<money>']);

/** Tokens in which an utterance that takes up the last word does so. */
const TAKING_UP = 4;

/** Whether an utterance opens with something that was just said: "Four hundred!", "Thursday there's the board demo". */
export function takesUp(acts: readonly SentenceAct[], said: ReadonlySet<string>): boolean {
  const { tokens = [], classes = [] } = acts[0]?.sentence ?? {};
  return tokens
    .slice(0, TAKING_UP)
    .some((t, i) => t.length > 2 && ECHO.has(classes[i] ?? '') && (said.has(t) || said.has(t.replace(/'s$/, ''))));
}

/** Words that an utterance which was cut off ends in: alone they answer nothing that could be quoted. */
const HANGING = new Set(['^', '$', 'but', 'and', 'so', 'or', 'because', 'well', 'um', 'uh']);
const hangs = ({ sentence }: SentenceAct): boolean => sentence.tokens.every((t) => HANGING.has(t));

/** What may have been an offer, between what else may have been one. */
export interface Candidate {
  offer: OpenOffer;
  before: readonly OpenOffer[];
  since: readonly OpenOffer[];
}

/** @param acts at least one sentence */
export function readAnswer(speaker: string, acts: SentenceAct[], { offer, before, since }: Candidate): AnswerFeatures {
  const rival = (offers: readonly OpenOffer[]): number => greatest(offers.map((o) => o.logit));
  const most = (head: keyof SentenceAct['logits'], among = acts): SentenceAct =>
    among.reduce((a, b) => (b.logits[head] > a.logits[head] ? b : a));
  const agreeing = most('agreement');
  const refusing = most('refusal');
  const quotable = acts.some((a) => !hangs(a)) ? acts.filter((a) => !hangs(a)) : acts;
  const first = acts[0] ?? agreeing;
  const last = acts.at(-1) ?? agreeing;
  const tokens = acts.flatMap((a) => a.sentence.tokens);
  const kinds = acts.flatMap((a) => a.sentence.classes);
  const isEcho = (t: string, i: number): boolean => t.length > 2 && offer.words.has(t) && ECHO.has(kinds[i] ?? '');
  const has = (cue: string): number => (acts.some((a) => a.cues.has(cue)) ? 1 : 0);
  const classes = (name: string): number => Math.min(2, kinds.filter((k) => k === name).length);
  return {
    agreeing: most('agreement', quotable).sentence,
    refusing: most('refusal', quotable).sentence,
    values: {
      agreement: clip(agreeing.logits.agreement),
      refusal: clip(refusing.logits.refusal),
      deferral: clip(most('deferral').logits.deferral),
      objection: clip(most('objection').logits.objection),
      counter: clip(most('offer').logits.offer),
      question: last.sentence.question ? 1 : 0,
      questionOnly: acts.every((a) => a.sentence.question) ? 1 : 0,
      opensYes: first.cues.has('yes.weak') ? 1 : 0,
      opensNo: first.cues.has('no.weak') ? 1 : 0,
      strongYes: has('yes.strong'),
      strongNo: has('no.strong'),
      but: has('but'),
      echo: Math.min(2, tokens.filter(isEcho).length),
      negations: classes('<neg>'),
      good: classes('<good>'),
      bad: classes('<bad>'),
      short: tokens.length <= 5 ? 1 : 0,
      long: tokens.length > 20 ? 1 : 0,
      listening: acts.every((a) => a.act === 'back_channel') ? 1 : 0,
      offer: clip(offer.logit),
      asked: offer.asked ? 1 : 0,
      askedFact: offer.asksFact ? 1 : 0,
      secondTurn: offer.turns === 2 ? 1 : 0,
      laterTurn: offer.turns > 2 ? 1 : 0,
      deferred: offer.deferred ? 1 : 0,
      reported: offer.moment ? 1 : 0,
      reportedJustNow: offer.moment && offer.turns <= 1 ? 1 : 0,
      // Details asked for between an offer and its answer are seldom what is answered.
      passesOver: !offer.moment && before.some((o) => o.moment) ? 1 : 0,
      passedOver: offer.moment && since.some((o) => o.moment) ? 1 : 0,
      latest: since.length === 0 ? 1 : 0,
      strongerSince: rival(since),
      strongerBefore: rival(before),
      settled: offer.settledBy.size > 0 ? 1 : 0,
      settledSelf: offer.settledBy.has(speaker) ? 1 : 0,
      askedJustNow: offer.asked && offer.turns <= 1 ? 1 : 0,
    },
  };
}
