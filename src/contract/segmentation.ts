import * as z from 'zod';
import {
  AffectStateSchema,
  ConversationSegmentationSchema,
  MomentCategorySchema,
  type MomentEvent,
  type TransitionEvent,
} from './findings.ts';
import { GoalSchema, LabelSchema, LIMITS, listOf, textOf } from './limits.ts';
import { COGNITIVE_SIGNALS, EMOTIONS, StabilitySchema, UtteranceSchema } from './timeline.ts';

const unit = z.number().min(0).max(1);
const milliseconds = z.number().int().min(0);
const NamesSchema = listOf(LabelSchema, LIMITS.eventNames);
const UtteranceIdsSchema = NamesSchema.refine((ids) => ids.length > 0, 'must name an utterance');

/** The part of a moment that a segmentation depends on: one utterance and one label. */
const CarriedMomentSchema = z
  .object({
    moment_id: LabelSchema.default(''),
    category: MomentCategorySchema,
    speaker_id: LabelSchema,
    start_ms: milliseconds,
    utterance_ids: UtteranceIdsSchema,
    summary: textOf(LIMITS.summaryChars),
    labels: NamesSchema.default([]),
    confidence: unit,
    answers: LabelSchema.optional(),
  })
  .transform(
    ({ utterance_ids, labels, ...m }): MomentEvent => ({
      ...m,
      end_ms: m.start_ms,
      utterance_ids: utterance_ids.slice(0, 1),
      labels: labels.slice(0, 1),
      evidence: [],
    }),
  );

/** The part of a transition that a segmentation depends on: its first and its last utterance. */
const CarriedTransitionSchema = z
  .object({
    at_ms: milliseconds,
    from_state: AffectStateSchema,
    to_state: AffectStateSchema,
    evidence_utterance_ids: UtteranceIdsSchema,
    confidence: unit,
    stability: StabilitySchema,
    speaker_id: LabelSchema.optional(),
  })
  .transform(
    ({ evidence_utterance_ids: ids, ...t }): TransitionEvent => ({
      ...t,
      transition_id: '',
      evidence_utterance_ids: [ids[0]!, ids.at(-1)!],
      drivers: {},
    }),
  );

/**
 * The lists in the body of POST /segment/conversation, with the schema of their entries. Only `timeline` is required.
 */
export const SEGMENT_LISTS = {
  timeline: UtteranceSchema,
  moments: CarriedMomentSchema,
  transitions: CarriedTransitionSchema,
} as const;
/** The other, optional member. */
export const SegmentContextSchema = GoalSchema;

const all = <N extends string>(...names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, true as const]));
const scores = all('valence', 'arousal', 'dominance');

/** The members of a body that are read and validated, because phases and transitions depend on them. */
export const SEGMENT_MEMBERS = {
  context: true,
  timeline: [
    {
      ...all(
        'utterance_id',
        'speaker',
        't_start',
        't_end',
        'text',
        'asr_confidence',
        'confidence',
        'polarity',
        'engagement',
      ),
      emotion: { confidence: true, scores },
      emotions: all(...EMOTIONS),
      sentiment: all('positive', 'negative', 'neutral'),
      cognitive_signals: all(...COGNITIVE_SIGNALS),
      pad_scores: scores,
      words: [all('word', 'confidence')],
    },
  ],
  moments: [
    all(
      'moment_id',
      'category',
      'speaker_id',
      'start_ms',
      'utterance_ids',
      'summary',
      'labels',
      'confidence',
      'answers',
    ),
  ],
  transitions: [
    all('at_ms', 'from_state', 'to_state', 'evidence_utterance_ids', 'confidence', 'stability', 'speaker_id'),
  ],
} as const;

/** The response of POST /segment/conversation. */
export const SegmentResponseSchema = z
  .object({ segmentation: ConversationSegmentationSchema })
  .meta({ id: 'SegmentResponse' });
export type SegmentResponse = z.infer<typeof SegmentResponseSchema>;
