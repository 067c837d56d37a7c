import * as z from 'zod';
import { ConversationModeSchema, ConversationStatusSchema, EditSchema } from '../../contract/conversations.ts';
import { ERROR_CODES } from '../../contract/errors.ts';
import { extensionOf, type MediaExtension, MediaExtensionSchema } from '../../contract/media.ts';
import { type AnalysisOptions, AnalysisOptionsSchema } from '../../contract/options.ts';
import { editedBy } from './edits/edited.ts';

/** A thumb that somebody gave. Times are Unix time, ms. */
const GivenFeedbackSchema = z.object({
  kind: z.enum(['moment', 'utterance', 'line']),
  /** An id, or a line of the summary. */
  on: z.string(),
  /** What was said or told there: it is kept for an evaluation, also when the conversation is analysed anew. */
  text: z.string(),
  thumb: z.enum(['up', 'down']),
  comment: z.string(),
  at: z.number().int(),
  key: z.string(),
  /** Of which analysis. */
  run: z.string(),
});
export type GivenFeedback = z.infer<typeof GivenFeedbackSchema>;

/**
 * All that is known of a conversation and does not follow from its result: with the result it makes its place in the
 * catalogue. It lies in the store, too, beside what came of it. Times are Unix time, ms.
 */
export const StoredRecordSchema = z.object({
  id: z.string(),
  mode: ConversationModeSchema,
  status: ConversationStatusSchema,
  /** No two of a tenant are the same, so that a list has one order. */
  createdAt: z.number().int(),
  endedAt: z.number().int().nullable(),
  error: z.object({ code: z.enum(ERROR_CODES), message: z.string() }).nullable(),
  /** The id of the key that sent it, never the key. */
  key: z.string(),
  requestId: z.string(),
  filename: z.string(),
  /** Null while a file is still to be fetched. */
  suffix: MediaExtensionSchema.nullable(),
  options: AnalysisOptionsSchema,
  /** The analysis whose result counts: its documents lie under this name. */
  run: z.string(),
  /** The analysis that was begun last. */
  lastRun: z.string(),
  /** An analysis that has ended well and is still to take the place of `run`; null: none. */
  pending: z.string().nullable(),
  /** The object beside the record that is shown in the place of the measured result; null: that itself. */
  shown: z.string().nullable(),
  /** Bytes of all that is stored of it. */
  bytes: z.number().int(),
  /** How long it stays, from its beginning on; null: as long as its tenant says. */
  retentionDays: z.number().int().nullable(),
  edits: z.array(EditSchema),
  feedback: z.array(GivenFeedbackSchema),
});
export type StoredRecord = z.infer<typeof StoredRecordSchema>;

/** What a conversation is called: as somebody chose, else as its file. */
export function titleOf({ edits, filename }: Pick<StoredRecord, 'edits' | 'filename'>): string {
  const extension = extensionOf(filename);
  return editedBy(edits).title ?? (extension === '' ? filename : filename.slice(0, -extension.length));
}

/** What is known of a conversation as it begins. */
export interface BegunConversation {
  id: string;
  mode: StoredRecord['mode'];
  key: string;
  requestId: string;
  filename: string;
  suffix: MediaExtension | null;
  options: AnalysisOptions;
}

/** Its members stand in the order of the schema: a record that is read again is written as it was. */
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
