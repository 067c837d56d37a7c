import * as z from 'zod';
import { LIMITS, lineOf, textOf } from './limits.ts';
import { RowCursorSchema } from './row-cursor.ts';

const reason = lineOf(LIMITS.reasonChars).describe('Why it is kept, in your own words.');
const until = z.iso.datetime({ offset: true }).nullable().describe('When the hold ends by itself; null: never.');

/** Body of PUT /conversations/{id}/hold. */
export const HoldRequestSchema = z
  .strictObject({ reason, until: until.optional() })
  .meta({ id: 'ConversationHoldRequest' });
export type HoldRequest = z.infer<typeof HoldRequestSchema>;

const time = z.iso.datetime({ offset: true }).optional();

/** The filters of GET /conversations that a hold can have. */
export const HoldFilterSchema = z
  .strictObject({
    label: textOf(LIMITS.tagChars).min(1, 'must not be empty').optional(),
    person: textOf(LIMITS.labelChars).min(1, 'must not be empty').optional().describe('The id of a person who speaks.'),
    created_after: time,
    created_before: time,
  })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), 'must have at least one filter')
  .refine(
    ({ created_after: after, created_before: before }) =>
      after === undefined || before === undefined || Date.parse(before) > Date.parse(after),
    { message: 'must be later than `created_after`', path: ['created_before'] },
  )
  .meta({
    id: 'HoldFilterInput',
    description:
      'A conversation must match all filters, as in `GET /conversations`. Times are ISO 8601 with a time zone.',
  });
export type HoldFilter = z.infer<typeof HoldFilterSchema>;

/** Body of POST /holds. */
export const NewHoldSchema = z
  .strictObject({ filter: HoldFilterSchema, reason, until: until.optional() })
  .meta({ id: 'NewHoldRequest' });
export type NewHold = z.infer<typeof NewHoldSchema>;

export const HoldSchema = z
  .object({
    id: z.string(),
    conversation_id: z.string().nullable().describe('The conversation on hold; null for a hold over a filter.'),
    filter: z
      .object({
        label: z.string().optional(),
        person: z.string().optional(),
        created_after: z.iso.datetime().optional(),
        created_before: z.iso.datetime().optional(),
      })
      .nullable()
      .describe('Null for a hold on one conversation.'),
    reason: z.string(),
    until: z.iso.datetime().nullable(),
    set_by: z.string().describe('The id of the key that set it.'),
    set_at: z.iso.datetime(),
    conversations: z
      .number()
      .int()
      .min(0)
      .describe(
        'How many conversations it keeps. One that has matched the filter stays on hold, also when it is edited.',
      ),
  })
  .meta({ id: 'Hold', description: 'Keeps conversations from being deleted until it ends or is lifted.' });
export type HoldBody = z.infer<typeof HoldSchema>;

/** Response of GET /conversations/{id}/hold. */
export const ConversationHoldsSchema = z
  .object({ holds: z.array(HoldSchema).describe('Its own hold, and those over filters that it matched.') })
  .meta({ id: 'ConversationHolds' });
export type ConversationHolds = z.infer<typeof ConversationHoldsSchema>;

/** Limit on the entries of a page. */
const PAGE = 100;

/** Query of GET /holds. */
export const HoldQuerySchema = z.object({
  cursor: RowCursorSchema,
  limit: z.coerce.number().int().min(1).max(PAGE).default(PAGE).describe('Entries per page.'),
});
export type HoldQuery = z.infer<typeof HoldQuerySchema>;

/** Response of GET /holds, newest first. */
export const HoldListSchema = z
  .object({ holds: z.array(HoldSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'HoldList' });
export type HoldList = z.infer<typeof HoldListSchema>;
