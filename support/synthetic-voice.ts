import { SAMPLE_RATE_HZ } from '../containers/pipeline/audio/interval.ts';

/** Deterministic uniform numbers in -1..1 (mulberry32). */
export function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2147483648 - 1;
  };
}

const filled = (seconds: number, value: (t: number, i: number) => number): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * SAMPLE_RATE_HZ) }, (_, i) => value(i / SAMPLE_RATE_HZ, i));

export const silence = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * SAMPLE_RATE_HZ));

export const sine = (hz: number, seconds: number, amplitude = 0.3): Float32Array =>
  filled(seconds, (t) => amplitude * Math.sin(2 * Math.PI * hz * t));

/** White noise with the given root mean square. */
export function noise(seconds: number, rms: number, seed = 1): Float32Array {
  const next = uniform(seed);
  return filled(seconds, () => rms * Math.sqrt(3) * next());
}

export const add = (...parts: Float32Array[]): Float32Array =>
  Float32Array.from({ length: Math.max(...parts.map((p) => p.length)) }, (_, i) =>
    parts.reduce((sum, part) => sum + (part[i] ?? 0), 0),
  );

export const join = (...parts: Float32Array[]): Float32Array => {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

export const scaled = (samples: Float32Array, gain: number): Float32Array => samples.map((x) => gain * x);

export const rootMeanSquare = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);

export interface Vowel {
  seconds: number;
  /** Frequency at a time, Hz. */
  hz: (t: number) => number;
  /** Approximate peak of the loudest harmonic. */
  amplitude?: number;
  /** Formants: centre and bandwidth, Hz. */
  formants?: [number, number][];
  /** Spectral tilt of the source, dB per octave. */
  tilt?: number;
  /** Only harmonics between these are audible. */
  band?: [number, number];
}

/** A vowel made by additive synthesis, so its fundamental is known exactly at every moment. */
export function vowel({
  seconds,
  hz,
  amplitude = 0.1,
  formants = [
    [700, 110],
    [1200, 120],
    [2600, 160],
  ],
  tilt = -12,
  band = [20, 7600],
}: Vowel): Float32Array {
  let phase = 0;
  return filled(seconds, (t) => {
    const f0 = hz(t);
    phase += (2 * Math.PI * f0) / SAMPLE_RATE_HZ;
    let sum = 0;
    for (let h = 1; h * f0 < band[1]; h++) {
      const f = h * f0;
      if (f < band[0]) continue;
      let gain = 10 ** ((tilt * Math.log2(h)) / 20);
      for (const [centre, width] of formants) gain *= 1 + 8 / (1 + ((f - centre) / width) ** 2);
      sum += gain * Math.sin(h * phase + h * h * 0.3);
    }
    return (amplitude / 4) * sum;
  });
}

/**
 * A train of damped resonances at exact times. Its periods alternate by ± `wobble` and its amplitudes by ± `flutter`,
 * so that local jitter is 2 x wobble and local shimmer 2 x flutter.
 */
export function pulseTrain(
  hz: number,
  seconds: number,
  wobble: number,
  flutter: number,
  amplitude = 0.3,
): Float32Array {
  const samples = silence(seconds);
  const period = 1 / hz;
  let at = 0.01;
  for (let pulse = 0; at < seconds; pulse++) {
    const sign = pulse % 2 === 0 ? 1 : -1;
    const gain = amplitude * (1 + sign * flutter);
    const from = Math.ceil(at * SAMPLE_RATE_HZ);
    for (let i = from; i < Math.min(samples.length, from + 240); i++) {
      const t = i / SAMPLE_RATE_HZ - at;
      samples[i]! += gain * t * 2500 * Math.exp(-900 * t) * Math.sin(2 * Math.PI * 650 * t);
    }
    at += period * (1 + sign * wobble);
  }
  return samples;
}
