import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { SILENCE_DB } from './intensity.ts';
import { quantile } from './statistics.ts';

/** Frames this much weaker than the loudest (99th percentile) are silent (De Jong & Wempe 2009). */
const SILENCE_BELOW_PEAK_DB = 25;
/** In noise louder than that, a frame counts as speech if it exceeds the noise (its 5th percentile) by this much. */
const ABOVE_NOISE_DB = 6;
/** Half of the frame energy's window, samples. */
const FRAME_HALF = 0.015 * SAMPLE_RATE_HZ;
/**
 * Pauses are silences of at least 150 ms. Shorter ones are closures of consonants (De Jong & Wempe 2009; methods of the
 * field: 150 to 250 ms).
 */
export const PAUSE_MS = 150;
/** Smallest depth of a dip between two syllables (De Jong & Wempe 2009). */
const SYLLABLE_DIP_DB = 2;
/** Root mean square of the 30 ms around each frame, full scale = 1. */
export function frameEnergy(samples: Float32Array, startS: number, stepS: number, frames: number): Float64Array {
  const energy = new Float64Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    const middle = Math.round((startS + frame * stepS) * SAMPLE_RATE_HZ);
    const from = Math.max(0, middle - FRAME_HALF);
    const to = Math.min(samples.length, middle + FRAME_HALF);
    let sum = 0;
    for (let i = from; i < to; i++) sum += samples[i]! * samples[i]!;
    energy[frame] = to > from ? Math.sqrt(sum / (to - from)) : 0;
  }
  return energy;
}

/** The frames with speech, and how far speech is above the rest. */
export interface SpeechFrames {
  /** 1 for speech. */
  speech: Uint8Array;
  /**
   * Difference between the quietest 5 % and the loudest 1 % of the frames, dB. Small in noise, and in speech without
   * pauses.
   */
  rangeDb: number;
}

/**
 * The silence threshold of De Jong & Wempe (25 dB below the peak), raised if steady noise is above it. A voiced frame
 * within 25 dB of the peak counts as speech regardless of the noise.
 */
export function speechFrames(energy: Float64Array, frequencyHz: Float64Array): SpeechFrames {
  const level = energy.map((rms) => (rms > 1e-5 ? 20 * Math.log10(rms) : SILENCE_DB));
  const sorted = level.slice().sort();
  const peak = quantile(sorted, 0.99);
  const noise = quantile(sorted, 0.05);
  const plain = Math.max(peak - SILENCE_BELOW_PEAK_DB, SILENCE_DB + 1);
  const noisy = noise > plain ? Math.min(noise + ABOVE_NOISE_DB, (noise + peak) / 2) : plain;
  const speech = new Uint8Array(level.length);
  for (let i = 0; i < level.length; i++)
    speech[i] = level[i]! > noisy || (frequencyHz[i]! > 0 && level[i]! > plain) ? 1 : 0;
  return { speech, rangeDb: peak - noise };
}

/** Silences of at least `PAUSE_MS` within the utterance. */
export interface Pauses {
  count: number;
  meanMs: number;
  longestMs: number;
  /** Total duration of the pauses, s. */
  total: number;
}

/** Pauses between the first and the last speech frame. */
export function pausesIn(speech: Uint8Array, stepS: number): Pauses {
  const pauses: Pauses = { count: 0, meanMs: 0, longestMs: 0, total: 0 };
  let last = -1;
  for (let i = 0; i < speech.length; i++) {
    if (speech[i] === 0) continue;
    const silentMs = last < 0 ? 0 : (i - last - 1) * stepS * 1000;
    if (silentMs >= PAUSE_MS) {
      pauses.count++;
      pauses.total += silentMs / 1000;
      pauses.longestMs = Math.max(pauses.longestMs, silentMs);
    }
    last = i;
  }
  if (pauses.count > 0) pauses.meanMs = (pauses.total * 1000) / pauses.count;
  return pauses;
}

/**
 * Syllable nuclei (De Jong & Wempe 2009): peaks of intensity in voiced speech, each followed by a dip of at least 2 dB.
 * @param intensityDb smoothed intensity (minimum pitch 100 Hz: 64 ms).
 * @returns frames of the nuclei.
 */
export function syllableNuclei(intensityDb: Float64Array, frequencyHz: Float64Array, speech: Uint8Array): number[] {
  const threshold = quantile(intensityDb.slice().sort(), 0.99) - SILENCE_BELOW_PEAK_DB;
  const nuclei: number[] = [];
  let dip = Number.POSITIVE_INFINITY;
  for (let i = 1; i < intensityDb.length - 1; i++) {
    const here = intensityDb[i]!;
    dip = Math.min(dip, here);
    if (here < threshold || here < intensityDb[i - 1]! || here <= intensityDb[i + 1]!) continue;
    const previous = nuclei.at(-1);
    if (previous === undefined || dip <= Math.min(here, intensityDb[previous]!) - SYLLABLE_DIP_DB) nuclei.push(i);
    else if (here > intensityDb[previous]!) nuclei[nuclei.length - 1] = i;
    else continue;
    dip = here;
  }
  return nuclei.filter((i) => frequencyHz[i]! > 0 && speech[i] === 1);
}
