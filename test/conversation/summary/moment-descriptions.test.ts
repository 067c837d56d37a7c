import { expect, it } from 'vitest';
import type { MomentCategory } from '../../../src/contract/findings.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { describeMoment } from '../../../src/conversation/summary/moment-descriptions.ts';

const ENGLISH = languageOf('en');
const found = (category: MomentCategory, quote: string, labels: string[] = []) => ({
  moment_id: 'm',
  category,
  speaker_id: 'Ann',
  start_ms: 0,
  end_ms: 1000,
  utterance_ids: ['u'],
  labels,
  evidence: [{ utterance_id: 'u', quote, t_start: 0, t_end: 1 }],
  confidence: 1,
});

it('names the speaker, the act and the quote', () => {
  expect(describeMoment(found('cta_offered', 'Shall we?'), ENGLISH).summary).toBe('Ann proposes: "Shall we?"');
  expect(describeMoment(found('objection', 'Too much.', ['price', 'need']), ENGLISH).summary).toBe(
    'Ann objects (price, need): "Too much."',
  );
});

it('shortens a long quote between words', () => {
  const { summary } = describeMoment(found('topic_shift', 'now for the lorries '.repeat(9)), ENGLISH);
  expect(summary).toMatch(/^Ann changes the subject: "(?:now for the lorries )+now for \.\.\."$/);
});
