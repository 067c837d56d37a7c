import { expect, test } from 'vitest';
import type { MomentCategory, MomentEvent } from '../../src/contract/findings.ts';
import { outcomesOf, toldOnce } from '../../src/conversation/outcomes.ts';

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

test('a proposal stays open only where no yes was heard after it, sure or not', () => {
  const early = moment('early', 'cta_offered', 10, 0.8);
  const taken = moment('taken', 'cta_offered', 20, 0.8);
  const late = moment('late', 'cta_offered', 40, 0.8);
  const unsure = moment('yes', 'cta_accepted', 30, 0.3, 'taken');
  const { open, accepted } = outcomesOf([early, taken, unsure, late], []);
  expect(open.map((m) => m.moment_id)).toEqual(['late']);
  // What is not likelier than not is not told as agreed either.
  expect(accepted).toEqual([]);
  expect(outcomesOf([early, taken], []).open.map((m) => m.moment_id)).toEqual(['early', 'taken']);
});

test('an utterance that answers two offers in the same way is told once, by the likelier', () => {
  const plain = moment('yes', 'cta_accepted', 30, 0.9, 'one');
  const further = moment('yes', 'cta_accepted', 30, 0.6, 'two');
  const refused = moment('yes', 'cta_rejected', 30, 0.5, 'three');
  const later = moment('later', 'cta_accepted', 40, 0.4, 'four');
  expect(toldOnce([plain, further, refused, later])).toEqual([plain, refused, later]);
  expect(toldOnce([further, plain])).toEqual([plain]);
});

test('a refusal is told when it is surer than an agreement must be', () => {
  const offer = moment('offer', 'cta_offered', 10, 0.8);
  const answers = (confidence: number) => {
    const yes = moment('yes', 'cta_accepted', 20, confidence, 'offer');
    const no = moment('no', 'cta_rejected', 30, confidence, 'offer');
    const { accepted, rejected } = outcomesOf([offer, yes, no], []);
    return [...accepted, ...rejected].map(({ answer }) => answer.moment_id);
  };
  expect(answers(0.55)).toEqual(['yes']);
  expect(answers(0.65)).toEqual(['yes', 'no']);
});
