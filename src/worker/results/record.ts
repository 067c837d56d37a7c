import * as z from 'zod';
import { ConversationModeSchema, EditSchema } from '../../contract/conversations.ts';
import { ERROR_CODES } from '../../contract/errors.ts';
import { extensionOf, type MediaExtension, MediaExtensionSchema } from '../../contract/media.ts';
import { type AnalysisOptions, AnalysisOptionsSchema } from '../../contract/options.ts';
import { editedBy } from './edits/edited.ts';

/** A thumb that a user gave. Times are Unix time, ms. */
const GivenFeedbackSchema = z.object({
  kind: z.enum(['moment', 'utterance', 'line']),
  /** An id, or a line of the summary. */
  on: z.string(),
  /** The text under the thumb, kept for evaluation even when the conversation is analysed again. */
  text: z.string(),
  thumb: z.enum(['up', 'down']),
  comment: z.string(),
  at: z.number().int(),
  key: z.string(),
  /** The run that was judged. */
  run: z.string(),
});
export type GivenFeedback = z.infer<typeof GivenFeedbackSchema>;

/**
 * Everything known about a conversation that does not follow from its result; together they make its catalogue entry. It
 * is stored in the bucket, too, beside the result. Times are Unix time, ms.
 */
export const StoredRecordSchema = z.object({
  id: z.string(),
  mode: ConversationModeSchema,
  /** While it is `processing`, its job says whether it is queued. */
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  /** Unique within a tenant, so that a list has one order. */
  createdAt: z.number().int(),
  endedAt: z.number().int().nullable(),
  error: z.object({ code: z.enum(ERROR_CODES), message: z.string() }).nullable(),
  /** Id of the key that sent it, never the key itself. */
  key: z.string(),
  requestId: z.string(),
  filename: z.string(),
  /** Null until a file has been fetched. */
  suffix: MediaExtensionSchema.nullable(),
  options: AnalysisOptionsSchema,
  /** The run whose result counts: its documents are stored under this name. */
  run: z.string(),
  /** The latest run. */
  lastRun: z.string(),
  /** A completed run that has yet to replace `run`; null: none. */
  pending: z.string().nullable(),
  /** The object beside the record that is shown in place of the measured result; null: the measured result itself. */
  shown: z.string().nullable(),
  /** Size of everything stored for it. */
  bytes: z.number().int(),
  /** Days it is kept from its creation; null: the tenant's setting. */
  retentionDays: z.number().int().nullable(),
  edits: z.array(EditSchema),
  feedback: z.array(GivenFeedbackSchema),
});
export type StoredRecord = z.infer<typeof StoredRecordSchema>;

/** The title that a user chose, else the file name. */
export function titleOf({ edits, filename }: Pick<StoredRecord, 'edits' | 'filename'>): string {
  const extension = extensionOf(filename);
  return editedBy(edits).title ?? (extension === '' ? filename : filename.slice(0, -extension.length));
}

/** The known facts of a conversation at its creation. */
export interface BegunConversation {
  id: string;
  mode: StoredRecord['mode'];
  key: string;
  requestId: string;
  filename: string;
  suffix: MediaExtension | null;
  options: AnalysisOptions;
}

/** Its members follow the order of the schema, so that a record that is read and written again stays equal. */
export const begunRecord = (begun: BegunConversation, createdAt: number): StoredRecord => ({
  id: begun.id,
  mode: begun.mode,
  status: 'processing',
  createdAt,
  endedAt: null,
  error: null,
  key: begun.key,
  requestId: begun.requestId,
  filename: begun.filename,
  suffix: begun.suffix,
  options: begun.options,
  run: begun.id,
  lastRun: begun.id,
  pending: null,
  shown: null,
  bytes: 0,
  retentionDays: null,
  edits: [],
  feedback: [],
});
