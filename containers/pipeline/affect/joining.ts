import { EMOTIONS, type Emotion, type EmotionMap, type Pad } from '../../../src/contract/timeline.ts';
import { rounded } from '../../../src/contract/wire-numbers.ts';
import type { SourceAffect } from './reading.ts';
import { roundedShares } from './rounded-shares.ts';
import { normalised, USUAL } from './text/text-affect.ts';

/** The combined readings of all sources. */
export interface JoinedAffect {
  emotions: EmotionMap;
  dominant: Emotion;
  pad: Pad;
  /** Probability that the dominant class is right, 0 to 1. */
  confidence: number;
  /** `voice` when the dominant class differs from that of the words. */
  decidedBy: 'words' | 'voice';
}

/** Words that were recognised with a confidence of .7 count half when the voice stands out. */
const CONFIDENCE_EXPONENT = 2;

/**
 * Share of its class from which the voice decides an emotion. Below it, the weight of the voice is reduced until the
 * words decide.
 */
const VOICE_DECIDES = 0.5;
/** Number of bisection steps for finding that weight. */
const HALVINGS = 12;

/** The sign of each class that has a sentiment. */
const SIGN: Partial<Record<Emotion, 1 | -1>> = { joy: 1, sadness: -1, anger: -1, fear: -1, disgust: -1 };

const unit = (x: number) => Math.max(0, Math.min(1, x));

/** The classes after rounding, with the largest class unchanged. */
export const roundedEmotions = (emotions: EmotionMap): EmotionMap => roundedShares(emotions, largestOf(emotions));

/** The largest class. Neutral wins a tie. */
export const largestOf = (emotions: EmotionMap): Emotion =>
  EMOTIONS.reduce<Emotion>((best, name) => (emotions[name] > emotions[best] ? name : best), 'neutral');

/**
 * The classes, as a log-linear pool. Most speech is neutral, and words without any feeling are classed as neutral for
 * that reason alone. A voice that stands out is evidence against this prior. In proportion to its weight (`say`, g),
 * the prior of speech is divided out of the words, and the voice's shares, which have a flat prior, are multiplied in;
 * `doubt` favours neutral:
 * p(c) ~ (words(c) / usual(c))^wordWeight x usual(c)^(1 - g) x (voice(c) x doubt(c))^g, wordWeight = 1 - g (1 - asr^2)
 * With an ordinary voice (g = 0), the result is the words' classes. Words with a clear feeling win against any voice. A
 * voice shows how aroused a speaker is far better than whether the feeling is positive or negative, and words do the
 * reverse (Wagner et al. 2023). So a voice that shows a feeling of the opposite sign to the words' sentiment has less
 * weight: g (1 - |polarity| asr^2).
 */
function classes(words: SourceAffect, sounds: readonly SourceAffect[], polarity: number, weight = 1): EmotionMap {
  const certainty = unit(words.confidence) ** CONFIDENCE_EXPONENT;
  const says = sounds.map(({ emotions, say }) => {
    const agreement = (SIGN[largestOf(emotions)] ?? 0) * polarity * certainty;
    return weight * unit(say) * (1 + Math.min(0, agreement));
  });
  const most = Math.max(0, ...says);
  const wordWeight = 1 - most * (1 - certainty);
  return normalised(
    EMOTIONS.map((name) =>
      sounds.reduce(
        (product, { emotions, doubt }, i) => product * (emotions[name] * (name === 'neutral' ? doubt : 1)) ** says[i]!,
        (words.emotions[name] / USUAL[name]) ** wordWeight * USUAL[name] ** (1 - most),
      ),
    ),
  );
}

/**
 * The classes after rounding. If the voice is not sure enough to decide, it gets the largest weight at which the words'
 * class still wins.
 */
function decided(words: SourceAffect, sounds: readonly SourceAffect[], polarity: number): EmotionMap {
  const classesAt = (weight: number): EmotionMap => roundedEmotions(classes(words, sounds, polarity, weight));
  const worded = largestOf(roundedEmotions(words.emotions));
  const all = classesAt(1);
  const heard = largestOf(all);
  if (heard === worded || all[heard] >= VOICE_DECIDES) return all;
  let [from, to] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (from + to) / 2;
    if (largestOf(classesAt(middle)) === worded) from = middle;
    else to = middle;
  }
  return classesAt(from);
}

/**
 * Combines several readings into one. Each dimension is their mean, weighted by share x confidence. The words get the
 * remaining weight, or none if the others' weights exceed 1.
 * @param readings including one from the words
 * @param polarity of the words, -1..1
 */
export function join(readings: readonly SourceAffect[], polarity = 0): JoinedAffect {
  const ground = readings.find(({ shares }) => shares === null)!;
  const sounds = readings.filter(({ shares }) => shares !== null);
  const mean = (measure: keyof Pad): number => {
    const weighed = sounds.map(({ shares, confidence, pad }) => ({
      weight: shares![measure] * unit(confidence),
      value: pad[measure],
    }));
    const claimed = weighed.reduce((sum, { weight }) => sum + weight, 0);
    const scale = claimed > 1 ? 1 / claimed : 1;
    const rest = Math.max(0, 1 - claimed);
    return weighed.reduce((sum, { weight, value }) => sum + scale * weight * value, rest * ground.pad[measure]);
  };
  const emotions = decided(ground, sounds, polarity);
  const pad = (measure: keyof Pad) => rounded(unit(mean(measure)));
  const dominant = largestOf(emotions);
  return {
    emotions,
    dominant,
    pad: { valence: pad('valence'), arousal: pad('arousal'), dominance: pad('dominance') },
    confidence: emotions[dominant],
    decidedBy: dominant === largestOf(roundedEmotions(ground.emotions)) ? 'words' : 'voice',
  };
}
