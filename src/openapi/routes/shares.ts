import {
  MadeShareSchema,
  NewShareSchema,
  ShareListSchema,
  ShareOpensSchema,
  ShareSchema,
} from '../../contract/shares.ts';
import { AT, ID, SHARE, SHARE_OPEN, SHARE_TOKEN } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';

export const shares: Descriptions = {
  'POST /shares': {
    id: 'makeShare',
    tag: 'shares',
    summary: 'Share a conversation for days',
    description:
      'The token, shown only once, lets anyone who has it read and hear this conversation, and nothing else, until the share expires or is taken back. Everything done with it is listed under `/shares/{share_id}/opens`. A tenant can have 1,000 active shares.',
    body: { content: json(NewShareSchema, { conversation_id: ID, days: 7, label: 'For the training on Friday' }) },
    answers: {
      201: {
        description: 'The share, with its token.',
        content: json(MadeShareSchema, {
          ...SHARE,
          opens: 0,
          last_opened_at: null,
          token: SHARE_TOKEN,
          path: `/app/shared/${ID}#token=${SHARE_TOKEN}`,
        }),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'KEYS_DISABLED'],
  },
  'GET /shares': {
    id: 'listShares',
    tag: 'shares',
    summary: 'List shares',
    answers: {
      200: {
        description: 'Shares, newest first, also those that have ended.',
        content: json(ShareListSchema, { shares: [SHARE], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST'],
  },
  'DELETE /shares/:share_id': {
    id: 'revokeShare',
    tag: 'shares',
    summary: 'Take a share back',
    description: 'Its token is refused from the next request on. The share stays in the list, with who opened it.',
    answers: {
      200: {
        description: 'The share, which has ended.',
        content: json(ShareSchema, { ...SHARE, status: 'revoked', revoked_at: AT }),
      },
    },
    errors: ['NOT_FOUND'],
  },
  'GET /shares/:share_id/opens': {
    id: 'listShareOpens',
    tag: 'shares',
    summary: 'Read who opened a share',
    description:
      'What was opened, heard and exported with the link, when, and from which network. An entry appears within seconds.',
    answers: {
      200: {
        description: 'Entries, newest first.',
        content: json(ShareOpensSchema, { opens: [SHARE_OPEN], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
};
