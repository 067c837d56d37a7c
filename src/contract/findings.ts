import * as z from 'zod';
import type { Insights } from './insights.ts';
import { StabilitySchema } from './timeline.ts';

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0);
const milliseconds = z.number().int().min(0);

/** The names an affective state can have (decisions: `TransitionEvent.from_state`). */
export const AFFECT_STATES = [
  'calm',
  'content',
  'engaged',
  'enthusiastic',
  'tense',
  'frustrated',
  'anxious',
  'sad',
  'disengaged',
  'surprised',
] as const;
export const AffectStateSchema = z.enum(AFFECT_STATES).meta({ id: 'AffectState' });
export type AffectState = z.infer<typeof AffectStateSchema>;

export const DriversSchema = z
  .object({
    valence_drop: z.number().optional(),
    valence_rise: z.number().optional(),
    arousal_drop: z.number().optional(),
    arousal_rise: z.number().optional(),
    engagement_delta: z.number().optional(),
  })
  .meta({ id: 'Drivers', description: 'What moved, by how much; what did not move is absent.' });
export type Drivers = z.infer<typeof DriversSchema>;

export const TransitionEventSchema = z
  .object({
    transition_id: z.string(),
    at_ms: milliseconds.describe('Milliseconds from the start of the recording.'),
    from_state: AffectStateSchema,
    to_state: AffectStateSchema,
    evidence_utterance_ids: z.array(z.string()).min(1),
    drivers: DriversSchema,
    confidence: unit,
    stability: StabilitySchema,
    speaker_id: z.string().optional().describe('Whose state moved.'),
  })
  .meta({ id: 'TransitionEvent', description: "A change of a speaker's affective state." });
export type TransitionEvent = z.infer<typeof TransitionEventSchema>;

export const MOMENT_CATEGORIES = ['objection', 'cta_offered', 'cta_accepted', 'cta_rejected', 'topic_shift'] as const;
export const MomentCategorySchema = z.enum(MOMENT_CATEGORIES).meta({
  id: 'MomentCategory',
  description: 'An objection, an offer (`cta_offered`), the answer to one, or a change of subject.',
});
export type MomentCategory = z.infer<typeof MomentCategorySchema>;

export const EvidenceSchema = z
  .object({ utterance_id: z.string(), quote: z.string(), t_start: seconds, t_end: seconds })
  .meta({ id: 'Evidence', description: 'A quoted span of one utterance. Seconds from the start of the recording.' });
export type Evidence = z.infer<typeof EvidenceSchema>;

export const MomentEventSchema = z
  .object({
    moment_id: z.string(),
    category: MomentCategorySchema,
    speaker_id: z.string(),
    start_ms: milliseconds.describe('Milliseconds from the start of the recording.'),
    end_ms: milliseconds.describe('Milliseconds from the start of the recording.'),
    utterance_ids: z.array(z.string()).min(1),
    summary: z.string(),
    labels: z.array(z.string()),
    evidence: z.array(EvidenceSchema),
    confidence: unit,
    answers: z.string().optional().describe('The moment_id of the offer that this acceptance or rejection settles.'),
    source: z
      .literal('language_model')
      .optional()
      .describe(
        'There where the language model that the operator switched on proposed it: its words and links are checked, its `confidence` is its own.',
      ),
  })
  .meta({
    id: 'MomentEvent',
    description: 'Something that happened in the conversation, with the words it was heard in.',
  });
export type MomentEvent = z.infer<typeof MomentEventSchema>;

export const SentenceSpanSchema = z
  .union([
    z.object({ text: z.string().describe('Words of the service.') }),
    z.object({ speaker: z.string().describe('A speaker, as the timeline names them.') }),
    z.object({ quote: z.string().describe('Words of a speaker.'), utterance_id: z.string() }),
  ])
  .meta({ id: 'SentenceSpan', description: 'A piece of a sentence of the service.' });
export type SentenceSpan = z.infer<typeof SentenceSpanSchema>;

export const SentencesSchema = z
  .array(z.array(SentenceSpanSchema))
  .describe(
    'The sentences of the summary, the insights, the moments and the phases that name a speaker or quote one, each as its spans. The spans of a sentence, joined, are its text.',
  );

export const SummaryEvidenceSchema = z
  .object({
    text: z.string(),
    utterance_ids: z.array(z.string()),
    measures: z.record(z.string(), z.union([z.number(), z.string()])),
  })
  .meta({
    id: 'SummaryEvidence',
    description: 'A line of the summary with the utterances and named measures that it rests on.',
  });

export const ConversationSummarySchema = z
  .object({
    overview: z.string(),
    key_insights: z.array(z.string()),
    notable_patterns: z.array(z.string()),
    recommendations: z.array(z.string()),
    what_went_well: z.array(z.string()).nullable(),
    what_went_wrong: z.array(z.string()).nullable(),
    speaker_dynamics: z.record(z.string(), z.unknown()).nullable(),
    conversation_quality: z.enum(['poor', 'fair', 'good', 'excellent']),
    evidence: z
      .array(SummaryEvidenceSchema)
      .describe(
        'What each line rests on: the sentences of the overview, then the lists above as they stand, then the reasons of the quality.',
      ),
    quality_reasons: z.array(z.string()).describe('Why the quality is what it is.'),
    source: z
      .enum(['built_in', 'language_model', 'built_in_fallback'])
      .describe('Who wrote it; `built_in_fallback` after a language model failed.'),
  })
  .meta({ id: 'ConversationSummary' });
export type ConversationSummary = z.infer<typeof ConversationSummarySchema>;

export const ConversationPhaseSchema = z
  .object({
    phase_id: z.string(),
    phase_name: z.string(),
    start_timestamp: seconds.describe('Seconds from the start of the recording.'),
    end_timestamp: seconds.describe('Seconds from the start of the recording.'),
    start_utterance_id: z.string(),
    end_utterance_id: z.string(),
    utterance_count: z.number().int().min(1),
    theme: z.string(),
    summary: z.string(),
    emotional_tone: z.string().nullable().describe('Null where affect of nobody was to be read.'),
    key_moments: z.array(z.string()),
    transition_signal: z.string().nullable().describe('What led into the phase; null for the first.'),
  })
  .meta({ id: 'ConversationPhase' });
export type ConversationPhase = z.infer<typeof ConversationPhaseSchema>;

export const KeyTransitionSchema = z
  .object({ timestamp: seconds, from_phase: z.string(), to_phase: z.string(), trigger: z.string() })
  .meta({ id: 'KeyTransition', description: 'From one phase to the next. Seconds from the start of the recording.' });

export const ConversationSegmentationSchema = z
  .object({
    phases: z.array(ConversationPhaseSchema),
    total_phases: z.number().int().min(0),
    segmentation_rationale: z.string(),
    narrative_arc: z.string(),
    key_transitions: z.array(KeyTransitionSchema),
  })
  .meta({ id: 'ConversationSegmentation' });
export type ConversationSegmentation = z.infer<typeof ConversationSegmentationSchema>;

/** Everything `Conversation.finish()` concludes. */
export interface Findings {
  summary: ConversationSummary;
  insights: Insights;
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  segmentation: ConversationSegmentation;
  /** Absent from results that were stored before sentences were kept as spans. */
  sentences?: SentenceSpan[][];
}
