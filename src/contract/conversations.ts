import * as z from 'zod';
import { ErrorCodeSchema } from './errors.ts';
import { CONVERSATION_FILTER } from './filters.ts';
import { ConversationSummarySchema, MomentCategorySchema } from './findings.ts';
import { JobSchema, JobStatusSchema } from './jobs.ts';
import { GoalSchema, LabelSchema, LIMITS, lineOf, nameOf, textOf } from './limits.ts';
import { AffectSchema, AnalysisOptionsSchema } from './options.ts';
import { RoleSchema, SpeakerNameSchema, SpeakerPersonSchema } from './people.ts';
import { DELETED_ROWS, SignedReceiptSchema } from './receipts.ts';
import { RECORDED_AT } from './recorded-at.ts';
import { ConversationRuleSchema } from './rules.ts';

/** The status of a conversation. Only a completed one has a result. */

/** How the recording arrived: a file with one response, a file with a stream of events, or live. */
const CONVERSATION_MODES = ['batch', 'replay', 'live'] as const;
export const ConversationModeSchema = z.enum(CONVERSATION_MODES).meta({ id: 'ConversationMode' });

/** The sentiment of a whole conversation, by its mean polarity, with limits at ±0.05 (Hutto & Gilbert 2014, VADER). */
export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
export const SentimentLabelSchema = z.enum(SENTIMENTS).meta({ id: 'SentimentLabel' });
export type Sentiments = z.infer<typeof SentimentLabelSchema>;

/** A speaker label. The labels of a conversation are numbered from 0 without a gap. */
const SpeakerLabelSchema = z.string().regex(/^Speaker_\d$/, 'must be a speaker label such as Speaker_0');

/** Body of PATCH /conversations/{id} (decisions). At least one member; absent members stay unchanged. */
export const EditSchema = z
  .strictObject({
    title: lineOf(LIMITS.titleChars).nullable().describe('Null restores the file name.'),
    labels: z
      .array(lineOf(LIMITS.tagChars))
      .max(LIMITS.tags, `has more than ${LIMITS.tags} labels`)
      .describe('All labels; they replace the previous ones.'),
    speakers: z
      .record(SpeakerLabelSchema, SpeakerNameSchema.nullable())
      .describe('Speaker label -> name; null removes the name.'),
    people: z
      .record(SpeakerLabelSchema, textOf(LIMITS.labelChars).nullable())
      .describe('Speaker label -> id of a person, whose name is then shown; null removes the person.'),
    roles: z
      .record(SpeakerLabelSchema, RoleSchema.nullable())
      .describe(
        'Speaker label -> role, which takes precedence over that of the channel and of the person; null removes it.',
      ),
    dismiss: z
      .array(
        z
          .strictObject({
            speaker: SpeakerLabelSchema,
            name: SpeakerNameSchema.optional(),
            role: RoleSchema.optional(),
          })
          .refine(({ name, role }) => (name === undefined) !== (role === undefined), 'must have a name or a role'),
      )
      .max(LIMITS.dismissals, `has more than ${LIMITS.dismissals} entries`)
      .describe('Proposals that are wrong: each a speaker with a name or a role. They are not proposed again.'),
    merge: z
      .array(z.array(SpeakerLabelSchema).length(2, 'must be a pair of speakers'))
      .max(LIMITS.speakers)
      .describe('Pairs of speakers; the first of each pair becomes the second.'),
    move: z
      .array(z.strictObject({ utterance_id: textOf(LIMITS.labelChars), speaker: SpeakerLabelSchema }))
      .max(LIMITS.moves, `has more than ${LIMITS.moves} entries`)
      .describe('Moves utterances to another speaker of the conversation, or to a new one: the first unused label.'),
    correct: z
      .array(z.strictObject({ utterance_id: textOf(LIMITS.labelChars), text: lineOf(LIMITS.correctedChars) }))
      .max(LIMITS.corrections, `has more than ${LIMITS.corrections} entries`)
      .describe(
        'Corrected texts of utterances, each replacing the whole text. Quotes, conclusions, search and exports follow; prosody and affect stay as measured.',
      ),
    hide_affect: z
      .record(SpeakerLabelSchema, z.boolean())
      .describe(
        'Speaker label -> whether their affect is hidden: the result, its conclusions, exports and events leave it out.',
      ),
  })
  .partial()
  .meta({ id: 'EditInput' });
export type Edit = z.infer<typeof EditSchema>;

/**
 * Body of PATCH /conversations/{id}: an edit, the retention, and whether it was reviewed. Undo reverts only the edit.
 */
export const ConversationPatchSchema = EditSchema.extend({
  retention_days: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .optional()
    .describe("Days from the start of the conversation; null: the tenant's retention."),
  reviewed: z.boolean().optional().describe('Whether somebody has reviewed the conversation.'),
})
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), 'must change something')
  .meta({ id: 'ConversationPatchRequest' });

/** The text of a comment: several lines, without other control characters. */
const CommentTextSchema = nameOf(LIMITS.commentChars)
  .trim()
  .min(1, 'must not be empty')
  .refine((text) => !/[^\P{Cc}\n]/u.test(text), 'must not have control characters other than line breaks');

/** Body of POST /conversations/{id}/comments. */
export const NewCommentSchema = z
  .strictObject({
    at: z.number().min(0).describe('Seconds from the start of the recording.'),
    text: CommentTextSchema,
  })
  .meta({ id: 'NewCommentRequest' });
export type NewComment = z.infer<typeof NewCommentSchema>;

/** Body of PATCH /conversations/{id}/comments/{comment_id}. */
export const CommentPatchSchema = z.strictObject({ text: CommentTextSchema }).meta({ id: 'CommentPatchRequest' });

export const CommentSchema = z
  .object({
    comment_id: z.string(),
    at: z.number().min(0).describe('Seconds from the start of the recording.'),
    text: z.string(),
    key: z.string().describe('The id of the key that wrote it.'),
    created_at: z.iso.datetime(),
    changed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Comment', description: 'A comment on a second of a conversation.' });
export type CommentBody = z.infer<typeof CommentSchema>;

/** Response of GET /conversations/{id}/comments. */
export const CommentListSchema = z
  .object({ comments: z.array(CommentSchema).describe('By their place in the recording.') })
  .meta({ id: 'CommentList' });
export type CommentList = z.infer<typeof CommentListSchema>;

/** Body of POST /conversations/{id}/reanalyze: the options to change. */
export const ReanalysisSchema = z
  // Without defaults, because an absent option keeps its previous value.
  .strictObject({ ...AnalysisOptionsSchema.shape, goal: GoalSchema, affect: AffectSchema })
  .partial()
  .meta({ id: 'ReanalysisRequest', description: 'The options to change; absent options keep their previous values.' });

/** Number of points in a conversation's `course`. Each is the mean over an equal part of the recording. */
export const COURSE_POINTS = 60;

export const ConversationCardSchema = z
  .object({
    duration_s: z.number().min(0).describe('Seconds.'),
    utterances: z.number().int().min(0),
    speakers: z
      .array(z.object({ name: z.string(), talk_ratio: z.number().min(0).max(1).nullable() }))
      .describe('Names, or labels of speakers without a name, in the order in which they first speak.'),
    moments: z
      .partialRecord(MomentCategorySchema, z.number().int().min(1))
      .describe('Number of moments by category; categories without moments are absent.'),
    unsure_moments: z
      .partialRecord(MomentCategorySchema, z.number().int().min(1))
      .optional()
      .describe('The number of those `moments` whose confidence is below .5. Absent without any.'),
    unanswered_offers: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('The number of offers that no moment answers. Absent from results of earlier versions.'),
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
      .describe('Mean valence 0..1 in each of 60 equal parts; null where nobody speaks.'),
    warnings: z.number().int().min(0).describe('Number of `warnings` in the result.'),
  })
  .meta({ id: 'ConversationCard', description: 'The short form of a result in a list.' });
export type ConversationCard = z.infer<typeof ConversationCardSchema>;

export const MatchSchema = z
  .object({
    utterance_id: z.string(),
    t_start: z.number().min(0).describe('Seconds from the start of the recording.'),
    text: z.string(),
    hits: z.array(z.array(z.number().int().min(0)).length(2)).describe('Start and end of each hit in `text`.'),
  })
  .meta({ id: 'Match', description: 'An utterance that matches a search or a filter.' });
export type Match = z.infer<typeof MatchSchema>;

export const ConversationEntrySchema = z
  .object({
    conversation_id: z.string(),
    status: JobStatusSchema,
    mode: ConversationModeSchema,
    title: z.string(),
    filename: z.string(),
    goal: z.string(),
    labels: z.array(z.string()),
    created_at: z.iso.datetime(),
    ...RECORDED_AT,
    ended_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable().describe('When it is removed automatically.'),
    reviewed_at: z.iso.datetime().nullable().describe('When somebody marked it as reviewed; null: to review.'),
    on_hold: z.boolean().describe('Whether a hold keeps it from being deleted.'),
    error: z.object({ code: ErrorCodeSchema, message: z.string() }).nullable().describe('Why it failed.'),
    kept_until: z.iso
      .datetime()
      .nullable()
      .describe('Until when the recording of a failed analysis is kept; null: it is not.'),
    stored_bytes: z.number().int().min(0).describe('Total bytes stored for it.'),
    result: ConversationCardSchema.nullable().describe('Null until there is a result, or if it was lost.'),
    commitments: z
      .object({
        count: z.number().int().min(1),
        unsure: z.number().int().min(0).describe('The number of those whose confidence is below .5.'),
      })
      .optional()
      .describe('Its commitments. Absent without any, and from records.'),
    matches: z
      .array(MatchSchema)
      .optional()
      .describe(
        'With `q`: the first matching utterances; empty if only the title or a name matches. With `moment` alone: the words of its first sure moments of that category, without hits.',
      ),
  })
  .meta({ id: 'ConversationEntry', description: 'A conversation in a list.' });
export type ConversationEntry = z.infer<typeof ConversationEntrySchema>;

/** Response of GET /conversations. */
export const ConversationTotalsSchema = z
  .object({
    count: z.number().int().min(0).describe('Number of conversations.'),
    duration_s: z.number().min(0).describe('How long their recordings last together, seconds.'),
  })
  .meta({ id: 'ConversationTotals', description: 'Sums over all conversations that match.' });
export type ConversationTotals = z.infer<typeof ConversationTotalsSchema>;

export const ConversationListSchema = z
  .object({
    conversations: z.array(ConversationEntrySchema),
    totals: ConversationTotalsSchema.optional().describe('With `totals=true`, on the first page.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ConversationList' });
export type ConversationList = z.infer<typeof ConversationListSchema>;

const whole = z.coerce.number().int();
const seconds = z.coerce.number().min(0);

const { from, to, tz, language, person, rule } = CONVERSATION_FILTER;

export const ConversationSortSchema = z.enum(['newest', 'oldest', 'longest', 'shortest']).meta({
  id: 'ConversationSort',
  description:
    'Order of a list. `newest` and `oldest` go by `recorded_at`; `longest` and `shortest` have conversations without a result last.',
});
export type ConversationSort = z.infer<typeof ConversationSortSchema>;

export const ConversationQuerySchema = z
  .object({
    q: textOf(LIMITS.queryChars).optional(),
    cursor: textOf(LIMITS.labelChars).optional(),
    limit: whole.min(1).max(100).default(50),
    status: JobStatusSchema.optional(),
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
    reviewed: z.enum(['true', 'false']).optional(),
    on_hold: z.enum(['true', 'false']).optional(),
    from,
    to,
    tz,
    language,
    person,
    rule,
    sort: ConversationSortSchema.default('newest'),
    totals: z.enum(['true', 'false']).default('false').describe('Whether the first page has sums over all pages.'),
  })
  .meta({
    id: 'ConversationQueryInput',
    description:
      'A conversation must match all filters. Times are ISO 8601 with a time zone, durations are in seconds.',
  });
export type ConversationQuery = z.infer<typeof ConversationQuerySchema>;

const { cursor: _, limit: __, status: ___, sort: ____, totals: _____, ...filters } = ConversationQuerySchema.shape;

/** The filters of GET /conversations that an act over several conversations can have. */
export const ConversationFilterSchema = z
  .strictObject(filters)
  .refine(({ tz: _tz, ...filter }) => Object.values(filter).some((value) => value !== undefined), {
    message: 'must have at least one filter',
  })
  .meta({
    id: 'ConversationFilterInput',
    description: 'A conversation must match all filters, as in `GET /conversations`.',
  });
export type ConversationFilterInput = z.infer<typeof ConversationFilterSchema>;

/** Body of POST /conversations/{id}/feedback. */
export const FeedbackSchema = z
  .strictObject({
    moment_id: LabelSchema.optional(),
    utterance_id: LabelSchema.optional(),
    line: textOf(LIMITS.feedbackChars).optional().describe('A line of the summary, word for word.'),
    thumb: z.enum(['up', 'down']).nullable().describe('Null removes the thumb.'),
    comment: textOf(LIMITS.feedbackChars).optional(),
  })
  .refine(
    ({ moment_id, utterance_id, line }) =>
      [moment_id, utterance_id, line].filter((on) => on !== undefined).length === 1,
    'must name one of moment_id, utterance_id and line',
  )
  .meta({
    id: 'FeedbackRequest',
    description: 'A thumb on one moment, utterance or line of the summary.',
  });
export type Feedback = z.infer<typeof FeedbackSchema>;

/** Response of GET /conversations/{id}/record and of the routes that change it. */
export const ConversationRecordSchema = ConversationEntrySchema.omit({ matches: true, commitments: true })
  .extend({
    names: z.record(z.string(), z.string()).describe('Speaker label -> name, also of people.'),
    people: z.record(z.string(), SpeakerPersonSchema).describe('Speaker label -> the person who speaks.'),
    roles: z
      .record(z.string(), z.string())
      .describe(
        'Speaker label -> role that somebody set. Roles of channels are in the result, those of people in `people`.',
      ),
    hidden_affect: z.array(z.string()).describe('Labels of the speakers whose affect is hidden.'),
    edits: z.array(EditSchema).describe('Oldest first; undo reverts the last one.'),
    retention_days: z.number().int().nullable().describe("Null: the tenant's retention."),
    feedback: z.array(
      z.object({
        kind: z.enum(['moment', 'utterance', 'line']),
        on: z.string().describe('The id of the moment or utterance, or the line itself.'),
        text: z.string().describe('The words of the moment, utterance or line.'),
        thumb: z.enum(['up', 'down']),
        comment: z.string(),
        at: z.iso.datetime(),
      }),
    ),
    comments: z.array(CommentSchema).describe('By their place in the recording.'),
    rules: z
      .array(ConversationRuleSchema)
      .optional()
      .describe('The enabled rules that match, or may match; absent if there are none.'),
    reanalysis: JobSchema.nullable().describe('The status of the last reanalysis; null if there was none.'),
  })
  .meta({ id: 'ConversationRecord', description: 'Everything about a conversation except its result.' });
export type ConversationRecordBody = z.infer<typeof ConversationRecordSchema>;

/** The members of a receipt before it is signed. */
const DeletionSchema = z.object({
  conversation_id: z.string(),
  deleted_at: z.iso.datetime(),
  objects: z
    .array(z.object({ key: z.string(), bytes: z.number().int().min(0) }))
    .describe('The deleted objects, by their storage keys.'),
  bytes: z.number().int().min(0),
  index: z.array(z.enum(DELETED_ROWS)).describe('The kinds of index rows that were deleted.'),
});
export type Deletion = z.infer<typeof DeletionSchema>;

/** Response of DELETE /conversations/{id}. */
export const DeletionReceiptSchema = DeletionSchema.extend({ signed: SignedReceiptSchema }).meta({
  id: 'DeletionReceipt',
  description: 'What was deleted.',
});
export type DeletionReceipt = z.infer<typeof DeletionReceiptSchema>;
