import * as z from 'zod';
import { quoted } from './errors.ts';
import { GoalSchema, isTimeZone, LabelSchema, LIMITS, listOf, textOf } from './limits.ts';
import { RoleSchema } from './people.ts';
import { inOrder, type RedactionKind, RedactionKindSchema, RedactSchema } from './redaction.ts';

const SPEAKERS = 'must be a whole number from 1 to 8';

/** How affect is measured. */
export const AFFECT_MODES = ['full', 'words', 'none'] as const;
export const AffectModeSchema = z.enum(AFFECT_MODES).meta({
  id: 'AffectMode',
  description:
    'How affect is measured: `full` from words and voice, `words` from the words only, `none` not at all (its fields are null).',
});
export type AffectMode = z.infer<typeof AffectModeSchema>;

/** The effort spent on transcription. */
export const QUALITIES = ['best', 'fast'] as const;
export const QualitySchema = z.enum(QUALITIES, { error: `must be ${QUALITIES.join(' or ')}` }).meta({
  id: 'Quality',
  description: 'The effort spent on transcription: `best`, or `fast`, which takes half the time and makes more errors.',
});
export type Quality = z.infer<typeof QualitySchema>;

const ListedWordSchema = textOf(LIMITS.listedWordChars).trim().min(1, 'must not be empty');
export const WordListSchema = listOf(ListedWordSchema, LIMITS.listedWords).describe(
  'Names and terms that may be spoken, in their correct spelling. They become easier to recognise, but only where something similar was said.',
);

/** A language tag, such as `en` or `pt-BR` (BCP 47). */
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

/** A speaker label, a role in lower case, or all other speakers. */
const LABEL_OR_OTHERS = /^(?:\*|Speaker_\d|role:[\p{Ll}\p{N}][\p{Ll}\p{N} _-]{0,31})$/u;
const OTHERS = '*';
const ROLE = 'role:';

export const ChannelRolesSchema = z
  .array(RoleSchema.nullable())
  .min(1)
  .max(2, 'has more than 2 entries')
  .describe(
    'The role of the person on each channel, such as `["agent", "customer"]`; null: unknown. They apply only if each channel carries one person.',
  );

/** The error message for an invalid `affect`. */
function affectFault(value: unknown): string {
  const modes = `${AFFECT_MODES.slice(0, -1).join(', ')} or ${AFFECT_MODES.at(-1)}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `must be ${modes}, or an object with one of these for each speaker label, and ${OTHERS} for the others`;
  const unknown = Object.keys(value).find((label) => !LABEL_OR_OTHERS.test(label));
  if (unknown !== undefined)
    return `"${quoted(unknown)}" must be a speaker label such as Speaker_0, a role such as ${ROLE}agent, or ${OTHERS} for the others`;
  return `must be ${modes} for each speaker`;
}

export const AffectSchema = z
  .union([AffectModeSchema, z.record(z.string().regex(LABEL_OR_OTHERS), AffectModeSchema)], {
    error: ({ input }) => affectFault(input),
  })
  .meta({
    id: 'Affect',
    description:
      'How affect is measured: one mode for everybody, or a mode for each speaker label or role (`role:agent`), with `*` for the others. While the role of a speaker is not known, whichever of the modes for roles and for the others measures less applies. Labels are provisional while a live session is running.',
  });
export type Affect = z.infer<typeof AffectSchema>;

/** The tenant's settings that apply to each of its analyses, and the options that a browser token fixes. */
export interface TenantOptions {
  fixed?: FixedOptions | undefined;
  /** Appended to the analysis's own list. Entries beyond the limit of the list are dropped. */
  words: readonly string[];
  /** Limits the affect mode of every speaker. */
  affect: AffectMode;
  /** Redacted in every analysis, with what the analysis asks for. */
  redact: readonly RedactionKind[];
  /** Roles of the channels, for an analysis that gives none. */
  roles?: z.infer<typeof ChannelRolesSchema> | null;
  /** Whether what a redaction removes is kept apart. */
  keepOriginal?: boolean | undefined;
}

/**
 * The options of an analysis with those of its token and its tenant's settings applied. A recording without a time begins
 * now, when it reaches the service.
 */
export function underTenant<
  T extends {
    words?: string[] | undefined;
    affect: Affect;
    recorded_at?: string | undefined;
    redact?: RedactionKind[] | undefined;
    roles?: (string | null)[] | undefined;
  },
>(requested: T, { fixed, words, affect, redact, roles }: TenantOptions): T {
  const options = { ...requested, ...fixed };
  const kinds = [...redact, ...(fixed?.redact ?? []), ...(requested.redact ?? [])];
  const recorded = {
    ...options,
    recorded_at: options.recorded_at ?? new Date().toISOString(),
    ...(kinds.length > 0 && { redact: inOrder(kinds) }),
    ...(roles && !options.roles && { roles }),
  };
  const own = affect === 'full' ? recorded : { ...recorded, affect: atMost(options.affect, affect) };
  if (words.length === 0) return own;
  return { ...own, words: [...new Set([...(own.words ?? []), ...words])].slice(0, LIMITS.listedWords) };
}

/** The same modes, with affect switched off for some of the speakers. */
export function withoutAffectOf(affect: Affect, speakers: ReadonlySet<string>): Affect {
  if (speakers.size === 0) return affect;
  const modes = typeof affect === 'string' ? { [OTHERS]: affect } : affect;
  return { ...modes, ...Object.fromEntries([...speakers].map((label) => [label, 'none' as const])) };
}

/** For each speaker, the requested mode or `most`, whichever measures less. */
function atMost(requested: Affect, most: AffectMode): Affect {
  const lesser = (mode: AffectMode): AffectMode =>
    AFFECT_MODES.indexOf(mode) > AFFECT_MODES.indexOf(most) ? mode : most;
  if (typeof requested === 'string') return lesser(requested);
  const named = Object.entries({ [OTHERS]: 'full' as const, ...requested });
  return Object.fromEntries(named.map(([label, mode]) => [label, lesser(mode)]));
}

/**
 * The affect mode of one speaker: `full` by default. A speaker whose role is not known may have any of the roles that
 * the modes are for, so whichever measures least applies.
 */
export function affectOf(affect: Affect, speaker: string, role?: string): AffectMode {
  if (typeof affect === 'string') return affect;
  const others = affect[OTHERS] ?? 'full';
  const own = affect[speaker] ?? (role === undefined ? undefined : (affect[ROLE + role] ?? others));
  if (own !== undefined) return own;
  const possible = Object.entries(affect).flatMap(([name, mode]) => (name.startsWith(ROLE) ? [mode] : []));
  return [...possible, others].reduce((least, mode) =>
    AFFECT_MODES.indexOf(mode) > AFFECT_MODES.indexOf(least) ? mode : least,
  );
}

/** Whether affect is switched off for at least one speaker. */
export const withholdsAffect = (affect: Affect): boolean =>
  typeof affect === 'string' ? affect === 'none' : Object.values(affect).includes('none');

const TimeZoneSchema = LabelSchema.min(1).refine(isTimeZone, 'must be a time zone such as Europe/London');

/**
 * The options that a client chooses for an analysis. They are form fields of an upload, or members of a live session's
 * start. The Worker validates them and passes them to the pipeline unchanged.
 */
export const AnalysisOptionsSchema = z
  .object({
    goal: GoalSchema.default('').describe('The purpose of the analysis, such as a question it should answer.'),
    speakers: z
      .number(SPEAKERS)
      .int(SPEAKERS)
      .min(1, SPEAKERS)
      .max(8, SPEAKERS)
      .optional()
      .describe('The number of speakers, if known.'),
    recogniser: LabelSchema.min(1).optional().describe("The id of the recogniser; absent: the pipeline's default."),
    quality: QualitySchema.optional().describe(
      'The effort spent on transcription. Absent: `best` for files, `fast` while a live session is running.',
    ),
    words: WordListSchema.optional(),
    language: LabelSchema.regex(LANGUAGE, 'must be a language tag such as en or pt-BR')
      .optional()
      .describe('The spoken language (BCP 47), if known; for multilingual recognisers.'),
    roles: ChannelRolesSchema.optional(),
    redact: RedactSchema.optional(),
    affect: AffectSchema.default('full').describe(
      'How affect is measured, for all speakers or for each speaker label.',
    ),
    recorded_at: z.iso
      .datetime({ offset: true, error: 'must be a date and time with a time zone, such as 2026-11-27T14:05:00Z' })
      .optional()
      .describe('When the recording began. Absent: when it reached the service. Dates that were said count from it.'),
    time_zone: TimeZoneSchema.optional().describe(
      'The time zone of the recording (IANA), such as Europe/London. Absent: UTC. Dates that were said are days in it.',
    ),
  })
  .meta({ id: 'AnalysisOptionsInput' });
export type AnalysisOptions = z.infer<typeof AnalysisOptionsSchema>;

/** The options that a browser token can fix: those that decide what is measured, kept and paid for. */
export const FixedOptionsSchema = AnalysisOptionsSchema.pick({
  recogniser: true,
  quality: true,
  language: true,
  roles: true,
  redact: true,
})
  .extend({ affect: AffectSchema.optional() })
  .strict()
  .meta({ id: 'FixedOptions' });
export type FixedOptions = z.infer<typeof FixedOptionsSchema>;

/** The options of an analysis as its result repeats them. Absent options are null. */
export const AnswerOptionsSchema = z
  .object({
    goal: z.string(),
    speakers: z.number().int().nullable(),
    recogniser: z.string().nullable().describe('The id of the requested recogniser.'),
    heard_by: z
      .record(z.string(), z.number().int().min(0))
      .describe('The recognisers that transcribed: recogniser id -> number of utterances.'),
    quality: QualitySchema,
    words: z.number().int().min(0).describe('The number of names and terms in the list.'),
    language: z.string().nullable(),
    roles: z.array(z.string().nullable()).optional().describe('By channel; absent if none were given.'),
    affect: AffectSchema,
    redact: z.array(RedactionKindSchema).optional().describe('The kinds that were redacted; absent: none.'),
    recorded_at: z.string().nullable().optional().describe('Absent from results of earlier versions.'),
    time_zone: z.string().nullable().optional().describe('Absent from results of earlier versions.'),
  })
  .meta({ id: 'AnswerOptions', description: 'The options with which the recording was analysed.' });
