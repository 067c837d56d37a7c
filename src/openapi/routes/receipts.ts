import { ReceiptKeysSchema, ReceiptListSchema, ReceiptSchema } from '../../contract/receipts.ts';
import { NewRedactionSchema, RedactionJobSchema, StoredRedactionSchema } from '../../contract/redactions.ts';
import { RECEIPT, RECEIPT_KEY, REDACTION_JOB } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';
import { ANALYSIS_ERRORS, WAITED } from './analyses.ts';

export const receipts: Descriptions = {
  'POST /conversations/:conversation_id/redact': {
    id: 'redactConversation',
    tag: 'redactions',
    summary: 'Redact a stored conversation',
    description:
      'Analyses the stored recording again with redaction, and redacts what people wrote about it: title, labels, comments, notes in playlists, goal and file name. The earlier result, its edits and ratings are removed, and nothing can be undone. A conversation on hold is refused, because the original is destroyed. With `Prefer: respond-async` it continues in the background.',
    headers: ['Prefer'],
    body: { content: json(StoredRedactionSchema, { kinds: ['card', 'phone'] }) },
    answers: {
      200: { description: 'The receipt.', content: json(ReceiptSchema, RECEIPT) },
      202: WAITED[202]!,
    },
    errors: [...ANALYSIS_ERRORS, 'UPLOAD_STALLED', 'NOT_COMPLETED', 'ON_HOLD'],
  },
  'POST /redactions': {
    id: 'redactMatching',
    tag: 'redactions',
    summary: 'Redact every conversation that matches a filter',
    description:
      'Redacts the completed conversations that match now, a few at a time, at most 10,000. Those on hold are left as they are and counted. Its receipt follows when all have ended.',
    body: { content: json(NewRedactionSchema, { filter: { label: 'acme' }, kinds: ['card', 'phone'] }) },
    answers: {
      202: {
        description: 'The redaction has begun.',
        content: json(RedactionJobSchema, REDACTION_JOB),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'RATE_LIMITED'],
  },
  'GET /redactions/:redaction_id': {
    id: 'readRedaction',
    tag: 'redactions',
    summary: 'Read the progress of a redaction over a filter',
    answers: { 200: { description: 'Its progress.', content: json(RedactionJobSchema, REDACTION_JOB) } },
    errors: ['NOT_FOUND'],
  },
  'GET /receipts': {
    id: 'listReceipts',
    tag: 'redactions',
    summary: 'List receipts of what was deleted or redacted',
    description:
      'What somebody deleted, what retention removed, and what was redacted, newest first, for 400 days. A receipt contains no words of a conversation.',
    answers: {
      200: { description: 'A page.', content: json(ReceiptListSchema, { receipts: [RECEIPT], next_cursor: null }) },
    },
    errors: ['INVALID_REQUEST'],
  },
  'GET /receipts/keys': {
    id: 'receiptKeys',
    tag: 'redactions',
    summary: 'Read the public key of receipts',
    description:
      'A JWK Set, with which any JWS library checks the `signed` receipt of a deletion or a redaction. The key is made once for a deployment.',
    answers: { 200: { description: 'The public keys.', content: json(ReceiptKeysSchema, { keys: [RECEIPT_KEY] }) } },
  },
};
