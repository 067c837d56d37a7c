import type { Delivery } from './delivery.ts';
import { PITCH_CEILING_HZ, PITCH_FLOOR_HZ } from './pitch.ts';
import { clamp, deviation, mean, quantile } from './statistics.ts';

/** The typical range of one measure: its expected value, and how far a single utterance deviates from it. */
export interface Spread {
  mean: number;
  sd: number;
}

/**
 * The measures that are compared with the speaker's own, each with its mean over people, the deviation within one
 * person's utterances, and the deviation between people and their microphones. Units are those of `Delivery`. Mean and
 * `between` are rounded from 13 readers of free recordings (LibriSpeech, LJ Speech, LibriVox; pitch agrees with 115 and
 * 205 Hz for men and women). `within` is 1.8 times that of those readers, because conversation is livelier than
 * reading.
 */
const POPULATION = {
  pitchSt: { mean: 30, within: 2.4, between: 5 },
  pitchP90St: { mean: 33.5, within: 3.1, between: 5.5 },
  pitchSdSt: { mean: 3.2, within: 1.2, between: 1 },
  intensityDb: { mean: -25, within: 2.8, between: 7 },
  intensitySdDb: { mean: 6.3, within: 1.1, between: 0.7 },
  speechRate: { mean: 3.1, within: 0.8, between: 0.65 },
  articulationRate: { mean: 3.4, within: 0.8, between: 0.55 },
  alphaRatioDb: { mean: 9, within: 3.2, between: 5 },
  slope500to1500: { mean: -0.016, within: 0.0057, between: 0.007 },
  hammarbergDb: { mean: 19, within: 4.8, between: 6 },
  spectralCentroidHz: { mean: 1800, within: 450, between: 500 },
  spectralCentroidSdHz: { mean: 1150, within: 300, between: 250 },
  highEnergyRatio: { mean: 0.15, within: 0.1, between: 0.1 },
  hnrDb: { mean: 10.5, within: 2.2, between: 2.6 },
  pauseRatio: { mean: 0.09, within: 0.1, between: 0.07 },
} as const;

export type BaselineMeasure = keyof typeof POPULATION;

/**
 * The typical delivery of one speaker in one recording, measured on up to some tens of seconds of speech spread over
 * the recording.
 */
export type SpeakerBaseline = Record<BaselineMeasure, Spread> & {
  /** Number of excerpts that it was measured on. 0 means no baseline. */
  n: number;
  /**
   * Standard deviation of the peak level over the excerpts, dB. Near 0, the recording has automatic gain control, and
   * loudness carries no information.
   */
  peakSdDb: number;
  /** The speaker's own pitch floor and ceiling, Hz (De Looze & Hirst 2008). */
  floorHz: number;
  ceilingHz: number;
};

/** Number of utterances from which the deviation within a speaker counts as known (methods: k about 5). */
const PRIOR_UTTERANCES = 5;
/**
 * De Looze & Hirst (2008): the floor is .75 q25 and the ceiling 1.5 q75 of a first pass. They are taken from the
 * excerpts with the lowest and with the highest voice, so that a lively baseline does not cut off a calm utterance, or
 * a calm one a lively utterance.
 */
const FLOOR_OF_Q25 = 0.75;
const CEILING_OF_Q75 = 1.5;
/** Bounds are rounded to this step, Hz, so that a few trackers serve all speakers. */
const BOUND_STEP_HZ = 5;
/**
 * Limits on the bounds, Hz. Deep voices reach 60 and excited ones 700. A ceiling below 300 would miss every surprised
 * utterance.
 */
const LOWEST_FLOOR_HZ = 60;
const HIGHEST_FLOOR_HZ = 150;
const LOWEST_CEILING_HZ = 300;
const HIGHEST_CEILING_HZ = 700;
/** Minimum voice for measuring a speaker's pitch, s. */
const LEAST_VOICE_S = 0.3;

const measured = (delivery: Delivery, measure: BaselineMeasure): number =>
  measure === 'pitchSt' ? delivery.pitchMeanSt : delivery[measure];

/**
 * Normal model with known variances (empirical Bayes). A person's mean is drawn around the population's with deviation
 * `between`, and an utterance around the person's mean with deviation `within`. The mean therefore shrinks by k =
 * within^2 / between^2 utterances (little where people differ much, as in pitch), and the expected deviation of a
 * further utterance includes the uncertainty of the mean.
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
  const low = Math.min(...deliveries.map((d) => d.pitchQ25Hz));
  const highs = deliveries.map((d) => d.pitchQ75Hz).sort((a, b) => a - b);
  // Octave errors in the telephone band are too high, so the median excerpt is safer there than the highest.
  const high = deliveries.some((d) => d.narrowband) ? quantile(highs, 0.5) : highs.at(-1)!;
  const round = (hz: number) => Math.round(hz / BOUND_STEP_HZ) * BOUND_STEP_HZ;
  return {
    floorHz: clamp(round(FLOOR_OF_Q25 * low), LOWEST_FLOOR_HZ, HIGHEST_FLOOR_HZ),
    ceilingHz: clamp(round(CEILING_OF_Q75 * high), LOWEST_CEILING_HZ, HIGHEST_CEILING_HZ),
  };
}

/**
 * The typical delivery of a speaker, from excerpts of their speech measured with the default pitch bounds. Samples
 * without voice are left out. An empty list results in `NO_BASELINE`.
 */
export function speakerBaseline(deliveries: Delivery[]): SpeakerBaseline {
  const voiced = deliveries.filter((delivery) => delivery.voicedSeconds >= LEAST_VOICE_S);
  const spread = (measure: BaselineMeasure) =>
    spreadOf(
      measure,
      voiced.map((delivery) => measured(delivery, measure)),
    );
  const measures = Object.keys(POPULATION) as BaselineMeasure[];
  return {
    ...(Object.fromEntries(measures.map((m) => [m, spread(m)])) as Record<BaselineMeasure, Spread>),
    n: voiced.length,
    peakSdDb: deviation(voiced.map(({ peakDb }) => peakDb)),
    ...bounds(voiced),
  };
}

/** The typical delivery of any speaker, used for a speaker without earlier speech. */
export const NO_BASELINE: SpeakerBaseline = speakerBaseline([]);

/**
 * How far a measure of one utterance is from the speaker's typical value, in the population's standard deviations, not
 * this speaker's. An agitated speaker varies widely throughout, and this must not make strong deviations look typical.
 */
export function strayed(delivery: Delivery, baseline: SpeakerBaseline, measure: BaselineMeasure): number {
  const { within, between } = POPULATION[measure];
  // A single excerpt is probably this very utterance, which would be compared with itself.
  const usual = baseline.n < 2 ? NO_BASELINE : baseline;
  const known = usual.n + (within / between) ** 2;
  return (measured(delivery, measure) - usual[measure].mean) / (within * Math.sqrt(1 + 1 / known));
}

/** Largest z-score that is reported. A larger one is a measuring error or no more remarkable. */
const FARTHEST_Z = 5;
/**
 * Syllables are counted in whole numbers, with this standard error. In an utterance of d seconds, the error of the rate
 * is this / d.
 */
const SYLLABLE_ERROR = 0.7;

/**
 * How far a measure of one utterance is from its speaker's typical value, in (shrunken) standard deviations, -5 to 5.
 */
export function zScore(delivery: Delivery, baseline: SpeakerBaseline, measure: BaselineMeasure): number {
  const { mean: usual, sd } = baseline[measure];
  const counted = measure === 'speechRate' || measure === 'articulationRate';
  const error = counted && delivery.duration > 0 ? SYLLABLE_ERROR / delivery.duration : 0;
  return clamp((measured(delivery, measure) - usual) / Math.hypot(sd, error), -FARTHEST_Z, FARTHEST_Z);
}
