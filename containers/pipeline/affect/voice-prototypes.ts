import type { Emotion } from '../../../src/contract/timeline.ts';
import type { VoiceCues } from './voice-cues.ts';

/**
 * What each emotion does to the voice, in deviations from the speaker's usual one; after the tables of Juslin & Laukka (2003),
 * Scherer (2003) and Murray & Arnott (1993).
 */
export const VOICE_PROTOTYPES: Record<Emotion, Partial<VoiceCues>> = {
  joy: {
    pitch: 1,
    pitchPeak: 1,
    pitchVariation: 1,
    level: 0.7,
    levelVariation: 0.5,
    rate: 0.5,
    effort: 0.5,
    tilt: 0.5,
    brightness: 0.5,
  },
  sadness: {
    pitch: -0.5,
    pitchPeak: -0.7,
    pitchVariation: -0.7,
    level: -1,
    levelVariation: -0.5,
    rate: -0.7,
    pauses: 0.5,
    effort: -1,
    tilt: -0.7,
    brightness: -0.7,
  },
  anger: {
    pitch: 1,
    pitchPeak: 1,
    pitchVariation: 0.5,
    level: 1.3,
    levelVariation: 0.7,
    rate: 0.3,
    effort: 1.2,
    tilt: 1,
    brightness: 1,
    harmonicity: -0.5,
  },
  fear: { pitch: 1.2, pitchPeak: 0.8, pitchVariation: -0.3, level: 0.3, rate: 0.7, effort: 0.3 },
  surprise: { pitch: 1, pitchPeak: 1.2, pitchVariation: 1.2, level: 0.3, rate: 0.3, finalRise: 0.7 },
  disgust: { pitch: -0.5, pitchPeak: -0.3, pitchVariation: 0.2, level: -0.3, rate: -0.7, effort: 0.2, pauses: 0.3 },
  neutral: {
    pitch: -0.5,
    pitchPeak: -0.7,
    pitchVariation: -0.6,
    level: -0.5,
    rate: 0.2,
    effort: -0.3,
    tilt: -0.3,
    brightness: -0.3,
  },
};
