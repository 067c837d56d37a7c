import { type BaselineMeasure, type SpeakerBaseline, zScore } from '../prosody/baseline.ts';
import type { Delivery } from '../prosody/delivery.ts';
import { clamp } from '../prosody/statistics.ts';

/** Vocal cues of affect, each in deviations from what is usual for the speaker; positive = more of what the name says. */
export interface VoiceCues {
  pitch: number;
  pitchPeak: number;
  pitchVariation: number;
  level: number;
  levelVariation: number;
  rate: number;
  pauses: number;
  /** Energy above 1 kHz against below (alpha ratio turned round). */
  effort: number;
  /** Flatness of the spectrum 500-1500 Hz. */
  tilt: number;
  brightness: number;
  harmonicity: number;
  /** Final rise in units of 4 semitones over 200 ms. */
  finalRise: number;
}

/** Loudest samples that vary by less than the first, in dB, were levelled by somebody: loudness says nothing; from the second on it counts fully. */
const LEVELLED_DB = 1.5;
const FREE_DB = 4;

/** How far loudness may count, 0..1: only against the same recording and channel, and not where a device evens it out. */
export const levelTrust = ({ n, peakSdDb }: SpeakerBaseline): number =>
  n < 2 ? 0 : clamp((peakSdDb - LEVELLED_DB) / (FREE_DB - LEVELLED_DB), 0, 1);

/** The cues of one utterance; all 0 when it holds no voice. */
export function voiceCues(delivery: Delivery, baseline: SpeakerBaseline): VoiceCues {
  const z = (measure: BaselineMeasure) => (delivery.voicedSeconds > 0 ? zScore(delivery, baseline, measure) : 0);
  return {
    pitch: z('pitchSt'),
    pitchPeak: z('pitchP90St'),
    pitchVariation: z('pitchSdSt'),
    level: levelTrust(baseline) * z('intensityDb'),
    levelVariation: z('intensitySdDb'),
    rate: z('speechRate'),
    pauses: z('pauseRatio'),
    effort: -z('alphaRatioDb'),
    tilt: z('slope500to1500'),
    brightness: z('highEnergyRatio'),
    harmonicity: z('hnrDb'),
    finalRise: delivery.finalSlopeSt / 4,
  };
}
