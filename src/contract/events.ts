import * as z from 'zod';
import { ERROR_CODES } from './errors.ts';
import { ConversationSummarySchema, MomentEventSchema, TransitionEventSchema } from './findings.ts';
import { CognitiveSignalsSchema, EmotionResultSchema, LevelSchema } from './timeline.ts';

const unit = z.number().min(0).max(1);

export const StatusEventSchema = z.object({
  phase: z.enum(['starting', 'waiting_media', 'ingesting', 'processing', 'completed']),
  progress: unit,
});
export const PartialTranscriptSchema = z.object({
  partial_id: z.string(),
  text: z.string(),
  is_final: z.boolean(),
  /** Extension: the leading part of `text` that two partials agreed on (LocalAgreement-2). */
  stable_text: z.string(),
});
export const FinalTranscriptSchema = z.object({
  utterance_id: z.string(),
  speaker: z.string(),
  t_start: z.number().min(0),
  t_end: z.number().min(0),
  text: z.string(),
  /** Extension: the partial this final replaces, in live capture. */
  partial_id: z.string().optional(),
});
export const CognitiveEventSchema = z.object({
  utterance_id: z.string(),
  speaker_id: z.string(),
  signals: CognitiveSignalsSchema,
  engagement: unit,
  cognitive_load: LevelSchema,
});
export const ErrorEventSchema = z.object({ code: z.enum(ERROR_CODES), message: z.string() });
export const DoneEventSchema = z.object({ conversation_id: z.string() });

/** The event catalogue: name -> payload schema (spec: Events). */
export const EVENT_SCHEMAS = {
  status: StatusEventSchema,
  partial_transcript: PartialTranscriptSchema,
  final_transcript: FinalTranscriptSchema,
  emotion: EmotionResultSchema,
  cognitive: CognitiveEventSchema,
  transition: TransitionEventSchema,
  moment: MomentEventSchema,
  summary_update: ConversationSummarySchema,
  error: ErrorEventSchema,
  done: DoneEventSchema,
} as const;

export type EventName = keyof typeof EVENT_SCHEMAS;
export const EVENT_NAMES = Object.keys(EVENT_SCHEMAS) as EventName[];

/** One SSE message before it is numbered and framed. */
export type ServiceEvent = { [N in EventName]: { event: N; data: z.infer<(typeof EVENT_SCHEMAS)[N]> } }[EventName];
