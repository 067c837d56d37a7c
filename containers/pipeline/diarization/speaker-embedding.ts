import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { RealFourier } from '../dsp/fourier.ts';
import { type InferenceSession, loadRuntime, type Runtime } from '../models/runtime.ts';
import type { SpeakerModel } from '../settings.ts';
import { MelFilters } from './mel.ts';

/**
 * Kaldi's filterbank as WeSpeaker and 3D-Speaker use it: 80 bands from 20 Hz to half the sample rate, 25 ms frames
 * every 10 ms.
 */
export const FBANK_BANDS = 80;
const LOW_HZ = 20;
const WINDOW = 400;
const HOP = 160;
const FFT_SIZE = 512;
const PRE_EMPHASIS = 0.97;
const ENERGY_FLOOR = 1.1920929e-7;
/** Both models were trained on samples in the range of 16-bit integers. */
const SAMPLE_SCALE = 32_768;

/**
 * Log mel energies of a span, with the mean of each band over the span set to 0.
 * @param samples 16 kHz mono, full scale = 1; fewer than 400 are padded with silence.
 * @returns frames x 80, row by row.
 */
export function fbank(samples: Float32Array): Float32Array {
  const frames = Math.max(1, Math.floor((samples.length - WINDOW) / HOP) + 1);
  const filters = new MelFilters(FBANK_BANDS, FFT_SIZE, SAMPLE_RATE_HZ, LOW_HZ, SAMPLE_RATE_HZ / 2);
  const fourier = new RealFourier(FFT_SIZE);
  const frame = new Float64Array(FFT_SIZE);
  const power = new Float64Array(FFT_SIZE / 2 + 1);
  const log = new Float64Array(FBANK_BANDS);
  const rows = new Float32Array(frames * FBANK_BANDS);
  for (let f = 0; f < frames; f++) {
    let mean = 0;
    for (let i = 0; i < WINDOW; i++) mean += (samples[f * HOP + i] ?? 0) / WINDOW;
    const sample = (i: number): number => SAMPLE_SCALE * ((samples[f * HOP + i] ?? 0) - mean);
    for (let i = 0; i < WINDOW; i++) {
      const hamming = 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (WINDOW - 1));
      frame[i] = hamming * (sample(i) - PRE_EMPHASIS * sample(Math.max(0, i - 1)));
    }
    fourier.power(frame, power);
    filters.logEnergies(power, ENERGY_FLOOR, log);
    rows.set(log, f * FBANK_BANDS);
  }
  for (let band = 0; band < FBANK_BANDS; band++) {
    let mean = 0;
    for (let f = 0; f < frames; f++) mean += rows[f * FBANK_BANDS + band]! / frames;
    for (let f = 0; f < frames; f++) rows[f * FBANK_BANDS + band] = rows[f * FBANK_BANDS + band]! - mean;
  }
  return rows;
}

/**
 * A loaded speaker-embedding model, with float32 [1, frames, 80] as input and one vector as output (its last output).
 */
export class SpeakerEmbedder {
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;

  private constructor(runtime: Runtime, session: InferenceSession) {
    this.#runtime = runtime;
    this.#session = session;
  }

  /** @throws Error when the file is missing, does not match its digest, or does not have exactly one input. */
  static async load(model: SpeakerModel, runtime?: Runtime): Promise<SpeakerEmbedder> {
    const bytes = await readFile(model.path);
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (digest !== model.sha256.toLowerCase())
      throw new Error(`The speaker model's SHA-256 is ${digest}, which is not SPEAKER_MODEL_SHA256`);
    const chosen = runtime ?? (await loadRuntime());
    const session = await chosen.createSession(bytes);
    if (session.inputNames.length !== 1)
      throw new Error('The speaker model must take one input: float32 [1, frames, 80]');
    return new SpeakerEmbedder(chosen, session);
  }

  /**
   * The voice in a span of audio.
   * @param samples 16 kHz mono, full scale = 1. Reliable from about one second.
   * @returns a vector of unit length.
   */
  async embed(samples: Float32Array): Promise<Float32Array> {
    const rows = fbank(samples);
    const input = new this.#runtime.Tensor('float32', rows, [1, rows.length / FBANK_BANDS, FBANK_BANDS]);
    const out = await this.#session.run({ [this.#session.inputNames[0]!]: input });
    const vector = Float32Array.from(out[this.#session.outputNames.at(-1)!]!.data as Float32Array);
    const norm = Math.hypot(...vector) || 1;
    return vector.map((v) => v / norm);
  }
}
