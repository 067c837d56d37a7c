import * as z from 'zod';
import { CONVERSATION_FILTER } from './filters.ts';
import { LabelSchema, LIMITS, textOf } from './limits.ts';
import { RECORDED_AT } from './recorded-at.ts';

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0);

/** The states of a commitment. */
export const COMMITMENT_STATES = ['offered', 'open', 'accepted', 'declined', 'done'] as const;
export const CommitmentStateSchema = z.enum(COMMITMENT_STATES).meta({
  id: 'CommitmentState',
  description:
    'The state of a commitment. `offered`: offered, and nobody answered; `open`: promised; `accepted`: the other side agreed to it; `declined`: the other side refused it; `done`: its owner said later that it is done.',
});
export type CommitmentState = z.infer<typeof CommitmentStateSchema>;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const DueSchema = z
  .object({
    date: day.describe('The day by which it is to be done. The last day, if several were said ("next week").'),
    from: day.nullable().describe('The first day, if several were said.'),
    time: z
      .string()
      .regex(/^\d{2}:\d{2}$/)
      .nullable()
      .describe('The time of that day, if it was said.'),
    said: z.string().describe('The words of the date.'),
    time_zone: z.string().describe('The time zone in which the day of the recording was taken (IANA).'),
    time_zone_source: z
      .enum(['given', 'assumed'])
      .describe('`given`: with the option `time_zone`; `assumed`: UTC, because the option was absent.'),
  })
  .meta({ id: 'Due', description: 'When a commitment is due, worked out from the day of the recording.' });
export type Due = z.infer<typeof DueSchema>;

export const CommitmentSchema = z
  .object({
    commitment_id: z.string(),
    owner: z.string().nullable().describe('The speaker who owes it; null if that was not said.'),
    to: z.string().nullable().describe('The speaker to whom it is owed; null if that was not said.'),
    deed: z.string().describe('The deed in the words of the speaker, without those of the date.'),
    due: DueSchema.nullable().describe('When it is due; null if no day was said, or none that is surely its own.'),
    vague_due: z
      .string()
      .nullable()
      .describe(
        'Words about time that do not surely name its day: "soon", "at noon", or a day that is named nearby. Null without them, and where `due` is given.',
      ),
    state: CommitmentStateSchema,
    quote: z.string(),
    speaker: z
      .string()
      .optional()
      .describe(
        'The speaker of the quote: who asked, if another one owes it. Absent from results of earlier versions.',
      ),
    utterance_id: z.string(),
    t_start: seconds.describe('Seconds from the start of the recording.'),
    t_end: seconds.describe('Seconds from the start of the recording.'),
    answer_utterance_id: z
      .string()
      .nullable()
      .describe('The utterance that accepted it, declined it, or said that it is done.'),
    confidence: unit,
  })
  .meta({
    id: 'Commitment',
    description: 'Something that one speaker owes another, by what was said.',
  });
export type Commitment = z.infer<typeof CommitmentSchema>;

export const OpenQuestionSchema = z
  .object({
    question_id: z.string(),
    speaker: z.string().describe('The speaker who asked.'),
    to: z.string().describe('The speaker who replied.'),
    quote: z.string(),
    utterance_id: z.string(),
    t_start: seconds.describe('Seconds from the start of the recording.'),
    t_end: seconds.describe('Seconds from the start of the recording.'),
    reply: z
      .object({ utterance_id: z.string(), quote: z.string() })
      .describe('The reply that leaves it open, such as "I don\'t know".'),
    confidence: unit,
  })
  .meta({ id: 'OpenQuestion', description: 'A question that was left unanswered.' });
export type OpenQuestion = z.infer<typeof OpenQuestionSchema>;

const ABSENT = 'Absent from results of earlier versions.';
export const CommitmentsSchema = z
  .array(CommitmentSchema)
  .describe(`The commitments of the speakers, in spoken order. ${ABSENT}`);
export const OpenQuestionsSchema = z.array(OpenQuestionSchema).describe(`Questions left unanswered. ${ABSENT}`);

const ofConversation = {
  conversation_id: z.string(),
  title: z.string().describe('The title of the conversation.'),
  created_at: z.iso.datetime().describe('When the conversation reached the service.'),
  ...RECORDED_AT,
};

export const OpenQuestionEntrySchema = OpenQuestionSchema.extend(ofConversation).meta({
  id: 'OpenQuestionEntry',
  description: 'An open question of one of all conversations.',
});
export type OpenQuestionEntry = z.infer<typeof OpenQuestionEntrySchema>;

export const CommitmentEntrySchema = CommitmentSchema.extend({
  ...ofConversation,
  status: CommitmentStateSchema.describe('The state that somebody set, else the `state` by the words.'),
  status_source: z.enum(['words', 'person']),
}).meta({ id: 'CommitmentEntry', description: 'A commitment in the list over all conversations.' });
export type CommitmentEntry = z.infer<typeof CommitmentEntrySchema>;

const { person: _, ...OF_CONVERSATIONS } = CONVERSATION_FILTER;
const COMMITMENT_FILTERS = {
  ...OF_CONVERSATIONS,
  person: textOf(LIMITS.labelChars)
    .min(1)
    .optional()
    .describe('Who owes it: the name of a speaker, or the id of a person.'),
  due_before: z.iso.date().optional().describe('Only those that are due before this day.'),
  status: z
    .string()
    .max(LIMITS.labelChars)
    .refine(
      (list) => list.split(',').every((one) => COMMITMENT_STATES.some((state) => state === one)),
      `must be ${COMMITMENT_STATES.join(', ')}, or several of them with commas between`,
    )
    .optional()
    .describe('One status, or several with commas between: `open,accepted`.'),
};

/** Query of GET /commitments. */
export const CommitmentQuerySchema = z
  .object({
    ...COMMITMENT_FILTERS,
    cursor: LabelSchema.optional().describe('`next_cursor` of the previous page.'),
    limit: z.coerce.number().int().min(1).max(100).default(100).describe('Entries per page.'),
  })
  .meta({ id: 'CommitmentQueryInput' });
export type CommitmentQuery = z.infer<typeof CommitmentQuerySchema>;

const COMMITMENT_FORMATS = ['csv', 'ics'] as const;
/** Query of GET /commitments/export. */
export const CommitmentExportQuerySchema = z.object({
  ...COMMITMENT_FILTERS,
  format: z
    .enum(COMMITMENT_FORMATS)
    .describe('`csv`: a table; `ics`: a calendar with a task for each (iCalendar VTODO).'),
});
export type CommitmentExportQuery = z.infer<typeof CommitmentExportQuerySchema>;

const count = z.number().int().min(0);
/** Response of GET /commitments. */
export const CommitmentListSchema = z
  .object({
    commitments: z.array(CommitmentEntrySchema).describe('By the day on which they are due; those without a day last.'),
    counts: z
      .object({
        statuses: z
          .record(CommitmentStateSchema, count)
          .describe('For each status; with the filters of the request except `status`.'),
        undated: count.describe('Those without a day, with the filters of the request.'),
        owners: z
          .array(z.object({ owner: z.string().nullable(), count }))
          .describe('For each owner, by name; with the filters of the request except `person`.'),
        open_questions: count.describe('Questions left unanswered; with the filter `person`, which is then who asked.'),
      })
      .describe('Numbers of commitments.'),
    open_questions: z
      .array(OpenQuestionEntrySchema)
      .describe('Questions left unanswered, newest conversation first: at most 100. Empty on later pages.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'CommitmentList' });
export type CommitmentList = z.infer<typeof CommitmentListSchema>;

/** Body of PATCH /commitments/{id}. */
export const CommitmentPatchSchema = z
  .strictObject({ status: CommitmentStateSchema.nullable().describe('Null restores the state by the words.') })
  .meta({ id: 'CommitmentPatchRequest' });
export type CommitmentPatch = z.infer<typeof CommitmentPatchSchema>;

/** Limit on the commitments in a message to webhooks. */
export const REPORTED_COMMITMENTS = 20;
