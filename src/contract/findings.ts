import * as z from 'zod';
import { COGNITIVE_SIGNALS, EMOTIONS, LevelSchema, StabilitySchema } from './timeline.ts';

const unit = z.number().min(0).max(1);

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
export const AffectStateSchema = z.enum(AFFECT_STATES);
export type AffectState = z.infer<typeof AffectStateSchema>;

/** Signed deltas; a driver that did not move is absent. */
export const DriversSchema = z.object({
  valence_drop: z.number().optional(),
  valence_rise: z.number().optional(),
  arousal_drop: z.number().optional(),
  arousal_rise: z.number().optional(),
  engagement_delta: z.number().optional(),
});
export type Drivers = z.infer<typeof DriversSchema>;

export const TransitionEventSchema = z.object({
  transition_id: z.string(),
  at_ms: z.number().int().min(0),
  from_state: AffectStateSchema,
  to_state: AffectStateSchema,
  evidence_utterance_ids: z.array(z.string()).min(1),
  drivers: DriversSchema,
  confidence: unit,
  stability: StabilitySchema,
  /** Extension: whose state moved. */
  speaker_id: z.string().optional(),
});
export type TransitionEvent = z.infer<typeof TransitionEventSchema>;

export const MOMENT_CATEGORIES = ['objection', 'cta_offered', 'cta_accepted', 'cta_rejected', 'topic_shift'] as const;
export const MomentCategorySchema = z.enum(MOMENT_CATEGORIES);
export type MomentCategory = z.infer<typeof MomentCategorySchema>;

/** A quoted span of one utterance. Seconds. */
export const EvidenceSchema = z.object({
  utterance_id: z.string(),
  quote: z.string(),
  t_start: z.number().min(0),
  t_end: z.number().min(0),
});
export type Evidence = z.infer<typeof EvidenceSchema>;

export const MomentEventSchema = z.object({
  moment_id: z.string(),
  category: MomentCategorySchema,
  speaker_id: z.string(),
  start_ms: z.number().int().min(0),
  end_ms: z.number().int().min(0),
  utterance_ids: z.array(z.string()).min(1),
  summary: z.string(),
  labels: z.array(z.string()),
  evidence: z.array(EvidenceSchema),
  confidence: unit,
  /** Extension: the moment_id of the offer that this acceptance or rejection settles. */
  answers: z.string().optional(),
});
export type MomentEvent = z.infer<typeof MomentEventSchema>;

/** Spec: ConversationSummary. `evidence` is an extension: for each line, what it rests on. */
export const ConversationSummarySchema = z.object({
  overview: z.string(),
  key_insights: z.array(z.string()),
  notable_patterns: z.array(z.string()),
  recommendations: z.array(z.string()),
  what_went_well: z.array(z.string()).nullable(),
  what_went_wrong: z.array(z.string()).nullable(),
  speaker_dynamics: z.record(z.string(), z.unknown()).nullable(),
  conversation_quality: z.enum(['poor', 'fair', 'good', 'excellent']),
  /** Extension: line -> utterance ids and named measures it rests on. */
  evidence: z.record(
    z.string(),
    z.object({ utterance_ids: z.array(z.string()), measures: z.record(z.string(), z.union([z.number(), z.string()])) }),
  ),
  /** Extension: why the quality is what it is. */
  quality_reasons: z.array(z.string()),
  /** Extension: who wrote it; `built_in_fallback` after a language model failed. */
  source: z.enum(['built_in', 'language_model', 'built_in_fallback']),
});
export type ConversationSummary = z.infer<typeof ConversationSummarySchema>;

export const KeyMomentSchema = z.object({
  type: z.string(),
  t: z.number().min(0),
  speaker: z.string(),
  description: z.string(),
});
export type KeyMoment = z.infer<typeof KeyMomentSchema>;

export const SpeakerProfileSchema = z.object({
  utterance_count: z.number().int().min(1),
  total_duration: z.number().min(0),
  emotions: z.partialRecord(z.enum(EMOTIONS), z.number().int().min(0)),
  avg_engagement: unit,
  avg_polarity: z.number().min(-1).max(1),
  dominant_emotion: z.enum(EMOTIONS),
});

/** Conversation metrics of one speaker (an extension; after Gong's published definitions). */
export const SpeakerMetricsSchema = z.object({
  /** Own speech / all speech, 0..1. */
  talk_ratio: unit,
  talk_time_s: z.number().min(0),
  longest_monologue_s: z.number().min(0),
  /** Times this speaker cut another off. */
  interruptions: z.number().int().min(0),
  questions: z.number().int().min(0),
  /** Words a minute of own speech. */
  words_per_minute: z.number().min(0),
  words: z.number().int().min(0),
  /** Median positive floor transfer offset before own turns, ms; null when there was none. */
  response_latency_ms: z.number().int().min(0).nullable(),
  /** Median silence left after the other side before speaking, s (Gong: patience); null when there was none. */
  patience_s: z.number().min(0).nullable(),
});
export type SpeakerMetrics = z.infer<typeof SpeakerMetricsSchema>;

export const ConversationMetricsSchema = z.object({
  speakers: z.record(z.string(), SpeakerMetricsSchema),
  /** Speaker switches a minute on Gong's 0..10 scale. */
  interactivity: z.number().min(0).max(10),
  speaker_switches: z.number().int().min(0),
  overlaps: z.number().int().min(0),
  overlap_time_s: z.number().min(0),
  /** Share of the conversation in which nobody speaks, 0..1. */
  silence_share: unit,
  questions: z.number().int().min(0),
});
export type ConversationMetrics = z.infer<typeof ConversationMetricsSchema>;

export const InsightsSchema = z.object({
  overall_sentiment: z.object({
    mean: z.number().min(-1).max(1),
    std: z.number().min(0),
    trend: z.enum(['positive', 'negative', 'stable']),
  }),
  dominant_emotions: z.array(z.enum(EMOTIONS)).max(3),
  engagement_pattern: z.enum(['increasing', 'decreasing', 'stable']),
  key_moments: z.array(KeyMomentSchema),
  speaker_profiles: z.record(z.string(), SpeakerProfileSchema),
  conversation_dynamics: z.object({
    total_duration: z.number().min(0),
    utterance_count: z.number().int().min(0),
    transition_count: z.number().int().min(0),
    avg_utterance_duration: z.number().min(0),
    /** Transitions a minute. */
    transition_rate: z.number().min(0),
  }),
  cognitive_profile: z.object({
    dominant_states: z.array(z.enum(COGNITIVE_SIGNALS)),
    load_level: LevelSchema,
    trend: z.enum(['increasing', 'decreasing', 'stable']),
    hotspots: z.array(z.object({ t: z.number().min(0), type: z.string(), description: z.string(), score: z.number() })),
    tips: z.array(z.string()),
    averages: z.record(z.enum(COGNITIVE_SIGNALS), unit),
  }),
  /** Extension. */
  metrics: ConversationMetricsSchema,
});
export type Insights = z.infer<typeof InsightsSchema>;

export const ConversationPhaseSchema = z.object({
  phase_id: z.string(),
  phase_name: z.string(),
  start_timestamp: z.number().min(0),
  end_timestamp: z.number().min(0),
  start_utterance_id: z.string(),
  end_utterance_id: z.string(),
  utterance_count: z.number().int().min(1),
  theme: z.string(),
  summary: z.string(),
  emotional_tone: z.string(),
  key_moments: z.array(z.string()),
  transition_signal: z.string().nullable(),
});
export type ConversationPhase = z.infer<typeof ConversationPhaseSchema>;

export const ConversationSegmentationSchema = z.object({
  phases: z.array(ConversationPhaseSchema),
  total_phases: z.number().int().min(0),
  segmentation_rationale: z.string(),
  narrative_arc: z.string(),
  key_transitions: z.array(
    z.object({ timestamp: z.number().min(0), from_phase: z.string(), to_phase: z.string(), trigger: z.string() }),
  ),
});
export type ConversationSegmentation = z.infer<typeof ConversationSegmentationSchema>;

/** Everything `Conversation.finish()` concludes. */
export interface Findings {
  summary: ConversationSummary;
  insights: Insights;
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  segmentation: ConversationSegmentation;
}
