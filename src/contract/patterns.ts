import * as z from 'zod';
import { CONVERSATION_FILTER } from './filters.ts';
import { MOMENT_CATEGORY_NAMES, MomentCategorySchema, momentCategory } from './findings.ts';
import { LIMITS, textOf } from './limits.ts';
import { RoleSchema } from './people.ts';
import { RECORDED_AT } from './recorded-at.ts';

// Moments and lines of all conversations of a tenant, with one grammar of filters.

/** Confidence below which a moment is unsure. */
export const SURE_FROM = 0.5;
/** Seconds after a moment in which an answer or an objection counts as what followed. An offer's answer may come later. */
export const FOLLOWS_WITHIN_S = 60;
/** Characters of a quote or a line. */
export const QUOTE_CHARS = 300;

/** The categories that answer a moment. */
export const ANSWER_CATEGORIES = MOMENT_CATEGORY_NAMES.filter((name) => momentCategory(name).answers);
/** The categories that oppose a moment. They count as what followed if no answer does. */
export const OBJECTION_CATEGORIES = MOMENT_CATEGORY_NAMES.filter((name) => momentCategory(name).hasGrounds);

export const NOTHING_FOLLOWED = 'nothing';
export const MomentOutcomeSchema = z.enum([...ANSWER_CATEGORIES, ...OBJECTION_CATEGORIES, NOTHING_FOLLOWED]).meta({
  id: 'MomentOutcome',
  description: `The outcome of a moment. Of an offer: its first answer, which is the moment that \`answers\` it. Of another moment: the first answer within ${FOLLOWS_WITHIN_S} s. Without one, the first objection within ${FOLLOWS_WITHIN_S} s; otherwise \`nothing\`.`,
});
export type MomentOutcome = z.infer<typeof MomentOutcomeSchema>;

const speaker = textOf(LIMITS.labelChars)
  .optional()
  .describe('Said by this speaker: the id of a person, or the name or label of a speaker.');
const role = RoleSchema.optional().describe('Said by a speaker in this role.');

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0);
const count = z.number().int().min(0);

/** The filters of moments. */
export const MOMENT_FILTER = {
  category: textOf(LIMITS.queryChars)
    .refine(
      (list) => list.split(',').every((one) => MomentCategorySchema.safeParse(one).success),
      `must be ${MOMENT_CATEGORY_NAMES.join(', ')}, or several of them with commas between`,
    )
    .optional()
    .describe('One category of moments, or several with commas between.'),
  min_confidence: z.coerce.number().min(0).max(1).optional().describe('At least this confidence.'),
  speaker,
  role,
  outcome: MomentOutcomeSchema.optional(),
};

const page = {
  cursor: textOf(LIMITS.labelChars).optional().describe('`next_cursor` of the previous page.'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Entries per page.'),
};

const onePer = z.enum(['conversation']).optional();
/** Rows of one exported table. */
export const EXPORTED_ROWS = 10_000;
export const TableFormatSchema = z
  .enum(['csv', 'parquet'])
  .describe('`csv`: a table with a header; `parquet`: the same table, with types.');

const momentsOf = {
  ...CONVERSATION_FILTER,
  ...MOMENT_FILTER,
  one_per: onePer.describe('Only the surest moment of each conversation is listed; the sums still count all.'),
};
export const MomentQuerySchema = z
  .object({ ...momentsOf, ...page })
  .meta({ id: 'MomentQueryInput', description: 'A moment must match all filters.' });
export type MomentQuery = z.infer<typeof MomentQuerySchema>;

/** Query of GET /moments/export. */
export const MomentExportQuerySchema = z.object({ ...momentsOf, format: TableFormatSchema });

const linesOf = {
  ...CONVERSATION_FILTER,
  q: textOf(LIMITS.queryChars).describe(
    'Words that must all occur in the line; `"..."` is a phrase, `wat*` any ending.',
  ),
  speaker,
  role,
  one_per: onePer.describe('Only the first line of each conversation is listed.'),
};
export const LineQuerySchema = z
  .object({ ...linesOf, ...page })
  .meta({ id: 'LineQueryInput', description: 'A line must match all filters.' });
export type LineQuery = z.infer<typeof LineQuerySchema>;

/** Query of GET /lines/export. */
export const LineExportQuerySchema = z.object({ ...linesOf, format: TableFormatSchema });

export const HitConversationSchema = z
  .object({
    title: z.string(),
    ...RECORDED_AT,
    labels: z.array(z.string()),
    language: z.string().nullable().describe('BCP 47; null if it is not known.'),
  })
  .meta({ id: 'HitConversation', description: 'The conversation of a moment or a line.' });
export type HitConversation = z.infer<typeof HitConversationSchema>;

export const NearbyLineSchema = z
  .object({
    utterance_id: z.string(),
    speaker: z.string(),
    t_start: seconds.describe('Seconds from the start of the recording.'),
    text: z.string().describe(`At most ${QUOTE_CHARS} characters.`),
  })
  .meta({ id: 'NearbyLine', description: 'The line before or after a hit.' });
export type NearbyLine = z.infer<typeof NearbyLineSchema>;

/** Seconds before and after a hit in which its list says who speaks. */
export const AROUND_S = 5;

export const NearbySpeechSchema = z
  .object({ speaker: z.string(), t_start: seconds, t_end: seconds })
  .meta({ id: 'NearbySpeech', description: 'A line that is said during a hit, or shortly before or after it.' });
export type NearbySpeech = z.infer<typeof NearbySpeechSchema>;

const place = {
  conversation_id: z.string(),
  utterance_id: z.string(),
  speaker: z.string().describe('The name of the speaker, or the label of one without a name.'),
  person: z.string().nullable().describe('The id of the person who speaks; null if it is not known.'),
  role: z.string().nullable().describe('The role of the speaker; null if it is not known.'),
  t_start: seconds.describe('Seconds from the start of the recording.'),
  t_end: seconds.describe('Seconds from the start of the recording.'),
  media: z.string().describe('Path of the recording, with these seconds as a media fragment.'),
  page: z.string().describe('Path of the page that shows these seconds.'),
  before: NearbyLineSchema.nullable().describe('Null at the start of the conversation.'),
  after: NearbyLineSchema.nullable().describe('Null at the end of the conversation.'),
  around: z
    .array(NearbySpeechSchema)
    .describe(`Who speaks when, from ${AROUND_S} s before the hit to ${AROUND_S} s after it.`),
  conversation: HitConversationSchema,
};

export const FollowingMomentSchema = z
  .object({
    moment_id: z.string(),
    category: MomentCategorySchema,
    after_s: seconds.describe('Seconds from the start of the moment to the start of this one.'),
    t_start: seconds.describe('Seconds from the start of the recording.'),
    confidence: unit,
  })
  .meta({ id: 'FollowingMoment', description: 'The moment that followed another.' });

/** The rating of a moment in a list. */
export const ThumbSchema = z.enum(['up', 'down']).describe('The rating that somebody gave it; absent without one.');

export const MomentHitSchema = z
  .object({
    moment_id: z.string(),
    category: MomentCategorySchema,
    confidence: unit,
    quote: z.string().describe(`At most ${QUOTE_CHARS} characters.`),
    ...place,
    followed_by: FollowingMomentSchema.nullable().describe('See `MomentOutcome`. Null: nothing followed.'),
    thumb: ThumbSchema.optional(),
  })
  .meta({ id: 'MomentHit', description: 'A moment of one of all conversations.' });
export type MomentHit = z.infer<typeof MomentHitSchema>;

const sums = { count, unsure: count.describe(`How many of them have a confidence below ${SURE_FROM}.`) };
export const MomentTotalsSchema = z
  .object({
    ...sums,
    conversations: count.describe('Number of conversations with such a moment.'),
    searched: count.describe('Number of conversations that match the filters, with such a moment or without.'),
    categories: z.partialRecord(MomentCategorySchema, z.object(sums)),
    outcomes: z
      .partialRecord(
        MomentOutcomeSchema,
        z.object({ count, unsure: count.describe('How many of these outcomes are themselves unsure.') }),
      )
      .describe('Moments by their outcome.'),
  })
  .meta({ id: 'MomentTotals', description: 'Sums over all moments that match.' });
export type MomentTotals = z.infer<typeof MomentTotalsSchema>;

/** Response of GET /moments. */
export const MomentListSchema = z
  .object({
    moments: z.array(MomentHitSchema).describe('Newest conversation first, then in order of time.'),
    totals: MomentTotalsSchema.nullable().describe('Null on later pages.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'MomentList' });
export type MomentList = z.infer<typeof MomentListSchema>;

export const LineHitSchema = z
  .object({
    text: z.string().describe('The line; of a long one, the part around the first word that was found.'),
    spans: z.array(z.array(count).length(2)).describe('Start and end in `text` of each word that was found.'),
    confidence: unit
      .nullable()
      .describe("The recogniser's confidence in the words, to two decimals; null if it is not known."),
    ...place,
  })
  .meta({ id: 'LineHit', description: 'A line of one of all conversations.' });
export type LineHit = z.infer<typeof LineHitSchema>;

/** Response of GET /lines. */
export const LineListSchema = z
  .object({
    lines: z.array(LineHitSchema).describe('Newest conversation first, then in order of time.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'LineList' });
export type LineList = z.infer<typeof LineListSchema>;
