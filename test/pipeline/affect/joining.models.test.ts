import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { join } from '../../../containers/pipeline/affect/joining.ts';
import type { SourceAffect } from '../../../containers/pipeline/affect/reading.ts';
import { roundedShares } from '../../../containers/pipeline/affect/rounded-shares.ts';
import { EMOTIONS, type EmotionMap } from '../../../src/contract/timeline.ts';

const even = Object.fromEntries(EMOTIONS.map((name) => [name, 1 / 7])) as EmotionMap;
const mostly = (emotion: keyof EmotionMap, share: number): EmotionMap =>
  Object.fromEntries(EMOTIONS.map((name) => [name, name === emotion ? share : (1 - share) / 6])) as EmotionMap;
const middle = { valence: 0.5, arousal: 0.5, dominance: 0.5 };
const words: SourceAffect = {
  source: 'words',
  emotions: mostly('neutral', 0.7),
  pad: middle,
  confidence: 1,
  shares: null,
  say: 1,
  doubt: 1,
};
const voice: SourceAffect = {
  source: 'voice',
  emotions: mostly('anger', 0.76),
  pad: { valence: 0.1, arousal: 0.9, dominance: 0.9 },
  confidence: 1,
  shares: { valence: 0.2, arousal: 0.65, dominance: 0.5 },
  say: 1,
  doubt: 1,
};
const sum = (emotions: EmotionMap) => EMOTIONS.reduce((total, name) => total + emotions[name], 0);

describe('joined readings', () => {
  it('sum to 1', () => {
    expect(sum(join([{ ...words, emotions: even }, voice]).emotions)).toBeCloseTo(1, 6);
  });

  it('are the words alone without a voice, or with one that cannot be trusted', () => {
    expect(join([words]).emotions.neutral).toBeCloseTo(0.7, 3);
    expect(join([words])).toMatchObject({ dominant: 'neutral', decidedBy: 'words' });
    expect(join([words, { ...voice, confidence: 0, say: 0 }])).toEqual(join([words]));
  });

  it('let a voice that stands out decide over neutral words, by its confidence', () => {
    const joined = join([words, voice]);
    expect(joined).toMatchObject({ dominant: 'anger', decidedBy: 'voice' });
    expect(joined.confidence).toBeGreaterThan(0.5);
    expect(joined.confidence).toBeLessThan(0.8);
  });

  it('leave the decision to the words where the voice has less than half of its class', () => {
    const faint = { ...voice, emotions: mostly('anger', 0.55) };
    const { dominant, decidedBy, emotions } = join([words, faint]);
    expect([dominant, decidedBy]).toEqual(['neutral', 'words']);
    // The voice still shows, as far as the words stay ahead.
    expect(emotions.anger).toBeGreaterThan(join([words]).emotions.anger);
    expect(emotions.neutral).toBeGreaterThanOrEqual(emotions.anger);
  });

  it('keep the class against an ordinary voice of any kind', () => {
    const sure = { ...words, emotions: mostly('joy', 0.6) };
    const ordinary = { ...voice, say: 0 };
    for (const said of [words, sure]) expect(join([said, ordinary]).emotions).toEqual(join([said]).emotions);
  });

  it('keep a clear feeling of the words against a voice that stands out', () => {
    expect(join([{ ...words, emotions: mostly('joy', 0.8) }, voice])).toMatchObject({
      dominant: 'joy',
      decidedBy: 'words',
    });
  });

  it('make neutral more likely by the doubt of a voice, and ignore a voice without weight', () => {
    const near = { ...voice, emotions: { ...mostly('anger', 0.88), anger: 0.7, neutral: 0.2 } };
    expect(join([words, near])).toMatchObject({ dominant: 'anger', decidedBy: 'voice' });
    expect(join([words, { ...near, doubt: 1.6 }])).toMatchObject({ dominant: 'neutral', decidedBy: 'words' });
    expect(join([words, { ...voice, doubt: 1.6 }])).toMatchObject({ dominant: 'anger', decidedBy: 'voice' });
    expect(join([words, { ...near, say: 0, doubt: 1.6 }])).toEqual(join([words, { ...near, say: 0 }]));
  });

  it('weigh a voice less against the sentiment of well recognised words, and fully with it', () => {
    const anger = (polarity: number, confidence = 1) =>
      join([{ ...words, confidence }, voice], polarity).emotions.anger;
    const against = [0, 0.3, 0.6, 1].map((polarity) => anger(polarity));
    expect(against).toEqual(against.toSorted((a, b) => b - a));
    expect(join([words, voice], 1)).toEqual(join([words, { ...voice, say: 0 }]));
    expect(anger(-1)).toBe(anger(0));
    expect(anger(1, 0)).toBe(anger(0, 0));
    const glad = { ...voice, emotions: mostly('joy', 0.8) };
    expect(join([words, glad], -0.9)).toMatchObject({ dominant: 'neutral', decidedBy: 'words' });
    expect(join([words, glad], 0.9)).toMatchObject({ dominant: 'joy', decidedBy: 'voice' });
    const surprised = { ...voice, emotions: mostly('surprise', 0.5) };
    for (const polarity of [-1, 1]) expect(join([words, surprised], polarity)).toEqual(join([words, surprised]));
  });

  it('trust poorly recognised words less where the voice disagrees', () => {
    const sad = { ...words, emotions: mostly('sadness', 0.5) };
    const heard = [1, 0.7, 0.3].map((confidence) => join([{ ...sad, confidence }, voice]).emotions.anger);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
    expect(heard[2]).toBeGreaterThan(heard[0]!);
  });

  it('increase the weight of the voice gradually', () => {
    const shares = [0, 0.25, 0.5, 0.75, 1].map((say) => join([words, { ...voice, say }]).emotions.anger);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  it('follow the voice in arousal more than in valence', () => {
    const { pad } = join([words, voice]);
    expect(pad.arousal - 0.5).toBeGreaterThan(0.5 - pad.valence);
  });

  it('weigh a third source by its share, and give the words the rest', () => {
    const model = { ...voice, source: 'model', pad: { valence: 1, arousal: 0.1, dominance: 0.5 } };
    const shares = { valence: 0.3, arousal: 0.1, dominance: 0 };
    const { pad } = join([words, voice, { ...model, shares }]);
    expect(pad.valence).toBeCloseTo(0.5 * 0.5 + 0.2 * 0.1 + 0.3 * 1, 4);
    expect(pad.arousal).toBeCloseTo(0.25 * 0.5 + 0.65 * 0.9 + 0.1 * 0.1, 4);
  });

  it("give the words nothing where the others' shares exceed 1, and lie between the readings", () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const reading = fc.record({ value: unit, share: unit, confidence: unit });
    fc.assert(
      fc.property(unit, fc.array(reading, { maxLength: 5 }), (ground, others) => {
        const pad = (valence: number) => ({ ...middle, valence });
        const readings = others.map(
          ({ value, share, confidence }): SourceAffect => ({
            ...voice,
            pad: pad(value),
            confidence,
            shares: { valence: share, arousal: share, dominance: share },
          }),
        );
        const joined = join([{ ...words, pad: pad(ground) }, ...readings]);
        const all = [ground, ...others.map(({ value }) => value)];
        expect(joined.pad.valence).toBeGreaterThanOrEqual(Math.min(...all) - 1e-4);
        expect(joined.pad.valence).toBeLessThanOrEqual(Math.max(...all) + 1e-4);
        expect(sum(joined.emotions)).toBeCloseTo(1, 6);
      }),
    );
    const claiming = { valence: 1, arousal: 1, dominance: 1 };
    const both = [words, { ...voice, shares: claiming }, { ...voice, shares: claiming }];
    expect(join(both).pad).toEqual(voice.pad);
  });

  it('call a tie neutral, with the share of the dominant class as confidence', () => {
    const tied = { ...mostly('neutral', 0.4), anger: 0.4, joy: 0, fear: 0, disgust: 0, sadness: 0.1, surprise: 0.1 };
    const { dominant, confidence, emotions } = join([{ ...words, emotions: tied }]);
    expect(dominant).toBe('neutral');
    expect(confidence).toBe(emotions.neutral);
  });
});

describe('rounded shares', () => {
  it('give the remainder to the named member', () => {
    expect(roundedShares({ a: 1 / 3, b: 1 / 3, c: 1 / 3 }, 'c')).toEqual({ a: 0.3333, b: 0.3333, c: 0.3334 });
  });
});

it('rounding never makes another class the largest', () => {
  const close = {
    joy: 0.042232,
    sadness: 0.434139,
    anger: 0.037118,
    fear: 0.018743,
    surprise: 0.023064,
    disgust: 0.010578,
  };
  const read = { ...words, emotions: { ...close, neutral: 0.434126 } };
  const { emotions, dominant } = join([read]);
  expect(dominant).toBe('sadness');
  expect(emotions.sadness).toBeGreaterThan(emotions.neutral);
});
