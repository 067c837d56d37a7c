import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { PitchTrack } from './pitch.ts';

/** Neighbouring periods whose ratio is larger do not belong to one voice (Praat: maximum period factor 1.3). */
const MAX_PERIOD_FACTOR = 1.3;
/** Praat: maximum amplitude factor 1.6. */
const MAX_AMPLITUDE_FACTOR = 1.6;
/** Waveform correlation below which the search for the next pulse fails. */
const LEAST_CORRELATION = 0.3;
/** The next pulse is between .8 and 1.25 periods away (Praat, Sound & Pitch: To PointProcess (cc)). */
const NEAREST = 0.8;
const FARTHEST = 1.25;
/** Most pulses of a voiced span. More add no information, and the limit bounds the cost of long utterances. */
const MOST_PULSES = 400;

/** Cycle-to-cycle variation of the voice. */
export interface Perturbation {
  /** Mean absolute difference of consecutive periods, divided by the mean period. */
  jitter: number;
  /** Mean absolute difference of consecutive amplitudes, divided by the mean amplitude. */
  shimmer: number;
  /** Number of pairs of consecutive periods that it is based on. */
  periods: number;
}

interface Sums {
  pairs: number;
  periodDifference: number;
  periods: number;
  periodSum: number;
  amplitudePairs: number;
  amplitudeDifference: number;
  amplitudes: number;
  amplitudeSum: number;
}

/**
 * Local jitter and shimmer over pulses that are found by waveform matching. The search starts from the strongest
 * extremum of a voiced span, and places each next pulse where the waveform of one period correlates best with the last
 * (Boersma 2009, "Should jitter be measured by peak picking or by waveform matching?").
 */
export function perturbation(samples: Float32Array, pitch: PitchTrack): Perturbation {
  const sums: Sums = {
    pairs: 0,
    periodDifference: 0,
    periods: 0,
    periodSum: 0,
    amplitudePairs: 0,
    amplitudeDifference: 0,
    amplitudes: 0,
    amplitudeSum: 0,
  };
  const { frequencyHz, startS, stepS } = pitch;
  let pulses = 0;
  for (let first = 0; first < frequencyHz.length && pulses < MOST_PULSES; first++) {
    if (frequencyHz[first] === 0) continue;
    let last = first;
    while (last + 1 < frequencyHz.length && frequencyHz[last + 1]! > 0) last++;
    const from = Math.max(0, (startS + (first - 0.5) * stepS) * SAMPLE_RATE_HZ);
    const to = Math.min(samples.length - 1, (startS + (last + 0.5) * stepS) * SAMPLE_RATE_HZ);
    const times = pulseTimes(samples, pitch, from, to);
    pulses += times.length;
    addPeriods(samples, times, sums);
    first = last;
  }
  const meanPeriod = sums.periodSum / sums.periods;
  const meanAmplitude = sums.amplitudeSum / sums.amplitudes;
  return {
    jitter: sums.pairs > 0 ? sums.periodDifference / sums.pairs / meanPeriod : 0,
    shimmer: sums.amplitudePairs > 0 ? sums.amplitudeDifference / sums.amplitudePairs / meanAmplitude : 0,
    periods: sums.pairs,
  };
}

function addPeriods(samples: Float32Array, times: number[], sums: Sums): void {
  let earlier = 0;
  let earlierAmplitude = 0;
  for (let i = 1; i < times.length; i++) {
    const period = times[i]! - times[i - 1]!;
    const next = i + 1 < times.length ? times[i + 1]! - times[i]! : period;
    const amplitude = pulseAmplitude(samples, times[i]!, 0.2 * period, 0.2 * next);
    sums.periods++;
    sums.periodSum += period;
    sums.amplitudes++;
    sums.amplitudeSum += amplitude;
    if (earlier > 0 && Math.max(period / earlier, earlier / period) <= MAX_PERIOD_FACTOR) {
      sums.pairs++;
      sums.periodDifference += Math.abs(period - earlier);
      if (Math.max(amplitude / earlierAmplitude, earlierAmplitude / amplitude) <= MAX_AMPLITUDE_FACTOR) {
        sums.amplitudePairs++;
        sums.amplitudeDifference += Math.abs(amplitude - earlierAmplitude);
      }
    }
    earlier = period;
    earlierAmplitude = amplitude;
  }
}

/** Root mean square around a pulse under a Hanning window, which is how Praat weights the amplitude of a period. */
function pulseAmplitude(samples: Float32Array, at: number, before: number, after: number): number {
  const from = Math.max(0, Math.ceil(at - before));
  const to = Math.min(samples.length - 1, Math.floor(at + after));
  const middle = at + 0.5 * (after - before);
  const half = 0.5 * (before + after);
  let sum = 0;
  let weight = 0;
  for (let i = from; i <= to; i++) {
    const w = 0.5 + 0.5 * Math.cos((Math.PI * (i - middle)) / half);
    sum += w * samples[i]! * samples[i]!;
    weight += w;
  }
  return weight > 0 ? Math.sqrt(sum / weight) : 0;
}

/** Times of the pulses between two positions of one voiced span, in ascending order, in samples. */
function pulseTimes(samples: Float32Array, pitch: PitchTrack, from: number, to: number): number[] {
  const middle = Math.round((from + to) / 2);
  const reach = Math.round(periodAt(pitch, middle) / 2);
  let start = middle;
  for (let i = Math.max(0, middle - reach); i <= Math.min(samples.length - 1, middle + reach); i++)
    if (Math.abs(samples[i]!) > Math.abs(samples[start]!)) start = i;
  const backwards = walk(samples, pitch, start, -1, from, to);
  return [...backwards.reverse(), start, ...walk(samples, pitch, start, 1, from, to)];
}

function walk(
  samples: Float32Array,
  pitch: PitchTrack,
  start: number,
  direction: 1 | -1,
  from: number,
  to: number,
): number[] {
  const times: number[] = [];
  let at = start;
  while (times.length < MOST_PULSES) {
    const next = nextPulse(samples, at, periodAt(pitch, at), direction);
    if (Number.isNaN(next) || next < from || next > to) break;
    times.push(next);
    at = next;
  }
  return times;
}

function periodAt({ frequencyHz, startS, stepS }: PitchTrack, sample: number): number {
  const exact = (sample / SAMPLE_RATE_HZ - startS) / stepS;
  const below = Math.min(frequencyHz.length - 1, Math.max(0, Math.floor(exact)));
  const above = Math.min(frequencyHz.length - 1, below + 1);
  const left = frequencyHz[below]! || frequencyHz[above]!;
  const right = frequencyHz[above]! || left;
  const part = Math.min(1, Math.max(0, exact - below));
  return SAMPLE_RATE_HZ / (left + part * (right - left));
}

/** Lag of the best match of the period around `at`, refined by a parabola. NaN when nothing matches. */
function nextPulse(samples: Float32Array, at: number, period: number, direction: 1 | -1): number {
  const half = Math.round(period / 2);
  const centre = Math.round(at);
  const nearest = Math.round(NEAREST * period);
  const farthest = Math.round(FARTHEST * period);
  const reach = direction * farthest;
  if (centre - half + Math.min(0, reach) < 0 || centre + half + Math.max(0, reach) >= samples.length) return Number.NaN;
  let best = -1;
  let bestLag = 0;
  let before = 0;
  let after = 0;
  let previous = 0;
  for (let lag = nearest - 1; lag <= farthest + 1; lag++) {
    const value = correlation(samples, centre - half, direction * lag, 2 * half + 1);
    if (lag - 1 === bestLag) after = value;
    if (value > best && lag >= nearest && lag <= farthest) {
      best = value;
      bestLag = lag;
      before = previous;
    }
    previous = value;
  }
  if (best < LEAST_CORRELATION) return Number.NaN;
  const bend = 2 * best - before - after;
  const shift = bend > 0 ? Math.min(0.5, Math.max(-0.5, (0.5 * (after - before)) / bend)) : 0;
  return at + direction * (bestLag + shift);
}

function correlation(samples: Float32Array, from: number, lag: number, length: number): number {
  let product = 0;
  let here = 0;
  let there = 0;
  for (let i = from; i < from + length; i++) {
    const a = samples[i]!;
    const b = samples[i + lag] ?? 0;
    product += a * b;
    here += a * a;
    there += b * b;
  }
  const norm = Math.sqrt(here * there);
  return norm > 0 ? product / norm : 0;
}
