import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { RealFourier } from '../dsp/fourier.ts';
import { CoarsePitch, PITCH_STEP_S } from './coarse-pitch.ts';
import { MelFilters } from './mel.ts';

/** Frames of 25 ms every 10 ms with a Hamming window and pre-emphasis .97, as is common in speaker recognition. */
export const FRAMES_PER_SECOND = 100;
const HOP = SAMPLE_RATE_HZ / FRAMES_PER_SECOND;
const WINDOW = 400;
const FFT_SIZE = 512;
const PRE_EMPHASIS = 0.97;
/** An energy below that of 16-bit rounding in a band. */
const ENERGY_FLOOR = 1e-8;
const BANDS = 40;
const LOW_HZ = 100;
const HIGH_HZ = 7400;
/** The band of a telephone (ITU-T G.712: 300 to 3400 Hz), including its slopes. */
const TELEPHONE_LOW_HZ = 150;
const TELEPHONE_HIGH_HZ = 3850;
/** The edge of the upper band, Hz. A telephone line transmits nothing above it. */
const WIDE_BAND_HZ = 4200;
/**
 * In a telephone recording, the energy above 4.2 kHz is at least this far below that of the telephone's band (design
 * bench: -35 dB).
 */
const TELEPHONE_DB = -35;
/** Every fifth frame is enough to detect a telephone. */
const BANDWIDTH_STRIDE = 5;
/** Cepstral coefficients that are kept: 1 to 19. Number 0 is the level, which does not identify a speaker. */
export const CEPSTRA = 19;
/** Log energies are stored as 16-bit integers of 1/1024 neper. A minute of speech takes up 480 kB. */
const STEP = 1024;
const BLOCK_FRAMES = 6000;

type FourRows = [Float64Array, Float64Array, Float64Array, Float64Array];

export type Bandwidth = 'wide' | 'telephone';

/**
 * The features that diarization needs, computed while a recording is decoded: the log mel energies of each frame and a
 * coarse pitch. Frame `t` is centred on (t + .5) / 100 s. An hour takes up 30 MB.
 */
export class SpeakerFeatures {
  readonly #filters = new MelFilters(BANDS, FFT_SIZE, SAMPLE_RATE_HZ, LOW_HZ, HIGH_HZ);
  readonly #fourier = new RealFourier(FFT_SIZE);
  readonly #hamming = Float64Array.from(
    { length: WINDOW },
    (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (WINDOW - 1)),
  );
  readonly #frame = new Float64Array(FFT_SIZE);
  readonly #power = new Float64Array(FFT_SIZE / 2 + 1);
  readonly #log = new Float64Array(BANDS);
  readonly #pending = new Float64Array(WINDOW);
  #filled = (WINDOW - HOP) / 2;
  #last = 0;
  readonly #blocks: Int16Array[] = [];
  #frames = 0;
  #pitch = new Uint16Array(BLOCK_FRAMES);
  #pitchValues = 0;
  readonly #coarsePitch = new CoarsePitch((hz) => this.#keepPitch(hz));

  /** Number of frames measured so far. */
  get frames(): number {
    return this.#frames;
  }

  /** Adds the next samples of the recording: 16 kHz mono, full scale = 1, in blocks of any length. */
  push(samples: Float32Array): void {
    this.#coarsePitch.push(samples);
    const pending = this.#pending;
    for (let i = 0; i < samples.length; ) {
      const end = Math.min(samples.length, i + WINDOW - this.#filled);
      let filled = this.#filled;
      let last = this.#last;
      for (; i < end; i++) {
        const sample = samples[i]!;
        pending[filled++] = sample - PRE_EMPHASIS * last;
        last = sample;
      }
      this.#filled = filled;
      this.#last = last;
      if (filled === WINDOW) this.#measure();
    }
  }

  /** Pitch of a frame in Hz, 0 where unvoiced or not measured. */
  pitchAt(frame: number): number {
    const at = Math.round(frame / (PITCH_STEP_S * FRAMES_PER_SECOND));
    return at < this.#pitchValues ? this.#pitch[at]! / 16 : 0;
  }

  /** Mean log energy of a frame's bands, neper. */
  levelAt(frame: number): number {
    const { block, offset } = this.#locate(frame);
    let sum = 0;
    for (let band = 0; band < BANDS; band++) sum += block[offset + band]!;
    return sum / (BANDS * STEP);
  }

  /** Whether the given speech frames came over a telephone. */
  bandwidth(frames: Int32Array): Bandwidth {
    let inside = 0;
    let above = 0;
    for (let i = 0; i < frames.length; i += BANDWIDTH_STRIDE) {
      const { block, offset } = this.#locate(frames[i]!);
      for (let band = 0; band < BANDS; band++) {
        const energy = Math.exp(block[offset + band]! / STEP);
        const { low, high } = this.#filters.edges[band]!;
        if (low >= WIDE_BAND_HZ) above += energy;
        else if (low >= TELEPHONE_LOW_HZ && high <= TELEPHONE_HIGH_HZ) inside += energy;
      }
    }
    return 10 * Math.log10((above + 1e-12) / (inside + 1e-12)) < TELEPHONE_DB ? 'telephone' : 'wide';
  }

  /**
   * Cepstral coefficients 1 to 19 of the given frames, row by row. For telephone bandwidth they are computed from its
   * bands alone.
   */
  cepstra(frames: Int32Array, bandwidth: Bandwidth): Float32Array {
    return this.#transformed(frames.length, bandwidth, (row, bands, log) => {
      const { block, offset } = this.#locate(frames[row]!);
      for (let k = 0; k < bands.length; k++) log[k] = block[offset + bands[k]!]! / STEP;
    });
  }

  /** Cepstral coefficients of pairs of frames that sound together, with their energies added. */
  cepstraOfSums(a: Int32Array, b: Int32Array, bandwidth: Bandwidth): Float32Array {
    return this.#transformed(a.length, bandwidth, (row, bands, log) => {
      const [one, other] = [this.#locate(a[row]!), this.#locate(b[row]!)];
      for (let k = 0; k < bands.length; k++) {
        const x = one.block[one.offset + bands[k]!]! / STEP;
        const y = other.block[other.offset + bands[k]!]! / STEP;
        log[k] = Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y)));
      }
    });
  }

  /** @param read writes the log energies of a row's bands into `log` */
  #transformed(
    rows: number,
    bandwidth: Bandwidth,
    read: (row: number, bands: number[], log: Float64Array) => void,
  ): Float32Array {
    const kept = this.#filters.edges.flatMap(({ low, high }, band) =>
      bandwidth === 'wide' || (low >= TELEPHONE_LOW_HZ && high <= TELEPHONE_HIGH_HZ) ? [band] : [],
    );
    const n = kept.length;
    const cosines = Float64Array.from(
      { length: CEPSTRA * n },
      (_, i) => Math.sqrt(2 / n) * Math.cos((Math.PI * (1 + Math.floor(i / n)) * ((i % n) + 0.5)) / n),
    );
    const out = new Float32Array((rows + 3) * CEPSTRA);
    const [log0, log1, log2, log3] = [0, 1, 2, 3].map(() => new Float64Array(n)) as FourRows;
    // Four rows at once share a load, and their sums do not wait for each other.
    for (let row = 0; row < rows; row += 4) {
      for (const [i, log] of [log0, log1, log2, log3].entries()) if (row + i < rows) read(row + i, kept, log);
      for (let c = 0, at = 0, to = row * CEPSTRA; c < CEPSTRA; c++, to++) {
        let [a, b, d, e] = [0, 0, 0, 0];
        for (let k = 0; k < n; k++, at++) {
          const cosine = cosines[at]!;
          a += cosine * log0[k]!;
          b += cosine * log1[k]!;
          d += cosine * log2[k]!;
          e += cosine * log3[k]!;
        }
        out[to] = a;
        out[to + CEPSTRA] = b;
        out[to + 2 * CEPSTRA] = d;
        out[to + 3 * CEPSTRA] = e;
      }
    }
    return out.subarray(0, rows * CEPSTRA);
  }

  #locate(frame: number): { block: Int16Array; offset: number } {
    return { block: this.#blocks[Math.floor(frame / BLOCK_FRAMES)]!, offset: (frame % BLOCK_FRAMES) * BANDS };
  }

  #measure(): void {
    const frame = this.#frame;
    const pending = this.#pending;
    const hamming = this.#hamming;
    const log = this.#log;
    for (let i = 0; i < WINDOW; i++) frame[i] = pending[i]! * hamming[i]!;
    this.#fourier.power(frame, this.#power);
    this.#filters.logEnergies(this.#power, ENERGY_FLOOR, log);
    if (this.#frames % BLOCK_FRAMES === 0) this.#blocks.push(new Int16Array(BLOCK_FRAMES * BANDS));
    const { block, offset } = this.#locate(this.#frames);
    for (let band = 0; band < BANDS; band++) block[offset + band] = Math.round(log[band]! * STEP);
    this.#frames++;
    pending.copyWithin(0, HOP);
    this.#filled = WINDOW - HOP;
  }

  #keepPitch(hz: number): void {
    if (this.#pitchValues === this.#pitch.length) {
      const longer = new Uint16Array(this.#pitch.length * 2);
      longer.set(this.#pitch);
      this.#pitch = longer;
    }
    this.#pitch[this.#pitchValues++] = Math.round(hz * 16);
  }
}
