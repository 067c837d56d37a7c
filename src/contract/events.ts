import * as z from 'zod';
import { ErrorCodeSchema, KeptConversationSchema } from './errors.ts';
import type { EventName } from './event-names.ts';
import { ConversationSummarySchema, MomentEventSchema, TransitionEventSchema } from './findings.ts';
import { RuleMatchEventSchema } from './rules.ts';
import { CognitiveSignalsSchema, LevelSchema } from './timeline.ts';
import { EmotionResultSchema } from './timeline-entry.ts';

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0).describe('Seconds from the start of the recording.');

export const StatusEventSchema = z
  .object({
    phase: z
      .enum(['starting', 'waiting_media', 'ingesting', 'processing', 'completed', 'expired', 'waiting_capacity'])
      .describe(
        '`expired`: a live session got neither a chunk nor a keepalive in time; `error` follows. `waiting_capacity`: a live session lost its pipeline and waits for another one; its chunks are stored, and `ingesting` or `processing` follows.',
      ),
    progress: unit.describe('Completed share of the phase, 0..1.'),
    expected_s: z
      .number()
      .min(0)
      .optional()
      .describe(
        'Once after `finalize`, with `processing`: estimated time to `done` on an idle machine, s. It takes longer while the service is busy.',
      ),
    retained: z
      .boolean()
      .optional()
      .describe('With `expired`: the recording so far is kept, and analysed like a file.'),
  })
  .meta({ id: 'StatusEvent' });
export const PartialTranscriptSchema = z
  .object({
    partial_id: z.string(),
    text: z.string().describe('The text recognised so far; empty if there was no speech after all.'),
    is_final: z.boolean(),
    stable_text: z.string().describe('The leading part of `text` that two partials agreed on (LocalAgreement-2).'),
  })
  .meta({ id: 'PartialTranscript', description: 'Interim text of ongoing speech; live capture only.' });
export const FinalTranscriptSchema = z
  .object({
    utterance_id: z.string(),
    speaker: z.string(),
    t_start: seconds,
    t_end: seconds,
    text: z.string(),
    partial_id: z.string().optional().describe('Live capture: the partial transcript that this one replaces.'),
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
  .object({
    code: ErrorCodeSchema,
    message: z.string(),
    detail: z.string().describe('The same text as `message`, under the name used in HTTP errors.'),
    conversation_id: KeptConversationSchema.optional(),
  })
  .meta({ id: 'ErrorEvent', description: 'The last event of a stream that failed.' });
export const DoneEventSchema = z
  .object({ conversation_id: z.string() })
  .meta({ id: 'DoneEvent', description: 'The last event of a complete analysis.' });

/** The event catalogue: name -> payload schema (spec: Events). */
export const EVENT_SCHEMAS = {
  status: StatusEventSchema,
  partial_transcript: PartialTranscriptSchema,
  final_transcript: FinalTranscriptSchema,
  emotion: EmotionResultSchema,
  cognitive: CognitiveEventSchema,
  transition: TransitionEventSchema,
  moment: MomentEventSchema,
  rule_match: RuleMatchEventSchema,
  summary_update: ConversationSummarySchema,
  error: ErrorEventSchema,
  done: DoneEventSchema,
} as const satisfies Record<EventName, z.ZodType>;

const event = <N extends EventName>(name: N) => z.object({ event: z.literal(name), data: EVENT_SCHEMAS[name] });

/** One SSE message, before numbering and framing. */
export const ServiceEventSchema = z
  .discriminatedUnion('event', [
    event('status'),
    event('partial_transcript'),
    event('final_transcript'),
    event('emotion'),
    event('cognitive'),
    event('transition'),
    event('moment'),
    event('rule_match'),
    event('summary_update'),
    event('error'),
    event('done'),
  ])
  .meta({
    id: 'ServiceEvent',
    description: 'One event of a stream. The last event is `done` or `error`, and it occurs once.',
  });
export type ServiceEvent = z.infer<typeof ServiceEventSchema>;
