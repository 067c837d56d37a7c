import * as z from 'zod';
import { CONVERSATION_FILTER } from './filters.ts';
import { LabelSchema, textOf } from './limits.ts';
import { MOMENT_FILTER, SURE_FROM, TableFormatSchema, ThumbSchema } from './patterns.ts';

/** Conversations from which a cell has a mean. With fewer it gives their single values. */
export const MEAN_FROM = 8;
/** Limit on the cells of one answer. */
export const MAX_CELLS = 2_000;
/** Limit on the marks of one cell. */
export const MAX_MARKS = 60;
/** Roles of staff. Their tone is not worked out. */
export const STAFF_ROLES: readonly string[] = ['agent', 'doctor', 'host'];

interface MeasureRow {
  /** Shown to readers of the API. */
  description: string;
  unit: string;
  /** The kind of the things it is taken from. */
  of: 'conversation' | 'speaker' | 'moment';
  /** A ratio has a pooled value beside the mean of the conversations. */
  isRatio?: true;
  /** Whether it is one of the measures of timing, which rows of persons may have. */
  isTiming?: true;
}

/**
 * Least speech of a person in a conversation for questions an hour, seconds: four in half a minute are not 480 an hour.
 * It applies to the group `person`.
 */
export const QUESTIONS_FROM_S = 300;

/** The measures of a conversation that trends can be asked for. */
const TREND_MEASURES = {
  'moments.count': { description: 'moments in a conversation', unit: 'moments', of: 'moment' },
  'moments.per_hour': {
    description: 'moments in an hour of recording',
    unit: 'moments per hour',
    of: 'moment',
    isRatio: true,
  },
  duration: { description: 'length of the recording', unit: 's', of: 'conversation' },
  silence: {
    description: 'share of the recording in which nobody speaks',
    unit: '0 to 1',
    of: 'conversation',
    isRatio: true,
  },
  tone: {
    description: 'mean valence by time, of the speakers whose affect is measured and who are not staff',
    unit: '0 to 1',
    of: 'speaker',
    isRatio: true,
  },
  talk_share: {
    description: 'share of all speech that the chosen speakers have',
    unit: '0 to 1',
    of: 'speaker',
    isRatio: true,
    isTiming: true,
  },
  longest_turn: { description: 'longest turn of the chosen speakers', unit: 's', of: 'speaker', isTiming: true },
  patience: {
    description: "median silence before a chosen speaker's turns, mean of these speakers",
    unit: 's',
    of: 'speaker',
    isTiming: true,
  },
  questions: {
    description: "questions in an hour of the chosen speakers' speech",
    unit: 'questions per hour',
    of: 'speaker',
    isRatio: true,
    isTiming: true,
  },
  pace: {
    description: "words in a minute of the chosen speakers' speech",
    unit: 'words per minute',
    of: 'speaker',
    isRatio: true,
    isTiming: true,
  },
} as const satisfies Record<string, MeasureRow>;
export type TrendMeasure = keyof typeof TREND_MEASURES;
export const measureRow = (measure: TrendMeasure): MeasureRow => TREND_MEASURES[measure];

const MEASURE_NAMES = Object.keys(TREND_MEASURES) as [TrendMeasure, ...TrendMeasure[]];
export const TrendMeasureSchema = z.enum(MEASURE_NAMES).meta({
  id: 'TrendMeasure',
  description: `${MEASURE_NAMES.map((name) => `\`${name}\`: ${TREND_MEASURES[name].description}`).join('; ')}.`,
});

const GROUPS = ['day', 'week', 'month', 'label', 'language', 'rule', 'role', 'person', 'category', 'outcome'] as const;
export const TrendGroupSchema = z.enum(GROUPS).meta({ id: 'TrendGroup' });
export type TrendGroup = z.infer<typeof TrendGroupSchema>;
/** The groups that are spans of time, of which a conversation is in one. */
const SPANS: readonly TrendGroup[] = ['day', 'week', 'month'];

const isGroup = (name: string): name is TrendGroup => GROUPS.some((group) => group === name);

/** The groups in a list with commas between. */
export const groupsOf = (list: string): TrendGroup[] => list.split(',').filter(isGroup);

const TREND_FILTERS = {
  measure: TrendMeasureSchema,
  by: textOf(40)
    .refine(
      (list) => list.split(',').every(isGroup),
      `must be ${GROUPS.join(', ')}, or two of them with a comma between`,
    )
    .refine((list) => new Set(list.split(',')).size === list.split(',').length, 'names a group twice')
    .refine((list) => list.split(',').length <= 2, 'has more than 2 groups')
    .refine((list) => groupsOf(list).filter((one) => SPANS.includes(one)).length <= 1, 'has two spans of time')
    .default('week')
    .describe(`One or two of ${GROUPS.map((group) => `\`${group}\``).join(', ')}, with a comma between.`),
  ...CONVERSATION_FILTER,
  ...MOMENT_FILTER,
};

/** Refuses filters and groups that a measure does not have. */
function checkMeasure(
  query: { measure: TrendMeasure; by: string } & Partial<Record<keyof typeof MOMENT_FILTER | 'marks', unknown>>,
  context: z.RefinementCtx,
): void {
  const { of, isTiming } = measureRow(query.measure);
  const groups = groupsOf(query.by);
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const isOfMoments = of === 'moment';
  for (const name of ['category', 'min_confidence', 'outcome'] as const)
    if (query[name] !== undefined && !isOfMoments) refuse(name, `does not apply to ${query.measure}`);
  for (const name of ['speaker', 'role'] as const)
    if (query[name] !== undefined && of === 'conversation') refuse(name, `does not apply to ${query.measure}`);
  if (query.marks === 'true' && !isOfMoments) refuse('marks', `does not apply to ${query.measure}`);
  for (const group of ['category', 'outcome'] as const)
    if (groups.includes(group) && !isOfMoments) refuse('by', `${query.measure} has no ${group}`);
  if (groups.includes('role') && of === 'conversation') refuse('by', `${query.measure} has no role`);
  if (groups.includes('person') && !isTiming)
    refuse(
      'by',
      `a person has only measures of timing: ${MEASURE_NAMES.filter((name) => measureRow(name).isTiming).join(', ')}`,
    );
  else if (query.measure === 'tone' && typeof query.role === 'string' && STAFF_ROLES.includes(query.role))
    refuse('role', 'the tone of staff is not worked out');
  else if (query.speaker !== undefined && query.measure === 'tone')
    refuse('speaker', 'the tone of one person is not worked out');
}

export const TrendQuerySchema = z
  .object({
    ...TREND_FILTERS,
    marks: z
      .enum(['true', 'false'])
      .default('false')
      .describe(`Whether each cell has its first ${MAX_MARKS} moments, sure ones first.`),
  })
  .superRefine(checkMeasure)
  .meta({ id: 'TrendQueryInput', description: 'A conversation must match all filters.' });

/** Query of GET /trends/export. */
export const TrendExportQuerySchema = z
  .object({ ...TREND_FILTERS, format: TableFormatSchema })
  .superRefine(checkMeasure);
export type TrendExportQuery = z.infer<typeof TrendExportQuerySchema>;

const count = z.number().int().min(0);
const number = z.number();

export const EstimateSchema = z
  .object({ value: number, from: number, to: number })
  .meta({ id: 'Estimate', description: 'A value with its interval of 95 %.' });
export type Estimate = z.infer<typeof EstimateSchema>;

export const TrendMarkSchema = z
  .object({
    moment_id: z.string(),
    conversation_id: z.string(),
    t: number.min(0).describe('Seconds from the start of the recording.'),
    p: number.min(0).max(1).describe('Confidence.'),
    thumb: ThumbSchema.optional(),
  })
  .meta({ id: 'TrendMark', description: 'A moment of a cell.' });
export type TrendMark = z.infer<typeof TrendMarkSchema>;

const few = `null with fewer than ${MEAN_FROM} conversations`;
const QuartilesSchema = z.array(number).length(3);

export const TrendCellSchema = z
  .object({
    group: z
      .partialRecord(TrendGroupSchema, z.string().nullable())
      .describe(
        'The value of each group: the day, the Monday of the week or the first day of the month; a label, a category, an outcome; a language or a role, null if it is not known; the id of a rule or a person.',
      ),
    n: count.describe('Conversations that have the measure.'),
    n_unknown: count.describe(
      'Conversations without it, for example because affect was withheld, or because a person speaks too little for `questions`.',
    ),
    sum: number.nullable().describe('Sum over these conversations; null for a ratio.'),
    unsure: number
      .min(0)
      .describe(
        `Moments with a confidence below ${SURE_FROM}; for other measures, seconds of speech whose words are less sure.`,
      ),
    unsure_share: number
      .min(0)
      .max(1)
      .nullable()
      .describe(`Their share of all moments, or of all speech; ${few}, and without any.`),
    mean: EstimateSchema.nullable().describe(`Mean of the conversations, each counted once; ${few}.`),
    pooled: EstimateSchema.nullable().describe(
      `For a ratio: all numerators divided by all denominators, so that long conversations count more; ${few}.`,
    ),
    quartiles: QuartilesSchema.nullable().describe(`Lower quartile, median and upper quartile; ${few}.`),
    values: z
      .array(z.object({ conversation_id: z.string(), value: number }))
      .nullable()
      .describe(`The conversations themselves, oldest first, where they are fewer than ${MEAN_FROM}; otherwise null.`),
    marks: z.array(TrendMarkSchema).optional(),
  })
  .meta({ id: 'TrendCell' });
export type TrendCell = z.infer<typeof TrendCellSchema>;

export const TrendPersonSchema = z
  .object({
    person: z.string(),
    name: z.string(),
    n: count.describe('Conversations of the person that have the measure.'),
    quartiles: QuartilesSchema.nullable().describe(
      "Lower quartile, median and upper quartile of the person's own conversations; null without any.",
    ),
  })
  .meta({ id: 'TrendPerson', description: 'A person with their own median, to which their cells are compared.' });
export type TrendPerson = z.infer<typeof TrendPersonSchema>;

/** Response of GET /trends. */
export const TrendListSchema = z
  .object({
    measure: TrendMeasureSchema,
    unit: z.string(),
    by: z.array(TrendGroupSchema),
    tz: LabelSchema,
    n: count.describe('Conversations that match the filters and have a result.'),
    pending: count.describe('Conversations of the period whose result is not counted yet.'),
    cells: z.array(TrendCellSchema).describe('In the order of their groups. Cells without a conversation are absent.'),
    people: z.array(TrendPersonSchema).optional().describe('With the group `person`: the persons by name.'),
  })
  .meta({ id: 'TrendList' });
export type TrendList = z.infer<typeof TrendListSchema>;
