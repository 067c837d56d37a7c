import * as z from 'zod';
import { isTimeZone, LabelSchema, LIMITS, textOf } from './limits.ts';

/** A point in time: an instant with its zone, or the beginning of a day in `tz`. */
const TimeSchema = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true })],
  'must be a date, or a time with its zone (ISO 8601)',
);

const person = textOf(LIMITS.labelChars)
  .optional()
  .describe('Conversations in which this person speaks: the id of a person, or the name of a speaker.');

/** The filters of conversations, which every list over all conversations accepts. */
export const CONVERSATION_FILTER = {
  from: TimeSchema.optional().describe('Recordings that began at this time or later.'),
  to: TimeSchema.optional().describe('Recordings that began before this time.'),
  tz: textOf(LIMITS.labelChars)
    .refine(isTimeZone, 'must be a time zone, such as Europe/Berlin')
    .default('UTC')
    .describe('Time zone (IANA) of days.'),
  label: textOf(LIMITS.tagChars).optional().describe('Conversations with this label.'),
  language: textOf(LIMITS.labelChars)
    .optional()
    .describe('Conversations in this language (BCP 47); `en` includes `en-GB`.'),
  person,
  rule: LabelSchema.optional().describe('Conversations that this enabled rule matches.'),
  q: textOf(LIMITS.queryChars).optional().describe('Conversations in which all these words occur.'),
};
