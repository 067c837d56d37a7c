import { describe, expect, it } from 'vitest';
import { fuse, roundedShares } from '../../containers/pipeline/affect/fusion.ts';
import { EMOTIONS, type EmotionMap } from '../../src/contract/timeline.ts';

const even = Object.fromEntries(EMOTIONS.map((name) => [name, 1 / 7])) as EmotionMap;
const mostly = (emotion: keyof EmotionMap, share: number): EmotionMap =>
  Object.fromEntries(EMOTIONS.map((name) => [name, name === emotion ? share : (1 - share) / 6])) as EmotionMap;
const middle = { valence: 0.5, arousal: 0.5, dominance: 0.5 };
const words = { emotions: mostly('neutral', 0.7), pad: middle };
const voice = { emotions: mostly('anger', 0.9), pad: { valence: 0.1, arousal: 0.9, dominance: 0.9 }, confidence: 1 };

describe('words and voice fused', () => {
  it('sum to 1', () => {
    const { emotions } = fuse({ emotions: even, pad: middle }, { ...voice, emotions: even });
    expect(EMOTIONS.reduce((sum, name) => sum + emotions[name], 0)).toBeCloseTo(1, 6);
  });

  it('are the words alone without a voice, or with one that cannot be trusted', () => {
    expect(fuse(words, null).emotions.neutral).toBeCloseTo(0.7, 3);
    expect(fuse(words, { ...voice, confidence: 0 })).toEqual(fuse(words, null));
  });

  it('let the voice tilt the classes but not decide them', () => {
    const { emotions, dominant } = fuse(words, voice);
    expect(emotions.anger).toBeGreaterThan(words.emotions.anger);
    expect(dominant).toBe('neutral');
  });

  it('follow the voice in arousal more than in valence', () => {
    const { pad } = fuse(words, voice);
    expect(pad.arousal - 0.5).toBeGreaterThan(0.5 - pad.valence);
  });

  it('call a tie neutral, with the share of the dominant class as confidence', () => {
    const tied = { ...mostly('neutral', 0.4), anger: 0.4, joy: 0, fear: 0, disgust: 0, sadness: 0.1, surprise: 0.1 };
    const { dominant, confidence, emotions } = fuse({ emotions: tied, pad: middle }, null);
    expect(dominant).toBe('neutral');
    expect(confidence).toBe(emotions.neutral);
  });
});

describe('rounded shares', () => {
  it('give the rest to the one named', () => {
    expect(roundedShares({ a: 1 / 3, b: 1 / 3, c: 1 / 3 }, 'c')).toEqual({ a: 0.3333, b: 0.3333, c: 0.3334 });
  });
});
