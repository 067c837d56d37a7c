import * as z from 'zod';
import type { ConversationPhase, Findings } from '../../contract/findings.ts';
import type { LanguageModelMaterial } from '../../contract/pipeline.ts';

const LineSchema = z.object({ text: z.string().min(1).max(600), utterance_ids: z.array(z.string()).min(1).max(40) });
const LinesSchema = z.array(LineSchema).max(12);

/** The language model's answer: lines that cite utterances, and names for the given phases. */
export const AnswerSchema = z.object({
  overview: LineSchema,
  key_insights: LinesSchema,
  notable_patterns: LinesSchema,
  recommendations: LinesSchema,
  what_went_well: LinesSchema.nullable(),
  what_went_wrong: LinesSchema.nullable(),
  phases: z
    .array(z.object({ phase_id: z.string(), phase_name: z.string().min(1).max(80), theme: z.string().min(1).max(200) }))
    .max(200),
});
export type LanguageModelAnswer = z.infer<typeof AnswerSchema>;
type Line = z.infer<typeof LineSchema>;

/** The findings that a language model may rewrite. */
export type ReplaceableFindings = Pick<Findings, 'summary' | 'segmentation'>;

const NUMBER = /\d+(?:[.,]\d+)*/g;

/**
 * Replaces the built-in texts with those of a valid answer. Measures, boundaries, quality and dynamics are not
 * replaced. A line is dropped when it cites an unknown utterance, or contains a number that appears neither in the
 * cited utterances nor in the names of their speakers.
 * @throws RangeError when the overview must be dropped
 */
export function applyAnswer<T extends ReplaceableFindings>(
  findings: T,
  transcript: LanguageModelMaterial['transcript'],
  answer: LanguageModelAnswer,
): T {
  const byId = new Map(transcript.map((u) => [u.utterance_id, u]));
  const isGrounded = (line: Line): boolean => {
    const cited = line.utterance_ids.map((id) => byId.get(id));
    if (cited.some((u) => u === undefined)) return false;
    const numbers = new Set(cited.flatMap((u) => `${u?.speaker} ${u?.text}`.match(NUMBER) ?? []));
    return (line.text.match(NUMBER) ?? []).every((n) => numbers.has(n));
  };
  if (!isGrounded(answer.overview)) throw new RangeError('the overview is not supported by the transcript');
  const evidence: ReplaceableFindings['summary']['evidence'] = [];
  const keep = (lines: Line[]): string[] =>
    lines.filter(isGrounded).map((line) => {
      evidence.push({ ...line, measures: {} });
      return line.text;
    });
  const names = new Map(answer.phases.map((p) => [p.phase_id, p]));
  const phases = findings.segmentation.phases.map((phase): ConversationPhase => {
    const { phase_name, theme } = names.get(phase.phase_id) ?? phase;
    return { ...phase, phase_name, theme };
  });
  const { summary, segmentation } = findings;
  const texts = {
    overview: keep([answer.overview])[0]!,
    key_insights: keep(answer.key_insights),
    notable_patterns: keep(answer.notable_patterns),
    recommendations: keep(answer.recommendations),
    what_went_well: answer.what_went_well && keep(answer.what_went_well),
    what_went_wrong: answer.what_went_wrong && keep(answer.what_went_wrong),
  };
  // The evidence for the quality reasons comes last and is kept.
  const reasons = summary.evidence.slice(summary.evidence.length - summary.quality_reasons.length);
  return {
    ...findings,
    summary: { ...summary, ...texts, evidence: [...evidence, ...reasons], source: 'language_model' },
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

/** The narrative arc with the new names. Longer old names are replaced first, because they can contain shorter ones. */
function rename(arc: string, before: ConversationPhase[], after: ConversationPhase[]): string {
  const pairs = before
    .map((p, i) => [p.phase_name, after[i]!.phase_name] as const)
    .sort((a, b) => b[0].length - a[0].length);
  const slots = pairs.reduce((text, [old], i) => text.replace(old, () => `\u0000${i}\u0000`), arc);
  return pairs.reduce((text, [, name], i) => text.replace(`\u0000${i}\u0000`, () => name), slots);
}
