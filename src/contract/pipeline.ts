import * as z from 'zod';
import { ErrorCodeSchema } from './errors.ts';
import { EVENT_NAMES } from './event-names.ts';
import type { ServiceEvent } from './events.ts';
import {
  ConversationSegmentationSchema,
  ConversationSummarySchema,
  MomentEventSchema,
  SentencesSchema,
} from './findings.ts';
import { KeyMomentSchema } from './insights.ts';
import { LARGEST_CHUNK_BYTES } from './live.ts';
import { MediaExtensionSchema } from './media.ts';
import { AnalysisOptionsSchema } from './options.ts';

/**
 * What the Worker and the pipeline (container) say to each other, and the only place they meet. The pipeline understands
 * and concludes; the Worker carries: what crosses are the service's own events and, at the end, finished documents.
 *
 * A whole file:   POST /analyses     body: a line of PipelineOptions as JSON, then the media's bytes
 *                 200 Told, ended by `result` with its documents, or by `error`; 503 + Retry-After when the queue is full.
 *                 A client that closes the response stops the work.
 * A live session: PUT    /sessions/{id}            body: PipelineOptions. Opens it (or finds it): SessionPosition
 *                 POST   /sessions/{id}/chunks/{seq}?sizes=3,5   body: the bytes of the chunks from seq on, of these sizes.
 *                        Idempotent: chunks already had are passed over; what overtook the chunks before it waits for them.
 *                        Answered once they are taken: SessionPosition; 409 when the session ended first
 *                 POST   /sessions/{id}/finalize       no more chunks will come
 *                 GET    /sessions/{id}/lines          Told, from the first lasting event on, as it comes
 *                 DELETE /sessions/{id}                stops and forgets it
 * Also:           GET /healthz  {status, version, protocol, running, waiting, live, recognisers}; status is `ok`, or `draining` once
 *                 the process was asked to end: it then answers new work 503 + Retry-After, finishes what it has, and tells
 *                 live sessions `moving`.
 *
 * Told is NDJSON of PipelineLine. The bytes of a result's documents follow its line, one after the other, and end it.
 * Both sides name what they speak in PROTOCOL_HEADER and refuse each other when the names differ.
 */
export const PIPELINE_PROTOCOL = 6;

/** Carries `<protocol>/<id of the conversation's weights>`, in every request and every answer but that of /healthz. */
export const PROTOCOL_HEADER = 'X-Undertone-Protocol';

/**
 * What stands between Worker and pipeline and knows that nobody waits for an analysis any more answers it so, in the
 * pipeline's place. On a developer's machine the Worker does not notice by itself.
 */
export const CLIENT_GONE = 499;

/** A side that tells a stream shows that it lives this often, ms; one that hears nothing for `SILENCE_MS` is alone. */
export const ALIVE_MS = 5_000;
export const SILENCE_MS = 20_000;

/** What one analysis is to be. */
export const PipelineOptionsSchema = z.object({
  conversation_id: z.string().min(1),
  suffix: MediaExtensionSchema,
  ...AnalysisOptionsSchema.shape,
  /** Where the Worker keeps what comes of it, as the answer names it. */
  artifact_dir: z.string(),
  upload_path: z.string(),
  agent_outputs_path: z.string(),
  /** Whether a language model at the edge is to say it better: `material` is told then. */
  material: z.boolean(),
});
export type PipelineOptions = z.infer<typeof PipelineOptionsSchema>;

/** Chunks that wait are sent together, up to so many of so many bytes. */
export const CHUNKS_TOGETHER = { chunks: 100, bytes: 1024 * 1024 } as const;
/** Requests with a session's chunks under way at a time: a way of 250 ms must not hold up chunks of 100 ms. */
export const CHUNKS_UNDER_WAY = 3;
/** No body of chunks is longer than this, bytes. */
export const LONGEST_CHUNKS = Math.max(LARGEST_CHUNK_BYTES, CHUNKS_TOGETHER.bytes);

/** The line of options before the media is no longer than this, bytes. */
export const LONGEST_OPTIONS = 384 * 1024;

/**
 * An event for the client. A lasting one has a number, from 0 without a gap, and is a function of the media alone: told
 * again after a container was lost, it is the same. Progress and interim text depend on the load, have none, and are not
 * told again.
 */
const EventLineSchema = z.object({
  type: z.literal('event'),
  n: z.number().int().min(0).optional(),
  event: z.enum(EVENT_NAMES),
  data: z.looseObject({}),
  /** With `final_transcript`: from the start of its recognition (a file) or the end of its speech (live) to its line. */
  latency_ms: z.number().min(0).optional(),
});

/** Shows that the pipeline lives. */
const AliveLineSchema = z.object({ type: z.literal('alive') });

/** A live session should go on in another container. This one keeps it for as long as it can, in case none takes it. */
const MovingLineSchema = z.object({ type: z.literal('moving') });

/** What a language model may read and say better; before `summary_update`. All text of it together is bounded. */
const MaterialLineSchema = z.object({
  type: z.literal('material'),
  transcript: z.array(
    z.object({
      utterance_id: z.string(),
      speaker: z.string(),
      text: z.string(),
      t_start: z.number(),
      t_end: z.number(),
    }),
  ),
  summary: ConversationSummarySchema,
  segmentation: ConversationSegmentationSchema,
  moments: z.array(MomentEventSchema),
  /** Those of the insights. */
  key_moments: z.array(KeyMomentSchema),
  /** Those that name or quote somebody. */
  sentences: SentencesSchema.optional(),
  /** Of the conversation, BCP 47; absent where it was not given. */
  language: z.string().optional(),
});
export type LanguageModelMaterial = Omit<z.infer<typeof MaterialLineSchema>, 'type'>;

/** Parts of a document that a language model says better. */
const SLOTS = ['summary', 'segmentation', 'moments', 'key_moments', 'sentences'] as const;
export type DocumentSlot = (typeof SLOTS)[number];

export const DOCUMENT_NAMES = [
  'result.json',
  'agent_outputs.json',
  'events.ndjson',
  'levels.json',
  // Only where browsers would not play the upload itself.
  'rendition.webm',
] as const;
export type DocumentName = (typeof DOCUMENT_NAMES)[number];

/** The finished analysis. After the line come the documents' bytes, in this order, part by part. */
const ResultLineSchema = z.object({
  type: z.literal('result'),
  /** Length of the sound that was analysed. */
  audio_seconds: z.number().min(0),
  documents: z.array(
    z.object({
      name: z.enum(DOCUMENT_NAMES),
      parts: z.array(z.object({ bytes: z.number().int().min(0), slot: z.enum(SLOTS).optional() })),
    }),
  ),
});
export type ResultLine = z.infer<typeof ResultLineSchema>;

const ErrorLineSchema = z.object({ type: z.literal('error'), code: ErrorCodeSchema, message: z.string() });

export const PipelineLineSchema = z.discriminatedUnion('type', [
  EventLineSchema,
  AliveLineSchema,
  MovingLineSchema,
  MaterialLineSchema,
  ResultLineSchema,
  ErrorLineSchema,
]);
/** `data` is that of the event's schema; the version in the header vouches for it. */
export type EventLine = { type: 'event'; n?: number; latency_ms?: number } & ServiceEvent;
export type PipelineLine = Exclude<z.infer<typeof PipelineLineSchema>, { type: 'event' }> | EventLine;

/** Where a live session stands in the container. */
export const SessionPositionSchema = z.object({ next_chunk_seq: z.number().int().min(0) });
export type SessionPosition = z.infer<typeof SessionPositionSchema>;
