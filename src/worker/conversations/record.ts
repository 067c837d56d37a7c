import * as z from 'zod';
import { ConversationModeSchema, ConversationStatusSchema, EditSchema } from '../../contract/conversations.ts';
import { ERROR_CODES } from '../../contract/errors.ts';
import { extensionOf, MediaExtensionSchema } from '../../contract/media.ts';
import { editedBy } from './edits/edited.ts';

/** A thumb that somebody gave. `on` is a moment's or an utterance's id, or a line of the summary. */
const GivenFeedbackSchema = z.object({
  kind: z.enum(['moment', 'utterance', 'line']),
  on: z.string(),
  thumb: z.enum(['up', 'down']),
  comment: z.string(),
  at: z.number(),
  key: z.string(),
});
export type GivenFeedback = z.infer<typeof GivenFeedbackSchema>;

/**
 * All that is known of a conversation and does not follow from its result: with the result it makes its place in the
 * catalogue. Times are Unix time, ms.
 */
export const ConversationRecordSchema = z.object({
  id: z.string(),
  mode: ConversationModeSchema,
  status: ConversationStatusSchema,
  /** No two of a tenant are the same, so that a list has one order. */
  createdAt: z.number().int(),
  endedAt: z.number().int().nullable(),
  /** When it is to be removed. */
  expiresAt: z.number().int().nullable(),
  error: z.object({ code: z.enum(ERROR_CODES), message: z.string() }).nullable(),
  /** The id of the key that sent it, never the key. */
  key: z.string(),
  requestId: z.string(),
  filename: z.string(),
  suffix: MediaExtensionSchema,
  goal: z.string(),
  /** The number of speakers its client named. */
  speakers: z.number().int().optional(),
  /** The object beside the record that holds the result as it is to be shown; null: the measured one. */
  shown: z.string().nullable(),
  edits: z.array(EditSchema),
  feedback: z.array(GivenFeedbackSchema),
});
export type ConversationRecord = z.infer<typeof ConversationRecordSchema>;

/** What a conversation is called: as somebody chose, else as its file. */
export function titleOf({ edits, filename }: Pick<ConversationRecord, 'edits' | 'filename'>): string {
  const extension = extensionOf(filename);
  return editedBy(edits).title ?? (extension === '' ? filename : filename.slice(0, -extension.length));
}
