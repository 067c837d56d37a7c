import * as z from 'zod';
import { CognitiveSignalSchema, EmotionSchema, LevelSchema } from './timeline.ts';

const unit = z.number().min(0).max(1);
const atLeast0 = z.number().min(0);
const count = z.number().int().min(0);
const TrendSchema = z.enum(['increasing', 'decreasing', 'stable']).meta({ id: 'Trend' });

export const KeyMomentSchema = z
  .object({
    type: z.string(),
    t: atLeast0.describe('Seconds from the start of the recording.'),
    speaker: z.string(),
    description: z.string(),
  })
  .meta({ id: 'KeyMoment' });
export type KeyMoment = z.infer<typeof KeyMomentSchema>;

export const SpeakerProfileSchema = z
  .object({
    utterance_count: z.number().int().min(1),
    total_duration: atLeast0.describe('Seconds.'),
    emotions: z
      .partialRecord(EmotionSchema, count)
      .nullable()
      .describe('Number of utterances that each emotion dominates.'),
    avg_engagement: unit.nullable(),
    avg_polarity: z.number().min(-1).max(1).nullable(),
    dominant_emotion: EmotionSchema.nullable(),
  })
  .meta({ id: 'SpeakerProfile', description: 'Affect fields are null if no affect was measured.' });

export const SpeakerMetricsSchema = z
  .object({
    talk_ratio: unit
      .nullable()
      .describe("The speaker's share of all speech, 0..1; null where one label may stand for several people."),
    talk_time_s: atLeast0,
    longest_monologue_s: atLeast0.nullable().describe('Seconds; null where one label may stand for several people.'),
    interruptions: count.describe('How often this speaker cut another off.'),
    questions: count,
    words_per_minute: atLeast0.describe("Words per minute of the speaker's own speech."),
    words: count,
    response_latency_ms: count
      .nullable()
      .describe(
        "Median gap in ms before the speaker's turns (positive floor transfer offset); null if there was none.",
      ),
    patience_s: atLeast0
      .nullable()
      .describe("Median silence in seconds between another speaker's turn and this speaker's; null if there was none."),
  })
  .meta({
    id: 'SpeakerMetrics',
    description: 'Conversation metrics of one speaker, as Gong defines them.',
  });
export type SpeakerMetrics = z.infer<typeof SpeakerMetricsSchema>;

export const ConversationMetricsSchema = z
  .object({
    speakers: z.record(z.string(), SpeakerMetricsSchema),
    interactivity: z.number().min(0).max(10).describe("Speaker switches per minute on Gong's 0..10 scale."),
    speaker_switches: count,
    overlaps: count,
    overlap_time_s: atLeast0,
    silence_share: unit.describe('Share of the conversation in which nobody speaks, 0..1.'),
    questions: count,
  })
  .meta({ id: 'ConversationMetrics' });
export type ConversationMetrics = z.infer<typeof ConversationMetricsSchema>;

export const HotspotSchema = z
  .object({
    t: atLeast0.describe('Seconds from the start of the recording.'),
    type: z.string(),
    description: z.string(),
    score: z.number(),
  })
  .meta({ id: 'Hotspot' });

export const InsightsSchema = z
  .object({
    overall_sentiment: z
      .object({
        mean: z.number().min(-1).max(1),
        std: atLeast0,
        trend: z.enum(['positive', 'negative', 'stable']),
      })
      .nullable(),
    dominant_emotions: z.array(EmotionSchema).max(3),
    engagement_pattern: TrendSchema.nullable(),
    key_moments: z.array(KeyMomentSchema),
    speaker_profiles: z.record(z.string(), SpeakerProfileSchema),
    conversation_dynamics: z.object({
      total_duration: atLeast0.describe('Seconds.'),
      utterance_count: count,
      transition_count: count,
      avg_utterance_duration: atLeast0.describe('Seconds.'),
      transition_rate: atLeast0.describe('Transitions per minute.'),
    }),
    cognitive_profile: z.object({
      dominant_states: z.array(CognitiveSignalSchema),
      load_level: LevelSchema.nullable(),
      trend: TrendSchema.nullable(),
      hotspots: z.array(HotspotSchema),
      tips: z.array(z.string()),
      averages: z.record(CognitiveSignalSchema, unit).nullable(),
    }),
    metrics: ConversationMetricsSchema,
  })
  .meta({
    id: 'Insights',
    description:
      'Findings about the whole conversation. Affect fields cover only the speakers whose affect was measured, and are null if there are none.',
  });
export type Insights = z.infer<typeof InsightsSchema>;
