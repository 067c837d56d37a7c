import { AnalysisResponseSchema } from '../../contract/analysis.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { ServiceEventSchema } from '../../contract/events.ts';
import { AskAgainSchema, JobStartedSchema, RemoteFileSchema } from '../../contract/jobs.ts';
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

/** The form of an upload: the options, with lists and objects as JSON in text fields. */
const FORM: JsonSchema = {
  type: 'object',
  required: ['file'],
  properties: {
    file: bytes(`The recording: ${MEDIA_WORDS}`),
    ...AnalysisOptionsSchema.shape,
    words: {
      type: 'string',
      description: 'A JSON list of names and terms that may be spoken.',
      examples: ['["Undertone", "Nander"]'],
    },
    affect: {
      type: 'string',
      description:
        '`full`, `words` or `none`; or a JSON object with one of these for each speaker label, and `*` for the others.',
      examples: ['none', '{"Speaker_0":"none","*":"full"}'],
    },
  },
};

const SOURCES: Content = {
  'multipart/form-data': { schema: FORM },
  'application/json': {
    schema: { oneOf: [RemoteFileSchema, AskAgainSchema] },
    example: { url: 'https://example.com/call.wav', goal: 'What was agreed?', affect: 'words' },
  },
};

export const STREAM: Content = { 'text/event-stream': { schema: ServiceEventSchema, example: EVENTS } };

/** The response of an analysis in the foreground or in the background. */
export const WAITED: Readonly<Record<number, ResponseDescription>> = {
  200: { description: 'The complete analysis.', content: json(AnalysisResponseSchema, ANALYSIS) },
  202: {
    description:
      'With `Prefer: respond-async`: the analysis runs in the background; `Location` is where to read its status.',
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

export const analyses: Descriptions = {
  'POST /analyze': {
    id: 'analyze',
    tag: 'analyses',
    summary: 'Analyse a recording',
    description:
      'Send a form with the file, or JSON with a `url` or with the id of a retained upload (`conversation_id`). With `?stream=true` the response is that of `POST /analyze/stream`.',
    headers: ['Prefer', 'Idempotency-Key'],
    body: { content: SOURCES },
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
      'The same request as `POST /analyze`, but each result is sent as soon as it is known. The last event is `done` or `error`.',
    headers: ['Prefer', 'Idempotency-Key'],
    body: { content: SOURCES },
    answers: { 200: { description: 'Events, numbered from 0.', content: STREAM }, 202: WAITED[202]! },
    errors: UPLOAD_ERRORS,
  },
  'POST /segment/conversation': {
    id: 'segment',
    tag: 'analyses',
    summary: 'Segment a timeline again, without its recording',
    description:
      'Send a timeline of utterances, or a complete analysis, whose other members are ignored. At most 64 MiB.',
    body: {
      content: json(SegmentRequestSchema, {
        context: 'What was agreed?',
        timeline: [
          { utterance_id: 'u0', speaker: 'Speaker_0', t_start: 0, t_end: 2.4, text: 'Hello, thanks for calling.' },
          { utterance_id: 'u1', speaker: 'Speaker_1', t_start: 2.8, t_end: 6.1, text: 'I would like to book a table.' },
        ],
      }),
    },
    answers: { 200: { description: 'The phases.', content: json(SegmentResponseSchema, SEGMENTATION) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'OVERLOADED'],
  },
};
