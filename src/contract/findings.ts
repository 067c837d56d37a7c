import * as z from 'zod';
import type { Commitment, OpenQuestion } from './commitments.ts';
import type { Insights } from './insights.ts';
import { MOMENT_CATEGORIES, type MomentCategoryRow } from './moment-categories.ts';
import { LiveIdsSchema, StabilitySchema } from './timeline.ts';

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0);
const milliseconds = z.number().int().min(0);

/** The affective states (decisions: `TransitionEvent.from_state`). */
const AFFECT_STATES = [
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
  .meta({ id: 'Drivers', description: 'How far each dimension moved; dimensions that did not move are absent.' });
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
    speaker_id: z.string().optional().describe('The speaker whose state changed.'),
    heard_as: LiveIdsSchema,
  })
  .meta({ id: 'TransitionEvent', description: "A change of a speaker's affective state." });
export type TransitionEvent = z.infer<typeof TransitionEventSchema>;

export type MomentCategory = (typeof MOMENT_CATEGORIES)[number]['name'];
const ROWS = new Map(MOMENT_CATEGORIES.map((row): [MomentCategory, MomentCategoryRow] => [row.name, row]));
export const MOMENT_CATEGORY_NAMES = [...ROWS.keys()];
export const MomentCategorySchema = z.enum(MOMENT_CATEGORY_NAMES).meta({
  id: 'MomentCategory',
  description: `What happens in a moment. ${[...ROWS.values()].map((row) => `\`${row.name}\`: ${row.description}`).join('; ')}.`,
});

/** The table row of a category: its label, the category that it answers, and so on. */
export const momentCategory = (name: MomentCategory): MomentCategoryRow => ROWS.get(name)!;

/** Whether moments of a category can be answered by moments of another. */
export const isAnswerable = (category: MomentCategory): boolean =>
  MOMENT_CATEGORY_NAMES.some((name) => momentCategory(name).answers === category);

export const EvidenceSchema = z
  .object({ utterance_id: z.string(), quote: z.string(), t_start: seconds, t_end: seconds })
  .meta({
    id: 'Evidence',
    description: 'A quoted span of one utterance. Times are in seconds from the start of the recording.',
  });
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
    heard_as: LiveIdsSchema,
    answers: z.string().optional().describe('The `moment_id` of the offer that this moment accepts or rejects.'),
    source: z
      .literal('language_model')
      .optional()
      .describe(
        "Present if the language model that the operator switched on proposed the moment. The service checks its quote and its link; its `confidence` is the model's own.",
      ),
  })
  .meta({
    id: 'MomentEvent',
    description: 'A key moment of the conversation, with its words as evidence.',
  });
export type MomentEvent = z.infer<typeof MomentEventSchema>;

export const SentenceSpanSchema = z
  .union([
    z.object({ text: z.string().describe('Text that the service wrote.') }),
    z.object({ speaker: z.string().describe('A speaker, as the timeline names them.') }),
    z.object({ quote: z.string().describe('Words quoted from a speaker.'), utterance_id: z.string() }),
  ])
  .meta({ id: 'SentenceSpan', description: 'A piece of a sentence that the service wrote.' });
export type SentenceSpan = z.infer<typeof SentenceSpanSchema>;

export const SentencesSchema = z
  .array(z.array(SentenceSpanSchema))
  .describe(
    'Every sentence of the summary, insights, moments and phases that names or quotes a speaker, as a list of spans. Joined, the spans give the text of the sentence.',
  );

export const SummaryEvidenceSchema = z
  .object({
    text: z.string(),
    utterance_ids: z.array(z.string()),
    measures: z.record(z.string(), z.union([z.number(), z.string()])),
  })
  .meta({
    id: 'SummaryEvidence',
    description: 'A line of the summary, with the utterances and measures that support it.',
  });

export const GoalSentencesSchema = z
  .object({
    utterance_ids: z.array(z.string()).min(1),
    score: unit.describe(
      'The probability that a reader would call these utterances an answer. Of a moment or a commitment: its confidence.',
    ),
  })
  .meta({ id: 'GoalSentences', description: 'Utterances that answer the `goal`, or may do so.' });
export type GoalSentences = z.infer<typeof GoalSentencesSchema>;

const MishearingSchema = z
  .object({
    utterance_id: z.string(),
    heard: z.string().describe('Consecutive words of the utterance.'),
    meant: z.string().describe('The words that were probably said.'),
  })
  .meta({ id: 'Mishearing' });
export type Mishearing = z.infer<typeof MishearingSchema>;

export const ConversationSummarySchema = z
  .object({
    overview: z.string(),
    answer: GoalSentencesSchema.nullable()
      .optional()
      .describe('The answer to the `goal`; null if none is sure enough. Absent without a `goal`.'),
    nearest: GoalSentencesSchema.optional().describe(
      'The best possible answer where `answer` is null, unsure. Absent if nothing comes near enough.',
    ),
    key_insights: z.array(z.string()),
    notable_patterns: z.array(z.string()),
    recommendations: z.array(z.string()),
    what_went_well: z.array(z.string()).nullable(),
    what_went_wrong: z.array(z.string()).nullable(),
    speaker_dynamics: z.record(z.string(), z.unknown()).nullable(),
    conversation_quality: z
      .enum(['poor', 'fair', 'good', 'excellent'])
      .describe('`fair` unless three independent measures support another rating and none contradicts it.'),
    evidence: z
      .array(SummaryEvidenceSchema)
      .describe(
        'The evidence of each line: the sentences of the overview, then the lists above in their order, then the quality reasons.',
      ),
    quality_reasons: z
      .array(z.string())
      .describe('The measures that support `conversation_quality`; empty where it is `fair`.'),
    mishearings: z
      .array(MishearingSchema)
      .optional()
      .describe(
        'Words that a language model takes to be misheard, with its suggestions. The transcript is unchanged. Present only if there are any.',
      ),
    source: z
      .enum(['built_in', 'language_model', 'built_in_fallback'])
      .describe('The author of the summary; `built_in_fallback` if a language model failed.'),
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
    emotional_tone: z.string().nullable().describe('Null if affect was switched off for everybody.'),
    key_moments: z.array(z.string()),
    transition_signal: z.string().nullable().describe('How the phase began; null for the first.'),
  })
  .meta({ id: 'ConversationPhase' });
export type ConversationPhase = z.infer<typeof ConversationPhaseSchema>;

export const KeyTransitionSchema = z
  .object({ timestamp: seconds, from_phase: z.string(), to_phase: z.string(), trigger: z.string() })
  .meta({
    id: 'KeyTransition',
    description: 'A change from one phase to the next. Times are in seconds from the start of the recording.',
  });

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

export const SettingSchema = z
  .enum(['conversation', 'single_voice', 'one_sided', 'answering_machine', 'announcement', 'unknown'])
  .meta({
    id: 'Setting',
    description:
      'Who is in the recording. `conversation`: two or more people. `single_voice`: one person, as in a dictation. `one_sided`: one side of a conversation; the other is not recorded. `answering_machine`: a machine answers, and somebody may leave a message. `announcement`: only recorded announcements. `unknown`: one voice could be distinguished, and there may be more. Offers, answers, objections and promises are reported only for a `conversation`.',
  });
export type ConversationSetting = z.infer<typeof SettingSchema>;

/** The findings that `Conversation.finish()` returns. */
export interface Findings {
  /** Absent from results of earlier versions. */
  setting?: ConversationSetting;
  summary: ConversationSummary;
  insights: Insights;
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  segmentation: ConversationSegmentation;
  /** Absent from results of earlier versions. */
  commitments?: Commitment[];
  open_questions?: OpenQuestion[];
  /** Absent from results that were stored before sentences were kept as spans. */
  sentences?: SentenceSpan[][];
}
