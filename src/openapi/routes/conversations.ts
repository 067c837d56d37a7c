import { AnalysisResponseSchema } from '../../contract/analysis.ts';
import {
  ConversationListSchema,
  ConversationPatchSchema,
  ConversationQuerySchema,
  ConversationRecordSchema,
  DeletionReceiptSchema,
  FeedbackSchema,
  ReanalysisSchema,
} from '../../contract/conversations.ts';
import { JobSchema } from '../../contract/jobs.ts';
import { LevelsSchema } from '../../contract/media.ts';
import {
  EventsQuerySchema,
  ExportQuerySchema,
  MediaQuerySchema,
  TenantExportQuerySchema,
} from '../../contract/queries.ts';
import { ANALYSIS, AT, ENTRY, ID, JOB, RECORD } from '../examples.ts';
import { OBJECT_ANSWER, OBJECT_REQUEST } from '../headers.ts';
import {
  bytes,
  type Content,
  type Descriptions,
  type JsonSchema,
  json,
  type ResponseDescription,
} from '../operation.ts';
import { ANALYSIS_ERRORS, STREAM, WAITED } from './analyses.ts';

/** An object of the store, whole or a range of it. */
const stored = (
  description: string,
  content: Content,
  more: readonly string[] = [],
): Readonly<Record<number, ResponseDescription>> => ({
  200: { description, content, headers: [...OBJECT_ANSWER, ...more] },
  206: {
    description: 'The range that was asked for.',
    content: Object.fromEntries(Object.keys(content).map((type) => [type, { schema: bytes('A range of the bytes.') }])),
    headers: [...OBJECT_ANSWER, 'Content-Range', ...more],
  },
  304: { description: 'It is still the version that `If-None-Match` names.', headers: OBJECT_ANSWER },
});
const STORED_ERRORS = ['NOT_FOUND', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE'] as const;

const record: Readonly<Record<number, ResponseDescription>> = {
  200: { description: 'What is known of it beside its result.', content: json(ConversationRecordSchema, RECORD) },
};
const text: JsonSchema = { type: 'string' };
const MEDIA: Content = Object.fromEntries(
  [
    'audio/webm',
    'audio/wav',
    'audio/mpeg',
    'audio/mp4',
    'audio/aac',
    'audio/ogg',
    'video/mp4',
    'video/webm',
    'application/octet-stream',
  ].map((type) => [type, { schema: bytes('The recording.') }]),
);

export const NDJSON: Content = {
  'application/x-ndjson': {
    schema: {
      type: 'string',
      description: 'A conversation a line: `{"conversation": its record, "result": its analysis or null}`.',
    },
  },
};

export const conversations: Descriptions = {
  'GET /conversations': {
    id: 'listConversations',
    tag: 'conversations',
    summary: 'List and search conversations',
    description:
      'The newest first; filters are all met at once. `q` looks for words in what was said, in titles and names.',
    query: ConversationQuerySchema,
    answers: {
      200: {
        description: 'A page, and where the next one begins.',
        content: json(ConversationListSchema, { conversations: [ENTRY], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST'],
  },
  'GET /conversations/export': {
    id: 'exportConversations',
    tag: 'conversations',
    summary: 'Export everything',
    query: TenantExportQuerySchema,
    answers: { 200: { description: 'In order of ids.', content: NDJSON } },
    errors: ['INVALID_REQUEST'],
  },
  'GET /conversations/:conversation_id': {
    id: 'getConversation',
    tag: 'conversations',
    summary: 'Read a result',
    description:
      'As `POST /analyze` answered it, with its edits applied; while there is none, how the analysis stands.',
    headers: OBJECT_REQUEST,
    answers: stored('The analysis, or how it stands.', {
      'application/json': { schema: { anyOf: [AnalysisResponseSchema, JobSchema] }, example: ANALYSIS },
    }),
    errors: STORED_ERRORS,
  },
  'GET /conversations/:conversation_id/record': {
    id: 'getRecord',
    tag: 'conversations',
    summary: 'Read what is known beside the result',
    answers: record,
    errors: ['NOT_FOUND'],
  },
  'GET /conversations/:conversation_id/media': {
    id: 'getMedia',
    tag: 'conversations',
    summary: 'Play the recording',
    description: 'A rendition that every browser plays, where there is one and the upload itself is not asked for.',
    query: MediaQuerySchema,
    headers: OBJECT_REQUEST,
    answers: stored('The recording.', MEDIA),
    errors: ['INVALID_REQUEST', 'NOT_COMPLETED', ...STORED_ERRORS],
  },
  'GET /conversations/:conversation_id/levels': {
    id: 'getLevels',
    tag: 'conversations',
    summary: 'Read how loud it is as it goes on',
    headers: OBJECT_REQUEST,
    answers: stored('Levels, for a picture of the sound.', json(LevelsSchema, { rate: 20, channels: ['AAAqf4A='] })),
    errors: ['NOT_COMPLETED', ...STORED_ERRORS],
  },
  'GET /conversations/:conversation_id/events': {
    id: 'replayStored',
    tag: 'conversations',
    summary: 'Hear its events again',
    query: EventsQuerySchema,
    headers: ['Last-Event-ID'],
    answers: {
      200: { description: 'The events as they were told.', content: STREAM },
      204: { description: 'There is nothing more to come back for.' },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NOT_COMPLETED'],
  },
  'GET /conversations/:conversation_id/export': {
    id: 'exportConversation',
    tag: 'conversations',
    summary: 'Export one as a file',
    query: ExportQuerySchema,
    headers: OBJECT_REQUEST,
    answers: stored(
      'The file. Ranges and versions are those of `format=json` alone.',
      {
        'application/json': { schema: AnalysisResponseSchema },
        'text/plain': { schema: text },
        'text/markdown': { schema: text },
        'application/x-subrip': { schema: text },
        'text/vtt': { schema: text },
        'text/csv': { schema: text },
        'text/html': { schema: text },
      },
      ['Content-Disposition'],
    ),
    errors: ['INVALID_REQUEST', 'NOT_COMPLETED', ...STORED_ERRORS],
  },
  'PATCH /conversations/:conversation_id': {
    id: 'editConversation',
    tag: 'conversations',
    summary: 'Edit: title, labels, names, speakers, retention',
    body: { content: json(ConversationPatchSchema, { title: 'Renewal, Acme', speakers: { Speaker_0: 'Anna' } }) },
    answers: record,
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'NOT_COMPLETED', 'OVERLOADED'],
  },
  'POST /conversations/:conversation_id/undo': {
    id: 'undoEdit',
    tag: 'conversations',
    summary: 'Take the last edit back',
    answers: record,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NOT_COMPLETED', 'NOTHING_TO_UNDO', 'OVERLOADED'],
  },
  'POST /conversations/:conversation_id/feedback': {
    id: 'giveFeedback',
    tag: 'conversations',
    summary: 'Give a thumb',
    body: { content: json(FeedbackSchema, { utterance_id: `${ID}_utt_0`, thumb: 'up' }) },
    answers: record,
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'NOT_COMPLETED', 'OVERLOADED'],
  },
  'POST /conversations/:conversation_id/reanalyze': {
    id: 'reanalyze',
    tag: 'conversations',
    summary: 'Analyse it anew',
    description: 'What is not named stays as it was. A failure costs nothing: the old result stays.',
    headers: ['Prefer'],
    body: { isOptional: true, content: json(ReanalysisSchema, { speakers: 2 }) },
    answers: WAITED,
    errors: [...ANALYSIS_ERRORS, 'UPLOAD_STALLED', 'NOT_COMPLETED'],
  },
  'POST /conversations/:conversation_id/cancel': {
    id: 'cancelAnalysis',
    tag: 'conversations',
    summary: 'Cancel an analysis under way',
    description: 'Nothing of it stays; one that has ended is answered as it ended.',
    answers: { 200: { description: 'How it ended.', content: json(JobSchema, { ...JOB, status: 'cancelled' }) } },
    errors: ['NOT_FOUND'],
  },
  'DELETE /conversations/:conversation_id': {
    id: 'deleteConversation',
    tag: 'conversations',
    summary: 'Delete a conversation',
    answers: {
      200: {
        description: 'What there was, and is no more.',
        content: json(DeletionReceiptSchema, {
          conversation_id: ID,
          deleted_at: AT,
          objects: [{ key: `default/${ID}/upload.wav`, bytes: 480_044 }],
          bytes: 480_044,
          index: ['record', 'text'],
        }),
      },
    },
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'OVERLOADED'],
  },
};
