import * as z from 'zod';
import { ConversationFilterSchema } from './conversations.ts';
import { RedactionKindSchema, RedactSchema } from './redaction.ts';

const kinds = RedactSchema.min(1, 'must have at least one kind').describe(
  'Kinds of values to remove from words, sound and texts.',
);

/** Body of POST /conversations/{id}/redact. */
export const StoredRedactionSchema = z.strictObject({ kinds }).meta({ id: 'RedactionRequest' });

/** Limit on the conversations that one redaction over a filter covers. */
export const MOST_REDACTED = 10_000;

/** Body of POST /redactions. */
export const NewRedactionSchema = z
  .strictObject({ filter: ConversationFilterSchema, kinds })
  .meta({ id: 'NewRedactionRequest' });
export type NewRedaction = z.infer<typeof NewRedactionSchema>;

const count = z.number().int().min(0);

/** Response of POST /redactions and of GET /redactions/{id}. */
export const RedactionJobSchema = z
  .object({
    redaction_id: z.string(),
    status: z.enum(['running', 'completed']),
    kinds: z.array(RedactionKindSchema),
    by: z.string().describe('`key <id>`, or `person <address>`.'),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    total: count.describe('How many conversations matched when it began.'),
    waiting: count.describe('Those that wait or are being redacted.'),
    redacted: count,
    on_hold: count.describe('Those that a hold keeps. They were left as they are.'),
    failed: count.describe('Those whose analysis failed. They are as they were.'),
    gone: count.describe('Those that were deleted in the meantime.'),
    receipt_id: z.string().nullable().describe('Its receipt, once it has ended.'),
  })
  .meta({ id: 'RedactionJob', description: 'A redaction of all conversations that matched a filter.' });
export type RedactionJobBody = z.infer<typeof RedactionJobSchema>;
