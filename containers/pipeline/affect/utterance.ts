import type { AffectMode } from '../../../src/contract/options.ts';
import type { Stability, Unread, Word } from '../../../src/contract/timeline.ts';
import type { Language } from '../../../src/conversation/language.ts';
import type { MeasuredVoice } from './voice-measurement.ts';

/**
 * One recognised utterance whose audio has been measured. Times are in seconds from the start of the recording unless
 * stated otherwise.
 */
export interface UtteranceInput {
  utteranceId: string;
  speaker: string;
  tStart: number;
  tEnd: number;
  text: string;
  language: Language;
  asrConfidence: number;
  words: Word[];
  speakerConfidence: number;
  overlapRatio: number;
  /** Null when the audio could not be measured. Prosody is then {}, and everything else comes from the words. */
  voice: MeasuredVoice | null;
  /** Silence since anybody last spoke, ms. */
  pauseBeforeMs: number;
  previous: { speaker: string; text: string } | null;
  /** The sentence encoder's encoding of the text. Null if there is no encoder. */
  encoding: Float32Array | null;
  /** Provisional while a live session is running. */
  stability: Stability;
  /** Reason for not analysing the words. Absent if they are analysed. */
  unread?: Unread | undefined;
  /** The affect setting of its speaker. */
  affect: AffectMode;
}
