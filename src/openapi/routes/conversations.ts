import { ConversationAccessSchema } from '../../contract/access-log.ts';
import { AnalysisResponseSchema } from '../../contract/analysis.ts';
import { BatchResultSchema, BatchSchema } from '../../contract/batch.ts';
import {
  CommentListSchema,
  CommentPatchSchema,
  CommentSchema,
  ConversationListSchema,
  ConversationPatchSchema,
  ConversationRecordSchema,
  DeletionReceiptSchema,
  FeedbackSchema,
  NewCommentSchema,
  ReanalysisSchema,
} from '../../contract/conversations.ts';
import { CourseSchema } from '../../contract/course.ts';
import { JobSchema, UnfinishedJobSchema } from '../../contract/jobs.ts';
import { LIMITS } from '../../contract/limits.ts';
import { LevelsSchema } from '../../contract/media.ts';
import { ProposalsSchema } from '../../contract/people.ts';
import { UnredactedSchema } from '../../contract/redaction.ts';
import { ACCESS, ANALYSIS, AT, COURSE, ENTRY, ID, JOB, PROPOSALS, RECORD, SIGNED, UNREDACTED } from '../examples.ts';
import { CONDITIONS, RANGES } from '../headers.ts';
import {
  bytes,
  type Content,
  type Descriptions,
  type JsonSchema,
  json,
  type ResponseDescription,
} from '../operation.ts';
import { ANALYSIS_ERRORS, STREAM, WAITED } from './analyses.ts';

/** The response of a stored object. */
const stored = (
  description: string,
  content: Content,
  headers: readonly string[] = ['ETag'],
): Readonly<Record<number, ResponseDescription>> => ({
  200: { description, content, headers },
  304: { description: 'The version in `If-None-Match` is still current.', headers: ['ETag'] },
});
const STORED_ERRORS = ['NOT_FOUND', 'PRECONDITION_FAILED'] as const;

const { address: _address, conversation_id: _id, title: _title, ...accessEntry } = ACCESS;
const CONVERSATION_ACCESS = { ...accessEntry, address_prefix: '203.0.113.0/24' };

const record: Readonly<Record<number, ResponseDescription>> = {
  200: {
    description: 'Everything about the conversation except its result.',
    content: json(ConversationRecordSchema, RECORD),
  },
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
      description: 'One conversation per line: `{"conversation": its record, "result": its analysis or null}`.',
    },
  },
};

export const conversations: Descriptions = {
  'GET /conversations': {
    id: 'listConversations',
    tag: 'conversations',
    summary: 'List and search conversations',
    description:
      'Newest first, unless `sort` says otherwise. A conversation must match all filters. `q` searches utterances, titles and speaker names.',
    answers: {
      200: {
        description: 'One page, and the cursor of the next.',
        content: json(ConversationListSchema, { conversations: [ENTRY], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST'],
  },
  'GET /conversations/export': {
    id: 'exportConversations',
    tag: 'conversations',
    summary: 'Export all conversations',
    answers: { 200: { description: 'Conversations, ordered by id.', content: NDJSON } },
    errors: ['INVALID_REQUEST'],
  },
  'POST /conversations/batch': {
    id: 'changeConversations',
    tag: 'conversations',
    summary: 'Label, mark, export or delete several conversations',
    description: `One act on at most ${LIMITS.batch} conversations, by their ids or by a filter. Each has its own outcome, so that one on hold or unknown does not stop the others. Labels and marks need a key with the scope \`analyze\`, exports \`read\`, deletions \`delete\`. The access log has an entry for each conversation.`,
    body: { content: json(BatchSchema, { ids: [ID], labels: { add: ['renewal'] } }) },
    answers: {
      200: {
        description: 'The outcomes; for an export, one `ExportedFile` per line.',
        content: {
          ...json(BatchResultSchema, {
            ...{ done: 1, unchanged: 0, failed: 0, receipt: null },
            items: [{ conversation_id: ID, outcome: 'done', error: null }],
          }),
          'application/x-ndjson': { schema: { type: 'string', description: 'One `ExportedFile` per line.' } },
        },
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'OVERLOADED'],
  },
  'GET /conversations/:conversation_id': {
    id: 'getConversation',
    tag: 'conversations',
    summary: 'Read a result',
    description: 'The response of `POST /analyze`, with edits applied; until there is one, the status of the analysis.',
    headers: CONDITIONS,
    answers: stored('The analysis (`status` is `completed`), or its status.', {
      'application/json': { schema: { oneOf: [AnalysisResponseSchema, UnfinishedJobSchema] }, example: ANALYSIS },
    }),
    errors: STORED_ERRORS,
  },
  'GET /conversations/:conversation_id/record': {
    id: 'getRecord',
    tag: 'conversations',
    summary: 'Read everything except the result',
    answers: record,
    errors: ['NOT_FOUND'],
  },
  'GET /conversations/:conversation_id/media': {
    id: 'getMedia',
    tag: 'conversations',
    summary: 'Play the recording',
    description:
      'Returns a rendition that every browser can play, if there is one, or the upload with `original=true`.',
    headers: [...RANGES, ...CONDITIONS],
    answers: {
      ...stored('The recording.', MEDIA, ['ETag', 'Accept-Ranges']),
      206: { description: 'The requested range.', content: MEDIA, headers: ['ETag', 'Accept-Ranges', 'Content-Range'] },
    },
    errors: ['INVALID_REQUEST', 'NOT_COMPLETED', 'RANGE_NOT_SATISFIABLE', ...STORED_ERRORS],
  },
  'GET /conversations/:conversation_id/unredacted': {
    id: 'readUnredacted',
    tag: 'redactions',
    summary: 'Read what the redactions of a conversation removed',
    description:
      'Only where the operator had set `keep_original` of the tenant before the redaction. The access log records every request as `unredacted`.',
    answers: {
      200: {
        description: 'The utterances in which something was redacted, as they were said.',
        content: json(UnredactedSchema, UNREDACTED),
      },
    },
    errors: ['NOT_FOUND', 'NOT_COMPLETED'],
  },
  'GET /conversations/:conversation_id/unredacted/media': {
    id: 'unredactedMedia',
    tag: 'redactions',
    summary: 'Hear the recording as it was before its redaction',
    description: 'The access log records every request as `unredacted`.',
    headers: [...RANGES, ...CONDITIONS],
    answers: {
      ...stored('The recording.', MEDIA, ['ETag', 'Accept-Ranges']),
      206: { description: 'The requested range.', content: MEDIA, headers: ['ETag', 'Accept-Ranges', 'Content-Range'] },
    },
    errors: ['NOT_COMPLETED', 'RANGE_NOT_SATISFIABLE', ...STORED_ERRORS],
  },
  'GET /conversations/:conversation_id/levels': {
    id: 'getLevels',
    tag: 'conversations',
    summary: 'Read the loudness over time',
    headers: CONDITIONS,
    answers: stored('Levels, for a waveform.', json(LevelsSchema, { rate: 20, channels: ['AAAqf4A='] })),
    errors: ['NOT_COMPLETED', ...STORED_ERRORS],
  },
  'GET /conversations/:conversation_id/course': {
    id: 'getCourse',
    tag: 'conversations',
    summary: 'Read affect, pitch and level over time',
    description:
      'One entry for each window and speaker who speaks in it, from the stored result with its edits and from the stored levels.',
    answers: {
      200: { description: 'The course of the conversation.', content: json(CourseSchema, COURSE) },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NOT_COMPLETED'],
  },
  'GET /conversations/:conversation_id/events': {
    id: 'replayStored',
    tag: 'conversations',
    summary: 'Replay its events',
    headers: ['Last-Event-ID'],
    answers: {
      200: { description: 'The events of the analysis.', content: STREAM },
      204: { description: 'The stream is complete; do not reconnect.' },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NOT_COMPLETED'],
  },
  'GET /conversations/:conversation_id/export': {
    id: 'exportConversation',
    tag: 'conversations',
    summary: 'Export a conversation as a file',
    headers: CONDITIONS,
    answers: stored(
      'The file. `ETag` applies to `format=json` only.',
      {
        'application/json': { schema: AnalysisResponseSchema },
        'text/plain': { schema: text },
        'text/markdown': { schema: text },
        'application/x-subrip': { schema: text },
        'text/vtt': { schema: text },
        'text/csv': { schema: text },
        'text/html': { schema: text },
      },
      ['ETag', 'Content-Disposition'],
    ),
    errors: ['INVALID_REQUEST', 'NOT_COMPLETED', ...STORED_ERRORS],
  },
  'PATCH /conversations/:conversation_id': {
    id: 'editConversation',
    tag: 'conversations',
    summary: 'Edit title, labels, names, speakers and retention',
    body: { content: json(ConversationPatchSchema, { title: 'Renewal, Acme', speakers: { Speaker_0: 'Anna' } }) },
    answers: record,
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'NOT_COMPLETED', 'OVERLOADED'],
  },
  'POST /conversations/:conversation_id/undo': {
    id: 'undoEdit',
    tag: 'conversations',
    summary: 'Undo the last edit',
    answers: record,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NOT_COMPLETED', 'NOTHING_TO_UNDO', 'OVERLOADED'],
  },
  'POST /conversations/:conversation_id/feedback': {
    id: 'giveFeedback',
    tag: 'conversations',
    summary: 'Give feedback',
    body: { content: json(FeedbackSchema, { utterance_id: `${ID}_utt_0`, thumb: 'up' }) },
    answers: record,
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'NOT_COMPLETED', 'OVERLOADED'],
  },
  'GET /conversations/:conversation_id/comments': {
    id: 'listComments',
    tag: 'conversations',
    summary: 'List the comments on a conversation',
    answers: {
      200: {
        description: 'The comments, by their place in the recording.',
        content: json(CommentListSchema, { comments: RECORD.comments }),
      },
    },
    errors: ['NOT_FOUND'],
  },
  'POST /conversations/:conversation_id/comments': {
    id: 'addComment',
    tag: 'conversations',
    summary: 'Comment on a second of a conversation',
    body: { content: json(NewCommentSchema, { at: 12.5, text: 'Ask for the date here.' }) },
    answers: { 201: { description: 'The comment.', content: json(CommentSchema, RECORD.comments[0]) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'OVERLOADED'],
  },
  'PATCH /conversations/:conversation_id/comments/:comment_id': {
    id: 'changeComment',
    tag: 'conversations',
    summary: 'Change a comment',
    body: { content: json(CommentPatchSchema, { text: 'Ask for the day and the time here.' }) },
    answers: { 200: { description: 'The comment.', content: json(CommentSchema, RECORD.comments[0]) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'OVERLOADED'],
  },
  'DELETE /conversations/:conversation_id/comments/:comment_id': {
    id: 'deleteComment',
    tag: 'conversations',
    summary: 'Delete a comment',
    answers: { 204: { description: 'It is deleted.' } },
    errors: ['NOT_FOUND', 'OVERLOADED'],
  },
  'GET /conversations/:conversation_id/proposals': {
    id: 'getProposals',
    tag: 'conversations',
    summary: 'Read which names and roles the speakers may have',
    description:
      'Names come from introductions and address, with their quotes; roles from the words of both speakers, unless it is not clear who has which. Nothing is applied. Accept a name with `PATCH /conversations/{conversation_id}`: `people` or `speakers`.',
    answers: { 200: { description: 'The proposals.', content: json(ProposalsSchema, PROPOSALS) } },
    errors: ['NOT_FOUND', 'NOT_COMPLETED'],
  },
  'GET /conversations/:conversation_id/access': {
    id: 'readAccess',
    tag: 'conversations',
    summary: 'Read who accessed a conversation',
    description:
      'Every request that showed, exported, edited or shared this conversation, or that requested its recording: which key, token or share, when, and from which network. An entry appears within seconds and is kept for the `access_log_days` of the tenant.',
    answers: {
      200: {
        description: 'Entries, newest first.',
        content: json(ConversationAccessSchema, { entries: [CONVERSATION_ACCESS], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'POST /conversations/:conversation_id/reanalyze': {
    id: 'reanalyze',
    tag: 'conversations',
    summary: 'Analyse again with other options',
    description:
      'Absent options keep their previous values. If the analysis fails, the old result is kept. The result of a conversation on hold is not replaced.',
    headers: ['Prefer'],
    body: { isOptional: true, content: json(ReanalysisSchema, { speakers: 2 }) },
    answers: WAITED,
    errors: [...ANALYSIS_ERRORS, 'UPLOAD_STALLED', 'NOT_COMPLETED', 'ON_HOLD'],
  },
  'POST /conversations/:conversation_id/cancel': {
    id: 'cancelAnalysis',
    tag: 'conversations',
    summary: 'Cancel a running analysis',
    description: 'The analysis and its data are discarded. If it has already ended, the response says how it ended.',
    answers: {
      200: { description: 'How the analysis ended.', content: json(JobSchema, { ...JOB, status: 'cancelled' }) },
    },
    errors: ['NOT_FOUND'],
  },
  'DELETE /conversations/:conversation_id': {
    id: 'deleteConversation',
    tag: 'conversations',
    summary: 'Delete a conversation',
    description: 'The receipt names every object and kind of row that was deleted, and is signed.',
    answers: {
      200: {
        description: 'What was deleted.',
        content: json(DeletionReceiptSchema, {
          conversation_id: ID,
          deleted_at: AT,
          objects: [{ key: `default/${ID}/upload.wav`, bytes: 480_044 }],
          bytes: 480_044,
          index: ['record', 'text'],
          signed: SIGNED,
        }),
      },
    },
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'ON_HOLD', 'OVERLOADED'],
  },
};
