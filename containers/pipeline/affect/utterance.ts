import type { AffectMode } from '../../../src/contract/options.ts';
import type { Stability, Word } from '../../../src/contract/timeline.ts';
import type { Language } from '../../../src/conversation/language.ts';
import type { MeasuredVoice } from './voice-measurement.ts';

/** One recognised utterance with what is heard in it. Seconds from the start of the recording unless named otherwise. */
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
  /** Silence since whatever was said last, by anyone, ms. */
  pauseBeforeMs: number;
  previous: { speaker: string; text: string } | null;
  /** Of the text, by the sentence encoder; null without it. */
  encoding: Float32Array | null;
  /** Provisional while a session goes on. */
  stability: Stability;
  /** How affect is read of its speaker. */
  affect: AffectMode;
}
