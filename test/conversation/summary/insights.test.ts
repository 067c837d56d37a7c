import { expect, test } from 'vitest';
import type { Utterance } from '../../../src/contract/timeline.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { textOf } from '../../../src/conversation/sentences/spans.ts';
import { drawInsights } from '../../../src/conversation/summary/insights.ts';
import { MetricsCounter } from '../../../src/conversation/turn-taking/metrics.ts';
import { direction, robustChange } from '../../../src/conversation/turn-taking/trends.ts';

const ENGLISH = languageOf('en');

const metrics = new MetricsCounter(ENGLISH).metrics;
const insightsOf = (utterances: Utterance[]) =>
  drawInsights({
    utterances,
    transitions: [],
    moments: [],
    metrics,
    language: ENGLISH,
  });
const line = (i: number, more: Partial<Utterance>): Utterance => ({
  utterance_id: `u${i}`,
  speaker: 'A',
  t_start: i * 2,
  t_end: i * 2 + 1,
  text: 'so it is',
  ...more,
});

test('a rising polarity is a positive trend', () => {
  const rising = [-0.6, -0.4, -0.2, 0, 0.3, 0.5, 0.6].map((polarity, i) => line(i, { polarity }));
  expect(insightsOf(rising).overall_sentiment?.trend).toBe('positive');
});

test('one outlier makes no trend', () => {
  expect(direction([0, 0, 0, 0, 0, 0, 1])).toBe(0);
  expect(robustChange([0, 1, 2, 3])).toBeCloseTo(3, 9);
});

test('the most frequent emotions come first, at most three', () => {
  const emotions = ['joy', 'neutral', 'neutral', 'sadness', 'joy', 'neutral', 'fear'] as const;
  const { dominant_emotions, speaker_profiles } = insightsOf(emotions.map((e, i) => line(i, { dominant_emotion: e })));
  expect(dominant_emotions.slice(0, 2)).toEqual(['neutral', 'joy']);
  expect(dominant_emotions).toHaveLength(3);
  expect(speaker_profiles.A).toMatchObject({
    utterance_count: 7,
    emotions: { neutral: 3, joy: 2 },
    dominant_emotion: 'neutral',
  });
});

test('hotspots quote their utterance and are apart', () => {
  const confused = (x: number) => ({ cognitive_signals: { confused: x } });
  const { hotspots } = insightsOf([0.9, 0.8, 0, 0, 0, 0.7].map((x, i) => line(i, confused(x)))).cognitive_profile;
  expect(hotspots.map((h) => h.t)).toEqual([0, 10]);
  expect(textOf(hotspots[0]!.description)).toContain('so it is');
});

test('an empty conversation has empty insights', () => {
  expect(insightsOf([])).toMatchObject({
    overall_sentiment: null,
    dominant_emotions: [],
    key_moments: [],
    conversation_dynamics: { total_duration: 0, utterance_count: 0, transition_rate: 0 },
  });
});
