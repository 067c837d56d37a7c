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
import { JURISDICTIONS, REGIONS } from './regions.ts';

/**
 * The protocol between the Worker and the pipeline (container), and the only place where they meet. The pipeline analyses;
 * the Worker stores and delivers: the pipeline sends the service's own events and, at the end, finished documents.
 *
 * A whole file:   POST /analyses     body: a line of PipelineOptions as JSON, then the media's bytes
 *                 200 with a line stream that ends with `result` and its documents, or with `error`; 503 + Retry-After if the
 *                 queue is full. A client that closes the response stops the work.
 * A live session: PUT    /sessions/{id}            body: PipelineOptions. Opens or finds the session: SessionPosition
 *                 POST   /sessions/{id}/transcriptions  body: TranscriptionLines as NDJSON, sent before the first chunk: what another
 *                        pipeline transcribed of this session. A segment that is equal is not transcribed again
 *                 POST   /sessions/{id}/chunks/{seq}?sizes=3,5   body: the bytes of the chunks starting at seq, with these sizes.
 *                        Idempotent: chunks received before are skipped; chunks that arrive early wait for their predecessors.
 *                        Responds when they are accepted: SessionPosition; 409 if the session ended first
 *                 POST   /sessions/{id}/finalize       no more chunks will come
 *                 GET    /sessions/{id}/lines          a line stream, live, beginning with the first permanent event
 *                 DELETE /sessions/{id}                stops and forgets the session
 * Also:           GET /healthz  {status, version, protocol, running, waiting, live, recognisers} and PipelineReport; status is
 *                 `ok`, or `draining` once the process was asked to end: it then refuses new work with 503 + Retry-After,
 *                 finishes its running work, and sends `moving` to live sessions.
 *                 GET /readyz   200, or 503 once the process was asked to end. The only request that needs no PIPELINE_TOKEN.
 *
 * A line stream is NDJSON of PipelineLine. The bytes of a result's documents follow its line, one after the other, and end the stream.
 * Both sides name their protocol in PROTOCOL_HEADER, and the weights of their models in WEIGHTS_HEADER, in every message except
 * the response of /healthz. A Worker speaks the current protocol and the one before it, because a rollout replaces Workers and
 * containers at different times; a pipeline speaks one, and refuses a request that does not list it. Weights may differ.
 */
export const PIPELINE_PROTOCOL = 9;

/** The protocol versions that the Worker speaks, newest first. */
export const WORKER_PROTOCOLS: readonly number[] = [PIPELINE_PROTOCOL, PIPELINE_PROTOCOL - 1];
/** The first protocol whose pipelines accept transcriptions. */
export const TRANSCRIPTIONS_PROTOCOL = 9;

/**
 * A request lists the protocol versions of the Worker, newest first (`9, 8`). A response states the version of the
 * pipeline (`9`).
 */
export const PROTOCOL_HEADER = 'X-Undertone-Protocol';

/** The id of the sender's weights. Different weights can lead to different results, so the log notes a mismatch. */
export const WEIGHTS_HEADER = 'X-Undertone-Weights';

/** The id under which the pool has placed a file on this pipeline. The pipeline reports it as held while it works on it. */
export const LEASE_HEADER = 'X-Undertone-Lease';

/** Whether a request's PROTOCOL_HEADER lists a version. */
export const listsProtocol = (header: string | undefined, protocol: number): boolean =>
  header?.split(',').some((listed) => listed.trim() === String(protocol)) ?? false;

/**
 * The status with which a proxy between the Worker and the pipeline reports that the client left. On a developer's
 * machine, the Worker does not notice this itself.
 */
export const CLIENT_GONE = 499;

/** Interval between signs of life in a stream, and the silence after which its reader gives up, ms. */
export const ALIVE_MS = 5_000;
export const SILENCE_MS = 20_000;
/** Interval between signs of life of a live session, ms. */
export const LIVE_ALIVE_MS = 1_000;
/** Signs of life that a reader misses before it asks whether the pipeline is still there. */
export const MISSED_SIGNS = 3;

/** The report of a pipeline to the pool, part of `/healthz`. An older pipeline reports only its status. */
export const PipelineReportSchema = z.object({
  status: z.enum(['ok', 'draining']),
  /** Number of live sessions that it can carry. */
  slots: z.object({ live: z.number().int().min(1) }).optional(),
  /** The ids of its live sessions, and the leases of its files. */
  held: z.object({ live: z.array(z.string()), batch: z.array(z.string()) }).optional(),
  /** Share of its processor cores that was in use lately. */
  busy: z.number().min(0).max(1).optional(),
  /** How far its live sessions are behind the audio that it has received: the 95th percentile. */
  lag_ms: z.number().min(0).optional(),
  /** Resident memory. */
  rss_bytes: z.number().min(0).optional(),
  /** The place of a process, as its operator says. A name that this version does not know counts as none. */
  region: z.enum(REGIONS).optional().catch(undefined),
  jurisdiction: z.enum(JURISDICTIONS).optional().catch(undefined),
});
export type PipelineReport = z.infer<typeof PipelineReportSchema>;

/** The options of one analysis as the pipeline receives them. */
export const PipelineOptionsSchema = z.object({
  conversation_id: z.string().min(1),
  suffix: MediaExtensionSchema,
  ...AnalysisOptionsSchema.shape,
  /** The storage paths of the results, which the response repeats. */
  artifact_dir: z.string(),
  upload_path: z.string(),
  agent_outputs_path: z.string(),
  /** Whether a language model called by the Worker will rewrite the findings. If so, the pipeline sends `material`. */
  material: z.boolean(),
  /**
   * Set for the media of a live session, which arrived as a stream. It says whether the media is complete, or only the
   * part received before the session expired.
   */
  captured: z.enum(['whole', 'expired']).optional(),
  /**
   * Texts that people wrote about a stored conversation whose redaction this is. They are redacted too, with the values
   * that the recording contains, and returned as `texts.json`: SHA-256 of each text in hexadecimal -> its redacted form.
   */
  texts: z.array(z.string()).optional(),
  /** Whether to return the utterances in which something was redacted, as they were said. */
  keep_original: z.boolean().optional(),
});
export type Captured = NonNullable<PipelineOptions['captured']>;
export type PipelineOptions = z.infer<typeof PipelineOptionsSchema>;

/** Waiting chunks are sent together within these limits. */
export const CHUNKS_TOGETHER = { chunks: 100, bytes: 1024 * 1024 } as const;
/**
 * Number of concurrent requests with a session's chunks. With several, a latency of 250 ms does not hold up chunks of
 * 100 ms.
 */
export const CHUNKS_UNDER_WAY = 3;
/** Limit on the chunks of one request, bytes. */
export const LONGEST_CHUNKS = Math.max(LARGEST_CHUNK_BYTES, CHUNKS_TOGETHER.bytes);

/**
 * Limits on the transcriptions that the Worker stores of a session, and on those that it sends together, as lines, in
 * characters. Eight hours of dense speech (96,000 words) in two qualities take 25 million.
 */
export const MOST_TRANSCRIPTION_CHARS = 32 * 1024 * 1024;
export const TRANSCRIPTIONS_TOGETHER_CHARS = 512 * 1024;

/** Length limit of the line of options before the media, bytes. */
export const LONGEST_OPTIONS = 1536 * 1024;
/** Limit on all `texts` together, characters. As JSON, each takes up to six bytes. */
export const MOST_TEXT_CHARS = 180_000;

/**
 * An event for the client. A permanent event has a number, counted from 0 without gaps, and depends only on the media.
 * If a container is lost, another one sends the event again unchanged. Progress and interim text depend on the load.
 * They have no number and are not sent again.
 */
const EventLineSchema = z.object({
  type: z.literal('event'),
  n: z.number().int().min(0).optional(),
  event: z.enum(EVENT_NAMES),
  data: z.looseObject({}),
  /**
   * Set with `final_transcript`. Time from the start of its recognition (file) or the end of its speech (live) to this
   * line.
   */
  latency_ms: z.number().min(0).optional(),
});

/** A sign of life. */
const AliveLineSchema = z.object({
  type: z.literal('alive'),
  /** Live: how far transcription is behind the audio that the pipeline has received, s. */
  behind_s: z.number().min(0).optional(),
  /** Live: the next sign of life follows within this, s. An older pipeline does not say. */
  next_s: z.number().positive().optional(),
});

/**
 * Asks the Worker to move a live session to another container. The current one keeps the session for as long as it can.
 */
const MovingLineSchema = z.object({ type: z.literal('moving') });

/**
 * Live: what the recogniser returned for a final segment, with the labels of speakers and the measured voices since the
 * last such line. The Worker stores it and gives it to the pipeline that continues the session. Not sent if the session
 * redacts, since its words are as they were said.
 */
export const TranscriptionLineSchema = z.object({
  type: z.literal('transcription'),
  /** Hash of the audio, the bounds and the options of the recogniser. */
  key: z.string().min(1).max(64),
  /** End of the segment in the stream, s. */
  end_s: z.number().min(0),
  /** Only the pipeline reads it. */
  output: z.looseObject({}),
});
export type TranscriptionLine = z.infer<typeof TranscriptionLineSchema>;

/** The findings that a language model may rewrite, sent before `summary_update`. Their combined length is limited. */
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
  /** The `key_moments` of the insights. */
  key_moments: z.array(KeyMomentSchema),
  /** Sentences that name or quote a speaker. */
  sentences: SentencesSchema.optional(),
  /** Language of the conversation, BCP 47; absent if the client gave none. */
  language: z.string().optional(),
});
export type LanguageModelMaterial = Omit<z.infer<typeof MaterialLineSchema>, 'type'>;

/** Parts of a document that a language model may rewrite. */
const SLOTS = ['summary', 'segmentation', 'moments', 'key_moments', 'sentences'] as const;
export type DocumentSlot = (typeof SLOTS)[number];

const DOCUMENT_NAMES = [
  'result.json',
  'agent_outputs.json',
  'events.ndjson',
  'levels.json',
  // Present only if browsers cannot play the upload itself.
  'rendition.webm',
  // Present only if the request had `texts`. It is removed once they are installed.
  'texts.json',
] as const;
export type DocumentName = (typeof DOCUMENT_NAMES)[number];
/** The recording with tones where it was redacted. It replaces the upload. */
export const REDACTED_RECORDING = 'recording';
/** The utterances in which something was redacted, as they were said (`UnredactedUtterance`). */
export const UNREDACTED_WORDS = 'unredacted';
export type SentDocumentName = DocumentName | typeof REDACTED_RECORDING | typeof UNREDACTED_WORDS;

/** The finished analysis. The bytes of the documents follow the line in this order, part by part. */
const ResultLineSchema = z.object({
  type: z.literal('result'),
  /** Length of the analysed audio. */
  audio_seconds: z.number().min(0),
  documents: z.array(
    z.object({
      name: z.enum([...DOCUMENT_NAMES, REDACTED_RECORDING, UNREDACTED_WORDS]),
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
  TranscriptionLineSchema,
  MaterialLineSchema,
  ResultLineSchema,
  ErrorLineSchema,
]);
/** Its `data` follows the event's schema, which the protocol version guarantees. */
export type EventLine = { type: 'event'; n?: number; latency_ms?: number } & ServiceEvent;
export type PipelineLine = Exclude<z.infer<typeof PipelineLineSchema>, { type: 'event' }> | EventLine;

/** The chunk that the container expects next. */
export const SessionPositionSchema = z.object({ next_chunk_seq: z.number().int().min(0) });
export type SessionPosition = z.infer<typeof SessionPositionSchema>;
