import type { Commitment } from '../../../contract/commitments.ts';
import type { Findings, MomentEvent, SentenceSpan } from '../../../contract/findings.ts';
import type { Language } from '../../../conversation/language.ts';
import { hasSpeech, renamed, textOf } from '../../../conversation/sentences/spans.ts';
import { mapInsights, mapSegmentation, mapSummary } from '../../../conversation/summary/findings-of.ts';
import { sentenceOfMoment, spansOfMoment } from '../../../conversation/summary/moment-descriptions.ts';
import { spansOfProse } from '../prose-spans.ts';

/** The name of a speaker, by label. An unknown label is returned unchanged. */
export type Naming = (label: string) => string;

/** An object whose member names are labels. */
const keyed = <T>(record: Record<string, T>, nameOf: Naming): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([label, value]) => [nameOf(label), value]));

/** Renames labels in a value: every string and every member name that equals a label. */
function withNames<T>(value: T, nameOf: Naming): T {
  if (typeof value === 'string') return nameOf(value) as T;
  if (Array.isArray(value)) return value.map((entry) => withNames(entry, nameOf)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [nameOf(name), withNames(part, nameOf)])) as T;
}

/** Renames the speaker of a moment. Its sentence is written again from its facts. */
export function renameInMoment<M extends MomentEvent>(moment: M, nameOf: Naming, language: Language): M {
  const renamedMoment = { ...moment, speaker_id: nameOf(moment.speaker_id) };
  const summary = hasSpeech(spansOfMoment(moment, language))
    ? textOf(sentenceOfMoment(renamedMoment, language))
    : textOf(renamed(spansOfProse(moment.summary), nameOf));
  return { ...renamedMoment, summary };
}

/** Renames the speakers of a commitment. Its words stay. */
const renameInCommitment = (commitment: Commitment, nameOf: Naming): Commitment => ({
  ...commitment,
  owner: commitment.owner === null ? null : nameOf(commitment.owner),
  to: commitment.to === null ? null : nameOf(commitment.to),
  ...(commitment.speaker !== undefined && { speaker: nameOf(commitment.speaker) }),
});

/**
 * Renames the speakers in findings. Names replace the speaker spans of sentences, while people's own words are kept. In
 * a result that was stored without spans, labels are found by searching the text.
 */
export function renameInFindings(findings: Findings, nameOf: Naming, language: Language): Findings {
  const { setting, summary, insights, transitions, moments, segmentation, sentences } = findings;
  const { commitments, open_questions } = findings;
  const spansByText = new Map(sentences?.map((spans) => [textOf(spans), spans]));
  const spansOf = (text: string): readonly SentenceSpan[] =>
    sentences ? (spansByText.get(text) ?? [{ text }]) : spansOfProse(text);
  const rename = (text: string): string => textOf(renamed(spansOf(text), nameOf));
  const { speaker_profiles, metrics } = insights;
  const named = mapInsights(insights, rename);
  return {
    ...(setting && { setting }),
    summary: { ...mapSummary(summary, rename), speaker_dynamics: withNames(summary.speaker_dynamics, nameOf) },
    insights: {
      ...named,
      key_moments: named.key_moments.map((moment) => ({ ...moment, speaker: nameOf(moment.speaker) })),
      speaker_profiles: keyed(speaker_profiles, nameOf),
      metrics: { ...metrics, speakers: keyed(metrics.speakers, nameOf) },
    },
    transitions: transitions.map((transition) =>
      transition.speaker_id === undefined ? transition : { ...transition, speaker_id: nameOf(transition.speaker_id) },
    ),
    moments: moments.map((moment) => renameInMoment(moment, nameOf, language)),
    segmentation: mapSegmentation(segmentation, rename),
    ...(commitments && { commitments: commitments.map((one) => renameInCommitment(one, nameOf)) }),
    ...(open_questions && {
      open_questions: open_questions.map((one) => ({ ...one, speaker: nameOf(one.speaker), to: nameOf(one.to) })),
    }),
    ...(sentences && { sentences: sentences.map((spans) => renamed(spans, nameOf)) }),
  };
}
