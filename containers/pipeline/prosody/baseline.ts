import type { Delivery } from './delivery.ts';
import { PITCH_CEILING_HZ, PITCH_FLOOR_HZ } from './pitch.ts';
import { clamp, deviation, mean, quantile } from './statistics.ts';

/** What is usual: the expected value of one measure and how far a single utterance strays from it. */
export interface Spread {
  mean: number;
  sd: number;
}

/**
 * The measures compared with the speaker's own: expected value over people, deviation of one person's utterances, deviation
 * between people (and their microphones). Units as in `Delivery`. Rounded from the LibriSpeech and LJ Speech clips of the
 * open evaluation data (CC BY, public domain) and, where those readers are one-sided, from the literature: pitch 115 and 205 Hz
 * for men and women, 3-5 syllables a second (De Jong & Wempe 2009).
 */
const POPULATION = {
  pitchSt: { mean: 30, within: 1.8, between: 5 },
  pitchP90St: { mean: 33, within: 2.5, between: 5 },
  pitchSdSt: { mean: 2.8, within: 0.9, between: 0.7 },
  intensityDb: { mean: -28, within: 3, between: 8 },
  intensitySdDb: { mean: 5.5, within: 1, between: 0.8 },
  speechRate: { mean: 3.6, within: 0.8, between: 0.5 },
  articulationRate: { mean: 4, within: 0.7, between: 0.45 },
  alphaRatioDb: { mean: 9, within: 3, between: 4 },
  slope500to1500: { mean: -0.015, within: 0.005, between: 0.006 },
  hammarbergDb: { mean: 18, within: 4, between: 5 },
  spectralCentroidHz: { mean: 1700, within: 300, between: 400 },
  spectralCentroidSdHz: { mean: 1000, within: 200, between: 250 },
  highEnergyRatio: { mean: 0.14, within: 0.06, between: 0.07 },
  hnrDb: { mean: 10, within: 2, between: 3 },
  pauseRatio: { mean: 0.08, within: 0.08, between: 0.05 },
} as const;

export type BaselineMeasure = keyof typeof POPULATION;

/** What is usual for one speaker in one recording; measured on up to some tens of seconds of speech spread over it. */
export type SpeakerBaseline = Record<BaselineMeasure, Spread> & {
  /** Number of stretches it was measured on; 0 = no baseline. */
  n: number;
  /** Deviation of the loudest sample over the stretches, dB: near 0 the recording levels itself and loudness says nothing. */
  peakSdDb: number;
  /** The speaker's own pitch floor and ceiling, Hz (De Looze & Hirst 2008). */
  floorHz: number;
  ceilingHz: number;
};

/** The deviation within a speaker counts as known from this many utterances (methods: k about 5). */
const PRIOR_UTTERANCES = 5;
/** De Looze & Hirst: floor .75 q25, ceiling 1.5 q75 of a first pass; Hirst (2011): 2.5 q75 where speech may be lively. */
const FLOOR_OF_Q25 = 0.75;
const CEILING_OF_Q75 = 2.5;
/** Bounds are rounded to this, Hz, so that few trackers serve all speakers. */
const BOUND_STEP_HZ = 5;
/** Less voice than this says nothing of a speaker's pitch. */
const LEAST_VOICE_S = 0.3;

const measured = (delivery: Delivery, measure: BaselineMeasure): number =>
  measure === 'pitchSt' ? delivery.pitchMeanSt : delivery[measure];

/**
 * Normal model with known variances (empirical Bayes): a person's mean is drawn around the population's with deviation
 * `between`, an utterance around the person's with deviation `within`. So the mean shrinks by k = within^2 / between^2
 * utterances - little where people differ much, as in pitch - and the expected deviation of a further utterance holds
 * what is still unknown of the mean.
 */
function spreadOf(measure: BaselineMeasure, values: number[]): Spread {
  const { mean: usual, within, between } = POPULATION[measure];
  const n = values.length;
  const k = (within / between) ** 2;
  const own = (n * mean(values) + k * usual) / (n + k);
  const variance = (n * deviation(values) ** 2 + PRIOR_UTTERANCES * within ** 2) / (n + PRIOR_UTTERANCES);
  return { mean: own, sd: Math.sqrt(variance * (1 + 1 / (n + k))) };
}

function bounds(deliveries: Delivery[]): { floorHz: number; ceilingHz: number } {
  if (deliveries.length === 0) return { floorHz: PITCH_FLOOR_HZ, ceilingHz: PITCH_CEILING_HZ };
  const low = quantile(
    deliveries.map((d) => d.pitchQ25Hz).sort((a, b) => a - b),
    0.5,
  );
  const high = quantile(
    deliveries.map((d) => d.pitchQ75Hz).sort((a, b) => a - b),
    0.5,
  );
  const round = (hz: number) => Math.round(hz / BOUND_STEP_HZ) * BOUND_STEP_HZ;
  return {
    floorHz: clamp(round(FLOOR_OF_Q25 * low), 60, 200),
    ceilingHz: clamp(round(CEILING_OF_Q75 * high), 250, 800),
  };
}

/**
 * What is usual for a speaker, from stretches of their speech measured with the default pitch bounds.
 * Stretches without voice are left out; an empty list gives `NO_BASELINE`.
 */
export function speakerBaseline(deliveries: Delivery[]): SpeakerBaseline {
  const heard = deliveries.filter((delivery) => delivery.voicedSeconds >= LEAST_VOICE_S);
  const spread = (measure: BaselineMeasure) =>
    spreadOf(
      measure,
      heard.map((delivery) => measured(delivery, measure)),
    );
  const measures = Object.keys(POPULATION) as BaselineMeasure[];
  return {
    ...(Object.fromEntries(measures.map((m) => [m, spread(m)])) as Record<BaselineMeasure, Spread>),
    n: heard.length,
    peakSdDb: deviation(heard.map(({ peakDb }) => peakDb)),
    ...bounds(heard),
  };
}

/** What is usual for anybody: used when nothing of the speaker was heard before. */
export const NO_BASELINE: SpeakerBaseline = speakerBaseline([]);

/** Farthest z-score told: beyond it a measure is a mistake or no more remarkable. */
const FARTHEST_Z = 5;

/** How far a measure of one utterance lies from what is usual for its speaker, in (shrunken) standard deviations, -5..5. */
export function zScore(delivery: Delivery, baseline: SpeakerBaseline, measure: BaselineMeasure): number {
  const { mean: usual, sd } = baseline[measure];
  return clamp((measured(delivery, measure) - usual) / sd, -FARTHEST_Z, FARTHEST_Z);
}
