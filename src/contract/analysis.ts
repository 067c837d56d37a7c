import * as z from 'zod';
import { ErrorCodeSchema, KeptConversationSchema } from './errors.ts';
import {
  ConversationSegmentationSchema,
  ConversationSummarySchema,
  MomentEventSchema,
  SentencesSchema,
  TransitionEventSchema,
} from './findings.ts';
import { InsightsSchema } from './insights.ts';
import { MediaInfoSchema, SpeakerCountSchema } from './media.ts';
import { AnswerOptionsSchema } from './options.ts';
import { SentimentSchema } from './timeline.ts';
import { CognitiveResultSchema, EmotionResultSchema, TimelineEntrySchema } from './timeline-entry.ts';

/** One per utterance (decisions: `agent_results[]`). */
export const AgentResultSchema = z
  .object({
    utterance_id: z.string(),
    emotion: EmotionResultSchema.nullable(),
    sentiment: SentimentSchema.extend({
      polarity: z.number().min(-1).max(1),
      subjectivity: z.number().min(0).max(1),
    }).nullable(),
    cognitive: CognitiveResultSchema.nullable(),
    latency_ms: z.number().min(0).describe('What the utterance took, milliseconds.'),
  })
  .meta({
    id: 'AgentResult',
    description: 'The raw readings of one utterance; null where its affect is not to be read.',
  });
export type AgentResult = z.infer<typeof AgentResultSchema>;

/** Spec: AnalysisResponse; `options`, `media`, `speakers`, `warnings` and `sentences` are extensions. */
export const AnalysisResponseSchema = z
  .object({
    conversation_id: z.string(),
    utterances: z.number().int().min(0).describe('Their number.'),
    timeline: z.array(TimelineEntrySchema).describe('The utterances in order of time.'),
    summary: ConversationSummarySchema,
    insights: InsightsSchema,
    transitions: z.array(TransitionEventSchema),
    moments: z.array(MomentEventSchema),
    segmentation: ConversationSegmentationSchema,
    agent_results: z.array(AgentResultSchema),
    artifact_dir: z.string().describe('Where everything of the conversation is stored.'),
    upload_path: z.string(),
    agent_outputs_path: z.string(),
    goal: z.string().describe("The request's `goal`; '' without."),
    options: AnswerOptionsSchema,
    media: MediaInfoSchema,
    speakers: SpeakerCountSchema,
    warnings: z.array(z.string()).describe('Faults that were survived.'),
    sentences: SentencesSchema.optional(),
  })
  .meta({ id: 'AnalysisResponse', description: 'A whole analysis.' });
export type AnalysisResponse = z.infer<typeof AnalysisResponseSchema>;

/** Every HTTP error body (decisions: the error object). */
export const ErrorBodySchema = z
  .object({
    detail: z.string().describe('What is wrong, for a person.'),
    code: ErrorCodeSchema,
    request_id: z.string().describe('Name it when something went wrong; also in the header `X-Request-Id`.'),
    conversation_id: KeptConversationSchema.optional(),
  })
  .meta({ id: 'ErrorBody' });
/** Who may be asked to hear the words, as a pipeline tells it. */
export const RecogniserOfferSchema = z
  .object({
    id: z.string().describe('What an analysis chooses it by.'),
    name: z.string(),
    kind: z.enum(['built_in', 'profile', 'endpoint']),
    languages: z.array(z.string()).describe('That it understands (BCP 47).'),
  })
  .meta({ id: 'RecogniserOffer' });
export type RecogniserOffer = z.infer<typeof RecogniserOfferSchema>;

export const HealthSchema = z
  .object({
    status: z.literal('ok'),
    recognisers: z
      .array(RecogniserOfferSchema)
      .optional()
      .describe('Who hears the words; the first where an analysis does not choose. Absent while no pipeline answers.'),
  })
  .meta({ id: 'Health' });
export type HealthBody = z.infer<typeof HealthSchema>;

/** Body of GET /metrics. */
export const MetricsSchema = z
  .object({
    version: z.string(),
    events: z.record(z.string(), z.number().int().min(0)).describe('Event -> how often it was told.'),
    agent_latency_ms: z.record(z.string(), z.number().min(0)).describe('Scope -> mean latency, milliseconds.'),
  })
  .meta({ id: 'Metrics' });
export type MetricsBody = z.infer<typeof MetricsSchema>;
