import { SAMPLE_RATE_HZ } from '../audio/interval.ts';

/** Interval between pitch values, s. This track is used only for medians over clusters. */
export const PITCH_STEP_S = 0.02;
const DECIMATION = 4;
const RATE_HZ = SAMPLE_RATE_HZ / DECIMATION;
/** 45 ms contain three periods of a voice of 70 Hz. */
const WINDOW = Math.round(0.045 * RATE_HZ);
const MIN_LAG = Math.floor(RATE_HZ / 400);
const MAX_LAG = Math.ceil(RATE_HZ / 70);
const STEP = Math.round(PITCH_STEP_S * RATE_HZ);
/**
 * Normalised cross-correlation above which a frame counts as voiced. It is strict, because missing frames cost nothing
 * here.
 */
const VOICED = 0.7;
/** A shorter lag wins if its peak reaches this fraction of the highest, which avoids picking the octave below. */
const SHORTER_LAG = 0.9;
/**
 * Number of values, ten minutes, after which only every third is measured and stands for the next two: the medians of a
 * long recording need no more.
 */
const ALL_MEASURED = (10 * 60) / PITCH_STEP_S;
const MEASURED_EVERY = 3;
/** Mean square below which a frame counts as silence (about -66 dB full scale). */
const SILENCE = 2.5e-7;

/** Windowed-sinc low pass at 1 kHz. Telephone speech has two or three harmonics of every voice below that. */
const TAPS = Float64Array.from({ length: 33 }, (_, i) => {
  const x = i - 16;
  const cutoff = 1000 / SAMPLE_RATE_HZ;
  const sinc = x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x);
  return sinc * (0.54 + 0.46 * Math.cos((Math.PI * x) / 16));
});

/** The low-passed samples from `from` on, every fourth. Four sums at once do not wait for each other. */
function decimated(x: Float64Array, from: number, outputs: number): Float64Array {
  const out = new Float64Array(outputs);
  let i = 0;
  for (let at = from; i + 4 <= outputs; i += 4, at += 4 * DECIMATION) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let k = 0, x0 = at; k < TAPS.length; k++, x0++) {
      const tap = TAPS[k]!;
      a += tap * x[x0]!;
      b += tap * x[x0 + DECIMATION]!;
      c += tap * x[x0 + 2 * DECIMATION]!;
      d += tap * x[x0 + 3 * DECIMATION]!;
    }
    out[i] = a;
    out[i + 1] = b;
    out[i + 2] = c;
    out[i + 3] = d;
  }
  for (; i < outputs; i++) for (let k = 0; k < TAPS.length; k++) out[i]! += TAPS[k]! * x[from + i * DECIMATION + k]!;
  return out;
}

/**
 * A cheap streaming pitch track: normalised cross-correlation (Talkin 1995) at 4 kHz, with one value per 20 ms and no
 * path finding. It is accurate enough for a speaker's median but not for prosody. It takes about .4 ms of CPU time per
 * second of audio.
 */
export class CoarsePitch {
  readonly #emit: (hz: number) => void;
  /** The samples that later outputs of the low pass still need, oldest first. */
  #history = new Float64Array(TAPS.length - 1);
  /** Position in the history of the first sample that the next output needs. */
  #next = DECIMATION - 1;
  readonly #buffer = new Float64Array(WINDOW + MAX_LAG + STEP);
  #filled: number;
  #emitted = 0;
  #latest = 0;
  /** The normalised correlation at each lag, with room for a last group of four. */
  readonly #values = new Float64Array(MAX_LAG + 4);

  /** @param emit receives each value in Hz, or 0 when unvoiced. The first is centred on the first sample. */
  constructor(emit: (hz: number) => void) {
    this.#emit = emit;
    this.#filled = (WINDOW + MAX_LAG) >> 1;
  }

  push(samples: Float32Array): void {
    const x = new Float64Array(this.#history.length + samples.length);
    x.set(this.#history);
    x.set(samples, this.#history.length);
    const outputs = Math.max(0, Math.floor((x.length - TAPS.length - this.#next) / DECIMATION) + 1);
    const low = decimated(x, this.#next, outputs);
    for (let at = 0; at < outputs; ) {
      const end = Math.min(outputs, at + WINDOW + MAX_LAG - this.#filled);
      this.#buffer.set(low.subarray(at, end), this.#filled);
      this.#filled += end - at;
      at = end;
      if (this.#filled < WINDOW + MAX_LAG) break;
      if (this.#emitted < ALL_MEASURED || this.#emitted % MEASURED_EVERY === 0) this.#latest = this.#measure();
      this.#emitted++;
      this.#emit(this.#latest);
      this.#buffer.copyWithin(0, STEP, this.#filled);
      this.#filled -= STEP;
    }
    const from = this.#next + outputs * DECIMATION;
    const kept = Math.min(from, x.length);
    this.#history = x.slice(kept);
    this.#next = from - kept;
  }

  #measure(): number {
    const x = this.#buffer;
    let here = 0;
    for (let i = 0; i < WINDOW; i++) here += x[i]! * x[i]!;
    if (here < SILENCE * WINDOW) return 0;
    let there = 0;
    for (let i = MIN_LAG - 1; i < MIN_LAG - 1 + WINDOW; i++) there += x[i]! * x[i]!;
    const values = this.#values;
    this.#correlate();
    let best = 0;
    for (let lag = MIN_LAG - 1; lag <= MAX_LAG; lag++) {
      values[lag] = values[lag]! / Math.sqrt(here * there + 1e-20);
      if (values[lag]! > best && lag >= MIN_LAG) best = values[lag]!;
      there += x[lag + WINDOW]! ** 2 - x[lag]! ** 2;
    }
    if (best < VOICED) return 0;
    for (let lag = MIN_LAG; lag < MAX_LAG; lag++) {
      const b = values[lag]!;
      const a = values[lag - 1]!;
      const c = values[lag + 1]!;
      if (b < SHORTER_LAG * best || b < a || b < c) continue;
      const curve = a - 2 * b + c;
      return RATE_HZ / (lag + (curve < 0 ? (0.5 * (a - c)) / curve : 0));
    }
    return 0;
  }

  /**
   * The products of the window with itself at each lag. Four lags at once share a load, and their sums do not wait for
   * each other.
   */
  #correlate(): void {
    const x = this.#buffer;
    const values = this.#values;
    for (let lag = MIN_LAG - 1; lag <= MAX_LAG; lag += 4) {
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let i = 0, at = lag; i < WINDOW; i++, at++) {
        const value = x[i]!;
        a += value * x[at]!;
        b += value * x[at + 1]!;
        c += value * x[at + 2]!;
        d += value * x[at + 3]!;
      }
      values[lag] = a;
      values[lag + 1] = b;
      values[lag + 2] = c;
      values[lag + 3] = d;
    }
  }
}
