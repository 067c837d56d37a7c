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

test('an utterance that answers two offers in the same way is listed once, by the more likely one', () => {
  const plain = moment('yes', 'cta_accepted', 30, 0.9, 'one');
  const further = moment('yes', 'cta_accepted', 30, 0.6, 'two');
  const refused = moment('yes', 'cta_rejected', 30, 0.5, 'three');
  const later = moment('later', 'cta_accepted', 40, 0.4, 'four');
  expect(withoutRepeats([plain, further, refused, later])).toEqual([plain, refused, later]);
  expect(withoutRepeats([further, plain])).toEqual([plain]);
});

/** Ids of the answers and objections that count. */
const countedOf = (moments: MomentEvent[], utterances = talk): Record<string, string[]> => {
  const { accepted, rejected, overcome, unresolved } = outcomesOf(moments, utterances, ENGLISH);
  const ids = (all: MomentEvent[]) => all.map((m) => m.moment_id);
  return {
    accepted: ids(accepted.map(({ answer }) => answer)),
    rejected: ids(rejected.map(({ answer }) => answer)),
    overcome: ids(overcome),
    unresolved: ids(unresolved),
  };
};
const NOTHING = { accepted: [], rejected: [], overcome: [], unresolved: [] };

test('a moment counts from the confidence on at which three of four are right', () => {
  const offer = { ...moment('early', 'cta_offered', 10, 0.8), speaker_id: 'Ann' };
  const at = (yes: number, no: number, doubt: number) =>
    countedOf([
      offer,
      moment('taken', 'cta_accepted', 20, yes, 'early'),
      moment('yes', 'cta_rejected', 30, no, 'early'),
      { ...moment('late', 'objection', 40, doubt), speaker_id: 'Ben' },
    ]);
  expect(at(0.59, 0.59, 0.59)).toEqual(NOTHING);
  expect(at(0.6, 0.6, 0.6)).toEqual({ ...NOTHING, accepted: ['taken'], rejected: ['yes'], unresolved: ['late'] });
});

test('an answer counts only where its proposal is known', () => {
  const yes = (answers?: string) => moment('yes', 'cta_accepted', 20, 0.9, answers);
  const offered = (confidence: number) => moment('taken', 'cta_offered', 10, confidence);
  expect(countedOf([offered(0.8), yes()])).toEqual(NOTHING);
  expect(countedOf([offered(0.2), yes('taken')])).toEqual(NOTHING);
  expect(countedOf([offered(0.8), yes('taken')]).accepted).toEqual(['yes']);
  // An uncertain proposal counts because of its answer only if it was a question.
  const asked = talk.map((u) => (u.utterance_id === 'taken' ? { ...u, text: 'Shall we take it?' } : u));
  expect(countedOf([offered(0.2), yes('taken')], asked).accepted).toEqual(['yes']);
});

test('an objection counts where another speaker proposed something shortly before', () => {
  const offer = (speaker_id: string) => ({ ...moment('early', 'cta_offered', 10, 0.8), speaker_id });
  const objection = { ...moment('late', 'objection', 40, 0.8), speaker_id: 'Ben' };
  expect(countedOf([objection])).toEqual(NOTHING);
  expect(countedOf([offer('Ben'), objection])).toEqual(NOTHING);
  expect(countedOf([offer('Ann'), objection]).unresolved).toEqual(['late']);
  const between = Array.from({ length: 8 }, (_, i) => said(`u${i}`, 'The dog slept on the stairs.'));
  expect(countedOf([offer('Ann'), objection], [talk[0]!, ...between, ...talk.slice(1)])).toEqual(NOTHING);
});

test('an objection is overcome by a later agreement of its speaker, and doubtful after one that is not sure', () => {
  const offer = { ...moment('early', 'cta_offered', 10, 0.8), speaker_id: 'Ann' };
  const objection = { ...moment('taken', 'objection', 20, 0.8), speaker_id: 'Ben' };
  const after = (confidence: number, speaker_id: string) =>
    countedOf([offer, objection, { ...moment('late', 'cta_accepted', 40, confidence, 'early'), speaker_id }]);
  expect(after(0.9, 'Ben')).toMatchObject({ overcome: ['taken'], unresolved: [] });
  expect(after(0.3, 'Ben')).toEqual(NOTHING);
  expect(after(0.9, 'Cal')).toMatchObject({ overcome: [], unresolved: ['taken'] });
});

test('an objection of a word or two is left out, and a short quote of a longer one is extended', () => {
  const offer = { ...moment('early', 'cta_offered', 5, 0.8), speaker_id: 'Ann' };
  const objection = {
    ...moment('no', 'objection', 10, 0.8),
    speaker_id: 'Ben',
    evidence: [{ utterance_id: 'no', quote: 'No.', t_start: 10, t_end: 11 }],
  };
  const unresolved = (text: string) =>
    outcomesOf([offer, objection], [talk[0]!, said('no', text, 'Ben')], ENGLISH).unresolved;
  expect(unresolved('No. Never.')).toEqual([]);
  expect(unresolved('No. That is far too dear for us.')[0]?.evidence[0]?.quote).toBe('That is far too dear for us.');
});

test('moments without quotes have the same outcomes', () => {
  const bare = (m: MomentEvent): MomentEvent => ({ ...m, evidence: [] });
  const moments = [
    { ...moment('early', 'cta_offered', 10, 0.8), speaker_id: 'Ann' },
    { ...moment('taken', 'objection', 20, 0.8), speaker_id: 'Ben' },
    { ...moment('yes', 'cta_accepted', 30, 0.8, 'early'), speaker_id: 'Ben' },
  ];
  expect(countedOf(moments.map(bare))).toEqual(countedOf(moments));
  expect(countedOf(moments)).toMatchObject({ accepted: ['yes'], overcome: ['taken'] });
});
