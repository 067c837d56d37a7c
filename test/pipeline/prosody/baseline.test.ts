import { describe, expect, it } from 'vitest';
import { NO_BASELINE, speakerBaseline, zScore } from '../../../containers/pipeline/prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import { vowel } from '../../../support/synthetic-voice.ts';

const usual = measureDelivery(vowel({ seconds: 1, hz: (t) => 110 + 5 * Math.sin(8 * t) }));
const voice = (changes: Partial<Delivery>): Delivery => ({ ...usual, ...changes });
const several = (n: number, changes: Partial<Delivery> = {}) => Array.from({ length: n }, () => voice(changes));

describe('speaker baseline', () => {
  it('starts from people in general and approaches the speaker with more speech', () => {
    const rates = [0, 1, 5, 50].map((n) => speakerBaseline(several(n, { speechRate: 6 })).speechRate.mean);
    expect(rates).toEqual(rates.toSorted((a, b) => a - b));
    expect(rates[0]).toBeLessThan(4);
    expect(rates[3]).toBeGreaterThan(5.8);
  });

  it('trusts one utterance for pitch more than for rate, since people differ more in pitch', () => {
    const one = speakerBaseline(
      several(1, { pitchMeanSt: NO_BASELINE.pitchSt.mean + 5, speechRate: NO_BASELINE.speechRate.mean + 1 }),
    );
    const share = (own: number, general: number, step: number) => (own - general) / step;
    expect(share(one.pitchSt.mean, NO_BASELINE.pitchSt.mean, 5)).toBeGreaterThan(
      share(one.speechRate.mean, NO_BASELINE.speechRate.mean, 1) + 0.1,
    );
  });

  it('expects less deviation with more speech of an even speaker', () => {
    const sds = [0, 2, 10, 100].map((n) => speakerBaseline(several(n)).pitchSt.sd);
    expect(sds).toEqual(sds.toSorted((a, b) => b - a));
    expect(sds[3]).toBeGreaterThan(0);
  });

  it('leaves out excerpts without voice', () => {
    const baseline = speakerBaseline([...several(3), voice({ voicedSeconds: 0, pitchMeanSt: 0 })]);
    expect(baseline.n).toBe(3);
    expect(baseline).toEqual(speakerBaseline(several(3)));
  });

  it('sets floor and ceiling around the speaker (.75 q25, 1.5 q75)', () => {
    const { floorHz, ceilingHz } = speakerBaseline(several(4, { pitchQ25Hz: 180, pitchQ75Hz: 240 }));
    expect([floorHz, ceilingHz]).toEqual([135, 360]);
    expect([NO_BASELINE.floorHz, NO_BASELINE.ceilingHz]).toEqual([75, 600]);
  });

  it('scores a usual measure 0 and never more than 5', () => {
    const baseline = speakerBaseline(several(200));
    expect(Math.abs(zScore(usual, baseline, 'intensityDb'))).toBeLessThan(0.05);
    expect(zScore(voice({ intensityDb: 200 }), baseline, 'intensityDb')).toBe(5);
  });

  it('scores the rate of a short utterance lower, since syllables are counted whole', () => {
    const baseline = speakerBaseline(several(20));
    const rate = (duration: number) =>
      zScore(voice({ speechRate: usual.speechRate + 0.8, duration }), baseline, 'speechRate');
    expect(rate(0.5)).toBeLessThan(rate(2));
    expect(rate(2)).toBeLessThan(rate(8));
  });

  it('keeps the deviation of the peaks, which reveals automatic gain control', () => {
    expect(speakerBaseline(several(5, { peakDb: -1 })).peakSdDb).toBe(0);
    expect(speakerBaseline([voice({ peakDb: -20 }), voice({ peakDb: -6 })]).peakSdDb).toBe(7);
  });
});
