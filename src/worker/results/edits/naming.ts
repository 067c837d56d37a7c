import type {
  ConversationSegmentation,
  ConversationSummary,
  Findings,
  MomentEvent,
} from '../../../contract/findings.ts';
import type { Insights } from '../../../contract/insights.ts';

/** A label as the service writes it into its own words. */
const LABEL = /(?<!\w)Speaker_\d+(?!\w)/g;

/** Calls speakers by other labels or names: a label that it does not know stays. */
export type Renaming = (label: string) => string;

/** Words of the service, in which what people said stands in marks of quotation: that stays as it was said. */
export function renameInProse(text: string, calling: Renaming): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('“', at);
    const own = text.slice(at, open < 0 ? undefined : open);
    out += own.replace(LABEL, calling);
    if (open < 0) break;
    const close = text.indexOf('”', open);
    const end = close < 0 ? text.length : close + 1;
    out += text.slice(open, end);
    at = end;
  }
  return out;
}

/** Words of the service that end in what somebody said, in plain marks: all behind the first mark is theirs. */
export function renameAroundQuotes(text: string, calling: Renaming): string {
  const open = text.indexOf('"');
  if (open < 0) return text.replace(LABEL, calling);
  return text.slice(0, open).replace(LABEL, calling) + text.slice(open);
}

/** An object whose members are named by labels. */
const keyed = <T>(record: Record<string, T>, calling: Renaming): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([label, value]) => [calling(label), value]));

/** A value in which labels stand for themselves, as names of members and as whole words. */
function whollyCalling<T>(value: T, calling: Renaming): T {
  if (typeof value === 'string') return calling(value) as T;
  if (Array.isArray(value)) return value.map((entry) => whollyCalling(entry, calling)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [calling(name), whollyCalling(part, calling)]),
  ) as T;
}

export const renameInMoment = <M extends MomentEvent>(moment: M, calling: Renaming): M => ({
  ...moment,
  speaker_id: calling(moment.speaker_id),
  summary: renameAroundQuotes(moment.summary, calling),
});

export function renameInSummary(summary: ConversationSummary, calling: Renaming): ConversationSummary {
  const line = (text: string): string => renameInProse(text, calling);
  return {
    ...summary,
    overview: line(summary.overview),
    key_insights: summary.key_insights.map(line),
    notable_patterns: summary.notable_patterns.map(line),
    recommendations: summary.recommendations.map(line),
    what_went_well: summary.what_went_well?.map(line) ?? null,
    what_went_wrong: summary.what_went_wrong?.map(line) ?? null,
    speaker_dynamics: whollyCalling(summary.speaker_dynamics, calling),
    evidence: summary.evidence.map((rests) => ({ ...rests, text: line(rests.text) })),
    quality_reasons: summary.quality_reasons.map(line),
  };
}

export function renameInInsights(insights: Insights, calling: Renaming): Insights {
  const { cognitive_profile: profile, metrics } = insights;
  return {
    ...insights,
    key_moments: insights.key_moments.map((moment) => ({
      ...moment,
      speaker: calling(moment.speaker),
      description: renameAroundQuotes(moment.description, calling),
    })),
    speaker_profiles: keyed(insights.speaker_profiles, calling),
    cognitive_profile: {
      ...profile,
      hotspots: profile.hotspots.map((spot) => ({
        ...spot,
        description: renameAroundQuotes(spot.description, calling),
      })),
      tips: profile.tips.map((tip) => renameAroundQuotes(tip, calling)),
    },
    metrics: { ...metrics, speakers: keyed(metrics.speakers, calling) },
  };
}

/** @param isRetold whether a language model named the phases: the names that are built in are made of what people said */
export function renameInSegmentation(
  segmentation: ConversationSegmentation,
  calling: Renaming,
  isRetold: boolean,
): ConversationSegmentation {
  const line = (text: string): string => renameInProse(text, calling);
  const name = isRetold ? line : (text: string): string => text;
  return {
    ...segmentation,
    phases: segmentation.phases.map((phase) => ({
      ...phase,
      phase_name: name(phase.phase_name),
      theme: name(phase.theme),
      summary: line(phase.summary),
      key_moments: phase.key_moments.map((text) => renameAroundQuotes(text, calling)),
      transition_signal: phase.transition_signal === null ? null : line(phase.transition_signal),
    })),
    narrative_arc: line(segmentation.narrative_arc),
    key_transitions: segmentation.key_transitions.map((transition) => ({
      ...transition,
      from_phase: name(transition.from_phase),
      to_phase: name(transition.to_phase),
      trigger: line(transition.trigger),
    })),
  };
}

/** All that was concluded, with speakers called otherwise. */
export const renameInFindings = (findings: Findings, calling: Renaming): Findings => ({
  summary: renameInSummary(findings.summary, calling),
  insights: renameInInsights(findings.insights, calling),
  transitions: findings.transitions.map((transition) =>
    transition.speaker_id === undefined ? transition : { ...transition, speaker_id: calling(transition.speaker_id) },
  ),
  moments: findings.moments.map((moment) => renameInMoment(moment, calling)),
  segmentation: renameInSegmentation(findings.segmentation, calling, findings.summary.source === 'language_model'),
});
