import * as z from 'zod';
import type { ConversationPhase, Findings } from '../../contract/findings.ts';
import type { LanguageModelMaterial } from '../../contract/pipeline.ts';
import type { Language } from '../../conversation/language.ts';
import { words } from '../../conversation/text/tokens.ts';

const LineSchema = z.object({ text: z.string().min(1).max(600), utterance_ids: z.array(z.string()).min(1).max(40) });
const LinesSchema = z.array(LineSchema).max(12);

/** Limit on the mishearings of one answer. */
const MAX_MISHEARINGS = 10;

/** The language model's answer: lines that cite utterances, names for the given phases, and mishearings. */
export const AnswerSchema = z.object({
  reason: LineSchema.nullable(),
  outcome: LineSchema.nullable(),
  key_insights: LinesSchema,
  notable_patterns: LinesSchema,
  recommendations: LinesSchema,
  what_went_well: LinesSchema.nullable(),
  what_went_wrong: LinesSchema.nullable(),
  phases: z
    .array(z.object({ phase_id: z.string(), phase_name: z.string().min(1).max(80), theme: z.string().min(1).max(200) }))
    .max(200),
  mishearings: z
    .array(z.object({ utterance_id: z.string(), heard: z.string().min(1).max(120), meant: z.string().min(1).max(120) }))
    .max(200)
    .nullish(),
});
export type LanguageModelAnswer = z.infer<typeof AnswerSchema>;
type Line = z.infer<typeof LineSchema>;

/** The findings that a language model may rewrite. */
export type ReplaceableFindings = Pick<Findings, 'summary' | 'segmentation'>;

const NUMBER = /\d+(?:[.,]\d+)*/g;

/** The stems of the words of a text that have content. */
const contentOf = (text: string, { words: { stem, stopWords, possessive } }: Language): string[] =>
  words(text)
    .map((word) => word.replace(possessive, ''))
    .filter((word) => !stopWords.has(word))
    .map(stem);

/**
 * Replaces the built-in texts with those of a valid answer. Measures, boundaries, quality and dynamics are not
 * replaced. A line is dropped when it cites an unknown utterance, or contains a number that appears neither in the
 * cited utterances nor in the names of their speakers. The overview is the reason and the outcome; each of them is also
 * dropped if any of its content words is in none of the cited utterances and is not a word of an account ("asks"). If
 * neither remains, the built-in overview stays.
 * @throws RangeError when no line remains
 */
export function applyAnswer<T extends ReplaceableFindings>(
  findings: T,
  transcript: LanguageModelMaterial['transcript'],
  answer: LanguageModelAnswer,
  language: Language,
): T {
  const byId = new Map(transcript.map((u) => [u.utterance_id, u]));
  const isGrounded = (line: Line): boolean => {
    const cited = line.utterance_ids.map((id) => byId.get(id));
    if (cited.some((u) => u === undefined)) return false;
    const numbers = new Set(cited.flatMap((u) => `${u?.speaker} ${u?.text}`.match(NUMBER) ?? []));
    return (line.text.match(NUMBER) ?? []).every((n) => numbers.has(n));
  };
  const accountStems = new Set([...language.summaryCues.accountWords].map(language.words.stem));
  const names = new Set(transcript.flatMap(({ speaker }) => contentOf(speaker, language)));
  const isInWordsOf = (line: Line): boolean => {
    const said = new Set(line.utterance_ids.flatMap((id) => contentOf(byId.get(id)?.text ?? '', language)));
    return contentOf(line.text, language).every((word) => said.has(word) || accountStems.has(word) || names.has(word));
  };
  const overview = [answer.reason, answer.outcome].filter(
    (line): line is Line => line !== null && isGrounded(line) && isInWordsOf(line),
  );
  const { summary, segmentation } = findings;
  const lines = [...overview, ...answer.key_insights];
  if (!lines.some(isGrounded)) throw new RangeError('no line is supported by the transcript');
  const evidence = overview.length === 0 ? overviewEvidence(summary) : [];
  const keep = (lines: Line[]): string[] =>
    lines.filter(isGrounded).map((line) => {
      evidence.push({ ...line, measures: {} });
      return line.text;
    });
  const phaseNames = new Map(answer.phases.map((p) => [p.phase_id, p]));
  const phases = findings.segmentation.phases.map((phase): ConversationPhase => {
    const { phase_name, theme } = phaseNames.get(phase.phase_id) ?? phase;
    return { ...phase, phase_name, theme };
  });
  const texts = {
    overview: overview.length === 0 ? summary.overview : keep(overview).join(' '),
    key_insights: keep(answer.key_insights),
    notable_patterns: keep(answer.notable_patterns),
    recommendations: keep(answer.recommendations),
    what_went_well: answer.what_went_well && keep(answer.what_went_well),
    what_went_wrong: answer.what_went_wrong && keep(answer.what_went_wrong),
  };
  // The evidence for the quality reasons comes last and is kept.
  const reasons = summary.evidence.slice(summary.evidence.length - summary.quality_reasons.length);
  const mishearings = (answer.mishearings ?? [])
    .filter(({ utterance_id, heard, meant }) => meant !== heard && byId.get(utterance_id)?.text.includes(heard))
    .slice(0, MAX_MISHEARINGS);
  return {
    ...findings,
    summary: {
      ...summary,
      ...texts,
      evidence: [...evidence, ...reasons],
      ...(mishearings.length > 0 && { mishearings }),
      source: 'language_model',
    },
    segmentation: {
      ...segmentation,
      phases,
      narrative_arc: rename(segmentation.narrative_arc, segmentation.phases, phases),
      key_transitions: segmentation.key_transitions.map((t, i) => ({
        ...t,
        from_phase: phases[i]?.phase_name ?? t.from_phase,
        to_phase: phases[i + 1]?.phase_name ?? t.to_phase,
      })),
    },
  };
}

/** The evidence of the overview's sentences, which comes first. */
function overviewEvidence({ overview, evidence }: ReplaceableFindings['summary']): typeof evidence {
  let length = 0;
  const count = evidence.findIndex(({ text }) => {
    length += text.length + 1;
    return length > overview.length;
  });
  return evidence.slice(0, count + 1);
}

/** The narrative arc with the new names. Longer old names are replaced first, because they can contain shorter ones. */
function rename(arc: string, before: ConversationPhase[], after: ConversationPhase[]): string {
  const pairs = before
    .map((p, i) => [p.phase_name, after[i]!.phase_name] as const)
    .sort((a, b) => b[0].length - a[0].length);
  const slots = pairs.reduce((text, [old], i) => text.replace(old, () => `\u0000${i}\u0000`), arc);
  return pairs.reduce((text, [, name], i) => text.replace(`\u0000${i}\u0000`, () => name), slots);
}
