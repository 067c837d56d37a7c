import * as z from 'zod';
import {
  ConversationSegmentationSchema,
  ConversationSummarySchema,
  InsightsSchema,
  MomentEventSchema,
  TransitionEventSchema,
} from './findings.ts';
import { MediaInfoSchema, SpeakerCountSchema } from './media.ts';
import { CognitiveResultSchema, EmotionResultSchema, SentimentSchema, TimelineEntrySchema } from './timeline.ts';

/** One per utterance (decisions: `agent_results[]`). */
export const AgentResultSchema = z.object({
  utterance_id: z.string(),
  emotion: EmotionResultSchema,
  sentiment: SentimentSchema.extend({
    polarity: z.number().min(-1).max(1),
    subjectivity: z.number().min(0).max(1),
  }),
  cognitive: CognitiveResultSchema,
  latency_ms: z.number().min(0),
});
export type AgentResult = z.infer<typeof AgentResultSchema>;

/** Spec: AnalysisResponse; `media`, `speakers` and `warnings` are extensions. */
export const AnalysisResponseSchema = z.object({
  conversation_id: z.string(),
  utterances: z.number().int().min(0),
  timeline: z.array(TimelineEntrySchema),
  summary: ConversationSummarySchema,
  insights: InsightsSchema,
  transitions: z.array(TransitionEventSchema),
  moments: z.array(MomentEventSchema),
  segmentation: ConversationSegmentationSchema,
  agent_results: z.array(AgentResultSchema),
  artifact_dir: z.string(),
  upload_path: z.string(),
  agent_outputs_path: z.string(),
  goal: z.string(),
  media: MediaInfoSchema,
  speakers: SpeakerCountSchema,
  warnings: z.array(z.string()),
});
export type AnalysisResponse = z.infer<typeof AnalysisResponseSchema>;

/** Every HTTP error body (decisions: the error object). */
export const ErrorBodySchema = z.object({ detail: z.string(), code: z.string(), request_id: z.string() });
export const HealthSchema = z.object({ status: z.literal('ok') });

/** Body of GET /metrics. */
export const MetricsSchema = z.object({
  version: z.string(),
  events: z.record(z.string(), z.number().int().min(0)),
  agent_latency_ms: z.record(z.string(), z.number().min(0)),
});
export type MetricsBody = z.infer<typeof MetricsSchema>;

/** The version of the service description (spec: Versioning). */
export const SERVICE_VERSION = '0.3.0';
