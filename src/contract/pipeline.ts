import { z } from 'zod';
import { ERROR_CODES } from './errors.ts';
import { MediaInfoSchema, SpeakerCountSchema } from './media.ts';
import { TimelineEntrySchema } from './timeline.ts';

/**
 * What the Worker and the pipeline (container) say to each other, and the only place they meet.
 *
 * A whole file:   POST /analyses?conversation_id&suffix[&speakers]     body: the media's bytes
 *                 200 NDJSON of PipelineLine, ended by `end` or `error`; 503 + Retry-After when the queue is full.
 *                 A client that closes the response stops the work.
 * A live session: PUT    /sessions/{id}?conversation_id&suffix[&speakers]   opens it (or finds it): SessionPosition
 *                 POST   /sessions/{id}/chunks/{seq}   body: the chunk's bytes. Idempotent: a seq already had is answered
 *                        again; a gap is 409 with the position: SessionPosition
 *                 POST   /sessions/{id}/finalize       no more chunks will come
 *                 GET    /sessions/{id}/lines          NDJSON of PipelineLine from the first line on, as they come
 *                 DELETE /sessions/{id}                stops and forgets it
 * Also:           GET /healthz  {status, version, running, waiting}
 */
export const PIPELINE_PROTOCOL = 1;

export const ProgressLineSchema = z.object({
  type: z.literal('progress'),
  stage: z.enum(['decoding', 'diarizing', 'transcribing']),
  /** 0..1 of all work, from what has been processed; never falls. */
  progress: z.number().min(0).max(1),
});

/** Live only: the interim text of the open speech. */
export const PartialLineSchema = z.object({
  type: z.literal('partial'),
  partial_id: z.string(),
  text: z.string(),
  stable_text: z.string(),
});

export const UtteranceLineSchema = z.object({
  type: z.literal('utterance'),
  entry: TimelineEntrySchema,
  /** What one utterance takes: in a file from the start of its recognition, live from the end of its speech, to its line. */
  latency_ms: z.number().min(0),
  /** Live only: the partial that this utterance replaces. */
  partial_id: z.string().optional(),
  /** What the words say as a vector, for the conversation only (`decodeEncoding`); absent without the model. */
  encoding: z.string().optional(),
});

/** Live only: what was said before was provisional; the utterances that follow are the whole session, concluded. */
export const ConcludeLineSchema = z.object({ type: z.literal('conclude') });

export const EndLineSchema = z.object({
  type: z.literal('end'),
  utterances: z.number().int().min(0),
  media: MediaInfoSchema,
  speakers: SpeakerCountSchema,
  /** Faults of a part that were survived, in plain words. */
  warnings: z.array(z.string()),
});

export const ErrorLineSchema = z.object({ type: z.literal('error'), code: z.enum(ERROR_CODES), message: z.string() });

export const PipelineLineSchema = z.discriminatedUnion('type', [
  ProgressLineSchema,
  PartialLineSchema,
  UtteranceLineSchema,
  ConcludeLineSchema,
  EndLineSchema,
  ErrorLineSchema,
]);
export type PipelineLine = z.infer<typeof PipelineLineSchema>;
export type UtteranceLine = z.infer<typeof UtteranceLineSchema>;
export type EndLine = z.infer<typeof EndLineSchema>;

/** Where a live session stands in the container. */
export const SessionPositionSchema = z.object({ next_chunk_seq: z.number().int().min(0) });
export type SessionPosition = z.infer<typeof SessionPositionSchema>;
