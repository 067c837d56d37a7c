import { expect, test } from 'vitest';
import type { MomentCategory, MomentEvent } from '../../src/contract/findings.ts';
import type { Utterance } from '../../src/contract/timeline.ts';
import { languageOf } from '../../src/conversation/languages.ts';
import { outcomesOf, withoutRepeats } from '../../src/conversation/outcomes.ts';

const ENGLISH = languageOf('en');

const moment = (id: string, category: MomentCategory, start_s: number, confidence: number, answers?: string) =>
  ({
    moment_id: id,
    category,
    start_ms: start_s * 1000,
    utterance_ids: [id],
    evidence: [{ utterance_id: id, quote: 'We could take it on Thursday.' }],
    confidence,
    ...(answers !== undefined && { answers }),
  }) as MomentEvent;

const said = (id: string, text: string, speaker = 'Ann'): Utterance => ({
  utterance_id: id,
  speaker,
  t_start: 0,
  t_end: 1,
  text,
});
/** The utterances of a test's moments, by one speaker and then another. */
const talk = ['early', 'taken', 'yes', 'late', 'offer', 'no'].map((id, i) =>
  said(id, 'We could take it on Thursday.', i % 2 ? 'Ben' : 'Ann'),
);

test('an agreement soon after a proposal settles it, sure or not; a later one does not', () => {
  const early = moment('early', 'cta_offered', 10, 0.8);
  const taken = moment('taken', 'cta_offered', 20, 0.8);
  const late = moment('late', 'cta_offered', 40, 0.8);
  const unsure = moment('yes', 'cta_accepted', 30, 0.3, 'taken');
  const openIn = (utterances: Utterance[]) =>
    outcomesOf([early, taken, unsure, late], utterances, ENGLISH).open.map((m) => m.moment_id);
  expect(openIn(talk)).toEqual(['late']);
  const between = Array.from({ length: 8 }, (_, i) => said(`u${i}`, 'The dog slept on the stairs.'));
  expect(openIn([talk[0]!, ...between, ...talk.slice(1)])).toEqual(['early', 'late']);
  // An agreement that is not likelier than not does not count.
  expect(outcomesOf([early, taken, unsure, late], talk, ENGLISH).accepted).toEqual([]);
  expect(outcomesOf([early, taken], talk, ENGLISH).open.map((m) => m.moment_id)).toEqual(['early', 'taken']);
});

test('an utterance that answers two offers in the same way is listed once, by the likelier', () => {
  const plain = moment('yes', 'cta_accepted', 30, 0.9, 'one');
  const further = moment('yes', 'cta_accepted', 30, 0.6, 'two');
  const refused = moment('yes', 'cta_rejected', 30, 0.5, 'three');
  const later = moment('later', 'cta_accepted', 40, 0.4, 'four');
  expect(withoutRepeats([plain, further, refused, later])).toEqual([plain, refused, later]);
  expect(withoutRepeats([further, plain])).toEqual([plain]);
});

test('only moments that are likelier than not count', () => {
  const offer = moment('offer', 'cta_offered', 10, 0.8);
  const toldAt = (confidence: number) => {
    const yes = moment('yes', 'cta_accepted', 20, confidence, 'offer');
    const no = moment('no', 'cta_rejected', 30, confidence, 'offer');
    const doubt = moment('late', 'objection', 40, confidence);
    const { accepted, rejected, unresolved } = outcomesOf([offer, yes, no, doubt], talk, ENGLISH);
    return [...accepted.map((s) => s.answer), ...rejected.map((s) => s.answer), ...unresolved].map((m) => m.moment_id);
  };
  expect(toldAt(0.49)).toEqual([]);
  expect(toldAt(0.5)).toEqual(['yes', 'no', 'late']);
  const alone = (confidence: number) =>
    outcomesOf([moment('offer', 'cta_offered', 10, confidence)], talk, ENGLISH).open.length;
  expect([alone(0.79), alone(0.8)]).toEqual([0, 1]);
});

test('an answer that is too uncertain to be listed still settles a proposal', () => {
  const taken = moment('taken', 'cta_offered', 20, 0.8);
  const unsure = moment('no', 'cta_rejected', 30, 0.3, 'taken');
  const { open, rejected } = outcomesOf([taken, unsure], talk, ENGLISH);
  expect([open, rejected]).toEqual([[], []]);
});

test('no proposal is open where only one person was recorded', () => {
  const offer = moment('offer', 'cta_offered', 10, 0.8);
  expect(outcomesOf([offer], [said('offer', 'We could take it on Thursday.')], ENGLISH).open).toEqual([]);
});

test('a question for a fact is no open proposal', () => {
  const offer = moment('offer', 'cta_offered', 10, 0.8);
  const openAfter = (text: string) =>
    outcomesOf([offer], [said('offer', text), said('x', 'Hm.', 'Ben')], ENGLISH).open.length;
  expect(openAfter('We could send it. Where shall it go?')).toBe(0);
  expect(openAfter('I know where you live. Shall I send it?')).toBe(1);
  expect(openAfter('When it is done we could send it.')).toBe(1);
  expect(openAfter('How about Monday?')).toBe(1);
  expect(openAfter('How much would you pay?')).toBe(0);
});

test('an objection of a word or two is left out, and a short quote of a longer one is extended', () => {
  const objection = { ...moment('no', 'objection', 10, 0.8), evidence: [{ quote: 'No.' }] } as MomentEvent;
  const unresolved = (text: string) => outcomesOf([objection], [said('no', text)], ENGLISH).unresolved;
  expect(unresolved('No. Never.')).toEqual([]);
  expect(unresolved('No. That is far too dear for us.')[0]?.evidence[0]?.quote).toBe('That is far too dear for us.');
});

test('moments without quotes have the same outcomes', () => {
  const bare = (m: MomentEvent): MomentEvent => ({ ...m, evidence: [] });
  const moments = [
    moment('early', 'objection', 10, 0.8),
    moment('taken', 'cta_offered', 20, 0.8),
    moment('yes', 'cta_accepted', 30, 0.8, 'taken'),
    moment('late', 'cta_offered', 40, 0.8),
  ];
  const idsOf = (all: MomentEvent[]) => {
    const { open, overcome, unresolved, accepted } = outcomesOf(all, talk, ENGLISH);
    return [open, overcome, unresolved, accepted.map((a) => a.offer!)].map((list) => list.map((m) => m.moment_id));
  };
  expect(idsOf(moments.map(bare))).toEqual(idsOf(moments));
  expect(idsOf(moments)).toEqual([['late'], ['early'], [], ['taken']]);
});
