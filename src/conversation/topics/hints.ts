import { type MomentEvent, momentCategory, type TransitionEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';

/** Minimum silence that makes a new part more likely, seconds, and the largest weight of silence (log-odds). */
const LONG_PAUSE_S = 2;
const PAUSE_GAIN = 0.8;
/**
 * Weight of a topic shift or a change of affect at an utterance (log-odds). These are proposals, not fitted, because no
 * labelled data contains them.
 */
const SHIFT_GAIN = 0.7;
const TRANSITION_GAIN = 0.2;
/** Log-odds for a place within a sentence, where no topic can begin. */
const OPEN_SENTENCE_COST = 6;

/** Silence before each utterance, seconds. 0 if another speaker is still talking. */
export function pausesBefore(utterances: Utterance[]): number[] {
  let end = utterances[0]?.t_start ?? 0;
  return utterances.map((u) => {
    const pause = Math.max(0, u.t_start - end);
    end = Math.max(end, u.t_end);
    return pause;
  });
}

/**
 * Evidence for boundaries other than words: pauses, announced topics, changes of affect. [i - 1] is before utterance i.
 */
export function boundaryHints(
  utterances: Utterance[],
  pauses: number[],
  moments: MomentEvent[],
  transitions: TransitionEvent[],
  goesOn: readonly boolean[],
): Float32Array {
  const index = new Map(utterances.map((u, i) => [u.utterance_id, i]));
  const hints = new Float32Array(Math.max(0, utterances.length - 1));
  const add = (id: string | undefined, gain: number) => {
    const i = id === undefined ? undefined : index.get(id);
    if (i !== undefined && i > 0) hints[i - 1]! += gain;
  };
  pauses.forEach((pause, i) => {
    if (i > 0 && pause >= LONG_PAUSE_S) hints[i - 1]! += PAUSE_GAIN * Math.min(1, pause / (4 * LONG_PAUSE_S));
  });
  for (const m of moments)
    if (momentCategory(m.category).opensTopic) add(m.utterance_ids[0], SHIFT_GAIN * m.confidence);
  for (const t of transitions) add(t.evidence_utterance_ids[0], TRANSITION_GAIN * t.confidence);
  goesOn.forEach((isOpen, i) => {
    if (isOpen && i > 0) hints[i - 1]! -= OPEN_SENTENCE_COST;
  });
  return hints;
}
