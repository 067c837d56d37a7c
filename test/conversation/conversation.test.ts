import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import {
  ConversationSegmentationSchema,
  ConversationSummarySchema,
  type Findings,
  MomentEventSchema,
  TransitionEventSchema,
} from '../../src/contract/findings.ts';
import { InsightsSchema } from '../../src/contract/insights.ts';
import { COGNITIVE_SIGNALS, EMOTIONS, type Utterance, UtteranceSchema } from '../../src/contract/timeline.ts';
import { Conversation } from '../../src/conversation/conversation.ts';
import { ENCODING_DIMENSIONS } from '../../src/conversation/encoding.ts';

const LINES = [
  'Would you like to try it for a month?',
  'Yes please, let us do that.',
  "No thanks, that's too expensive for us.",
  "I'd have to ask my boss first.",
  'By the way, how is the new office?',
  'Mm-hm.',
  'So the report is about the harvest of last year.',
  'Could we meet on Tuesday at ten?',
  '',
  'Really? Why is that?',
];
const unit = fc.float({ min: 0, max: 1, noNaN: true });
const optional = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: undefined });
const record = <K extends string>(keys: readonly K[]) =>
  fc.record(Object.fromEntries(keys.map((k) => [k, unit])) as Record<K, typeof unit>) as fc.Arbitrary<
    Record<K, number>
  >;

const utterance = fc.record({
  speaker: fc.constantFrom('Speaker_0', 'Speaker_1', 'Speaker_2'),
  gapMs: fc.integer({ min: -500, max: 4000 }),
  lengthMs: fc.integer({ min: 0, max: 20_000 }),
  text: fc.oneof(fc.constantFrom(...LINES), fc.string()),
  polarity: optional(fc.float({ min: -1, max: 1, noNaN: true })),
  engagement: optional(unit),
  pad_scores: optional(record(['valence', 'arousal', 'dominance'] as const)),
  emotions: optional(record(EMOTIONS)),
  cognitive_signals: optional(record(COGNITIVE_SIGNALS)),
  load_level: optional(fc.constantFrom('low' as const, 'moderate' as const, 'high' as const)),
  dominant_emotion: optional(fc.constantFrom(...EMOTIONS)),
  confidence: optional(unit),
});

/** Any valid timeline: in order of start, on whole milliseconds, fields present or missing. */
const timeline = fc.array(utterance, { minLength: 1, maxLength: 30 }).map((list) => {
  let end = 0;
  let start = 0;
  return list.map(({ gapMs, lengthMs, ...rest }, i): Utterance => {
    start = Math.max(start, end + gapMs, 0);
    end = start + lengthMs;
    return { utterance_id: `c_utt_${i}`, t_start: start / 1000, t_end: end / 1000, ...rest };
  });
});

function conclude(utterances: Utterance[]): Findings {
  const conversation = new Conversation({ conversationId: 'c', goal: '' }, conversationWeights());
  for (const [i, u] of utterances.entries()) conversation.add(u, encoding(i));
  return conversation.finish();
}
/** Most utterances have more than their words. */
const encoding = (i: number): Float32Array | undefined =>
  i % 4 === 3 ? undefined : Float32Array.from({ length: ENCODING_DIMENSIONS }, (_, k) => Math.sin(i * 31 + k * k));
/** The findings tested here; phases and summary have their own tests. */
const own = ({ insights, transitions, moments }: Findings) => ({ insights, transitions, moments });

test('any valid timeline gives findings that satisfy the contract', () => {
  fc.assert(
    fc.property(timeline, (utterances) => {
      for (const u of utterances) UtteranceSchema.parse(u);
      const findings = conclude(utterances);
      InsightsSchema.parse(findings.insights);
      for (const t of findings.transitions) TransitionEventSchema.parse(t);
      for (const m of findings.moments) MomentEventSchema.parse(m);
      ConversationSegmentationSchema.parse(findings.segmentation);
      ConversationSummarySchema.parse(findings.summary);
    }),
    { numRuns: 60 },
  );
});

test('every id in the findings exists', () => {
  fc.assert(
    fc.property(timeline, (utterances) => {
      const { transitions, moments } = conclude(utterances);
      const known = new Set(utterances.map((u) => u.utterance_id));
      const offers = new Set(moments.filter((m) => m.category === 'cta_offered').map((m) => m.moment_id));
      const named = [
        ...transitions.flatMap((t) => t.evidence_utterance_ids),
        ...moments.flatMap((m) => [...m.utterance_ids, ...m.evidence.map((e) => e.utterance_id)]),
      ];
      expect(named.filter((id) => !known.has(id))).toEqual([]);
      expect(moments.filter((m) => m.answers !== undefined && !offers.has(m.answers))).toEqual([]);
      expect(new Set(moments.map((m) => m.moment_id)).size).toBe(moments.length);
      expect(new Set(transitions.map((t) => t.transition_id)).size).toBe(transitions.length);
    }),
    { numRuns: 60 },
  );
});

test('the findings contain every streamed event, moments unchanged', () => {
  fc.assert(
    fc.property(timeline, (utterances) => {
      const conversation = new Conversation({ conversationId: 'c', goal: '' }, conversationWeights());
      const steps = utterances.map((u, i) => structuredClone(conversation.add(u, encoding(i))));
      steps.push(structuredClone(conversation.end()));
      const { transitions, moments } = conversation.finish();
      const byId = (a: { moment_id: string }, b: { moment_id: string }) => a.moment_id.localeCompare(b.moment_id);
      expect(steps.flatMap((s) => s.moments).sort(byId)).toEqual(moments.toSorted(byId));
      const streamed = steps.flatMap((s) => s.transitions.map((t) => t.transition_id));
      expect(new Set(streamed)).toEqual(new Set(transitions.map((t) => t.transition_id)));
    }),
    { numRuns: 60 },
  );
});

test('renaming speakers changes only the names', () => {
  fc.assert(
    fc.property(timeline, (utterances) => {
      const rename = (text: string) => text.replaceAll('Speaker_', 'Person_');
      const renamed = utterances.map((u) => ({ ...u, speaker: rename(u.speaker) }));
      expect(own(conclude(renamed))).toEqual(JSON.parse(rename(JSON.stringify(own(conclude(utterances))))));
    }),
    { numRuns: 60 },
  );
});

test('shifting a conversation changes only its times', () => {
  fc.assert(
    fc.property(timeline, (utterances) => {
      const shift = (u: Utterance): Utterance => ({
        ...u,
        t_start: (Math.round(u.t_start * 1000) + 60_000) / 1000,
        t_end: (Math.round(u.t_end * 1000) + 60_000) / 1000,
      });
      const before = conclude(utterances);
      const after = conclude(utterances.map(shift));
      expect(after.transitions).toEqual(before.transitions.map((t) => ({ ...t, at_ms: t.at_ms + 60_000 })));
      expect(after.insights.metrics).toEqual(before.insights.metrics);
      expect(after.moments.map((m) => [m.category, m.start_ms, m.end_ms, m.confidence, m.summary])).toEqual(
        before.moments.map((m) => [m.category, m.start_ms + 60_000, m.end_ms + 60_000, m.confidence, m.summary]),
      );
    }),
    { numRuns: 60 },
  );
});

test('key moments are in order of time', () => {
  fc.assert(
    fc.property(timeline, (utterances) => {
      const times = conclude(utterances).insights.key_moments.map((m) => m.t);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
    { numRuns: 30 },
  );
});
