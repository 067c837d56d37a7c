import { expect, test } from 'vitest';
import type { ConversationMetrics } from '../../../src/contract/insights.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { MetricsCounter } from '../../../src/conversation/turn-taking/metrics.ts';

const ENGLISH = languageOf('en');

/** Utterances as [speaker, start, end, text]. */
function measure(turns: [string, number, number, string][]): ConversationMetrics {
  const counter = new MetricsCounter(ENGLISH);
  turns.forEach(([speaker, t_start, t_end, text], i) => {
    counter.add({ utterance_id: `u${i}`, speaker, t_start, t_end, text });
  });
  return counter.metrics;
}

test('talk ratio leaves silence out', () => {
  const m = measure([
    ['A', 0, 6, 'one two three four five six'],
    ['B', 10, 12, 'seven eight'],
  ]);
  expect(m.speakers.A).toMatchObject({ talk_ratio: 0.75, talk_time_s: 6, words: 6, words_per_minute: 60 });
  expect(m.silence_share).toBeCloseTo(4 / 12, 6);
});

test('a back-channel does not break a monologue, a turn does', () => {
  const turns: [string, number, number, string][] = [
    ['A', 0, 10, 'first part of it'],
    ['B', 10, 10.5, 'mm-hm'],
    ['A', 11, 20, 'second part of it'],
  ];
  expect(measure(turns).speakers.A?.longest_monologue_s).toBe(20);
  turns[1] = ['B', 10, 10.9, 'but why is that'];
  expect(measure(turns).speakers.A?.longest_monologue_s).toBe(10);
});

test('cutting in counts when the other side yields, talking over a back-channel does not', () => {
  const cutIn: [string, number, number, string][] = [
    ['A', 0, 5, 'and so what I was going to say'],
    ['B', 4.5, 8, 'no wait a moment please'],
  ];
  expect(measure(cutIn)).toMatchObject({ overlaps: 1, overlap_time_s: 0.5 });
  expect(measure(cutIn).speakers.B?.interruptions).toBe(1);
  cutIn[1] = ['B', 4.5, 5.2, 'yeah right'];
  expect(measure(cutIn).speakers.B?.interruptions).toBe(0);
});

test('latency is the median gap before own turns, and null without any', () => {
  const m = measure([
    ['A', 0, 2, 'where were you born'],
    ['B', 2.4, 4, 'in a small town up north'],
    ['A', 4.2, 6, 'and when was that then'],
    ['B', 7, 8, 'long before you were'],
  ]);
  expect(m.speakers.B).toMatchObject({ response_latency_ms: 700, patience_s: 0.7 });
  expect(measure([['A', 0, 1, 'hello']]).speakers.A).toMatchObject({ response_latency_ms: null, patience_s: null });
});

test('an empty conversation has empty metrics', () => {
  expect(measure([])).toMatchObject({ interactivity: 0, speaker_switches: 0, silence_share: 0, questions: 0 });
});

test('ten switches per minute give an interactivity of five', () => {
  const turns = Array.from({ length: 11 }, (_, i): [string, number, number, string] => [
    i % 2 ? 'B' : 'A',
    i * 5.5,
    i * 5.5 + 5,
    'so it goes on',
  ]);
  expect(measure(turns).interactivity).toBeCloseTo(5, 1);
});

test('overlap is what the utterances report, counted once where two report it', () => {
  const counter = new MetricsCounter(ENGLISH);
  const say = (speaker: string, t_start: number, t_end: number, overlap_ratio?: number) =>
    counter.add({ utterance_id: `u${t_start}`, speaker, t_start, t_end, text: 'so it goes on', overlap_ratio });
  // The second voice under the first has no words of its own.
  say('A', 0, 4, 0.25);
  expect(counter.metrics).toMatchObject({ overlaps: 1, overlap_time_s: 1 });
  // Both report half a second of overlap.
  say('B', 10, 15, 0.1);
  say('A', 14.5, 20, 0.5 / 5.5);
  expect(counter.metrics).toMatchObject({ overlaps: 2, overlap_time_s: 1.5 });
  // The times overlap by a fifth of a second, but the utterances report no overlap.
  say('B', 19.8, 25, 0);
  expect(counter.metrics).toMatchObject({ overlaps: 2, overlap_time_s: 1.5 });
  // Without a reported overlap the times decide.
  say('A', 24.5, 28);
  expect(counter.metrics).toMatchObject({ overlaps: 3, overlap_time_s: 2 });
});
