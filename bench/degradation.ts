import { SAMPLE_RATE_HZ } from '../containers/pipeline/audio/interval.ts';
import { uniform } from '../support/synthetic-voice.ts';

const rms = (samples: Float32Array): number => Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);

/** Band-pass with a 255-tap windowed sinc. */
function bandPass(samples: Float32Array, lowHz: number, highHz: number): Float32Array {
  const half = 127;
  const sinc = (hz: number, n: number) =>
    n === 0 ? (2 * hz) / SAMPLE_RATE_HZ : Math.sin((2 * Math.PI * hz * n) / SAMPLE_RATE_HZ) / (Math.PI * n);
  const taps = Float64Array.from({ length: 2 * half + 1 }, (_, i) => {
    const n = i - half;
    return (sinc(highHz, n) - sinc(lowHz, n)) * (0.54 + 0.46 * Math.cos((Math.PI * n) / (half + 1)));
  });
  const filtered = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    let sum = 0;
    const from = Math.max(-half, -i);
    const to = Math.min(half, samples.length - 1 - i);
    for (let n = from; n <= to; n++) sum += taps[n + half]! * samples[i + n]!;
    filtered[i] = sum;
  }
  return filtered;
}

/** Quantised to 8 bits as in G.711 mu-law. */
function muLaw(x: number): number {
  const coded = Math.round((127 * Math.log1p(255 * Math.min(1, Math.abs(x)))) / Math.log(256));
  return (Math.sign(x) * (256 ** (coded / 127) - 1)) / 255;
}

const withNoise = (db: number) => (samples: Float32Array) => {
  const next = uniform(11);
  const gain = rms(samples) * 10 ** (-db / 20) * Math.sqrt(3);
  return samples.map((x) => x + gain * next());
};

/** Degradations of real recordings, applied to clean clips. Deterministic. */
export const DEGRADATIONS: Record<string, (samples: Float32Array) => Float32Array> = {
  'telephone (300-3400 Hz, mu-law)': (samples) => bandPass(samples, 300, 3400).map(muLaw),
  'white noise, 20 dB': withNoise(20),
  'white noise, 10 dB': withNoise(10),
  'mains hum 50 + 100 Hz, 20 dB': (samples) => {
    const gain = rms(samples) * 0.1;
    return samples.map((x, i) => {
      const phase = (2 * Math.PI * 50 * i) / SAMPLE_RATE_HZ;
      return x + gain * (Math.sin(phase) + Math.sin(2 * phase));
    });
  },
  'clipped (12 dB over full scale)': (samples) => {
    const peak = samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    return samples.map((x) => Math.max(-0.25 * peak, Math.min(0.25 * peak, x)));
  },
  'half as loud': (samples) => samples.map((x) => 0.5 * x),
};
