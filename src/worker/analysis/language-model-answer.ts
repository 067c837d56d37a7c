import * as z from 'zod';
import type { ConversationPhase, Findings } from '../../contract/findings.ts';
import type { LanguageModelMaterial } from '../../contract/pipeline.ts';

const LineSchema = z.object({ text: z.string().min(1).max(600), utterance_ids: z.array(z.string()).min(1).max(40) });
const LinesSchema = z.array(LineSchema).max(12);

/** What the language model must answer: lines that cite utterances, and names for the phases it was given. */
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

/** What a language model may say better. */
export type ReplaceableFindings = Pick<Findings, 'summary' | 'segmentation'>;

const NUMBER = /\d+(?:[.,]\d+)*/g;

/**
 * Puts a valid answer in the place of the built-in texts. Measures, boundaries, quality and dynamics stay ours.
 * A line that cites an unknown utterance, or tells a number that neither those utterances nor their speakers' names hold,
 * is dropped.
 * @throws RangeError when the overview itself must be dropped.
 */
export function applyAnswer<T extends ReplaceableFindings>(
  findings: T,
  transcript: LanguageModelMaterial['transcript'],
  answer: LanguageModelAnswer,
): T {
  const byId = new Map(transcript.map((u) => [u.utterance_id, u]));
  const rests = (line: Line): boolean => {
    const cited = line.utterance_ids.map((id) => byId.get(id));
    if (cited.some((u) => u === undefined)) return false;
    const said = new Set(cited.flatMap((u) => `${u?.speaker} ${u?.text}`.match(NUMBER) ?? []));
    return (line.text.match(NUMBER) ?? []).every((n) => said.has(n));
  };
  if (!rests(answer.overview)) throw new RangeError('the overview rests on nothing that was said');
  const evidence: ReplaceableFindings['summary']['evidence'] = [];
  const keep = (lines: Line[]): string[] =>
    lines.filter(rests).map((line) => {
      evidence.push({ ...line, measures: {} });
      return line.text;
    });
  const names = new Map(answer.phases.map((p) => [p.phase_id, p]));
  const phases = findings.segmentation.phases.map((phase): ConversationPhase => {
    const { phase_name, theme } = names.get(phase.phase_id) ?? phase;
    return { ...phase, phase_name, theme };
  });
  const { summary, segmentation } = findings;
  const told = {
    overview: keep([answer.overview])[0]!,
    key_insights: keep(answer.key_insights),
    notable_patterns: keep(answer.notable_patterns),
    recommendations: keep(answer.recommendations),
    what_went_well: answer.what_went_well && keep(answer.what_went_well),
    what_went_wrong: answer.what_went_wrong && keep(answer.what_went_wrong),
  };
  // The reasons of the quality come last, and stay.
  const reasons = summary.evidence.slice(summary.evidence.length - summary.quality_reasons.length);
  return {
    ...findings,
    summary: { ...summary, ...told, evidence: [...evidence, ...reasons], source: 'language_model' },
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

/** The arc with the new names, longest old name first so that none is cut up. */
function rename(arc: string, before: ConversationPhase[], after: ConversationPhase[]): string {
  const pairs = before
    .map((p, i) => [p.phase_name, after[i]!.phase_name] as const)
    .sort((a, b) => b[0].length - a[0].length);
  const slots = pairs.reduce((text, [old], i) => text.replace(old, () => `\u0000${i}\u0000`), arc);
  return pairs.reduce((text, [, name], i) => text.replace(`\u0000${i}\u0000`, () => name), slots);
}
