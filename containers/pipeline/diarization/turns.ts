import type { SpeakerCount } from '../../../src/contract/media.ts';

/** One turn of a speaker. Seconds; `speaker` counts from 0 in order of first speech. */
export interface SpeakerTurn {
  start: number;
  end: number;
  speaker: number;
  /** Confidence of the label, 0..1. */
  confidence: number;
}

/** Turns this far from a word or a segment can still claim it, s. */
export const TURN_REACH_S = 3;

/** Who spoke when. Turns are ordered by start; turns of different speakers may overlap. */
export interface Diarization {
  turns: SpeakerTurn[];
  speakers: SpeakerCount;
}
