import { EMOTIONS, type Emotion, type EmotionMap, type Pad } from '../../../../src/contract/timeline.ts';
import type { SpeakerBaseline } from '../../prosody/baseline.ts';
import type { Delivery } from '../../prosody/delivery.ts';
import { clamp, logistic } from '../../prosody/statistics.ts';
import type { SoundSource, SourceAffect } from '../reading.ts';
import { type VoiceCues, voiceCues, voiceDistance } from './cues.ts';
import { classesOf } from './prototypes.ts';

/** Words carry valence and the voice carries arousal (methods section 2), almost all of it once the voice is known. */
const SHARES: Pad = { valence: 0.2, arousal: 1.4, dominance: 0.5 };

/**
 * The distance from the speaker's typical voice at which a voice begins to decide the class, for an unknown speaker and
 * for a well-known one; the additional distance at which it has full weight; and the extra distance that a low voice
 * needs, because spelled names and numbers read aloud also sound low and slow. Chosen on the open halves of RAVDESS and
 * EmoDB and on read speech (docs/reference/prosody.md).
 */
const FAR = { alone: 0.4, known: 0.8 };
const FULLY_FARTHER = { alone: 0.3, known: 0.025 };
const FARTHER_BELOW = { alone: 0.4, known: 0.95 };
/**
 * A known speaker's voice that stands out usually does so for a reason other than feeling. Neutral is therefore this
 * many times more likely than any feeling (1.3 times with eight utterances known).
 */
const DOUBT = 1.5;
/**
 * Seconds of audio below which the class has no weight, and from which it can have full weight. The measures must also
 * be reliable.
 */
const LEAST_S = 0.4;
const ENOUGH_S = 1;
const SOUND_MEASURES = 0.6;

type Weights = Partial<Record<keyof VoiceCues, number>>;

/**
 * Weights of arousal. The signs follow Juslin & Laukka (2003) and Scherer (2003): higher pitch and peaks, louder, more
 * energy above 1 kHz, livelier, faster. The weights were fixed in advance by how consistently the reviews find a cue.
 * They sum to 1 and are not fitted.
 */
const AROUSAL: Weights = {
  loudness: 0.25,
  pitch: 0.2,
  effort: 0.15,
  pitchPeak: 0.1,
  flatness: 0.1,
  loudnessVariation: 0.05,
  pitchVariation: 0.05,
  rate: 0.05,
  brightness: 0.05,
};
/**
 * Slope of arousal. With all cues one deviation above the typical voice, arousal is .85, near the end of a rating
 * scale.
 */
const AROUSAL_STEEPNESS = 1.7;

/**
 * Weights of dominance: loud, with effort, low for the speaker, and without a rise at the end (Tusing & Dillard 2000;
 * Puts et al. 2006).
 */
const DOMINANCE: Weights = { loudness: 0.4, effort: 0.2, pitch: -0.25, finalRise: -0.15 };
const DOMINANCE_STEEPNESS = 1.2;

/** Valence of the classes, from -1 to 1 (Russell & Mehrabian 1977). */
const VALENCE: EmotionMap = {
  joy: 0.76,
  sadness: -0.63,
  anger: -0.51,
  fear: -0.64,
  surprise: 0.4,
  disgust: -0.6,
  neutral: 0,
};
/**
 * Trust in an unknown speaker's voice, and in a well-known one. Three utterances account for half of the difference.
 */
const TRUST_ALONE = 0.35;
const TRUST_KNOWN = 0.8;
const HALF_KNOWN = 3;

const weighted = (cues: VoiceCues, weights: Weights): number =>
  (Object.entries(weights) as [keyof VoiceCues, number][]).reduce((sum, [cue, weight]) => sum + weight * cues[cue], 0);

const valenceOf = (classes: EmotionMap): number =>
  EMOTIONS.reduce((sum, emotion: Emotion) => sum + classes[emotion] * VALENCE[emotion], 0);

const USUAL: VoiceCues = {
  pitch: 0,
  pitchPeak: 0,
  pitchVariation: 0,
  loudness: 0,
  loudnessVariation: 0,
  rate: 0,
  pauses: 0,
  effort: 0,
  flatness: 0,
  brightness: 0,
  harmonicity: 0,
  finalRise: 0,
};
/**
 * More classes are unpleasant than pleasant, so the typical voice does not have valence 0. This value counts as the
 * middle.
 */
const USUAL_VALENCE = valenceOf(classesOf(USUAL));

/**
 * Affect from the voice alone, relative to its speaker's typical voice. Each dimension is .5 for the typical voice, the
 * classes have equal priors, and the confidence depends on how much audio there is of the utterance and of its speaker.
 * The voice shows arousal well, dominance through its cues, and valence hardly at all (bench/emotion-voice.ts).
 * Deterministic.
 */
export function readVoice(delivery: Delivery, baseline: SpeakerBaseline): SourceAffect {
  const cues = voiceCues(delivery, baseline);
  const emotions = classesOf(cues);
  const arousal = logistic(AROUSAL_STEEPNESS * weighted(cues, AROUSAL));
  const known = baseline.n / (baseline.n + HALF_KNOWN);
  // A baseline of one utterance probably consists of this very utterance.
  const compared = baseline.n < 2 ? 0 : known;
  return {
    source: 'voice',
    shares: SHARES,
    pad: {
      valence: clamp(0.5 + 0.5 * (valenceOf(emotions) - USUAL_VALENCE), 0, 1),
      arousal,
      dominance: logistic(DOMINANCE_STEEPNESS * weighted(cues, DOMINANCE)),
    },
    emotions,
    confidence: delivery.confidence * (TRUST_ALONE + (TRUST_KNOWN - TRUST_ALONE) * known),
    say: sayOf(delivery, baseline, { known, compared, isLow: arousal < 0.5 || namesLow(emotions) }),
    doubt: DOUBT ** compared,
  };
}

const between = ({ alone, known }: { alone: number; known: number }, share: number): number =>
  alone + (known - alone) * share;

/** Whether the voice is closest to feelings that lower it. */
const namesLow = ({ sadness, disgust, joy, anger, fear, surprise }: EmotionMap): boolean =>
  sadness + disgust > joy + anger + fear + surprise;

interface Standing {
  /** How well the speaker's voice is known from all utterances, and from all but this one, 0 to 1. */
  known: number;
  compared: number;
  isLow: boolean;
}

/** Weight of the voice in choosing the class. Zero while the voice is ordinary. */
function sayOf(delivery: Delivery, baseline: SpeakerBaseline, { known, compared, isLow }: Standing): number {
  const from = between(FAR, known) + (isLow ? between(FARTHER_BELOW, compared) : 0);
  const farther = between(FULLY_FARTHER, compared);
  const isFar = clamp((voiceDistance(delivery, baseline) - from) / farther, 0, 1);
  const isLong = clamp((delivery.duration - LEAST_S) / (ENOUGH_S - LEAST_S), 0, 1);
  return isFar * isLong * clamp(delivery.confidence / SOUND_MEASURES, 0, 1);
}

export const voiceAffect: SoundSource = { read: ({ delivery, baseline }) => readVoice(delivery, baseline) };
