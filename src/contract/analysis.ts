import * as z from 'zod';
import { CommitmentsSchema, OpenQuestionsSchema } from './commitments.ts';
import { ErrorCodeSchema, KeptConversationSchema } from './errors.ts';
import {
  ConversationSegmentationSchema,
  ConversationSummarySchema,
  MomentEventSchema,
  SentencesSchema,
  SettingSchema,
  TransitionEventSchema,
} from './findings.ts';
import { InsightsSchema } from './insights.ts';
import { MediaInfoSchema, SpeakerCountSchema } from './media.ts';
import { AnswerOptionsSchema } from './options.ts';
import { RedactionSchema } from './redaction.ts';
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
    latency_ms: z.number().min(0).describe('Processing time of the utterance in milliseconds.'),
  })
  .meta({
    id: 'AgentResult',
    description: 'The raw results for one utterance; null where affect is switched off for its speaker.',
  });
export type AgentResult = z.infer<typeof AgentResultSchema>;

/** Spec: AnalysisResponse; `status`, `options`, `media`, `speakers`, `warnings` and `sentences` are extensions. */
export const AnalysisResponseSchema = z
  .object({
    conversation_id: z.string(),
    status: z.literal('completed').describe('Distinguishes a result from a `Job`. Results stored by 0.3.0 lack it.'),
    utterances: z.number().int().min(0).describe('The number of utterances.'),
    timeline: z.array(TimelineEntrySchema).describe('The utterances in chronological order.'),
    summary: ConversationSummarySchema,
    insights: InsightsSchema,
    transitions: z.array(TransitionEventSchema),
    moments: z.array(MomentEventSchema),
    segmentation: ConversationSegmentationSchema,
    commitments: CommitmentsSchema.optional(),
    open_questions: OpenQuestionsSchema.optional(),
    agent_results: z.array(AgentResultSchema),
    artifact_dir: z.string().describe('The folder in which everything about the conversation is stored.'),
    upload_path: z.string(),
    agent_outputs_path: z.string(),
    goal: z.string().describe("The request's `goal`; '' if there was none."),
    options: AnswerOptionsSchema,
    media: MediaInfoSchema,
    speakers: SpeakerCountSchema,
    roles: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'Speaker label -> the role of the channel. Absent if no roles were given, or if channels are not people.',
      ),
    setting: SettingSchema.optional(),
    language: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The language of the words (BCP 47); `unknown`: the speech was not understood; null: there is too little speech to tell. Absent from results of earlier versions.',
      ),
    redaction: RedactionSchema.optional().describe('The redaction; absent if none was requested.'),
    warnings: z.array(z.string()).describe('Problems that did not stop the analysis.'),
    sentences: SentencesSchema.optional(),
  })
  .meta({ id: 'AnalysisResponse', description: 'A complete analysis.' });
export type AnalysisResponse = z.infer<typeof AnalysisResponseSchema>;

/** Every HTTP error body (decisions: the error object). */
export const ErrorBodySchema = z
  .object({
    detail: z.string().describe('What is wrong, in plain words.'),
    code: ErrorCodeSchema,
    request_id: z.string().describe('Quote it when you report a problem; also in the header `X-Request-Id`.'),
    conversation_id: KeptConversationSchema.optional(),
  })
  .meta({ id: 'ErrorBody' });

/** A recogniser that a pipeline offers. */
export const RecogniserOfferSchema = z
  .object({
    id: z.string().describe('The id with which an analysis selects it.'),
    name: z.string(),
    kind: z.enum(['built_in', 'profile', 'endpoint']),
    languages: z.array(z.string()).describe('The languages it recognises (BCP 47).'),
  })
  .meta({ id: 'RecogniserOffer' });
export type RecogniserOffer = z.infer<typeof RecogniserOfferSchema>;

/** Body of GET /health (spec). */
export const HealthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
export type HealthBody = z.infer<typeof HealthSchema>;

/** Body of GET /ready, which is a 503 while no pipeline responds. */
export const ReadySchema = z
  .object({
    status: z.literal('ready'),
    recognisers: z.array(RecogniserOfferSchema).describe('The available recognisers, default first.'),
  })
  .meta({ id: 'Ready' });
export type ReadyBody = z.infer<typeof ReadySchema>;

/** Body of GET /metrics. */
export const MetricsSchema = z
  .object({
    version: z.string(),
    events: z
      .record(z.string(), z.number().int().min(0))
      .describe('Number of times each event was sent, by event name.'),
    agent_latency_ms: z.record(z.string(), z.number().min(0)).describe('Mean latency in milliseconds, by scope.'),
  })
  .meta({ id: 'Metrics' });
export type MetricsBody = z.infer<typeof MetricsSchema>;
