import * as z from 'zod';
import { ERROR_CODES } from './errors.ts';
import { ConversationSummarySchema, MomentCategorySchema } from './findings.ts';
import { JobSchema } from './jobs.ts';
import { LabelSchema, LIMITS, textOf } from './limits.ts';
import { AnalysisOptionsSchema } from './options.ts';

/** Where a conversation stands. Only of a completed one there is a result. */
export const CONVERSATION_STATUSES = ['processing', 'completed', 'failed', 'cancelled'] as const;
export const ConversationStatusSchema = z.enum(CONVERSATION_STATUSES);
export type ConversationStatus = z.infer<typeof ConversationStatusSchema>;

/** How it came in: a whole file and one answer, a whole file told as it is understood, or live. */
export const CONVERSATION_MODES = ['batch', 'replay', 'live'] as const;
export const ConversationModeSchema = z.enum(CONVERSATION_MODES);

/** What a whole conversation sounds like, by its mean polarity; cut at ±0.05 (Hutto & Gilbert 2014, VADER). */
export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
export type Sentiments = (typeof SENTIMENTS)[number];

/** A speaker as the analysis measured it. Labels of a conversation run from 0 without a gap. */
const SpeakerLabelSchema = z.string().regex(/^Speaker_\d$/, 'must be a speaker of the conversation, as Speaker_0');

/** What a person calls something: one line, no control characters, not empty. */
const nameOf = (max: number) =>
  textOf(max)
    .trim()
    .min(1, 'must not be empty')
    .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be one line without control characters');

const SpeakerNameSchema = nameOf(LIMITS.labelChars).refine(
  (name) => !/^Speaker_\d+$/.test(name),
  'must not look like a label of the service',
);

/** Body of PATCH /conversations/{id} (decisions). At least one member; what is absent stays as it is. */
export const EditSchema = z
  .strictObject({
    /** Null: the name of its file again. */
    title: nameOf(LIMITS.titleChars).nullable(),
    /** All of them: those of before are replaced. */
    labels: z.array(nameOf(LIMITS.tagChars)).max(LIMITS.tags, `more than ${LIMITS.tags} labels`),
    /** By label; null takes a name away. */
    speakers: z.record(SpeakerLabelSchema, SpeakerNameSchema.nullable()),
    /** The first of each pair becomes the second. */
    merge: z.array(z.array(SpeakerLabelSchema).length(2, 'names a pair of speakers')).max(LIMITS.speakers),
    /** To a speaker of the conversation, or to one who was not told apart: the first label that is not in use. */
    move: z
      .array(z.object({ utterance_id: textOf(LIMITS.labelChars), speaker: SpeakerLabelSchema }))
      .max(LIMITS.moves, `more than ${LIMITS.moves} entries`),
  })
  .partial();
export type Edit = z.infer<typeof EditSchema>;

/** Body of PATCH /conversations/{id}: an edit, and how long it stays, which no undo takes back. */
export const ConversationPatchSchema = EditSchema.extend({
  /** Days from its beginning on; null: as long as what the tenant stores. */
  retention_days: z.number().int().min(1).max(3650).nullable().optional(),
}).refine((patch) => Object.values(patch).some((value) => value !== undefined), 'says nothing to change');

/** Body of POST /conversations/{id}/reanalyze: what is to be another than it was. */
export const ReanalysisSchema = z.strictObject(AnalysisOptionsSchema.partial().shape);

/** Points of a conversation's course, each the mean of the same share of its length. */
export const COURSE_POINTS = 60;

/** What a list tells of a result. Seconds. */
export const ConversationCardSchema = z.object({
  duration_s: z.number().min(0),
  utterances: z.number().int().min(0),
  /** As they are called, in order of first speech. */
  speakers: z.array(z.object({ name: z.string(), talk_ratio: z.number().min(0).max(1) })),
  /** How many there are of each category that there is. */
  moments: z.partialRecord(MomentCategorySchema, z.number().int().min(1)),
  sentiment: z
    .object({
      mean: z.number().min(-1).max(1),
      trend: z.enum(['positive', 'negative', 'stable']),
      label: z.enum(SENTIMENTS),
    })
    .nullable(),
  quality: ConversationSummarySchema.shape.conversation_quality,
  overview: z.string(),
  /** Mean valence 0..1 of each of `COURSE_POINTS` equal parts; null where nobody speaks. */
  course: z.array(z.number().min(0).max(1).nullable()).length(COURSE_POINTS),
  /** How many `warnings` the result has. */
  warnings: z.number().int().min(0),
});
export type ConversationCard = z.infer<typeof ConversationCardSchema>;

/** Where the words that were looked for were said. */
export const MatchSchema = z.object({
  utterance_id: z.string(),
  /** Seconds. */
  t_start: z.number().min(0),
  text: z.string(),
  /** Where in `text` a hit begins, and where it ends. */
  hits: z.array(z.array(z.number().int().min(0)).length(2)),
});
export type Match = z.infer<typeof MatchSchema>;

/** A conversation as a list tells it; the card's members are null until there is a result. */
export const ConversationEntrySchema = z.object({
  conversation_id: z.string(),
  status: ConversationStatusSchema,
  mode: ConversationModeSchema,
  title: z.string(),
  filename: z.string(),
  goal: z.string(),
  labels: z.array(z.string()),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  /** When it is removed by itself. */
  expires_at: z.iso.datetime().nullable(),
  /** Why it failed. */
  error: z.object({ code: z.enum(ERROR_CODES), message: z.string() }).nullable(),
  /** Bytes of all that is stored of it. */
  stored_bytes: z.number().int().min(0),
  result: ConversationCardSchema.nullable(),
  /** With `q`: the first places. Empty where only title or names match. */
  matches: z.array(MatchSchema).optional(),
});
export type ConversationEntry = z.infer<typeof ConversationEntrySchema>;

/** Answer of GET /conversations. */
export const ConversationListSchema = z.object({
  conversations: z.array(ConversationEntrySchema),
  next_cursor: z.string().nullable(),
});
export type ConversationList = z.infer<typeof ConversationListSchema>;

const whole = z.coerce.number().int();
const seconds = z.coerce.number().min(0);

/** Query of GET /conversations. Filters are all met at once; a time is ISO 8601 with its zone, a length in seconds. */
export const ConversationQuerySchema = z.object({
  q: textOf(LIMITS.queryChars).optional(),
  cursor: textOf(LIMITS.labelChars).optional(),
  limit: whole.min(1).max(100).default(50),
  status: ConversationStatusSchema.optional(),
  mode: ConversationModeSchema.optional(),
  created_after: z.iso.datetime({ offset: true }).optional(),
  created_before: z.iso.datetime({ offset: true }).optional(),
  min_speakers: whole.optional(),
  max_speakers: whole.optional(),
  min_duration: seconds.optional(),
  max_duration: seconds.optional(),
  moment: MomentCategorySchema.optional(),
  sentiment: z.enum(SENTIMENTS).optional(),
  label: textOf(LIMITS.tagChars).optional(),
});
export type ConversationQuery = z.infer<typeof ConversationQuerySchema>;

/** Body of POST /conversations/{id}/feedback: a thumb on a moment, an utterance, or a line of the summary. Null takes it back. */
export const FeedbackSchema = z
  .strictObject({
    moment_id: LabelSchema.optional(),
    utterance_id: LabelSchema.optional(),
    /** As the summary tells it. */
    line: textOf(LIMITS.feedbackChars).optional(),
    thumb: z.enum(['up', 'down']).nullable(),
    comment: textOf(LIMITS.feedbackChars).optional(),
  })
  .refine(
    ({ moment_id, utterance_id, line }) =>
      [moment_id, utterance_id, line].filter((on) => on !== undefined).length === 1,
    'needs one of moment_id, utterance_id and line',
  );
export type Feedback = z.infer<typeof FeedbackSchema>;

/** Answer of GET /conversations/{id}/record and of what changes it: what is known of a conversation beside its result. */
export const ConversationRecordSchema = ConversationEntrySchema.omit({ matches: true }).extend({
  /** Who is called how, by the label that was measured. */
  names: z.record(z.string(), z.string()),
  /** Oldest first; an undo takes the last one back. */
  edits: z.array(EditSchema),
  /** Null: as long as what the tenant stores. */
  retention_days: z.number().int().nullable(),
  feedback: z.array(
    z.object({
      kind: z.enum(['moment', 'utterance', 'line']),
      /** An id, or the line. */
      on: z.string(),
      /** What was said or told there. */
      text: z.string(),
      thumb: z.enum(['up', 'down']),
      comment: z.string(),
      at: z.iso.datetime(),
    }),
  ),
  /** How the last analysis anew stands, if it was not the first that made the result. */
  reanalysis: JobSchema.nullable(),
});
export type ConversationRecordBody = z.infer<typeof ConversationRecordSchema>;

/** Answer of DELETE /conversations/{id}: what there was, and is no more. */
export const DeletionReceiptSchema = z.object({
  conversation_id: z.string(),
  deleted_at: z.iso.datetime(),
  /** Objects of the store, by their keys. */
  objects: z.array(z.object({ key: z.string(), bytes: z.number().int().min(0) })),
  bytes: z.number().int().min(0),
  /** Rows of the index. */
  index: z.array(z.enum(['record', 'labels', 'moments', 'text', 'job'])),
});
export type DeletionReceipt = z.infer<typeof DeletionReceiptSchema>;
