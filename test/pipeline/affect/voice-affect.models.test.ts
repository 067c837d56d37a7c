import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loudnessTrust } from '../../../containers/pipeline/affect/voice/cues.ts';
import { readVoice } from '../../../containers/pipeline/affect/voice/voice-affect.ts';
import { NO_BASELINE, speakerBaseline } from '../../../containers/pipeline/prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import { EMOTIONS } from '../../../src/contract/timeline.ts';
import { silence, vowel } from '../../../support/synthetic-voice.ts';

const usual: Delivery = {
  ...measureDelivery(vowel({ seconds: 1.5, hz: (t) => 130 + 6 * Math.sin(8 * t) })),
  finalContour: 'level',
  finalSlopeSt: 0,
};
/** A well-known speaker whose loudest samples vary by 5 dB, so the recording was not levelled. */
const free = speakerBaseline(Array.from({ length: 200 }, (_, i) => ({ ...usual, peakDb: i % 2 === 0 ? -20 : -10 })));
const levelled = { ...free, peakSdDb: 0.2 };
const affectOf = (changes: Partial<Delivery>, baseline = free) => readVoice({ ...usual, ...changes }, baseline);
const top = (changes: Partial<Delivery>) => {
  const { emotions } = affectOf(changes);
  return EMOTIONS.reduce((best, name) => (emotions[name] > emotions[best] ? name : best), 'neutral');
};

const raised = { pitchMeanSt: usual.pitchMeanSt + 4, pitchP90St: usual.pitchP90St + 5 };
const AROUSING: [string, (step: number) => Partial<Delivery>][] = [
  ['a higher pitch', (s) => ({ pitchMeanSt: usual.pitchMeanSt + 2 * s })],
  ['higher peaks of pitch', (s) => ({ pitchP90St: usual.pitchP90St + 2 * s })],
  ['a wider pitch', (s) => ({ pitchSdSt: usual.pitchSdSt + s })],
  ['a louder voice', (s) => ({ intensityDb: usual.intensityDb + 3 * s })],
  ['livelier loudness', (s) => ({ intensitySdDb: usual.intensitySdDb + s })],
  ['faster speech', (s) => ({ speechRate: usual.speechRate + s })],
  ['more energy above 1 kHz', (s) => ({ alphaRatioDb: usual.alphaRatioDb - 3 * s })],
  ['a brighter voice', (s) => ({ highEnergyRatio: usual.highEnergyRatio + 0.1 * s })],
  ['a flatter spectrum', (s) => ({ slope500to1500: usual.slope500to1500 + 0.005 * s })],
];

describe('affect of the voice', () => {
  it.each(AROUSING)('%s means more arousal, ever more', (_, change) => {
    const values = [-1, 0, 1, 2].map((step) => affectOf(change(step)).pad.arousal);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values[2]).toBeGreaterThan(values[1]!);
  });

  it.each([
    ['a louder voice', { intensityDb: usual.intensityDb + 6 }, 1],
    ['more effort', { alphaRatioDb: usual.alphaRatioDb - 6 }, 1],
    ['a higher pitch', raised, -1],
    ['a rising end', { finalSlopeSt: 5, finalContour: 'rising' as const }, -1],
  ])('%s moves dominance', (_, change, sign) => {
    expect(sign * (affectOf(change).pad.dominance - affectOf({}).pad.dominance)).toBeGreaterThan(0.02);
  });

  it('is in the middle and neutral where the speaker talks as usual', () => {
    const { pad } = affectOf({});
    for (const value of Object.values(pad)) expect(Math.abs(value - 0.5)).toBeLessThan(0.03);
    expect(top({})).toBe('neutral');
    expect(affectOf({}).emotions.neutral).toBeLessThan(0.6);
  });

  it('reads nothing in silence', () => {
    const { pad, confidence } = readVoice(measureDelivery(silence(1)), free);
    expect(pad.arousal).toBeCloseTo(0.5, 9);
    expect(confidence).toBe(0);
  });

  it('reads sadness in a low, quiet, dull and slow voice and anger in a loud, sharp one', () => {
    const sad = {
      pitchMeanSt: usual.pitchMeanSt - 4,
      pitchP90St: usual.pitchP90St - 4,
      intensityDb: usual.intensityDb - 5,
    };
    expect(top({ ...sad, alphaRatioDb: usual.alphaRatioDb + 6, pauseRatio: 0.2, pitchSdSt: usual.pitchSdSt - 1 })).toBe(
      'sadness',
    );
    const sharp = {
      alphaRatioDb: usual.alphaRatioDb - 6,
      highEnergyRatio: usual.highEnergyRatio + 0.2,
      finalSlopeSt: -3,
    };
    expect(top({ ...raised, ...sharp, intensityDb: usual.intensityDb + 5 })).toBe('anger');
  });

  it('ignores loudness in a levelled recording and for an unknown speaker', () => {
    const louder = { intensityDb: usual.intensityDb + 6 };
    for (const baseline of [levelled, NO_BASELINE])
      expect(affectOf(louder, baseline).pad).toEqual(affectOf({}, baseline).pad);
    expect(loudnessTrust(free)).toBe(1);
  });

  it('trusts a speaker it knows more than a stranger', () => {
    const trust = [0, 1, 5, 40].map(
      (n) => affectOf({}, speakerBaseline(Array.from({ length: n }, () => usual))).confidence,
    );
    expect(trust).toEqual(trust.toSorted((a, b) => a - b));
    expect(trust[3]).toBeLessThan(0.8);
  });

  it('never sums to anything but 1, and never settles anger against joy or sadness against disgust', () => {
    const z = (centre: number, width: number) => fc.double({ min: centre - width, max: centre + width, noNaN: true });
    fc.assert(
      fc.property(
        fc.record({
          pitchMeanSt: z(usual.pitchMeanSt, 15),
          pitchP90St: z(usual.pitchP90St, 15),
          pitchSdSt: z(3, 6),
          intensityDb: z(usual.intensityDb, 25),
          alphaRatioDb: z(usual.alphaRatioDb, 25),
          speechRate: z(4, 4),
          finalSlopeSt: z(0, 9),
        }),
        (changes) => {
          const { emotions, pad } = affectOf(changes);
          const values = Object.values(emotions);
          expect(values.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
          for (const value of [...values, ...Object.values(pad)]) expect(value >= 0 && value <= 1).toBe(true);
          for (const [a, b] of [
            ['anger', 'joy'],
            ['sadness', 'disgust'],
          ] as const)
            expect(Math.max(emotions[a], emotions[b])).toBeLessThanOrEqual(0.6 * (emotions[a] + emotions[b]) + 1e-9);
        },
      ),
      { seed: 3, numRuns: 300 },
    );
  });
});

describe('the say of a voice', () => {
  const say = (changes: Partial<Delivery>, baseline = free) => affectOf(changes, baseline).say;

  it('is none while it is ordinary, and full far from the usual of its speaker, up or down', () => {
    expect(say({})).toBe(0);
    expect(say({ pitchMeanSt: usual.pitchMeanSt + 1 })).toBe(0);
    for (const pitchMeanSt of [usual.pitchMeanSt + 6, usual.pitchMeanSt - 9]) expect(say({ pitchMeanSt })).toBe(1);
  });

  it('does not follow from how widely the speaker strays', () => {
    const wide = { ...free, pitchSt: { ...free.pitchSt, sd: 3 * free.pitchSt.sd } };
    expect(say({ pitchMeanSt: usual.pitchMeanSt + 6 }, wide)).toBe(1);
  });

  it('takes more of a low voice, and comes with a doubt, where much of the speaker is known', () => {
    const low = { pitchMeanSt: usual.pitchMeanSt - 4.5 };
    const unknown = { ...free, n: 0 };
    expect(say(low, free)).toBe(0);
    expect(say({ pitchMeanSt: usual.pitchMeanSt + 4.5 })).toBe(1);
    // Digits that are repeated: slow and flat at an ordinary pitch, and loud.
    const digits = {
      speechRate: 0,
      hnrDb: usual.hnrDb - 6,
      pauseRatio: 0.5,
      finalSlopeSt: -3,
      intensityDb: usual.intensityDb + 5,
    };
    expect(affectOf(digits).pad.arousal).toBeGreaterThan(0.5);
    expect(say(digits)).toBe(0);
    expect(say({ intensityDb: usual.intensityDb + 5 })).toBe(1);
    expect(affectOf(low, unknown).doubt).toBe(1);
    expect(affectOf(low, free).doubt).toBeCloseTo(1.5, 1);
  });

  it('is lower for little or poor sound', () => {
    const far = { pitchMeanSt: usual.pitchMeanSt + 6 };
    expect(say({ ...far, duration: 0.7 })).toBeCloseTo(0.5, 1);
    expect(say({ ...far, duration: 0.3 })).toBe(0);
    expect(say({ ...far, confidence: 0.3 })).toBeCloseTo(0.5, 1);
    expect(say({ ...far, voicedSeconds: 0 })).toBe(0);
  });
});
