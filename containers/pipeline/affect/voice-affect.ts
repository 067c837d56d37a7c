import { EMOTIONS, type Emotion, type EmotionMap, type Pad } from '../../../src/contract/timeline.ts';
import type { SpeakerBaseline } from '../prosody/baseline.ts';
import type { Delivery } from '../prosody/delivery.ts';
import { clamp, logistic } from '../prosody/statistics.ts';
import { type VoiceCues, voiceCues } from './voice-cues.ts';
import { VOICE_PROTOTYPES } from './voice-prototypes.ts';

/** What the voice alone says of affect. */
export interface VoiceAffect {
  /** Each 0..1; 0.5 = as usual for this speaker. */
  pad: Pad;
  /** The voice's share of the seven classes; sums to 1. */
  emotions: EmotionMap;
  confidence: number;
}

/**
 * Weights of arousal over speaker-normalised cues; signs after Juslin & Laukka (2003) and Scherer (2003): pitch and its peaks,
 * loudness, a flat spectrum, wide pitch, fast speech. Set in the feasibility study of the project, fitted on nothing.
 */
const AROUSAL_WEIGHTS: Record<keyof VoiceCues, number> = {
  level: 0.25,
  pitch: 0.2,
  pitchPeak: 0.1,
  effort: 0.15,
  tilt: 0.1,
  levelVariation: 0.05,
  pitchVariation: 0.05,
  rate: 0.05,
  brightness: 0.05,
  finalRise: 0,
  harmonicity: 0,
  pauses: 0,
};
const AROUSAL_STEEPNESS = 1.7;

/** Dominance: loud, with effort and low for the speaker (methods section 2). */
const DOMINANCE_STEEPNESS = 0.8;

const TEMPERATURE = 3;
/** Nearly all talk is neutral; acted clips are not (methods section 2: strong neutral prior). */
const NEUTRAL_PRIOR = 0.4;

/** Affect from the voice alone. Deterministic. */
export function voiceAffect(delivery: Delivery, baseline: SpeakerBaseline): VoiceAffect {
  const cues = voiceCues(delivery, baseline);
  const names = Object.keys(cues) as (keyof VoiceCues)[];
  const arousal = logistic(
    AROUSAL_STEEPNESS * names.reduce((sum, name) => sum + AROUSAL_WEIGHTS[name] * cues[name], 0),
  );
  const dominance = logistic(
    DOMINANCE_STEEPNESS * (0.4 * cues.level + 0.4 * cues.effort - 0.3 * cues.pitch - 0.2 * cues.finalRise),
  );
  const scores = EMOTIONS.map((emotion) => {
    const prototype = VOICE_PROTOTYPES[emotion];
    const distance = names.reduce((sum, name) => sum + (clamp(cues[name], -3, 3) - (prototype[name] ?? 0)) ** 2, 0);
    return Math.exp(-distance / (2 * TEMPERATURE)) * (emotion === 'neutral' ? 1 + NEUTRAL_PRIOR : 1);
  });
  const sum = scores.reduce((total, score) => total + score, 0);
  const emotions = Object.fromEntries(EMOTIONS.map((emotion, i) => [emotion, scores[i]! / sum])) as Record<
    Emotion,
    number
  >;
  const valence = clamp(
    0.5 +
      0.25 *
        (emotions.joy - emotions.anger - emotions.sadness - emotions.fear - emotions.disgust) *
        (1 - emotions.neutral),
    0,
    1,
  );
  return {
    pad: { valence, arousal, dominance },
    emotions,
    confidence: delivery.confidence * (baseline.n > 0 ? 0.6 : 0.35),
  };
}
