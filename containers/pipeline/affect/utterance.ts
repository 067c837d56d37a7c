import type { AffectMode } from '../../../src/contract/options.ts';
import type { Stability, Unread, Word } from '../../../src/contract/timeline.ts';
import type { Language } from '../../../src/conversation/language.ts';
import type { MeasuredVoice } from './voice-measurement.ts';

/** One recognised utterance with its sound measured. Seconds from the start of the recording unless named otherwise. */
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
  /** Null when the audio could not be measured: prosody is then {} and everything else comes from the words. */
  voice: MeasuredVoice | null;
  /** Silence since anybody last spoke, ms. */
  pauseBeforeMs: number;
  previous: { speaker: string; text: string } | null;
  /** The sentence encoder's encoding of the text; null without it. */
  encoding: Float32Array | null;
  /** Provisional during a live session. */
  stability: Stability;
  /** The reason that its words are not analysed; absent if they are. */
  unread?: Unread | undefined;
  /** The affect setting of its speaker. */
  affect: AffectMode;
}
