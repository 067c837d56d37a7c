import type { CommitmentMarkers, PassionMarkers } from '../../../../src/contract/timeline-entry.ts';
import { type BaselineMeasure, type SpeakerBaseline, zScore } from '../../prosody/baseline.ts';
import type { Delivery } from '../../prosody/delivery.ts';
import { clamp, logistic } from '../../prosody/statistics.ts';
import { commitmentLevel, convictionLevel, passionLevel } from '../text/commitment.ts';

/**
 * Slope with which a z-score is converted to a share. .5 is typical for the speaker, .77 is one deviation above it and
 * .23 one below.
 */
const STEEPNESS = 1.2;
/** A glide of this many semitones over the last 200 ms counts as fully rising or falling. */
const FULL_GLIDE_ST = 4;
/**
 * A faster pace sounds more certain only up to this point. Very fast speech sounds less confident again (inverted U;
 * methods section 4, 74c).
 */
const FASTEST_Z = 1;

/**
 * Weights of the voice's commitment. The signs follow the reviews of vocal confidence (Guyer et al. 2021; Jiang & Pell
 * 2017): a loud, fluent and falling voice is certain, while a rising, hesitant or wavering one is not. The weights are
 * a proposal in which the cues that the reviews agree on (loudness, fluency, falling end) count most.
 */
const COMMITMENT_WEIGHTS = {
  pitch_stability: 0.15,
  pitch_contour: 0.25,
  energy_strength: 0.25,
  energy_consistency: 0.1,
  duration_confidence: 0.25,
} as const;

/**
 * Weights of the voice's passion. Pitch and energy come first, because they show vocal involvement (Wrede & Shriberg
 * 2003), followed by effort in the spectrum.
 */
const PASSION_WEIGHTS = {
  pitch_dynamism: 0.2,
  pitch_variation: 0.2,
  energy_level: 0.2,
  energy_dynamics: 0.15,
  spectral_richness: 0.15,
  spectral_variation: 0.1,
} as const;

const weighted = <K extends string>(weights: Record<K, number>, values: Record<K, number>): number =>
  (Object.keys(weights) as K[]).reduce((sum, name) => sum + weights[name] * values[name], 0);

export interface VoiceMarkers {
  commitment_markers: CommitmentMarkers;
  passion_markers: PassionMarkers;
}

/**
 * Commitment, passion and conviction of the voice alone. They are composite indices of delivery relative to the
 * speaker's own baseline, not a test of truth. Each marker is from 0 to 1, typically .5, and monotonic in its cue. All
 * are .5 when there is no voice.
 */
export function voiceMarkers(delivery: Delivery, baseline: SpeakerBaseline): VoiceMarkers {
  const isVoiced = delivery.voicedSeconds > 0;
  const z = (measure: BaselineMeasure) => (isVoiced ? zScore(delivery, baseline, measure) : 0);
  const share = (value: number) => logistic(STEEPNESS * value);
  const commitment = {
    pitch_stability: share(-z('pitchSdSt')),
    pitch_contour:
      delivery.finalContour === 'unknown' ? 0.5 : clamp(0.5 - delivery.finalSlopeSt / (2 * FULL_GLIDE_ST), 0, 1),
    energy_strength: share(z('intensityDb')),
    energy_consistency: share(-z('intensitySdDb')),
    duration_confidence: share(0.5 * Math.min(z('speechRate'), FASTEST_Z) - 0.5 * z('pauseRatio')),
  };
  const passion = {
    pitch_dynamism: share(z('pitchP90St')),
    pitch_variation: share(z('pitchSdSt')),
    energy_level: share(z('intensityDb')),
    energy_dynamics: share(z('intensitySdDb')),
    spectral_richness: share(-z('alphaRatioDb')),
    spectral_variation: share(z('spectralCentroidSdHz')),
  };
  const commitmentScore = weighted(COMMITMENT_WEIGHTS, commitment);
  const passionScore = weighted(PASSION_WEIGHTS, passion);
  const conviction = Math.sqrt(commitmentScore * ((passionScore + commitment.energy_strength) / 2));
  return {
    commitment_markers: {
      ...commitment,
      commitment_score: commitmentScore,
      commitment_level: commitmentLevel(commitmentScore),
    },
    passion_markers: {
      ...passion,
      passion_score: passionScore,
      passion_level: passionLevel(passionScore),
      conviction_score: conviction,
      conviction_level: convictionLevel(conviction),
    },
  };
}
