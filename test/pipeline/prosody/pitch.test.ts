import { describe, expect, it } from 'vitest';
import { PitchTracker } from '../../../containers/pipeline/prosody/pitch.ts';
import { add, join, noise, rootMeanSquare, silence, sine, vowel } from '../../../support/synthetic-voice.ts';

const tracker = new PitchTracker();
const voicedOf = (samples: Float32Array) => Array.from(tracker.track(samples).frequencyHz).filter((hz) => hz > 0);
const medianOf = (samples: Float32Array) =>
  voicedOf(samples).toSorted((a, b) => a - b)[Math.floor(voicedOf(samples).length / 2)]!;
const steady = (hz: number, band?: [number, number]) =>
  vowel({ seconds: 0.6, hz: () => hz, ...(band ? { band } : {}) });

describe('pitch', () => {
  it.each([80, 131, 220, 415, 580])('finds a sine of %i Hz to 0.1 %%', (hz) => {
    expect(Math.abs(medianOf(sine(hz, 0.6)) / hz - 1)).toBeLessThan(0.001);
  });

  it.each([85, 120, 210, 330])('finds a vowel of %i Hz to 0.5 %% in every frame', (hz) => {
    const found = voicedOf(steady(hz));
    expect(found.length).toBeGreaterThan(50);
    for (const one of found) expect(Math.abs(one / hz - 1)).toBeLessThan(0.005);
  });

  it('finds the fundamental that the telephone band cuts off', () => {
    expect(Math.abs(medianOf(steady(110, [300, 3400])) / 110 - 1)).toBeLessThan(0.005);
  });

  it('follows a glide', () => {
    const track = tracker.track(vowel({ seconds: 1, hz: (t) => 100 * 2 ** t }));
    track.frequencyHz.forEach((hz, i) => {
      const known = 100 * 2 ** (track.startS + i * track.stepS);
      expect(Math.abs(hz / known - 1)).toBeLessThan(0.01);
    });
  });

  it('keeps to the octave where a single frame would jump', () => {
    const voice = steady(150);
    const loudness = rootMeanSquare(voice);
    for (const hz of voicedOf(add(voice, noise(0.6, loudness * 0.3))))
      expect(Math.abs(hz / 150 - 1)).toBeLessThan(0.05);
  });

  it('finds no voice in silence and almost none in noise', () => {
    expect(voicedOf(silence(1))).toEqual([]);
    const track = tracker.track(noise(2, 0.1));
    expect(Array.from(track.frequencyHz).filter((hz) => hz > 0).length / track.frequencyHz.length).toBeLessThan(0.05);
  });

  it('separates voice from the pause beside it', () => {
    const track = tracker.track(join(steady(200), silence(0.5), steady(200)));
    const at = (t: number) => track.frequencyHz[Math.round((t - track.startS) / track.stepS)]!;
    expect(at(0.3)).toBeCloseTo(200, 0);
    expect(at(0.85)).toBe(0);
    expect(at(1.4)).toBeCloseTo(200, 0);
  });

  it('searches between the bounds it is given', () => {
    const high = new PitchTracker(150, 500);
    expect(Array.from(high.track(steady(100)).frequencyHz).filter((hz) => hz > 0 && hz < 145)).toEqual([]);
  });

  it('centres its frames on the sound and gives none when it is shorter than the window', () => {
    const track = tracker.track(sine(200, 0.1));
    expect(track.frequencyHz.length).toBe(7);
    expect(track.startS).toBeCloseTo(0.02, 9);
    expect(tracker.track(sine(200, 0.03)).frequencyHz.length).toBe(0);
  });

  it('gives the same result for the same samples after any other measurement', () => {
    const voice = steady(170);
    const first = tracker.track(voice);
    tracker.track(noise(3, 0.2));
    expect(tracker.track(voice)).toEqual(first);
  });
});

describe('pitch over the telephone', () => {
  /** /i/ at 200 Hz over a telephone: the fundamental is missing and the second harmonic dominates the odd ones. */
  const thin = vowel({
    seconds: 0.6,
    hz: () => 200,
    tilt: -12,
    band: [300, 3400],
    formants: [
      [400, 20],
      [2300, 120],
    ],
  });
  const spoilt = add(thin, noise(0.6, rootMeanSquare(thin) * 0.05));

  it('finds the fundamental in the flattened spectrum where one even harmonic dominates', () => {
    const plain = voicedOf(spoilt);
    expect(plain.filter((hz) => hz > 380).length).toBe(plain.length);
    const voiced = Array.from(tracker.track(spoilt, undefined, true).frequencyHz).filter((hz) => hz > 0);
    expect(voiced.length).toBeGreaterThan(40);
    for (const hz of voiced) expect(Math.abs(hz / 200 - 1)).toBeLessThan(0.02);
  });

  it('does not change a voice that has its fundamental', () => {
    const full = Array.from(tracker.track(steady(150), undefined, true).frequencyHz).filter((hz) => hz > 0);
    for (const hz of full) expect(Math.abs(hz / 150 - 1)).toBeLessThan(0.005);
  });
});
