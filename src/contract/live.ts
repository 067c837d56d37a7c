import * as z from 'zod';
import { FilenameSchema, LIMITS, textOf } from './limits.ts';
import { LiveExtensionSchema } from './media.ts';
import { AnalysisOptionsSchema } from './options.ts';

const LIVE_STATUSES = ['waiting_media', 'ingesting', 'processing', 'completed', 'aborted'] as const;
export const LiveStatusSchema = z.enum(LIVE_STATUSES).meta({ id: 'LiveStatus' });
export type LiveStatus = z.infer<typeof LiveStatusSchema>;

/** Limits of `ttl_seconds` (spec: Limits). */
export const TTL_SECONDS = { min: 60, max: 3600, default: 900 } as const;

/**
 * Size limit of a chunk, bytes. A chunk must fit into a row of the session's SQLite (2 MB) and into a request to the
 * pipeline. A deployment can lower this limit with `MAX_CHUNK_BYTES`.
 */
export const LARGEST_CHUNK_BYTES = 1_900_000;

const expires_at = z.iso
  .datetime()
  .describe('The session ends at this time unless a chunk or a keepalive arrives first.');

/** Body of POST /analyze/live/start. */
export const LiveStartSchema = z
  .strictObject({
    ...AnalysisOptionsSchema.shape,
    filename: FilenameSchema.optional().describe('Its extension determines the format if `suffix` is absent.'),
    suffix: z
      .preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), LiveExtensionSchema)
      .optional(),
    ttl_seconds: z
      .number()
      .int()
      .min(TTL_SECONDS.min)
      .max(TTL_SECONDS.max)
      .default(TTL_SECONDS.default)
      .describe('How long the session stays open without a chunk or a keepalive.'),
  })
  .meta({ id: 'LiveStartRequest' });

/** Spec: LiveSession. */
export const LiveSessionSchema = z
  .object({
    session_id: z.string(),
    conversation_id: z.string(),
    chunk_endpoint: z.string(),
    events_endpoint: z.string(),
    control_endpoint: z.string(),
    next_chunk_seq: z.number().int().min(0),
    expires_at,
    status: LiveStatusSchema,
    chunk_ms: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Recommended length of a chunk, ms. Shorter and longer chunks are also accepted.'),
  })
  .meta({ id: 'LiveSession', description: 'An open session; its endpoints are paths.' });
export type LiveSessionBody = z.infer<typeof LiveSessionSchema>;

export const ChunkAcceptedSchema = z
  .object({
    received_bytes: z.number().int().min(0).describe('Bytes of the session so far, including this chunk.'),
    next_chunk_seq: z.number().int().min(0),
  })
  .meta({ id: 'ChunkAccepted' });
export type ChunkAccepted = z.infer<typeof ChunkAcceptedSchema>;

/** Body of POST /analyze/live/{id}/control. */
export const ControlSchema = z
  .strictObject({
    action: z.enum(['finalize', 'cancel', 'keepalive']),
    reason: textOf(LIMITS.reasonChars).optional(),
  })
  .meta({ id: 'ControlRequest' });
export type Control = z.infer<typeof ControlSchema>;

export const ControlAnswerSchema = z
  .object({ status: LiveStatusSchema, detail: z.string(), expires_at })
  .meta({ id: 'ControlAnswer' });
export type ControlAnswer = z.infer<typeof ControlAnswerSchema>;
