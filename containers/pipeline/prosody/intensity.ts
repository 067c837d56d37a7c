import { SAMPLE_RATE_HZ } from '../audio/interval.ts';

/** Level of digital silence, dB. */
export const SILENCE_DB = -100;

/** Modified Bessel function of the first kind, order 0, as a power series. */
function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/** Kaiser-20 windows by half their length in samples. */
const windows = new Map<number, Float64Array>();

function kaiser20(half: number, halfS: number): Float64Array {
  let window = windows.get(half);
  if (!window) {
    window = new Float64Array(2 * half + 1);
    for (let i = -half; i <= half; i++) {
      const x = i / SAMPLE_RATE_HZ / halfS;
      window[i + half] = besselI0((2 * Math.PI ** 2 + 0.5) * Math.sqrt(Math.max(0, 1 - x * x)));
    }
    windows.set(half, window);
  }
  return window;
}

/**
 * Intensity as in Praat's `To Intensity`: the mean square under a Kaiser-20 window of 6.4 / `minimumPitchHz` seconds,
 * with the local mean removed. At the ends of the audio, the window is cut off and its weight is normalised to 1 again.
 * @returns dB re full scale (a full-scale square wave is 0; Praat's dB re 2e-5 Pa is 93.98 more) at `startS + i *
 *   stepS`.
 */
export function intensityContour(
  samples: Float32Array,
  startS: number,
  stepS: number,
  frames: number,
  minimumPitchHz = 75,
): Float64Array {
  const halfS = 3.2 / minimumPitchHz;
  const half = Math.floor(halfS * SAMPLE_RATE_HZ);
  const window = kaiser20(half, halfS);
  const contour = new Float64Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    const middle = Math.round((startS + frame * stepS) * SAMPLE_RATE_HZ - 0.5);
    const from = Math.max(0, middle - half);
    const to = Math.min(samples.length - 1, middle + half);
    let weight = 0;
    let sum = 0;
    let plain = 0;
    let weighted = 0;
    for (let i = from; i <= to; i++) {
      const w = window[i - middle + half]!;
      const x = samples[i]!;
      weight += w;
      plain += x;
      weighted += w * x;
      sum += w * x * x;
    }
    const mean = plain / (to - from + 1);
    const square = weight > 0 ? (sum - 2 * mean * weighted) / weight + mean * mean : 0;
    contour[frame] = square > 1e-10 ? 10 * Math.log10(square) : SILENCE_DB;
  }
  return contour;
}
