import { describe, expect, test } from 'vitest';
import { SpeakerFeatures } from '../../../containers/pipeline/diarization/speaker-features.ts';
import { add, noise, sine } from '../../../support/synthetic-voice.ts';
import { dialogue, featuresOf, LOW_VOICE, randomNumbers, speak } from './voices.ts';

const every = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => i);

describe('SpeakerFeatures', () => {
  test('measures a hundred frames a second', () => {
    expect(featuresOf(new Float32Array(16_000)).frames).toBeGreaterThanOrEqual(98);
    expect(featuresOf(new Float32Array(16_000)).frames).toBeLessThanOrEqual(100);
  });

  test('recognises a telephone by the band it does not transmit', () => {
    const voice = speak(LOW_VOICE, 2, 1);
    const wide = featuresOf(add(voice, noise(2, 0.01)));
    const narrow = featuresOf(add(sine(500, 2), sine(1500, 2), sine(3000, 2)));
    expect(wide.bandwidth(every(wide.frames))).toBe('wide');
    expect(narrow.bandwidth(every(narrow.frames))).toBe('telephone');
  });

  test('gives cepstra that do not depend on the level', () => {
    const voice = speak(LOW_VOICE, 1, 1);
    const loud = featuresOf(voice).cepstra(every(50), 'wide');
    const soft = featuresOf(voice.map((x) => x / 4)).cepstra(every(50), 'wide');
    const difference = loud.map((value, i) => Math.abs(value - soft[i]!));
    expect(Math.max(...difference.slice(20 * 19))).toBeLessThan(0.3);
  });

  test('adds the energies of two frames', () => {
    const features = featuresOf(speak(LOW_VOICE, 1, 1));
    const twice = features.cepstraOfSums(every(20), every(20), 'wide');
    const once = features.cepstra(every(20), 'wide');
    expect(Math.max(...twice.map((value, i) => Math.abs(value - once[i]!)))).toBeLessThan(1e-3);
  });

  test('tracks the pitch well enough for a median', () => {
    const random = randomNumbers(3);
    const { samples } = dialogue([{ ...LOW_VOICE, hz: 100 + 10 * random() }], [[0, 3]]);
    const features = featuresOf(samples);
    const voiced = [...every(features.frames)].map((t) => features.pitchAt(t)).filter((hz) => hz > 0);
    const median = voiced.sort((a, b) => a - b)[voiced.length >> 1]!;
    expect(voiced.length).toBeGreaterThan(100);
    expect(Math.abs(12 * Math.log2(median / 103))).toBeLessThan(2);
  });

  test('gives no pitch beyond its end', () => {
    expect(new SpeakerFeatures().pitchAt(10)).toBe(0);
  });
});
