import * as z from 'zod';
import { ErrorCodeSchema } from './errors.ts';
import { ConversationSummarySchema, MomentCategorySchema } from './findings.ts';
import { JobSchema } from './jobs.ts';
import { GoalSchema, LabelSchema, LIMITS, textOf } from './limits.ts';
import { AffectSchema, AnalysisOptionsSchema } from './options.ts';

/** Where a conversation stands. Only of a completed one there is a result. */
export const CONVERSATION_STATUSES = ['processing', 'completed', 'failed', 'cancelled'] as const;
export const ConversationStatusSchema = z.enum(CONVERSATION_STATUSES).meta({ id: 'ConversationStatus' });
export type ConversationStatus = z.infer<typeof ConversationStatusSchema>;

/** How it came in: a whole file and one answer, a whole file told as it is understood, or live. */
export const CONVERSATION_MODES = ['batch', 'replay', 'live'] as const;
export const ConversationModeSchema = z.enum(CONVERSATION_MODES).meta({ id: 'ConversationMode' });

/** What a whole conversation sounds like, by its mean polarity; cut at ±0.05 (Hutto & Gilbert 2014, VADER). */
export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
export const SentimentLabelSchema = z.enum(SENTIMENTS).meta({ id: 'SentimentLabel' });
export type Sentiments = z.infer<typeof SentimentLabelSchema>;

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
    title: nameOf(LIMITS.titleChars).nullable().describe('Null: the name of its file again.'),
    labels: z
      .array(nameOf(LIMITS.tagChars))
      .max(LIMITS.tags, `more than ${LIMITS.tags} labels`)
      .describe('All of them: those of before are replaced.'),
    speakers: z
      .record(SpeakerLabelSchema, SpeakerNameSchema.nullable())
      .describe('Label -> name; null takes a name away.'),
    merge: z
      .array(z.array(SpeakerLabelSchema).length(2, 'names a pair of speakers'))
      .max(LIMITS.speakers)
      .describe('The first of each pair becomes the second.'),
    move: z
      .array(z.object({ utterance_id: textOf(LIMITS.labelChars), speaker: SpeakerLabelSchema }))
      .max(LIMITS.moves, `more than ${LIMITS.moves} entries`)
      .describe(
        'To a speaker of the conversation, or to one who was not told apart: the first label that is not in use.',
      ),
  })
  .partial()
  .meta({ id: 'EditInput' });
export type Edit = z.infer<typeof EditSchema>;

/** Body of PATCH /conversations/{id}: an edit, and how long it stays, which no undo takes back. */
export const ConversationPatchSchema = EditSchema.extend({
  retention_days: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .optional()
    .describe('Days from its beginning on; null: as long as what the tenant stores.'),
})
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), 'says nothing to change')
  .meta({ id: 'ConversationPatchRequest' });

/** Body of POST /conversations/{id}/reanalyze: what is to be another than it was. */
export const ReanalysisSchema = z
  // Without the defaults: what is not named stays.
  .strictObject({ ...AnalysisOptionsSchema.shape, goal: GoalSchema, affect: AffectSchema })
  .partial()
  .meta({ id: 'ReanalysisRequest', description: 'What is to be another than it was.' });

/** Points of a conversation's course, each the mean of the same share of its length. */
export const COURSE_POINTS = 60;

export const ConversationCardSchema = z
  .object({
    duration_s: z.number().min(0).describe('Seconds.'),
    utterances: z.number().int().min(0),
    speakers: z
      .array(z.object({ name: z.string(), talk_ratio: z.number().min(0).max(1) }))
      .describe('As they are called, in order of first speech.'),
    moments: z
      .partialRecord(MomentCategorySchema, z.number().int().min(1))
      .describe('How many there are of each category that there is.'),
    sentiment: z
      .object({
        mean: z.number().min(-1).max(1),
        trend: z.enum(['positive', 'negative', 'stable']),
        label: SentimentLabelSchema,
      })
      .nullable(),
    quality: ConversationSummarySchema.shape.conversation_quality,
    overview: z.string(),
    course: z
      .array(z.number().min(0).max(1).nullable())
      .length(COURSE_POINTS)
      .describe('Mean valence 0..1 of each of 60 equal parts; null where nobody speaks.'),
    warnings: z.number().int().min(0).describe('How many `warnings` the result has.'),
  })
  .meta({ id: 'ConversationCard', description: 'What a list tells of a result.' });
export type ConversationCard = z.infer<typeof ConversationCardSchema>;

export const MatchSchema = z
  .object({
    utterance_id: z.string(),
    t_start: z.number().min(0).describe('Seconds from the start of the recording.'),
    text: z.string(),
    hits: z
      .array(z.array(z.number().int().min(0)).length(2))
      .describe('Where in `text` a hit begins, and where it ends.'),
  })
  .meta({ id: 'Match', description: 'Where the words that were looked for were said.' });
export type Match = z.infer<typeof MatchSchema>;

export const ConversationEntrySchema = z
  .object({
    conversation_id: z.string(),
    status: ConversationStatusSchema,
    mode: ConversationModeSchema,
    title: z.string(),
    filename: z.string(),
    goal: z.string(),
    labels: z.array(z.string()),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable().describe('When it is removed by itself.'),
    error: z.object({ code: ErrorCodeSchema, message: z.string() }).nullable().describe('Why it failed.'),
    stored_bytes: z.number().int().min(0).describe('Bytes of all that is stored of it.'),
    result: ConversationCardSchema.nullable().describe('Null until there is a result, and where it was lost.'),
    matches: z
      .array(MatchSchema)
      .optional()
      .describe('With `q`: the first places. Empty where only title or names match.'),
  })
  .meta({ id: 'ConversationEntry', description: 'A conversation as a list tells it.' });
export type ConversationEntry = z.infer<typeof ConversationEntrySchema>;

/** Answer of GET /conversations. */
export const ConversationListSchema = z
  .object({ conversations: z.array(ConversationEntrySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'ConversationList' });
export type ConversationList = z.infer<typeof ConversationListSchema>;

const whole = z.coerce.number().int();
const seconds = z.coerce.number().min(0);

export const ConversationQuerySchema = z
  .object({
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
    sentiment: SentimentLabelSchema.optional(),
    label: textOf(LIMITS.tagChars).optional(),
  })
  .meta({
    id: 'ConversationQueryInput',
    description: 'Filters are all met at once; a time is ISO 8601 with its zone, a length in seconds.',
  });
export type ConversationQuery = z.infer<typeof ConversationQuerySchema>;

/** Body of POST /conversations/{id}/feedback. */
export const FeedbackSchema = z
  .strictObject({
    moment_id: LabelSchema.optional(),
    utterance_id: LabelSchema.optional(),
    line: textOf(LIMITS.feedbackChars).optional().describe('As the summary tells it.'),
    thumb: z.enum(['up', 'down']).nullable().describe('Null takes it back.'),
    comment: textOf(LIMITS.feedbackChars).optional(),
  })
  .refine(
    ({ moment_id, utterance_id, line }) =>
      [moment_id, utterance_id, line].filter((on) => on !== undefined).length === 1,
    'needs one of moment_id, utterance_id and line',
  )
  .meta({
    id: 'FeedbackRequest',
    description: 'A thumb on a moment, an utterance, or a line of the summary: one of the three.',
  });
export type Feedback = z.infer<typeof FeedbackSchema>;

/** Answer of GET /conversations/{id}/record and of what changes it. */
export const ConversationRecordSchema = ConversationEntrySchema.omit({ matches: true })
  .extend({
    names: z.record(z.string(), z.string()).describe('Label that was measured -> name.'),
    edits: z.array(EditSchema).describe('Oldest first; an undo takes the last one back.'),
    retention_days: z.number().int().nullable().describe('Null: as long as what the tenant stores.'),
    feedback: z.array(
      z.object({
        kind: z.enum(['moment', 'utterance', 'line']),
        on: z.string().describe('An id, or the line.'),
        text: z.string().describe('What was said or told there.'),
        thumb: z.enum(['up', 'down']),
        comment: z.string(),
        at: z.iso.datetime(),
      }),
    ),
    reanalysis: JobSchema.nullable().describe('How the last analysis anew stands; null where there was none.'),
  })
  .meta({ id: 'ConversationRecord', description: 'What is known of a conversation beside its result.' });
export type ConversationRecordBody = z.infer<typeof ConversationRecordSchema>;

/** Answer of DELETE /conversations/{id}. */
export const DeletionReceiptSchema = z
  .object({
    conversation_id: z.string(),
    deleted_at: z.iso.datetime(),
    objects: z
      .array(z.object({ key: z.string(), bytes: z.number().int().min(0) }))
      .describe('Of the store, by their keys.'),
    bytes: z.number().int().min(0),
    index: z.array(z.enum(['record', 'labels', 'moments', 'text', 'job'])).describe('Rows of the index.'),
  })
  .meta({ id: 'DeletionReceipt', description: 'What there was, and is no more.' });
export type DeletionReceipt = z.infer<typeof DeletionReceiptSchema>;
