import type { SpeakerCount } from '../../../src/contract/media.ts';

/** One turn of a speaker, in seconds. `speaker` counts from 0 in the order in which the speakers first speak. */
export interface SpeakerTurn {
  start: number;
  end: number;
  speaker: number;
  /** Confidence of the label, 0..1. */
  confidence: number;
}

/** How far from a turn a word or segment can still be assigned to it, s. */
export const TURN_REACH_S = 3;

/** The speaker turns of a recording, ordered by start. Turns of different speakers may overlap. */
export interface Diarization {
  turns: SpeakerTurn[];
  speakers: SpeakerCount;
}
