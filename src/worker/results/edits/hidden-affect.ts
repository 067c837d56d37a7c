import type { AgentResult } from '../../../contract/analysis.ts';
import type { Utterance } from '../../../contract/timeline.ts';
import type { Prosody, TimelineEntry } from '../../../contract/timeline-entry.ts';

/** The affect members of an utterance. `affect: none` also leaves them null. */
const NO_AFFECT = {
  emotion: null,
  emotions: null,
  dominant_emotion: null,
  sentiment: null,
  polarity: null,
  subjectivity: null,
  pad_scores: null,
  cognitive: null,
  cognitive_signals: null,
  engagement: null,
  load_level: null,
  commitment_score: null,
  commitment_level: null,
  passion_score: null,
  passion_level: null,
  conviction_score: null,
  conviction_level: null,
  acoustic_reasoning: null,
  delivery_style: null,
  confidence: null,
} as const satisfies Partial<TimelineEntry>;

const NO_ACOUSTIC_AFFECT = {
  commitment_level: null,
  commitment_score: null,
  passion_level: null,
  passion_score: null,
  conviction_level: null,
  delivery_style: null,
  factuality_markers: null,
} as const satisfies Partial<TimelineEntry['acoustic']>;

export function entryWithoutAffect(entry: TimelineEntry): TimelineEntry {
  const { prosody, acoustic } = entry;
  return {
    ...entry,
    ...NO_AFFECT,
    prosody: isMeasured(prosody) ? { ...prosody, commitment_markers: null, passion_markers: null } : prosody,
    acoustic: { ...acoustic, ...NO_ACOUSTIC_AFFECT },
  };
}

const isMeasured = (prosody: TimelineEntry['prosody']): prosody is Prosody => 'pitch_hz' in prosody;

/** An utterance with its affect hidden, for the conversation analysis. */
export const utteranceWithoutAffect = (utterance: Utterance): Utterance => ({ ...utterance, ...NO_AFFECT });

export const agentResultWithoutAffect = (result: AgentResult): AgentResult => ({
  ...result,
  emotion: null,
  sentiment: null,
  cognitive: null,
});
