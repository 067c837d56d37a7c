import * as z from 'zod';
import { CommitmentStateSchema } from '../../contract/commitments.ts';
import { type ConversationEntry, ConversationModeSchema, EditSchema } from '../../contract/conversations.ts';
import { ERROR_CODES } from '../../contract/errors.ts';
import { extensionOf, type MediaExtension, MediaExtensionSchema } from '../../contract/media.ts';
import { type AnalysisOptions, AnalysisOptionsSchema } from '../../contract/options.ts';
import { StoredReceiptSchema } from '../../contract/receipts.ts';
import { RedactionKindSchema } from '../../contract/redaction.ts';
import { editedBy } from './edits/edited.ts';
import { KnownPersonSchema } from './edits/people.ts';

/** A thumbs-up or thumbs-down from a user. Times are Unix time, ms. */
const GivenFeedbackSchema = z.object({
  kind: z.enum(['moment', 'utterance', 'line']),
  /** The id of what was rated, or a line of the summary. */
  on: z.string(),
  /** The text that was rated, kept for evaluation even if the conversation is analysed again. */
  text: z.string(),
  thumb: z.enum(['up', 'down']),
  comment: z.string(),
  at: z.number().int(),
  key: z.string(),
  /** The run in which it was rated. */
  run: z.string(),
});
export type GivenFeedback = z.infer<typeof GivenFeedbackSchema>;

/** A comment on a second of the recording. Times are Unix time, ms. */
const StoredCommentSchema = z.object({
  id: z.string(),
  /** Seconds. */
  at: z.number(),
  text: z.string(),
  /** Id of the key that wrote it, with its tenant. */
  key: z.string(),
  createdAt: z.number().int(),
  changedAt: z.number().int().nullable(),
});
export type StoredComment = z.infer<typeof StoredCommentSchema>;

/** The status of a commitment that somebody set. */
const StoredStatusSchema = z.object({
  /** Id of the commitment, in this run, and its words, by which it is found in another run. */
  id: z.string(),
  run: z.string(),
  quote: z.string(),
  status: CommitmentStateSchema,
  /** Id of the key that set it, with its tenant. */
  key: z.string(),
  at: z.number().int(),
});
export type StoredStatus = z.infer<typeof StoredStatusSchema>;

/** A redaction of the stored conversation. */
const StoredRedactingSchema = z.object({
  /** The run that redacts it. */
  run: z.string(),
  /** The id of its receipt. */
  receipt: z.string(),
  kinds: z.array(RedactionKindSchema),
  /** The key or person that asked for it, as a receipt names them. */
  by: z.string(),
  /** The redaction over a filter that it belongs to, or null. */
  job: z.string().nullable(),
  /** Its receipt. Absent until its result is installed; what the earlier runs left is then still to be removed. */
  done: StoredReceiptSchema.optional(),
});
export type StoredRedacting = z.infer<typeof StoredRedactingSchema>;

/**
 * Everything known about a conversation that cannot be derived from its result. Together with the result, it makes up
 * the catalogue entry. It is also stored in the bucket, beside the result. Times are Unix time, ms.
 */
export const StoredRecordSchema = z.object({
  id: z.string(),
  mode: ConversationModeSchema,
  /** In the state `processing`, the job says whether it is queued. */
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  /** Unique within a tenant, so that a list has a definite order. */
  createdAt: z.number().int(),
  endedAt: z.number().int().nullable(),
  error: z.object({ code: z.enum(ERROR_CODES), message: z.string() }).nullable(),
  /** Id of the key that sent it. The key itself is never stored. */
  key: z.string(),
  requestId: z.string(),
  filename: z.string(),
  /** Null until the file has been fetched. */
  suffix: MediaExtensionSchema.nullable(),
  options: AnalysisOptionsSchema,
  /** The run whose result is current. Its documents are stored under this name. */
  run: z.string(),
  /** The latest run. */
  lastRun: z.string(),
  /** A completed run that has yet to replace `run`, or null. */
  pending: z.string().nullable(),
  /** The object beside the record that is shown in place of the measured result. Null: the measured result is shown. */
  shown: z.string().nullable(),
  /** Size of everything stored for it, bytes. */
  bytes: z.number().int(),
  /** Number of days for which it is kept after its creation. Null: the tenant's setting applies. */
  retentionDays: z.number().int().nullable(),
  edits: z.array(EditSchema),
  /** The people in the edits as they are shown, by their ids. Absent: there are none. */
  people: z.record(z.string(), KnownPersonSchema).optional(),
  feedback: z.array(GivenFeedbackSchema),
  /** By their place in the recording. Absent: there are none. */
  comments: z.array(StoredCommentSchema).optional(),
  /** Absent: nobody set the status of a commitment. */
  commitments: z.array(StoredStatusSchema).optional(),
  /** When somebody marked it as reviewed. Absent: to review. */
  reviewedAt: z.number().int().optional(),
  /** Absent: it is not being redacted. */
  redacting: StoredRedactingSchema.optional(),
});
export type StoredRecord = z.infer<typeof StoredRecordSchema>;

export type RecordedTime = Pick<ConversationEntry, 'recorded_at' | 'recorded_at_source'>;

/** The title that a user chose, or else the file name. */
export function titleOf({ edits, filename }: Pick<StoredRecord, 'edits' | 'filename'>): string {
  const extension = extensionOf(filename);
  return editedBy(edits).title ?? (extension === '' ? filename : filename.slice(0, -extension.length));
}

/** The ratings of moments that are in the result, by the id of the moment. */
export const momentThumbs = ({
  feedback,
  run,
}: Pick<StoredRecord, 'feedback' | 'run'>): Map<string, GivenFeedback['thumb']> =>
  new Map(feedback.filter((one) => one.kind === 'moment' && one.run === run).map(({ on, thumb }) => [on, thumb]));

/** Longest time between the arrival of a recording, which is its time if none was given, and its record, ms. */
const ARRIVAL_MS = 60_000;

/** When the recording of a conversation began: as it was given, or as it reached the service. */
export function recordedAt({
  mode,
  createdAt,
  options,
}: Pick<StoredRecord, 'mode' | 'createdAt' | 'options'>): RecordedTime {
  const given = Date.parse(options.recorded_at ?? '');
  const at = Number.isNaN(given) ? createdAt : given;
  const isGiven = mode === 'live' || Math.abs(at - createdAt) > ARRIVAL_MS;
  return { recorded_at: new Date(at).toISOString(), recorded_at_source: isGiven ? 'given' : 'assumed' };
}

/** The known facts about a conversation when it is created. */
export interface BegunConversation {
  id: string;
  mode: StoredRecord['mode'];
  key: string;
  requestId: string;
  filename: string;
  suffix: MediaExtension | null;
  options: AnalysisOptions;
}

/** The members follow the order of the schema, so that a record that is read and written again stays identical. */
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
