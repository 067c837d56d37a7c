import { type Interval, SAMPLE_RATE_HZ } from '../../../containers/pipeline/audio/interval.ts';
import { SpeakerFeatures } from '../../../containers/pipeline/diarization/speaker-features.ts';

/** A synthetic talker: its pitch, the length of its vocal tract and its microphone. */
export interface Voice {
  hz: number;
  /** Factor on all formants. */
  tract: number;
  /** Tilt of the microphone, dB an octave around 1 kHz. */
  tilt: number;
}

export const LOW_VOICE: Voice = { hz: 110, tract: 1, tilt: -2 };
export const HIGH_VOICE: Voice = { hz: 210, tract: 1.18, tilt: 3 };

const VOWELS = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [300, 870, 2240],
  [530, 1840, 2480],
  [570, 840, 2410],
  [660, 1720, 2410],
];
const SYLLABLE_S = 0.18;

export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Syllables of random vowels: harmonics weighted by formants (Peterson & Barney 1952), with breath noise. */
export function speak(voice: Voice, seconds: number, seed: number): Float32Array {
  const random = randomNumbers(seed);
  const out = new Float32Array(Math.round(seconds * SAMPLE_RATE_HZ));
  const syllable = Math.round(SYLLABLE_S * SAMPLE_RATE_HZ);
  for (let start = 0; start < out.length; start += syllable) {
    const formants = VOWELS[Math.floor(random() * VOWELS.length)]!.map(
      (f) => f * voice.tract * (0.95 + 0.1 * random()),
    );
    const hz = voice.hz * (0.92 + 0.16 * random());
    const harmonics = Array.from({ length: Math.floor(6500 / hz) }, (_, k) => {
      const f = (k + 1) * hz;
      const resonance = formants.reduce((sum, centre) => sum + 1 / (1 + ((f - centre) / 90) ** 2), 0.01);
      return { f, gain: (resonance / (k + 1) ** 0.5) * 10 ** ((voice.tilt * Math.log2(f / 1000)) / 20) };
    });
    const loudness = 0.05 * (0.7 + 0.6 * random());
    for (let i = 0; i < syllable && start + i < out.length; i++) {
      const t = i / SAMPLE_RATE_HZ;
      const envelope = Math.sin((Math.PI * (i + 0.5)) / syllable) ** 0.5;
      let value = 0.02 * (random() - 0.5);
      for (const { f, gain } of harmonics) value += gain * Math.sin(2 * Math.PI * f * t);
      out[start + i] = loudness * envelope * value;
    }
  }
  return out;
}

export interface Dialogue {
  samples: Float32Array;
  /** The talker of each speech region. */
  talkers: number[];
  speech: Interval[];
}

/** Turns `[talker, seconds]` with pauses of .4 s between them, over faint noise. */
export function dialogue(voices: Voice[], turns: [talker: number, seconds: number][], seed = 1): Dialogue {
  const pause = 0.4;
  const total = turns.reduce((sum, [, seconds]) => sum + seconds + pause, pause);
  const random = randomNumbers(seed);
  const samples = Float32Array.from({ length: Math.round(total * SAMPLE_RATE_HZ) }, () => 2e-4 * (random() - 0.5));
  const speech: Interval[] = [];
  let at = pause;
  for (const [i, [talker, seconds]] of turns.entries()) {
    const spoken = speak(voices[talker]!, seconds, seed * 100 + i);
    const offset = Math.round(at * SAMPLE_RATE_HZ);
    for (let k = 0; k < spoken.length; k++) samples[offset + k] = samples[offset + k]! + spoken[k]!;
    speech.push({ start: at, end: at + seconds });
    at += seconds + pause;
  }
  return { samples, talkers: turns.map(([talker]) => talker), speech };
}

export function featuresOf(samples: Float32Array, block = 4096): SpeakerFeatures {
  const features = new SpeakerFeatures();
  for (let at = 0; at < samples.length; at += block) features.push(samples.subarray(at, at + block));
  return features;
}
