import * as z from 'zod';
import { quoted } from './errors.ts';

/** The kinds of personal data that can be redacted. Where several kinds fit the same words, the text gets the first of this list. */
export const REDACTION_KINDS = [
  'card',
  'iban',
  'ssn',
  'email',
  'phone',
  'dob',
  'password',
  'account',
  'postcode',
  'address',
  'name',
  'digits',
] as const;
export type RedactionKind = (typeof REDACTION_KINDS)[number];

const isKind = (value: unknown): value is RedactionKind => REDACTION_KINDS.some((kind) => kind === value);
const KNOWN = REDACTION_KINDS.join(', ');

export const RedactionKindSchema = z
  .enum(REDACTION_KINDS, {
    error: ({ input }) =>
      typeof input === 'string' ? `"${quoted(input)}" is not a kind of redaction: ${KNOWN}` : `must be one of ${KNOWN}`,
  })
  .meta({
    id: 'RedactionKind',
    description:
      'A kind of personal data: card (also its security code and expiry date), iban, ssn (also UK National Insurance numbers), email, phone, dob (date of birth), password (also PINs and one-time codes), account (bank accounts, sort codes, policies, memberships), postcode, address, name, and digits (any run of four and more).',
  });

/** The kinds in a fixed order, each once. */
export const inOrder = (kinds: Iterable<RedactionKind>): RedactionKind[] => {
  const asked = new Set(kinds);
  return REDACTION_KINDS.filter((kind) => asked.has(kind));
};

export const RedactSchema = z
  .array(RedactionKindSchema, `must be a list of ${KNOWN}`)
  .max(REDACTION_KINDS.length, `has more than ${REDACTION_KINDS.length} entries`)
  .overwrite((kinds) => inOrder(kinds.filter(isKind)))
  .describe(
    'The kinds of personal data that are removed from words and sound before anything is concluded. Their place is taken by labels such as `[card]`.',
  );

/** The text that replaces what was redacted. */
export const redactionLabel = (kind: RedactionKind): string => `[${kind}]`;

export const RedactedSpanSchema = z
  .object({
    kind: RedactionKindSchema,
    t_start: z.number().min(0).describe('Seconds from the start of the recording.'),
    t_end: z.number().min(0).describe('Seconds from the start of the recording.'),
  })
  .meta({ id: 'RedactedSpan' });
export type RedactedSpan = z.infer<typeof RedactedSpanSchema>;

export const RedactionSchema = z
  .object({
    kinds: z.array(RedactionKindSchema).describe('The kinds that were looked for.'),
    counts: z.partialRecord(RedactionKindSchema, z.number().int().min(0)).describe('Kind -> number of spans.'),
    spans: z.array(RedactedSpanSchema).describe('The labels in the text, in order.'),
    muted: z
      .array(z.object({ t_start: z.number().min(0), t_end: z.number().min(0) }))
      .describe('Where a tone stands in the recording: the spans with a margin of 0.25 s, merged.'),
    verified: z
      .boolean()
      .describe(
        'Whether the recording, transcribed again where it has a tone, and everything concluded from it were searched and nothing that was redacted was found.',
      ),
    notes: z.array(z.string()).describe('Why it is not verified, or what was muted as a whole.'),
  })
  .meta({ id: 'Redaction', description: 'The result of a redaction. It never contains the redacted words.' });
export type Redaction = z.infer<typeof RedactionSchema>;

/** Words that were redacted, as they were said. */
export const UnredactedUtteranceSchema = z
  .object({
    t_start: z.number().min(0).describe('Seconds from the start of the recording.'),
    t_end: z.number().min(0).describe('Seconds from the start of the recording.'),
    text: z.string().describe('The whole utterance before its redaction.'),
  })
  .meta({ id: 'UnredactedUtterance' });
export type UnredactedUtterance = z.infer<typeof UnredactedUtteranceSchema>;

/** Response of GET /conversations/{id}/unredacted. */
export const UnredactedSchema = z
  .object({
    conversation_id: z.string(),
    utterances: z.array(UnredactedUtteranceSchema).describe('The utterances in which something was redacted.'),
    has_recording: z.boolean().describe('Whether the recording before its redaction is kept.'),
  })
  .meta({ id: 'Unredacted', description: 'The recording and the words before a conversation was redacted.' });
export type Unredacted = z.infer<typeof UnredactedSchema>;
