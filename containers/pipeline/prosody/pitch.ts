import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { RealFourier } from '../dsp/fourier.ts';
import { PitchCandidates } from './pitch-path.ts';
import { SincPeak } from './sinc.ts';

/** Pitch by frame. Frame i is at `startS + i * stepS` seconds. */
export interface PitchTrack {
  startS: number;
  stepS: number;
  /** In Hz, 0 = voiceless. */
  frequencyHz: Float64Array;
  /** Normalised autocorrelation at the pitch, 0..1; 0 = voiceless. */
  strength: Float64Array;
}

/** The defaults of Praat's `To Pitch (ac)` (Boersma 1993). */
export const PITCH_FLOOR_HZ = 75;
export const PITCH_CEILING_HZ = 600;
export const PITCH_STEP_S = 0.01;
const PERIODS_PER_WINDOW = 3;
const SILENCE_THRESHOLD = 0.03;
const VOICING_THRESHOLD = 0.45;
/** Depth of the sinc interpolation of Praat's second pass. */
const SINC_DEPTH = 70;
/**
 * Frames weaker than this fraction of the loudest sample are voiceless on every path, because their voiceless strength
 * exceeds the largest voiced one (1) by more than two changes of voicing (.28). They are not analysed.
 */
const CERTAIN_SILENCE = ((2 + VOICING_THRESHOLD - 1.29) * SILENCE_THRESHOLD) / (1 + VOICING_THRESHOLD);

/**
 * A telephone cuts off the fundamental, and if one even harmonic then dominates, the octave above looks equally
 * periodic. Each candidate of a narrow-band frame is therefore weakened by how far it falls short of the best one in a
 * flattened spectrum (generalised autocorrelation, power 1/4 of the power spectrum; Tolonen & Karjalainen 2000). This
 * halves the octave errors (bench/prosody.ts).
 */
const FLATTENING = 0.25;
/** The band that every telephone transmits, Hz. */
const TELEPHONE_LOW_HZ = 200;
const TELEPHONE_HIGH_HZ = 3600;

/**
 * Receives the power spectrum of one pitch frame (bins 0..size/2 of a Hanning window of three longest periods), and
 * must not keep a reference to it.
 */
export type SpectrumObserver = (frame: number, power: Float64Array, binHz: number) => void;

/**
 * Pitch by the autocorrelation method of Boersma (1993, "Accurate short-term analysis of the fundamental frequency and
 * the harmonics-to-noise ratio of a sampled sound"), as Praat computes it. Each instance has the buffers for one floor
 * and ceiling. It is not reentrant.
 */
export class PitchTracker {
  readonly #ceilingHz: number;
  readonly #windowS: number;
  readonly #length: number;
  readonly #longestPeriod: number;
  readonly #window: Float64Array;
  readonly #fourier: RealFourier;
  readonly #frame: Float64Array;
  readonly #power: Float64Array;
  readonly #correlation: Float64Array;
  /** 1 / normalised autocorrelation of the window, by lag. */
  readonly #unwindow: Float64Array;
  /** r(lag), including negative lags. Lag 0 is at `#lags`. */
  readonly #r: Float64Array;
  readonly #lags: number;
  readonly #maximumLag: number;
  readonly #peak: SincPeak;
  /** Positions and strengths of one frame's candidates, and the periodicity of the flattened frame at each of them. */
  readonly #positions: Float64Array;
  readonly #strengths: Float64Array;
  readonly #flat: Float64Array;
  readonly #candidates = new PitchCandidates();

  constructor(floorHz = PITCH_FLOOR_HZ, ceilingHz = PITCH_CEILING_HZ) {
    this.#ceilingHz = Math.min(ceilingHz, SAMPLE_RATE_HZ / 2);
    this.#windowS = PERIODS_PER_WINDOW / floorHz;
    this.#longestPeriod = Math.floor(SAMPLE_RATE_HZ / floorHz);
    const half = Math.floor(Math.floor(this.#windowS * SAMPLE_RATE_HZ) / 2) - 1;
    const length = 2 * half;
    this.#length = length;
    let size = 16;
    while (size < length * 1.5) size *= 2;
    this.#fourier = new RealFourier(size);
    this.#frame = new Float64Array(size);
    this.#power = new Float64Array(size / 2 + 1);
    this.#correlation = new Float64Array(size / 2);
    this.#window = Float64Array.from(
      { length },
      (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 1)) / (length + 1)),
    );
    this.#frame.set(this.#window);
    this.#fourier.power(this.#frame, this.#power);
    this.#fourier.correlation(this.#power, this.#correlation);
    this.#lags = Math.floor(length / 2);
    this.#unwindow = this.#correlation.slice(0, this.#lags + 1).map((value) => this.#correlation[0]! / value);
    this.#r = new Float64Array(2 * this.#lags + 1);
    this.#maximumLag = Math.min(Math.floor(length / PERIODS_PER_WINDOW) + 2, this.#lags - 4);
    this.#positions = new Float64Array(this.#maximumLag);
    this.#strengths = new Float64Array(this.#maximumLag);
    this.#flat = new Float64Array(this.#maximumLag);
    this.#peak = new SincPeak(Math.max(2, Math.min(SINC_DEPTH, this.#lags - this.#maximumLag - 2)));
  }

  /**
   * @param samples 16 kHz.
   * @param onSpectrum called for every frame that is not silent.
   * @param narrowband whether the samples came over a telephone, so that the fundamental may be missing.
   */
  track(samples: Float32Array, onSpectrum?: SpectrumObserver, narrowband = false): PitchTrack {
    const duration = samples.length / SAMPLE_RATE_HZ;
    const frames = Math.max(0, Math.floor((duration - this.#windowS) / PITCH_STEP_S + 1e-9) + 1);
    const startS = 0.5 * duration - 0.5 * (frames - 1) * PITCH_STEP_S;
    const track: PitchTrack = {
      startS,
      stepS: PITCH_STEP_S,
      frequencyHz: new Float64Array(frames),
      strength: new Float64Array(frames),
    };
    const loudest = peakAroundMean(samples);
    if (frames === 0 || loudest === 0) return track;
    const candidates = this.#candidates;
    candidates.reset(frames);
    const binHz = SAMPLE_RATE_HZ / this.#fourier.size;
    for (let i = 0; i < frames; i++) {
      const left = Math.floor((startS + i * PITCH_STEP_S) * SAMPLE_RATE_HZ - 0.5);
      const loudness = Math.min(1, this.#cut(samples, left) / loudest);
      candidates.unvoicedStrength[i] =
        VOICING_THRESHOLD + Math.max(0, 2 - (loudness * (1 + VOICING_THRESHOLD)) / SILENCE_THRESHOLD);
      if (loudness < CERTAIN_SILENCE) continue;
      this.#fourier.power(this.#frame, this.#power);
      onSpectrum?.(i, this.#power, binHz);
      this.#correlate();
      this.#findCandidates(i, narrowband);
    }
    candidates.path(frames, this.#ceilingHz, PITCH_STEP_S, track.frequencyHz, track.strength);
    return track;
  }

  /** Copies a window around `left` + 1/2 into the frame, without its local mean. @returns the local peak. */
  #cut(samples: Float32Array, left: number): number {
    const period = this.#longestPeriod;
    const frame = this.#frame;
    const window = this.#window;
    const length = this.#length;
    let mean = 0;
    const meanFrom = Math.max(0, left + 1 - period);
    const meanTo = Math.min(samples.length - 1, left + period);
    for (let i = meanFrom; i <= meanTo; i++) mean += samples[i]!;
    mean /= 2 * period;
    const half = length / 2;
    const from = left + 1 - half;
    for (let j = 0; j < length; j++) {
      const at = from + j;
      frame[j] = at >= 0 && at < samples.length ? (samples[at]! - mean) * window[j]! : 0;
    }
    const halfPeriod = Math.floor(period / 2) + 1;
    let peak = 0;
    const peakTo = Math.min(length, half + halfPeriod);
    for (let j = Math.max(0, half - halfPeriod); j < peakTo; j++) {
      const value = Math.abs(frame[j]!);
      if (value > peak) peak = value;
    }
    return peak;
  }

  /** r(lag): the frame's normalised autocorrelation, divided by that of the window. */
  #correlate(): void {
    const correlation = this.#correlation;
    this.#fourier.correlation(this.#power, correlation);
    const r = this.#r;
    const zero = this.#lags;
    const scale = correlation[0]! > 0 ? 1 / correlation[0]! : 0;
    r[zero] = 1;
    for (let lag = 1; lag <= zero; lag++) {
      const value = correlation[lag]! * scale * this.#unwindow[lag]!;
      r[zero + lag] = value;
      r[zero - lag] = value;
    }
  }

  #findCandidates(frame: number, narrowband: boolean): void {
    const r = this.#r;
    const zero = this.#lags;
    const peak = this.#peak;
    const positions = this.#positions;
    const strengths = this.#strengths;
    let found = 0;
    for (let lag = 2; lag < this.#maximumLag; lag++) {
      const here = r[zero + lag]!;
      const before = r[zero + lag - 1]!;
      const after = r[zero + lag + 1]!;
      if (here <= 0.5 * VOICING_THRESHOLD || here <= before || here < after) continue;
      const shift = (0.5 * (after - before)) / (2 * here - before - after);
      const value = peak.find(r, zero + lag + shift);
      positions[found] = peak.position - zero;
      // Values above 1, which result from short windows, are reflected at 1.
      strengths[found++] = value > 1 ? 1 / value : value;
    }
    if (narrowband) this.#preferFullSeries(found);
    for (let i = 0; i < found; i++)
      this.#candidates.add(frame, Math.log2(SAMPLE_RATE_HZ / positions[i]!), strengths[i]!);
  }

  /** Weakens candidates whose period does not recur in the flattened spectrum of the frame. */
  #preferFullSeries(found: number): void {
    const power = this.#power;
    const correlation = this.#correlation;
    const binHz = SAMPLE_RATE_HZ / this.#fourier.size;
    for (let bin = 0; bin < power.length; bin++) {
      const isTransmitted = bin * binHz > TELEPHONE_LOW_HZ && bin * binHz < TELEPHONE_HIGH_HZ;
      power[bin] = isTransmitted ? power[bin]! ** FLATTENING : 0;
    }
    this.#fourier.correlation(power, correlation);
    const periodicity = (lag: number) => correlation[lag]! * this.#unwindow[lag]!;
    let best = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < found; i++) {
      const lag = Math.round(this.#positions[i]!);
      this.#flat[i] = Math.max(periodicity(lag - 1), periodicity(lag), periodicity(lag + 1)) / correlation[0]!;
      best = Math.max(best, this.#flat[i]!);
    }
    for (let i = 0; i < found; i++) this.#strengths[i]! -= best - this.#flat[i]!;
  }
}

function peakAroundMean(samples: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < samples.length; i++) sum += samples[i]!;
  const mean = samples.length > 0 ? sum / samples.length : 0;
  let peak = 0;
  for (let i = 0; i < samples.length; i++) {
    const value = Math.abs(samples[i]! - mean);
    if (value > peak) peak = value;
  }
  return peak;
}
