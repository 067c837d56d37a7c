import * as z from 'zod';
import { ErrorCodeSchema } from './errors.ts';
import type { EventName } from './event-names.ts';
import { ConversationSummarySchema, MomentEventSchema, TransitionEventSchema } from './findings.ts';
import { CognitiveSignalsSchema, LevelSchema } from './timeline.ts';
import { EmotionResultSchema } from './timeline-entry.ts';

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0).describe('Seconds from the start of the recording.');

export const StatusEventSchema = z
  .object({
    phase: z.enum(['starting', 'waiting_media', 'ingesting', 'processing', 'completed']),
    progress: unit.describe('How much of the phase is done, 0..1.'),
  })
  .meta({ id: 'StatusEvent' });
export const PartialTranscriptSchema = z
  .object({
    partial_id: z.string(),
    text: z.string().describe('What is heard so far; empty when it turned out to be nothing.'),
    is_final: z.boolean(),
    stable_text: z.string().describe('The leading part of `text` that two partials agreed on (LocalAgreement-2).'),
  })
  .meta({ id: 'PartialTranscript', description: 'Interim text of speech that goes on; live capture only.' });
export const FinalTranscriptSchema = z
  .object({
    utterance_id: z.string(),
    speaker: z.string(),
    t_start: seconds,
    t_end: seconds,
    text: z.string(),
    partial_id: z.string().optional().describe('The partial this final replaces, in live capture.'),
  })
  .meta({ id: 'FinalTranscript' });
export const CognitiveEventSchema = z
  .object({
    utterance_id: z.string(),
    speaker_id: z.string(),
    signals: CognitiveSignalsSchema,
    engagement: unit,
    cognitive_load: LevelSchema,
  })
  .meta({ id: 'CognitiveEvent' });
export const ErrorEventSchema = z
  .object({ code: ErrorCodeSchema, message: z.string() })
  .meta({ id: 'ErrorEvent', description: 'The stream failed; the last event.' });
export const DoneEventSchema = z
  .object({ conversation_id: z.string() })
  .meta({ id: 'DoneEvent', description: 'Everything was told; the last event.' });

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
} as const satisfies Record<EventName, z.ZodType>;

const told = <N extends EventName>(event: N) => z.object({ event: z.literal(event), data: EVENT_SCHEMAS[event] });

/** One SSE message before it is numbered and framed. */
export const ServiceEventSchema = z
  .discriminatedUnion('event', [
    told('status'),
    told('partial_transcript'),
    told('final_transcript'),
    told('emotion'),
    told('cognitive'),
    told('transition'),
    told('moment'),
    told('summary_update'),
    told('error'),
    told('done'),
  ])
  .meta({ id: 'ServiceEvent', description: 'One event of a stream. The last one, once, is `done` or `error`.' });
export type ServiceEvent = z.infer<typeof ServiceEventSchema>;
