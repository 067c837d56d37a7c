import { EMOTIONS, type Emotion, type EmotionMap } from '../../../../src/contract/timeline.ts';
import { clamp } from '../../prosody/statistics.ts';
import type { VoiceCues } from './cues.ts';

/** Dimensions of the voice, in deviations from the speaker's typical voice. Cues that vary together are averaged. */
const DIMENSIONS = {
  pitch: ['pitch', 'pitchPeak'],
  pitchVariation: ['pitchVariation'],
  loudness: ['loudness'],
  loudnessVariation: ['loudnessVariation'],
  rate: ['rate'],
  highEnergy: ['effort', 'flatness', 'brightness'],
  pauses: ['pauses'],
  finalRise: ['finalRise'],
  harmonicity: ['harmonicity'],
} as const satisfies Record<string, (keyof VoiceCues)[]>;
type Dimension = keyof typeof DIMENSIONS;
const NAMES = Object.keys(DIMENSIONS) as Dimension[];

/**
 * The effect of each emotion on the voice: 1 is a full deviation more, .5 is somewhat more, and neutral is the
 * speaker's typical voice. The signs are from the reviews: Juslin & Laukka (2003, table 7) for joy, sadness, anger,
 * fear; Scherer (2003) and Murray & Arnott (1993) for disgust and surprise (surprise rises at the end). Values are in
 * steps of one half. There are no weights, and nothing is fitted.
 */
const PROTOTYPES: Record<Emotion, Partial<Record<Dimension, number>>> = {
  joy: {
    pitch: 1,
    pitchVariation: 1,
    loudness: 0.5,
    loudnessVariation: 0.5,
    rate: 0.5,
    highEnergy: 0.5,
    pauses: -0.5,
    finalRise: 0.5,
    harmonicity: 0.5,
  },
  sadness: {
    pitch: -1,
    pitchVariation: -1,
    loudness: -1,
    loudnessVariation: -0.5,
    rate: -1,
    highEnergy: -1,
    pauses: 1,
    finalRise: -0.5,
  },
  anger: {
    pitch: 1,
    pitchVariation: 0.5,
    loudness: 1,
    loudnessVariation: 0.5,
    rate: 0.5,
    highEnergy: 1,
    pauses: -0.5,
    finalRise: -0.5,
    harmonicity: -0.5,
  },
  fear: { pitch: 1, pitchVariation: -0.5, rate: 0.5 },
  surprise: { pitch: 1, pitchVariation: 1, loudness: 0.5, rate: 0.5, finalRise: 1 },
  disgust: { pitch: -0.5, loudness: -0.5, rate: -0.5, pauses: 0.5, finalRise: -0.5, harmonicity: -0.5 },
  neutral: {},
};

/**
 * Variance around a prototype within an emotion. Speakers express emotions differently, so it is twice that of the
 * typical voice.
 */
const VARIANCE = 2;
/** Largest deviation of a cue that counts. */
const MOST_DEVIATIONS = 3;
/**
 * Pairs that the voice alone cannot reliably tell apart (joy from anger by level, sadness from disgust), which limits
 * the share of each.
 */
const CONFUSABLE = [
  ['anger', 'joy'],
  ['sadness', 'disgust'],
] as const;
const LARGEST_SHARE_OF_PAIR = 0.6;

/**
 * Shares of the seven classes according to the voice, with equal priors. They depend on the distance to the prototypes
 * and sum to 1.
 */
export function classesOf(cues: VoiceCues): EmotionMap {
  const position = NAMES.map((name) => {
    const parts: readonly (keyof VoiceCues)[] = DIMENSIONS[name];
    const sum = parts.reduce((total, cue) => total + clamp(cues[cue], -MOST_DEVIATIONS, MOST_DEVIATIONS), 0);
    return sum / parts.length;
  });
  const nearness = EMOTIONS.map((emotion) => {
    const distance = NAMES.reduce((sum, name, i) => sum + (position[i]! - (PROTOTYPES[emotion][name] ?? 0)) ** 2, 0);
    return -distance / (2 * VARIANCE);
  });
  const nearest = Math.max(...nearness);
  const weights = nearness.map((value) => Math.exp(value - nearest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = Object.fromEntries(EMOTIONS.map((emotion, i) => [emotion, weights[i]! / total])) as EmotionMap;
  for (const [one, other] of CONFUSABLE) {
    const both = shares[one] + shares[other];
    const least = (1 - LARGEST_SHARE_OF_PAIR) * both;
    shares[one] = clamp(shares[one], least, both - least);
    shares[other] = both - shares[one];
  }
  return shares;
}
