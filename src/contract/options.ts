import * as z from 'zod';
import { quoted } from './errors.ts';
import { GoalSchema, LabelSchema, LIMITS, listOf, textOf } from './limits.ts';

const SPEAKERS = 'must be a whole number from 1 to 8';

/** How affect is read. */
export const AFFECT_MODES = ['full', 'words', 'none'] as const;
export const AffectModeSchema = z.enum(AFFECT_MODES).meta({
  id: 'AffectMode',
  description:
    'How affect is read: `full` from words and voice, `words` from the words alone, `none` not at all; its fields are null then.',
});
export type AffectMode = z.infer<typeof AffectModeSchema>;

/** How much is done to hear the words. */
export const QUALITIES = ['best', 'fast'] as const;
export const QualitySchema = z.enum(QUALITIES, { error: `must be ${QUALITIES.join(' or ')}` }).meta({
  id: 'Quality',
  description: 'How much is done to hear the words: `best`, or `fast` in half the time with more errors.',
});
export type Quality = z.infer<typeof QualitySchema>;

const ListedWordSchema = textOf(LIMITS.listedWordChars).trim().min(1, 'must not be empty');
export const WordListSchema = listOf(ListedWordSchema, LIMITS.listedWords).describe(
  'Names and terms that may be said, as they are written: they are recognised more easily, and never where nothing like them was said.',
);

/** A language of speech, as `en` or `pt-BR` (BCP 47). */
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

/** Whom a mode may be named for: a speaker as analyses call them, or all others. */
const WHOM = /^(?:\*|Speaker_\d)$/;
const EVERYBODY = '*';

/** What is wrong with an option of affect. */
function affectFault(said: unknown): string {
  const modes = `${AFFECT_MODES.slice(0, -1).join(', ')} or ${AFFECT_MODES.at(-1)}`;
  if (typeof said !== 'object' || said === null || Array.isArray(said))
    return `must be ${modes}, or an object of these by speaker label, with ${EVERYBODY} for the others`;
  const stranger = Object.keys(said).find((label) => !WHOM.test(label));
  if (stranger !== undefined)
    return `"${quoted(stranger)}" is no label of a speaker, as Speaker_0, nor ${EVERYBODY} for the others`;
  return `must be ${modes} for each speaker`;
}

export const AffectSchema = z
  .union([AffectModeSchema, z.record(z.string().regex(WHOM), AffectModeSchema)], {
    error: ({ input }) => affectFault(input),
  })
  .meta({
    id: 'Affect',
    description:
      'How affect is read: of everybody, or by speaker label with `*` for the others. While a live session goes on, labels are provisional.',
  });
export type Affect = z.infer<typeof AffectSchema>;

/** What a tenant's settings say of each of its analyses. */
export interface TenantOptions {
  /** Listed after those of the analysis; what is more than a list may have is left out. */
  words: readonly string[];
  /** The most that may be read of anybody. */
  affect: AffectMode;
}

/** Options of an analysis under the settings of its tenant. */
export function underTenant<T extends { words?: string[] | undefined; affect: Affect }>(
  options: T,
  { words, affect }: TenantOptions,
): T {
  const own = affect === 'full' ? options : { ...options, affect: atMost(options.affect, affect) };
  if (words.length === 0) return own;
  return { ...own, words: [...new Set([...(own.words ?? []), ...words])].slice(0, LIMITS.listedWords) };
}

/** Affect with as little read of each speaker as asked, and no more than a mode. */
function atMost(asked: Affect, most: AffectMode): Affect {
  const lesser = (mode: AffectMode): AffectMode =>
    AFFECT_MODES.indexOf(mode) > AFFECT_MODES.indexOf(most) ? mode : most;
  if (typeof asked === 'string') return lesser(asked);
  const named = Object.entries({ [EVERYBODY]: 'full' as const, ...asked });
  return Object.fromEntries(named.map(([label, mode]) => [label, lesser(mode)]));
}

/** How affect is read of one speaker: fully where nothing else was said. */
export const affectOf = (affect: Affect, speaker: string): AffectMode =>
  typeof affect === 'string' ? affect : (affect[speaker] ?? affect[EVERYBODY] ?? 'full');

/** Whether somebody's affect is not to be read. */
export const withholdsAffect = (affect: Affect): boolean =>
  typeof affect === 'string' ? affect === 'none' : Object.values(affect).includes('none');

/**
 * What a client may say of how a recording is analysed: fields of an upload's form, keys of a live session's start. They
 * are the same all the way: checked at the edge, carried to the pipeline.
 */
export const AnalysisOptionsSchema = z
  .object({
    goal: GoalSchema.default('').describe('What the analysis is for.'),
    speakers: z
      .number(SPEAKERS)
      .int(SPEAKERS)
      .min(1, SPEAKERS)
      .max(8, SPEAKERS)
      .optional()
      .describe('Their number, when it is known.'),
    recogniser: LabelSchema.min(1)
      .optional()
      .describe("The speech recogniser, by its id; the pipeline's own choice when absent."),
    quality: QualitySchema.optional().describe(
      'How much is done to hear the words: `best` when absent, while a live session goes on `fast`.',
    ),
    words: WordListSchema.optional(),
    language: LabelSchema.regex(LANGUAGE, 'is no language tag, as en or pt-BR')
      .optional()
      .describe('What is spoken (BCP 47), where it is known: for recognisers that understand several.'),
    affect: AffectSchema.default('full').describe('How affect is read, of everybody or by speaker label.'),
  })
  .meta({ id: 'AnalysisOptionsInput' });
export type AnalysisOptions = z.infer<typeof AnalysisOptionsSchema>;

/** The options of an analysis as its answer names them: what was not said is null. */
export const AnswerOptionsSchema = z
  .object({
    goal: z.string(),
    speakers: z.number().int().nullable(),
    recogniser: z.string().nullable().describe('Who was to hear the words.'),
    heard_by: z
      .record(z.string(), z.number().int().min(0))
      .describe('Who heard them: utterances by the id of a recogniser.'),
    quality: QualitySchema,
    words: z.number().int().min(0).describe('How many names and terms were listed.'),
    language: z.string().nullable(),
    affect: AffectSchema,
  })
  .meta({ id: 'AnswerOptions', description: 'How the recording was analysed.' });
