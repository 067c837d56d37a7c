import * as z from 'zod';
import { ConversationFilterSchema } from './conversations.ts';
import { ErrorCodeSchema } from './errors.ts';
import { LabelSchema, LIMITS, lineOf } from './limits.ts';
import { ExportFormatSchema } from './queries.ts';
import { ReceiptSchema } from './receipts.ts';

const labels = z.array(lineOf(LIMITS.tagChars)).max(LIMITS.tags, `has more than ${LIMITS.tags} labels`).default([]);

const isOne = (...values: readonly unknown[]): boolean => values.filter((value) => value !== undefined).length === 1;

/** Body of POST /conversations/batch: which conversations, and one act. */
export const BatchSchema = z
  .strictObject({
    ids: z
      .array(LabelSchema)
      .min(1, 'must have at least one id')
      .max(LIMITS.batch, `has more than ${LIMITS.batch} entries`)
      .optional()
      .describe('Ids of conversations.'),
    filter: ConversationFilterSchema.optional().describe(
      `Instead of \`ids\`: every conversation that matches. One that matches more than ${LIMITS.batch} is refused.`,
    ),
    labels: z
      .strictObject({ add: labels, remove: labels })
      .refine(({ add, remove }) => add.length + remove.length > 0, 'must add or remove a label')
      .optional()
      .describe('Adds and removes labels; the others stay.'),
    reviewed: z.boolean().optional().describe('Whether they are reviewed.'),
    export: ExportFormatSchema.optional(),
    delete: z.literal(true).optional().describe('Deletes them with everything stored for them.'),
  })
  .refine(({ ids, filter }) => isOne(ids, filter), 'must have either ids or filter')
  .refine(
    (body) => isOne(body.labels, body.reviewed, body.export, body.delete),
    'must have one of labels, reviewed, export and delete',
  )
  .meta({ id: 'BatchRequest', description: 'One act on several conversations.' });
export type Batch = z.infer<typeof BatchSchema>;

/** The acts that change conversations. */
export type BatchAct = Pick<Batch, 'labels' | 'reviewed' | 'delete'>;

const error = z.object({ code: ErrorCodeSchema, message: z.string() });

export const BatchItemSchema = z
  .object({
    conversation_id: z.string(),
    outcome: z
      .enum(['done', 'unchanged', 'failed'])
      .describe('`unchanged`: there was nothing to change. To undo, request the opposite for those that are `done`.'),
    error: error.nullable().describe('Why it failed, for example `ON_HOLD` or `NOT_FOUND`; null otherwise.'),
  })
  .meta({ id: 'BatchItem' });
export type BatchItem = z.infer<typeof BatchItemSchema>;

const count = z.number().int().min(0);

/** Response of POST /conversations/batch, except to an export. */
export const BatchResultSchema = z
  .object({
    done: count,
    unchanged: count,
    failed: count,
    items: z.array(BatchItemSchema).describe('One for each conversation, in the order of `ids`, or oldest first.'),
    receipt: ReceiptSchema.nullable().describe('With `delete`: one receipt for all. Null if none was deleted.'),
  })
  .meta({ id: 'BatchResult', description: 'The outcome of an act on several conversations.' });
export type BatchResult = z.infer<typeof BatchResultSchema>;

/** A line of the response to an export of several conversations. */
export const ExportedFileSchema = z
  .object({
    conversation_id: z.string(),
    filename: z.string().nullable(),
    content: z.string().nullable().describe('The text of the file; null if it failed.'),
    error: error.nullable(),
  })
  .meta({ id: 'ExportedFile', description: 'A conversation in an export of several.' });
export type ExportedFile = z.infer<typeof ExportedFileSchema>;
