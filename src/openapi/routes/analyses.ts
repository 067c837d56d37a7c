import { AnalysisResponseSchema } from '../../contract/analysis.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { ServiceEventSchema } from '../../contract/events.ts';
import { JobStartedSchema, KeptUploadSchema, RemoteFileSchema } from '../../contract/jobs.ts';
import { AnalysisOptionsSchema } from '../../contract/options.ts';
import { SegmentRequestSchema } from '../../contract/segment-request.ts';
import { SegmentResponseSchema } from '../../contract/segmentation.ts';
import { ANALYSIS, EVENTS, ID, SEGMENTATION } from '../examples.ts';
import { MEDIA_WORDS } from '../headers.ts';
import {
  bytes,
  type Content,
  type Descriptions,
  type JsonSchema,
  json,
  type ResponseDescription,
} from '../operation.ts';

/** The form of an upload. It contains the options, with lists and objects as JSON in text fields. */
const FORM: JsonSchema = {
  type: 'object',
  required: ['file'],
  additionalProperties: false,
  properties: {
    file: bytes(`The recording: ${MEDIA_WORDS}`),
    ...AnalysisOptionsSchema.shape,
    words: {
      type: 'string',
      description: 'A JSON list of names and terms that may be spoken.',
      examples: ['["Undertone", "Nander"]'],
    },
    roles: {
      type: 'string',
      description: 'A JSON list with the role of the person on each channel; null: unknown.',
      examples: ['["agent", "customer"]'],
    },
    redact: {
      type: 'string',
      description: 'Kinds of personal data to remove: names separated by commas, or a JSON list.',
      examples: ['card,phone', '["card", "phone"]'],
    },
    affect: {
      type: 'string',
      description:
        '`full`, `words` or `none`; or a JSON object with one of these for each speaker label or role, and `*` for the others.',
      examples: ['none', '{"Speaker_0":"none","*":"full"}'],
    },
  },
};

const UPLOAD: Content = { 'multipart/form-data': { schema: FORM } };
const REMOTE = json(RemoteFileSchema, {
  url: 'https://example.com/call.wav',
  goal: 'What was agreed?',
  affect: 'words',
});
const KEPT = json(KeptUploadSchema, { conversation_id: ID });

export const STREAM: Content = { 'text/event-stream': { schema: ServiceEventSchema, example: EVENTS } };

/** The response of an analysis, in the foreground or in the background. */
export const WAITED: Readonly<Record<number, ResponseDescription>> = {
  200: { description: 'The complete analysis.', content: json(AnalysisResponseSchema, ANALYSIS) },
  202: {
    description:
      'With `Prefer: respond-async`, the analysis runs in the background. `Location` is the URL of its status.',
    content: json(JobStartedSchema, { conversation_id: ID, status: 'queued' }),
    headers: ['Location', 'Preference-Applied'],
  },
};
export const ANALYSIS_ERRORS: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'INVALID_MEDIA',
  'NO_UTTERANCES',
  'NOT_FOUND',
  'CANCELLED',
  'OVERLOADED',
];
const UPLOAD_ERRORS: readonly ErrorCode[] = [
  ...ANALYSIS_ERRORS,
  'UNSUPPORTED_MEDIA',
  'FILE_TOO_LARGE',
  'UPLOAD_STALLED',
  'SOURCE_FAILED',
  'KEY_REUSED',
];

const STREAMED: Readonly<Record<number, ResponseDescription>> = {
  200: { description: 'Events, numbered from 0. The last one is `done` or `error`.', content: STREAM },
  202: WAITED[202]!,
};

export const analyses: Descriptions = {
  'POST /analyze': {
    id: 'analyze',
    tag: 'analyses',
    summary: 'Analyse a recording',
    description:
      'With `?stream=true` the response is that of `POST /analyze/stream`. The JSON of `POST /analyze/url` and `POST /analyze/kept` is accepted here too.',
    headers: ['Prefer', 'Idempotency-Key'],
    body: { content: UPLOAD },
    answers: {
      200: { ...WAITED[200]!, content: { ...WAITED[200]!.content, ...STREAM } },
      202: WAITED[202]!,
    },
    errors: UPLOAD_ERRORS,
  },
  'POST /analyze/stream': {
    id: 'replay',
    tag: 'analyses',
    summary: 'Analyse a recording and stream the events',
    description:
      'The same request as `POST /analyze`, but each result is sent as soon as it is known. The JSON of `POST /analyze/stream/url` and `POST /analyze/stream/kept` is accepted here too.',
    headers: ['Prefer', 'Idempotency-Key'],
    body: { content: UPLOAD },
    answers: STREAMED,
    errors: UPLOAD_ERRORS,
  },
  'POST /analyze/url': {
    id: 'analyzeUrl',
    tag: 'analyses',
    summary: 'Analyse a recording at a URL',
    description: 'The service downloads the file. The response is that of `POST /analyze`.',
    headers: ['Prefer', 'Idempotency-Key'],
    body: { content: REMOTE },
    answers: WAITED,
    errors: UPLOAD_ERRORS,
  },
  'POST /analyze/stream/url': {
    id: 'replayUrl',
    tag: 'analyses',
    summary: 'Analyse a recording at a URL and stream the events',
    headers: ['Prefer', 'Idempotency-Key'],
    body: { content: REMOTE },
    answers: STREAMED,
    errors: UPLOAD_ERRORS,
  },
  'POST /analyze/kept': {
    id: 'analyzeKept',
    tag: 'analyses',
    summary: 'Analyse a kept upload again',
    description:
      'When an analysis fails and the recording is not the cause, the upload is kept for a day, and the error has its `conversation_id`. The options stay the same.',
    headers: ['Prefer'],
    body: { content: KEPT },
    answers: WAITED,
    errors: [...ANALYSIS_ERRORS, 'UPLOAD_STALLED', 'SOURCE_FAILED', 'ON_HOLD'],
  },
  'POST /analyze/stream/kept': {
    id: 'replayKept',
    tag: 'analyses',
    summary: 'Analyse a kept upload again and stream the events',
    headers: ['Prefer'],
    body: { content: KEPT },
    answers: STREAMED,
    errors: [...ANALYSIS_ERRORS, 'UPLOAD_STALLED', 'SOURCE_FAILED', 'ON_HOLD'],
  },
  'POST /segment/conversation': {
    id: 'segment',
    tag: 'analyses',
    summary: 'Segment a timeline again, without its recording',
    description:
      'The body is a timeline of utterances, or a complete analysis, whose timeline, moments and transitions are used. At most 64 MiB.',
    body: {
      content: json(SegmentRequestSchema, {
        context: 'What was agreed?',
        timeline: [
          { utterance_id: 'u0', speaker: 'Speaker_0', t_start: 0, t_end: 2.4, text: 'Hello, thanks for calling.' },
          { utterance_id: 'u1', speaker: 'Speaker_1', t_start: 2.8, t_end: 6.1, text: 'I would like to book a table.' },
        ],
      }),
    },
    answers: {
      200: {
        description: 'The phases.',
        content: json(SegmentResponseSchema, SEGMENTATION),
        headers: ['Undertone-Notes'],
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'OVERLOADED'],
  },
};
