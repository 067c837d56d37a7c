import { describe, expect, it } from 'vitest';
import { measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import {
  add,
  join,
  noise,
  pulseTrain,
  rootMeanSquare,
  scaled,
  silence,
  sine,
  vowel,
} from '../../../support/synthetic-voice.ts';

const steady = (hz: number, seconds = 1) => vowel({ seconds, hz: () => hz });
/** Syllables of 160 ms that swell and fade, with gaps of 40 ms, at about 150 Hz. */
const syllable = vowel({ seconds: 0.16, hz: (t) => 150 + 20 * t }).map((x, i) => x * Math.sin((Math.PI * i) / 2560));
const syllables = (n: number) => join(...Array.from({ length: n }, () => join(syllable, silence(0.04))));

describe('delivery', () => {
  it('measures level and its doubling', () => {
    const soft = measureDelivery(sine(200, 1, 0.1));
    expect(soft.intensityDb).toBeCloseTo(20 * Math.log10(0.1 / Math.SQRT2), 1);
    expect(soft.rms).toBeCloseTo(0.1 / Math.SQRT2, 3);
    expect(measureDelivery(sine(200, 1, 0.2)).intensityDb - soft.intensityDb).toBeCloseTo(6.02, 2);
  });

  it.each([5, 10, 20])('measures a harmonics-to-noise ratio of %i dB', (db) => {
    const tone = sine(200, 2, 0.2);
    const mixed = add(tone, noise(2, rootMeanSquare(tone) * 10 ** (-db / 20), 7));
    expect(Math.abs(measureDelivery(mixed).hnrDb - db)).toBeLessThan(0.6);
  });

  it.each([0, 0.005, 0.01, 0.02])('measures the jitter of periods that alternate by ± %f', (wobble) => {
    expect(Math.abs(measureDelivery(pulseTrain(125, 2, wobble, 0)).jitter - 2 * wobble)).toBeLessThan(0.001);
  });

  it('measures more shimmer where amplitudes alternate more', () => {
    const of = (flutter: number) => measureDelivery(pulseTrain(125, 2, 0, flutter)).shimmer;
    expect(of(0)).toBeLessThan(0.005);
    expect(Math.abs(of(0.03) - 0.06)).toBeLessThan(0.012);
    expect(of(0.06)).toBeGreaterThan(of(0.03));
  });

  it('counts syllables and takes the pause out of the articulation rate', () => {
    const spoken = measureDelivery(join(syllables(6), silence(0.6), syllables(4)));
    expect(spoken.syllables).toBe(10);
    expect(spoken.speechRate).toBeCloseTo(10 / 2.6, 1);
    expect(spoken.articulationRate).toBeGreaterThan(spoken.speechRate);
    expect(spoken.pauseCount).toBe(1);
    expect(Math.abs(spoken.pauseMeanMs - 640)).toBeLessThan(60);
  });

  it('does not count the closure of a consonant as a pause', () => {
    expect(measureDelivery(join(steady(150), silence(0.1), steady(150))).pauseCount).toBe(0);
    expect(measureDelivery(join(steady(150), silence(0.25), steady(150))).pauseCount).toBe(1);
  });

  it('finds the pause in steady noise', () => {
    const clean = join(steady(150), silence(0.5), steady(150));
    const noisy = add(clean, noise(2.5, rootMeanSquare(steady(150)) * 0.1));
    expect(measureDelivery(noisy).pauseCount).toBe(1);
  });

  it.each([
    ['rising', 1.6],
    ['falling', 0.6],
    ['level', 1],
  ] as const)('hears an end that is %s', (contour, factor) => {
    const end = vowel({ seconds: 1, hz: (t) => (t < 0.8 ? 140 : 140 * factor ** ((t - 0.8) / 0.2)) });
    expect(measureDelivery(end).finalContour).toBe(contour);
  });

  it('finds the syllable that is louder and higher than the rest', () => {
    const stress = scaled(vowel({ seconds: 0.16, hz: () => 230 }), 2.5).map(
      (x, i) => x * Math.sin((Math.PI * i) / 2560),
    );
    const { emphasisAt } = measureDelivery(join(syllables(5), stress, silence(0.04), syllables(4)));
    expect(emphasisAt.length).toBe(1);
    expect(Math.abs(emphasisAt[0]! - 1.08)).toBeLessThan(0.06);
    expect(measureDelivery(syllables(9)).emphasisAt).toEqual([]);
  });

  it('measures a flatter spectrum as more energy above 1 kHz', () => {
    const of = (tilt: number) => measureDelivery(vowel({ seconds: 1, hz: () => 150, tilt }));
    expect(of(-6).alphaRatioDb).toBeLessThan(of(-12).alphaRatioDb);
    expect(of(-6).highEnergyRatio).toBeGreaterThan(of(-12).highEnergyRatio);
    expect(of(-6).spectralCentroidHz).toBeGreaterThan(of(-12).spectralCentroidHz);
    expect(of(-6).slope500to1500).toBeGreaterThan(of(-12).slope500to1500);
    expect(of(-6).hammarbergDb).toBeLessThan(of(-12).hammarbergDb);
  });

  it('recognises a telephone by its band', () => {
    expect(measureDelivery(vowel({ seconds: 1, hz: () => 150, band: [300, 3400], tilt: -6 })).narrowband).toBe(true);
    expect(measureDelivery(add(vowel({ seconds: 1, hz: () => 150, tilt: -6 }), noise(1, 0.003))).narrowband).toBe(
      false,
    );
  });

  it.each([
    ['hum', add(steady(180), sine(50, 1, 0.02), sine(100, 1, 0.01))],
    ['hard clipping', scaled(steady(180), 6).map((x) => Math.max(-0.5, Math.min(0.5, x)))],
    ['noise at 10 dB', add(steady(180), noise(1, rootMeanSquare(steady(180)) * 0.316))],
    ['the telephone band', vowel({ seconds: 1, hz: () => 180, band: [300, 3400] })],
  ])('keeps the pitch under %s', (_, samples) => {
    expect(Math.abs(measureDelivery(samples).pitchMedianHz / 180 - 1)).toBeLessThan(0.01);
  });

  it('reports clipped samples', () => {
    const clipped = scaled(steady(180), 15).map((x) => Math.max(-0.5, Math.min(0.5, x)));
    expect(measureDelivery(clipped).confidenceReason).toBe('clipped');
    expect(measureDelivery(steady(180)).confidenceReason).toBeNull();
  });

  it('reports too little speech', () => {
    const short = measureDelivery(join(silence(0.4), steady(150, 0.2), silence(0.4)));
    expect(short.confidence).toBeLessThan(0.4);
    expect(short.confidenceReason).toBe('not enough speech');
  });

  it.each([
    ['nothing', new Float32Array(0)],
    ['a few samples', new Float32Array(100)],
    ['silence', silence(1)],
    ['noise', noise(1, 0.05)],
    ['one click', Float32Array.from({ length: 16_000 }, (_, i) => (i === 8000 ? 1 : 0))],
  ])('measures %s with finite numbers and no confidence', (_, samples) => {
    const delivery = measureDelivery(samples);
    for (const value of Object.values(delivery))
      if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
    expect(delivery.confidence).toBeLessThan(0.3);
  });

  it('gives equal numbers for equal samples', () => {
    const spoken = join(syllables(6), silence(0.6), syllables(4));
    const first = measureDelivery(spoken);
    measureDelivery(noise(2, 0.1));
    expect(measureDelivery(spoken)).toEqual(first);
  });
});
