import { expect, test } from 'vitest';
import {
  type AffectLevel,
  NEUTRAL_LEVEL,
  nameState,
  readAffect,
  smooth,
} from '../../../src/conversation/affect/states.ts';

const level = (more: Partial<AffectLevel>): AffectLevel => ({ ...NEUTRAL_LEVEL, ...more });
const feeling = (emotion: 'anger' | 'fear' | 'sadness' | 'surprise', share: number): AffectLevel['emotions'] => ({
  ...NEUTRAL_LEVEL.emotions,
  neutral: 1 - share,
  [emotion]: share,
});

test('the middle of every scale is calm', () => {
  expect(nameState(NEUTRAL_LEVEL)).toBe('calm');
});

test('the positive side is content at low arousal and enthusiastic at high arousal', () => {
  expect(nameState(level({ valence: 0.7 }))).toBe('content');
  expect(nameState(level({ valence: 0.7, arousal: 0.7 }))).toBe('enthusiastic');
});

test('the prevailing emotion names the negative side', () => {
  expect(nameState(level({ valence: 0.3, emotions: feeling('anger', 0.4) }))).toBe('frustrated');
  expect(nameState(level({ valence: 0.3, emotions: feeling('fear', 0.4) }))).toBe('anxious');
  expect(nameState(level({ valence: 0.3, emotions: feeling('sadness', 0.4) }))).toBe('sad');
  expect(nameState(level({ valence: 0.3 }))).toBe('tense');
});

test('engagement names the middle', () => {
  expect(nameState(level({ engagement: 0.9 }))).toBe('engaged');
  expect(nameState(level({ engagement: 0.2 }))).toBe('disengaged');
});

test('a level on the border keeps the name it had', () => {
  const border = level({ valence: 0.56 });
  expect(nameState(border)).toBe('calm');
  expect(nameState(border, 'content')).toBe('content');
});

test('smoothing moves by its share and keeps unmeasured dimensions', () => {
  const reading = { valence: 1, arousal: null, engagement: null, emotions: null, confidence: 1 };
  const next = smooth(NEUTRAL_LEVEL, reading, 0.4);
  expect(next.valence).toBeCloseTo(0.7, 9);
  expect(next).toMatchObject({ arousal: 0.5, engagement: 0.5 });
});

test('valence falls back on sentiment, and is null without any', () => {
  const bare = { utterance_id: 'u', speaker: 'A', t_start: 0, t_end: 1, text: 'x' };
  expect(readAffect({ ...bare, sentiment: { positive: 0.8, negative: 0.2, neutral: 0 } }).valence).toBeCloseTo(0.8, 9);
  expect(readAffect(bare)).toMatchObject({ valence: null, arousal: null, engagement: null });
});
