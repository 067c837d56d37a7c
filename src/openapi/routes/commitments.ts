import { CommitmentEntrySchema, CommitmentListSchema, CommitmentPatchSchema } from '../../contract/commitments.ts';
import { COMMITMENT, OPEN_QUESTION } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';

const text = { type: 'string' };

export const commitments: Descriptions = {
  'GET /commitments': {
    id: 'listCommitments',
    tag: 'commitments',
    summary: 'List what is owed in all conversations',
    description:
      'By the day on which it is due; what has no day comes last. Questions that were left unanswered stand beside it.',
    answers: {
      200: {
        description: 'A page of commitments.',
        content: json(CommitmentListSchema, {
          commitments: [COMMITMENT],
          counts: {
            statuses: { offered: 0, open: 11, accepted: 14, declined: 1, done: 7 },
            undated: 11,
            owners: [{ owner: 'Anna', count: 25 }],
            open_questions: 1,
          },
          open_questions: [OPEN_QUESTION],
          next_cursor: null,
        }),
      },
    },
    errors: ['INVALID_REQUEST'],
  },
  'GET /commitments/export': {
    id: 'exportCommitments',
    tag: 'commitments',
    summary: 'Export commitments as a table or a calendar',
    description: 'Up to 10,000 commitments.',
    answers: {
      200: {
        description: 'The file.',
        content: { 'text/csv': { schema: text }, 'text/calendar': { schema: text } },
      },
    },
    errors: ['INVALID_REQUEST'],
  },
  'PATCH /commitments/:commitment_id': {
    id: 'changeCommitment',
    tag: 'commitments',
    summary: 'Set the status of a commitment',
    description:
      'It is kept with the conversation, also when the recording is analysed again, as long as the same words are found.',
    body: { content: json(CommitmentPatchSchema, { status: 'done' }) },
    answers: {
      200: {
        description: 'The commitment.',
        content: json(CommitmentEntrySchema, { ...COMMITMENT, status: 'done', status_source: 'person' }),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND'],
  },
};
