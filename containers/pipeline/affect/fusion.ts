import { EMOTIONS, type Emotion, type EmotionMap, type Pad } from '../../../src/contract/timeline.ts';
import { allRounded, rounded } from '../../../src/contract/wire-numbers.ts';
import type { VoiceAffect } from './voice-affect.ts';

/** What the words alone say of affect: seven classes that sum to 1, and PAD 0..1. */
export interface WordAffect {
  emotions: EmotionMap;
  pad: Pad;
}

/**
 * Share of the voice at full confidence, per measure; the words have the rest. Text carries valence, the voice arousal
 * (methods section 2); of the seven classes the voice alone tells little (bench:emotion-voice), so it may tilt, not decide.
 */
export const VOICE_SHARE = { emotions: 0.25, valence: 0.2, arousal: 0.65, dominance: 0.5 } as const;

export interface FusedAffect {
  emotions: EmotionMap;
  dominant: Emotion;
  pad: Pad;
  /** Probability that the dominant class is right, 0..1. */
  confidence: number;
}

const mix = (words: number, voice: number, share: number) => (1 - share) * words + share * voice;
const unit = (x: number) => Math.max(0, Math.min(1, x));

/** Shares that sum to 1 after rounding: what rounding leaves over goes to the last one named. */
export function roundedShares<T extends object>(shares: T, last: keyof T): T {
  const short = allRounded(shares);
  const others = Object.entries(short).reduce((sum, [name, value]) => (name === last ? sum : sum + Number(value)), 0);
  return { ...short, [last]: rounded(Math.max(0, 1 - others)) };
}

function normalised(values: number[]): EmotionMap {
  const sum = values.reduce((total, value) => total + value, 0);
  return Object.fromEntries(EMOTIONS.map((name, i) => [name, values[i]! / sum])) as EmotionMap;
}

/**
 * Words and voice as a linear pool: each class is (1 - w) words + w voice with w = share x the voice's confidence.
 * The dominant class is the largest; a tie goes to neutral.
 */
export function fuse(words: WordAffect, voice: VoiceAffect | null): FusedAffect {
  const trust = unit(voice?.confidence ?? 0);
  const share = (measure: keyof typeof VOICE_SHARE) => (voice === null ? 0 : VOICE_SHARE[measure] * trust);
  const shares = normalised(
    EMOTIONS.map((name) => mix(words.emotions[name], voice?.emotions[name] ?? 0, share('emotions'))),
  );
  const emotions = roundedShares(shares, 'neutral');
  const pad = (measure: keyof Pad) => rounded(unit(mix(words.pad[measure], voice?.pad[measure] ?? 0, share(measure))));
  const dominant = EMOTIONS.reduce<Emotion>((best, name) => (emotions[name] > emotions[best] ? name : best), 'neutral');
  return {
    emotions,
    dominant,
    pad: { valence: pad('valence'), arousal: pad('arousal'), dominance: pad('dominance') },
    confidence: emotions[dominant],
  };
}
