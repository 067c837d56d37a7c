import { EMOTIONS, type Emotion, type EmotionMap, type Pad } from '../../../src/contract/timeline.ts';
import { allRounded, rounded } from '../../../src/contract/wire-numbers.ts';
import type { AffectReading, Shares } from './reading.ts';

/** What all sources of affect come to. */
export interface JoinedAffect {
  emotions: EmotionMap;
  dominant: Emotion;
  pad: Pad;
  /** Probability that the dominant class is right, 0..1. */
  confidence: number;
}

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
 * Readings as a linear pool: each measure is their mean, weighed by share x confidence; the one without shares has what
 * they leave, nothing if that is more than all. The dominant class is the largest; a tie goes to neutral.
 * @param readings one of them without shares
 */
export function join(readings: readonly AffectReading[]): JoinedAffect {
  const ground = readings.find(({ shares }) => shares === null)!;
  const mean = (measure: keyof Shares, of: (reading: AffectReading) => number): number => {
    const weighed = readings.flatMap((reading) =>
      reading.shares === null
        ? []
        : [{ weight: reading.shares[measure] * unit(reading.confidence), value: of(reading) }],
    );
    const claimed = weighed.reduce((sum, { weight }) => sum + weight, 0);
    const scale = claimed > 1 ? 1 / claimed : 1;
    const rest = Math.max(0, 1 - claimed);
    return weighed.reduce((sum, { weight, value }) => sum + scale * weight * value, rest * of(ground));
  };
  const emotions = roundedShares(
    normalised(EMOTIONS.map((name) => mean('emotions', (reading) => reading.emotions[name]))),
    'neutral',
  );
  const pad = (measure: keyof Pad) => rounded(unit(mean(measure, (reading) => reading.pad[measure])));
  const dominant = EMOTIONS.reduce<Emotion>((best, name) => (emotions[name] > emotions[best] ? name : best), 'neutral');
  return {
    emotions,
    dominant,
    pad: { valence: pad('valence'), arousal: pad('arousal'), dominance: pad('dominance') },
    confidence: emotions[dominant],
  };
}
