import {
  ChunkAcceptedSchema,
  ControlAnswerSchema,
  ControlSchema,
  LiveSessionSchema,
  LiveStartSchema,
} from '../../contract/live.ts';
import { AT, ID, SESSION } from '../examples.ts';
import { bytes, type Descriptions, type JsonSchema, json } from '../operation.ts';
import { STREAM } from './analyses.ts';

const CHUNK: JsonSchema = {
  type: 'object',
  required: ['chunk_seq', 'chunk'],
  additionalProperties: false,
  properties: {
    chunk_seq: {
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999,
      description: 'The number of the chunk, counted from 0.',
      examples: [0],
    },
    chunk: bytes(
      'The next bytes of the stream, split anywhere; at most 1 MiB unless the deployment sets another limit.',
    ),
  },
};

const path = (end: string) => `/analyze/live/${SESSION}/${end}`;

export const live: Descriptions = {
  'POST /analyze/live/start': {
    id: 'startLive',
    tag: 'live',
    summary: 'Open a live session',
    description: 'An empty body means `{}`. The deployment may narrow the limits of `ttl_seconds`.',
    headers: ['Idempotency-Key'],
    body: { isOptional: true, content: json(LiveStartSchema, { suffix: '.webm', goal: 'What was agreed?' }) },
    answers: {
      200: {
        description: 'The session; its endpoints are paths.',
        content: json(LiveSessionSchema, {
          session_id: SESSION,
          conversation_id: ID,
          chunk_endpoint: path('chunk'),
          events_endpoint: path('events'),
          control_endpoint: path('control'),
          next_chunk_seq: 0,
          expires_at: AT,
          status: 'waiting_media',
          chunk_ms: 500,
        }),
      },
    },
    errors: [
      'LIVE_DISABLED',
      'INVALID_REQUEST',
      'UNSUPPORTED_MEDIA',
      'UPLOAD_STALLED',
      'UNKNOWN_SESSION',
      'KEY_REUSED',
      'OVERLOADED',
    ],
  },
  'POST /analyze/live/:session_id/chunk': {
    id: 'sendChunk',
    tag: 'live',
    summary: 'Send the next chunk',
    description:
      'The chunk is stored before the response is sent. If the response is lost, send the same chunk again with the same `Idempotency-Key` to get the first response.',
    headers: ['Idempotency-Key'],
    body: { content: { 'multipart/form-data': { schema: CHUNK } } },
    answers: {
      200: {
        description: 'The chunk is stored.',
        content: json(ChunkAcceptedSchema, { received_bytes: 65536, next_chunk_seq: 1 }),
      },
    },
    errors: [
      ...(['LIVE_DISABLED', 'UNKNOWN_SESSION', 'INVALID_REQUEST', 'EMPTY_CHUNK', 'FILE_TOO_LARGE'] as const),
      ...(['UPLOAD_STALLED', 'WRONG_CHUNK_SEQ', 'SESSION_FINALIZED', 'OVERLOADED'] as const),
    ],
  },
  'GET /analyze/live/:session_id/events': {
    id: 'liveEvents',
    tag: 'live',
    summary: 'Read the events of a session',
    description:
      'Only one reader at a time. Reconnect with `Last-Event-ID` to continue; without it the stream starts from the beginning. `HEAD` checks whether the stream is available without attaching a reader.',
    headers: ['Last-Event-ID'],
    answers: {
      200: { description: 'Events, numbered from 0. The last one is `done` or `error`.', content: STREAM },
      204: { description: 'The stream is complete; do not reconnect.' },
    },
    errors: ['LIVE_DISABLED', 'UNKNOWN_SESSION', 'INVALID_REQUEST', 'CONSUMER_ATTACHED', 'OVERLOADED'],
  },
  'POST /analyze/live/:session_id/control': {
    id: 'controlLive',
    tag: 'live',
    summary: 'Finalize, cancel or keep a session open',
    body: { content: json(ControlSchema, { action: 'finalize' }) },
    answers: {
      200: {
        description: 'The status of the session.',
        content: json(ControlAnswerSchema, { status: 'processing', detail: 'Finalizing', expires_at: AT }),
      },
    },
    errors: [
      'LIVE_DISABLED',
      'UNKNOWN_SESSION',
      'INVALID_REQUEST',
      'UPLOAD_STALLED',
      'SESSION_FINALIZED',
      'OVERLOADED',
    ],
  },
};
