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
  properties: {
    chunk_seq: { type: 'integer', minimum: 0, maximum: 999_999_999, description: 'Its number, from 0 on.' },
    chunk: bytes('The next bytes of the one stream, cut anywhere; a mebibyte at most unless the deployment says else.'),
  },
};

const path = (end: string) => `/analyze/live/${SESSION}/${end}`;

export const live: Descriptions = {
  'POST /analyze/live/start': {
    id: 'startLive',
    tag: 'live',
    summary: 'Open a live session',
    description: 'No body stands for `{}`. `ttl_seconds` has the bounds of the deployment.',
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
      'It is stored before its 200. When the answer is lost send the same number again with the same `Idempotency-Key`, and get the first answer.',
    headers: ['Idempotency-Key'],
    body: { content: { 'multipart/form-data': { schema: CHUNK } } },
    answers: {
      200: {
        description: 'It is safe.',
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
      'One reader at a time. Come back with `Last-Event-ID` for what follows; without it everything comes again. `HEAD` says whether they could be had, and attaches nobody.',
    headers: ['Last-Event-ID'],
    answers: {
      200: { description: 'Events, numbered from 0; the last one, once, is `done` or `error`.', content: STREAM },
      204: { description: 'There is nothing more to come back for.' },
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
        description: 'How it stands now.',
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
