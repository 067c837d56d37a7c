import * as z from 'zod';
import { RedactionKindSchema } from './redaction.ts';
import { RowCursorSchema } from './row-cursor.ts';

/** A signed receipt in an answer, beside the members that it contains. */
export const SignedReceiptSchema = z
  .string()
  .describe(
    'The same receipt with its `tenant` and `deleted_by`, as a compact JWS (RFC 7515) signed with Ed25519. `GET /receipts/keys` has the public key.',
  );

/** The members that only the signed form of a receipt has. */
export interface ReceiptOrigin {
  tenant: string;
  /** `key <id>`, or the operator as the audit names it. */
  deleted_by?: string;
}

/** Response of GET /receipts/keys: a JWK Set (RFC 7517). */
export const ReceiptKeysSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string().describe('The public key, base64url.'),
        kid: z.string().describe("The key's thumbprint (RFC 7638), which the header of a receipt names."),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'ReceiptKeys', description: 'The public keys of signed receipts.' });
export type ReceiptKeys = z.infer<typeof ReceiptKeysSchema>;

/** The kinds of index rows that a deletion removes. */
export const DELETED_ROWS = [
  ...['record', 'labels', 'moments', 'text', 'job', 'rules', 'people', 'commitments', 'playlists', 'shares'],
] as const;

const count = z.number().int().min(0);
const objects = z.array(z.object({ key: z.string(), bytes: count }));
const counts = z.partialRecord(RedactionKindSchema, count).describe('Kind -> number of spans in the recording.');

/** The effect of a redaction of a stored conversation. It never contains the redacted words. */
export const RedactionDeedSchema = z
  .object({
    kinds: z.array(RedactionKindSchema).describe('The kinds that were looked for.'),
    counts,
    verified: z.boolean().describe("The result's `redaction.verified`."),
    texts: z
      .object({ title: count, labels: count, comments: count, notes: count, filename: count, goal: count })
      .describe('How many texts that people wrote were changed, by place. `notes` are those in playlists.'),
    removed: z
      .object({ edits: count, ratings: count, commitments: count, people: count, messages: count })
      .describe(
        'How many edits, ratings, statuses of commitments, people and webhook messages were removed with the earlier result.',
      ),
  })
  .meta({ id: 'RedactionDeed' });
export type RedactionDeed = z.infer<typeof RedactionDeedSchema>;

const RECEIPT_KINDS = ['deletion', 'deletions', 'retention', 'redaction', 'redactions'] as const;
export const ReceiptKindSchema = z
  .enum(RECEIPT_KINDS)
  .describe(
    '`deletion`: somebody deleted a conversation. `deletions`: somebody deleted several in one request, each of which also has a receipt of its own. `retention`: its retention ended. `redaction`: a stored conversation was redacted. `redactions`: a redaction of all conversations that matched a filter has ended.',
  )
  .meta({ id: 'ReceiptKind' });

/** The members of a stored receipt before it is signed. */
export const StoredReceiptSchema = z.object({
  receipt_id: z.string(),
  kind: ReceiptKindSchema,
  at: z.iso.datetime(),
  by: z.string().describe('`key <id>`, `person <address>`, `retention`, or the operator as the audit names it.'),
  conversation_id: z.string().nullable().describe('Null for several.'),
  conversation_ids: z.array(z.string()).optional().describe('The conversations of `deletions`.'),
  redaction_id: z
    .string()
    .nullable()
    .describe('The redaction over a filter that it belongs to; null if there is none.'),
  removed: objects.describe('The objects that were removed, by their storage keys.'),
  rewritten: objects.describe('The objects that replaced them.'),
  index: z.array(z.enum(DELETED_ROWS)).describe('The kinds of index rows that a deletion removed.'),
  redaction: RedactionDeedSchema.nullable().describe('Null for a deletion.'),
  conversations: z
    .object({ redacted: count, on_hold: count, failed: count, gone: count, verified: count })
    .nullable()
    .describe('For a redaction over a filter: how many conversations ended how. Null otherwise.'),
});
export type StoredReceipt = z.infer<typeof StoredReceiptSchema>;

export const ReceiptSchema = StoredReceiptSchema.extend({
  signed: z.string().describe('The same receipt with its `tenant`, as a compact JWS (RFC 7515) signed with Ed25519.'),
}).meta({
  id: 'Receipt',
  description: 'A record of what was removed or redacted, when and by whom, without its words.',
});
export type Receipt = z.infer<typeof ReceiptSchema>;

/** Limit on the receipts of a page. */
const PAGE = 100;

/** Query of GET /receipts. */
export const ReceiptQuerySchema = z.object({
  conversation_id: z.string().max(128).optional().describe('Only receipts of this conversation.'),
  redaction_id: z.string().max(128).optional().describe('Only receipts of this redaction over a filter.'),
  kind: ReceiptKindSchema.optional(),
  cursor: RowCursorSchema,
  limit: z.coerce.number().int().min(1).max(PAGE).default(PAGE).describe('Entries per page.'),
});
export type ReceiptQuery = z.infer<typeof ReceiptQuerySchema>;

/** Response of GET /receipts, newest first. */
export const ReceiptListSchema = z
  .object({ receipts: z.array(ReceiptSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'ReceiptList' });
export type ReceiptList = z.infer<typeof ReceiptListSchema>;
