import { expect, test } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import type { MomentEvent } from '../../../src/contract/findings.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import type { DecisionWeights } from '../../../src/conversation/acts/act-model.ts';
import { readActs } from '../../../src/conversation/acts/dialogue-acts.ts';
import { type AnswerFeatures, readAnswer } from '../../../src/conversation/moments/answers.ts';
import { CERTAIN } from '../../../src/conversation/moments/features.ts';
import {
  answersOf,
  type Heard,
  type MayAnswer,
  OfferBook,
  openOffer,
  withAnswerReadings,
} from '../../../src/conversation/moments/offers.ts';
import type { OpenOffer } from '../../../src/conversation/moments/open-offer.ts';
import { talk } from '../lines.ts';

/** A network of one feature: its log-odds themselves. */
const model = (feature: string, threshold: number): DecisionWeights => {
  const weight = { step: 1, values: Int8Array.of(1, -1) };
  const network = {
    hidden: { weight, bias: new Float32Array(2) },
    output: { weight, bias: new Float32Array(1) },
  };
  return { features: { [feature]: [0, 1] }, network, threshold };
};
const readings = (...all: Record<string, number>[]): MayAnswer[] =>
  all.map((values, turns) => ({ offer: { turns } as OpenOffer, read: { values } as AnswerFeatures }));
const heard = (lines: string): Heard[] =>
  talk(lines).map((u, index) => ({ u, index, acts: readActs(u.text, conversationWeights().moments) }));
const moment = { moment_id: 'c_mom_0' } as MomentEvent;
const weights = { accepted: model('yes', 0.5), rejected: model('no', 0.5) };

test('an utterance settles the likeliest of the offers it may answer', () => {
  const settled = answersOf(readings({ yes: -3, no: -9 }, { yes: 2, no: -9 }, { yes: -0.5, no: -9 }), weights);
  expect(settled).toMatchObject([{ offer: { turns: 1 }, accepted: true }]);
});

test('a further offer is settled where that is very likely, in its own way, and told before the likeliest', () => {
  const settled = answersOf(readings({ yes: -9, no: 1.5 }, { yes: 2, no: -9 }, { yes: -0.2, no: -0.1 }), weights);
  expect(settled).toMatchObject([
    { offer: { turns: 0 }, accepted: false },
    { offer: { turns: 1 }, accepted: true },
  ]);
});

test('what was settled before is not settled again', () => {
  const all = readings({ yes: 3, no: -9 }, { yes: -0.5, no: -9 });
  expect(answersOf(all, weights, [all[0]!])).toEqual([]);
  expect(answersOf([...all, ...readings({ yes: 1, no: -9 })], weights, [all[0]!])).toHaveLength(1);
});

test('an offer told in two breaths is settled once', () => {
  const all = readings({ yes: 2, no: -9 }, { yes: 3, no: -9 });
  for (const { offer } of all) offer.moment = moment;
  expect(answersOf(all, weights)).toHaveLength(1);
});

test('an answer that may go to either of two offers is the more certainly an answer', () => {
  expect(answersOf(readings({ yes: -0.5, no: -9 }), weights)).toEqual([]);
  const [answer] = answersOf(readings({ yes: -0.5, no: -9 }, { yes: -0.5, no: -9 }), weights);
  expect(answer?.confidence).toBeCloseTo(1 - (1 - 1 / (1 + Math.exp(0.5))) ** 2, 6);
});

test('an answer is read by what it answers: a question for a fact or an offer', () => {
  const [asks, offers, answer] = heard(`
    A: Could I check which model it is?
    A: Would you like the red one?
    B: Sure, the small one.`) as [Heard, Heard, Heard];
  const read = ({ u, acts }: Heard) =>
    readAnswer(answer.u.speaker, answer.acts, { offer: openOffer(u, acts[0]!, 1), before: [], since: [] }).values;
  expect([read(asks).askedFact, read(offers).askedFact]).toEqual([1, 0]);
});

test('nothing to answer settles nothing', () => {
  expect(answersOf([], weights)).toEqual([]);
});

test('an answer is not quoted by the word it was cut off at', () => {
  const [made, answer] = heard(`
    A: You could also walk in tomorrow.
    B: I will come in as soon as possible. But`) as [Heard, Heard];
  const offer = openOffer(made.u, made.acts[0]!, 1);
  const { agreeing, refusing } = readAnswer(answer.u.speaker, answer.acts, { offer, before: [], since: [] });
  expect(answer.acts).toHaveLength(2);
  expect([agreeing.text, refusing.text]).toEqual(Array(2).fill('I will come in as soon as possible.'));
});

function bookOf(made: Heard, logit: number): OfferBook {
  const book = new OfferBook();
  book.read(made);
  book.keep(openOffer(made.u, made.acts[0]!, logit));
  return book;
}

test('what is hardly an offer is not kept, and nobody answers their own', () => {
  const [offer, own, other] = heard(`
    A: Shall I book you in for Thursday?
    A: Thursday is fine.
    B: Thursday is fine.`) as [Heard, Heard, Heard];
  expect(bookOf(offer, -8).read(other)).toEqual([]);
  const book = bookOf(offer, 2);
  expect(book.read(own)).toEqual([]);
  expect(book.read(other)).toHaveLength(1);
});

test('what was never reported as an offer is forgotten after four turns of the other side', () => {
  const [offer, ...turns] = heard(`
    A: I could drop it off.
    B: One.
    A: Two.
    B: Three.
    A: Four.
    B: Five.
    A: Six.
    B: Seven.
    A: Eight.
    B: Nine.`) as [Heard, ...Heard[]];
  const book = bookOf(offer, 0);
  const open = turns.map((turn) => book.read(turn).length);
  expect(open).toEqual([1, 0, 1, 0, 1, 0, 1, 0, 0]);
});

test('an answer is read beside the other offers that it may settle instead', () => {
  const offers = heard(`
    A: Shall I send the plan?
    A: And shall I call you?
    A: Shall I book you in?`).map(({ u, acts }) => openOffer(u, acts[0]!, 1));
  const mayAnswer = offers.map((offer) => ({ offer, read: { values: {} } as AnswerFeatures }));
  const said = [
    { accepted: 1, rejected: -2 },
    { accepted: 3, rejected: -4 },
    { accepted: -9, rejected: 0 },
  ];
  const answers = (u: Utterance) => said[offers.findIndex((offer) => offer.utterance === u)]!;
  const reading = { objection: 0, offer: 0, accepted: 0, rejected: 0, shift: 0, business: 0 };
  const rivals = (among: MayAnswer[]) =>
    withAnswerReadings(among, reading, { answers }).map(({ read: { values } }) => [
      values['answers yes'],
      values['answers another yes'],
      values['answers no'],
      values['answers another no'],
    ]);
  expect(rivals(mayAnswer)).toEqual([
    [1, 3, -2, 0],
    [3, 1, -4, 0],
    [-CERTAIN, 3, 0, -2],
  ]);
  expect(rivals(mayAnswer.slice(0, 1))).toEqual([[1, -CERTAIN, -2, -CERTAIN]]);
});
