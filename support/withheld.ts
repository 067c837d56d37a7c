import type { AnalysisResponse } from '../src/contract/analysis.ts';
import type { ServiceEvent } from '../src/contract/events.ts';
import type { Prosody, TimelineEntry } from '../src/contract/timeline-entry.ts';

/** The affect members of a timeline entry. */
const AFFECT_FIELDS = [
  ...['emotion', 'sentiment', 'polarity', 'subjectivity', 'cognitive', 'confidence', 'emotions', 'dominant_emotion'],
  ...['cognitive_signals', 'engagement', 'load_level', 'pad_scores', 'acoustic_reasoning', 'delivery_style'],
  ...['commitment_score', 'commitment_level', 'passion_score', 'passion_level', 'conviction_score', 'conviction_level'],
] as const;
const MARKERS = ['commitment_markers', 'passion_markers'];
const ACOUSTIC = ['commitment_', 'passion_', 'conviction_', 'delivery_style', 'factuality_markers'];

/** Words that the service itself uses about affect. Quotations are excluded, since spoken words may be quoted. */
const TOLD =
  /(?:turns|moves) from \w+ to \w+|sounds (?:confused|uncertain|disengaged)|cognitive load of|is pleased:|complains(?:: | of: )|warm note:|sentiment/i;
const bare = (text: string): string => text.replace(/“[^”]*”|"[^"]*"/g, '“”');

/** An entry as it appears when affect is withheld. */
export function withheld(entry: TimelineEntry): TimelineEntry {
  const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
  const acoustic = Object.keys(entry.acoustic).filter((name) => ACOUSTIC.some((own) => name.startsWith(own)));
  return {
    ...entry,
    ...nulls(AFFECT_FIELDS),
    prosody: prosodyOf(entry),
    acoustic: { ...entry.acoustic, ...nulls(acoustic) },
  };
}

const prosodyOf = ({ prosody }: TimelineEntry): TimelineEntry['prosody'] =>
  'pitch_hz' in prosody ? { ...(prosody as Prosody), commitment_markers: null, passion_markers: null } : prosody;

/** Every place in a response that reveals a speaker's affect. Empty when it was withheld. */
export function affectInAnswer(answer: AnalysisResponse, speaker: string): string[] {
  const own = new Set(answer.timeline.filter((u) => u.speaker === speaker).map((u) => u.utterance_id));
  const found: string[] = [];
  const expectNull = (place: string, holder: object, names: readonly string[]) => {
    for (const name of names) if ((holder as Record<string, unknown>)[name] !== null) found.push(`${place}.${name}`);
  };
  for (const entry of answer.timeline) {
    if (entry.speaker !== speaker) continue;
    expectNull(entry.utterance_id, entry, AFFECT_FIELDS);
    if ('pitch_hz' in entry.prosody) expectNull(`${entry.utterance_id}.prosody`, entry.prosody, MARKERS);
    const acoustic = Object.keys(entry.acoustic).filter((name) => ACOUSTIC.some((part) => name.startsWith(part)));
    expectNull(`${entry.utterance_id}.acoustic`, entry.acoustic, acoustic);
  }
  for (const result of answer.agent_results)
    if (own.has(result.utterance_id))
      expectNull(`agent_results ${result.utterance_id}`, result, ['emotion', 'sentiment', 'cognitive']);
  found.push(
    ...affectInEvents(
      answer.transitions.map((data) => ({ event: 'transition', data })),
      speaker,
      own,
    ),
  );
  const { insights, summary, segmentation } = answer;
  const profile = insights.speaker_profiles[speaker];
  if (profile) expectNull('profile', profile, ['emotions', 'avg_engagement', 'avg_polarity', 'dominant_emotion']);
  const dynamics = summary.speaker_dynamics?.speakers as Record<string, object> | undefined;
  if (dynamics?.[speaker]) expectNull('dynamics', dynamics[speaker], ['avg_polarity', 'dominant_emotion']);
  const starts = new Set(answer.timeline.filter((u) => own.has(u.utterance_id)).map((u) => u.t_start));
  for (const { t, description } of insights.cognitive_profile.hotspots)
    if (starts.has(t)) found.push(`hotspot: ${description}`);
  for (const { type, speaker: who, description } of insights.key_moments)
    if (type === 'transition' && who === speaker) found.push(`key moment: ${description}`);
  for (const text of textsOf([summary, insights.cognitive_profile, insights.key_moments, segmentation])) {
    if (bare(text).includes(speaker) && TOLD.test(bare(text))) found.push(text);
  }
  for (const [line, { utterance_ids }] of Object.entries(summary.evidence))
    if (!line.includes('. ') && TOLD.test(bare(line)) && utterance_ids.some((id) => own.has(id)))
      found.push(`evidence: ${line}`);
  return found;
}

/** Every event that reveals a speaker's affect. @param own ids of the speaker's utterances */
export function affectInEvents(
  events: readonly Pick<ServiceEvent, 'event' | 'data'>[],
  speaker: string,
  own = saidBy(events, speaker),
): string[] {
  return (events as readonly ServiceEvent[]).flatMap(({ event, data }) => {
    if (event === 'emotion' || event === 'cognitive')
      return data.speaker_id === speaker || own.has(data.utterance_id) ? [`${event} ${data.utterance_id}`] : [];
    if (event !== 'transition') return [];
    const isOwn = data.speaker_id === speaker || data.evidence_utterance_ids.some((id) => own.has(id));
    return isOwn ? [`transition ${data.transition_id}`] : [];
  });
}

const saidBy = (events: readonly Pick<ServiceEvent, 'event' | 'data'>[], speaker: string): ReadonlySet<string> =>
  new Set(
    (events as readonly ServiceEvent[]).flatMap(({ event, data }) =>
      event === 'final_transcript' && data.speaker === speaker ? [data.utterance_id] : [],
    ),
  );

const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? [...Object.keys(value), ...Object.values(value).flatMap(textsOf)]
      : [];
