import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { claimsOf, conversationOf, isHard, mishearingsOf, overviewOf } from '../../src/dashboard/conversation/model.ts';
import { fullLevelOf } from '../../src/dashboard/conversation/timeline/lanes.ts';
import { clock, percents, plus, tier, two } from '../../src/dashboard/lib/format.ts';
import type { AnalysisResponse } from '../../src/sdk/wire.ts';

const RESULT = JSON.parse(
  readFileSync(new URL('../../src/openapi/example-analysis.json', import.meta.url), 'utf8'),
) as AnalysisResponse;

it('the overview is shown whole, sentence by sentence with its evidence', () => {
  const conversation = conversationOf(RESULT);
  const claims = overviewOf(conversation);
  expect(claims.map(({ text }) => text).join(' ')).toBe(RESULT.summary.overview);
  const known = new Map(RESULT.summary.evidence.map(({ text, utterance_ids }) => [text, utterance_ids]));
  // The example's timeline is cut short.
  const there = new Set(RESULT.timeline.map(({ utterance_id }) => utterance_id));
  for (const { text, lines } of claims)
    expect(lines.map((line) => RESULT.timeline[line]!.utterance_id)).toEqual(
      (known.get(text) ?? []).filter((id) => there.has(id)),
    );
  expect(claims.some(({ lines }) => lines.length > 0)).toBe(true);
});

it('an overview rewritten by a language model is shown too, without evidence that it does not name', () => {
  const summary = { ...RESULT.summary, overview: 'Something else was said.', evidence: [] };
  expect(overviewOf(conversationOf({ ...RESULT, summary }))).toEqual([
    { text: 'Something else was said.', isOfSummary: false, lines: [] },
  ]);
});

it('a speaker without a name has a letter, in order of first speech; one who was named has the name', () => {
  const named = RESULT.timeline.map((entry) => ({
    ...entry,
    speaker: entry.speaker === 'Speaker_1' ? 'Željka' : entry.speaker,
  }));
  expect(conversationOf({ ...RESULT, timeline: named }).names).toEqual(['Speaker A', 'Željka']);
});

it('without affect a line has no tone, and its text is complete', () => {
  const bare = RESULT.timeline.map((entry) => ({ ...entry, pad_scores: null, emotion: null }));
  const { lines } = conversationOf({ ...RESULT, timeline: bare });
  for (const line of lines) expect([line.tone, line.felt]).toEqual([undefined, undefined]);
  expect(lines.map(({ text }) => text)).toEqual(RESULT.timeline.map(({ text }) => text));
});

it('a line has the suggestions for its misheard words, unless the words were corrected', () => {
  const { utterance_id, text } = RESULT.timeline[0]!;
  const misheard = { utterance_id, heard: text.split(' ')[0]!, meant: 'Dana' };
  const mishearings = [misheard, { ...misheard, heard: 'no longer there' }];
  const view = conversationOf({ ...RESULT, summary: { ...RESULT.summary, mishearings } });
  expect(mishearingsOf(view, view.lines[0]!)).toEqual([misheard]);
  expect(mishearingsOf(view, view.lines[1]!)).toEqual([]);
  const plain = conversationOf(RESULT);
  expect(mishearingsOf(plain, plain.lines[0]!)).toEqual([]);
});

it('words that were not understood are among those that are hard to hear', () => {
  const unread = RESULT.timeline.map((entry) => ({ ...entry, unread: 'not_understood' as const }));
  expect(conversationOf({ ...RESULT, timeline: unread }).lines.every(isHard)).toBe(true);
  expect(conversationOf(RESULT).lines.every(isHard)).toBe(false);
});

it('a claim without evidence has no lines, and an absent text has no claims', () => {
  const conversation = conversationOf(RESULT);
  expect(claimsOf(conversation, ['nowhere'])).toEqual([{ text: 'nowhere', isOfSummary: false, lines: [] }]);
  expect(claimsOf(conversation, null)).toEqual([]);
});

it('a mean over the whole conversation has no single second as its evidence', () => {
  const ids = RESULT.timeline.map(({ utterance_id }) => utterance_id);
  const mean = { text: 'mean sentiment 0.18', utterance_ids: ids, measures: { mean_polarity: 0.18 } };
  const agreed = { text: '1 proposal accepted', utterance_ids: ids.slice(0, 1), measures: { accepted: 1 } };
  const summary = { ...RESULT.summary, evidence: [mean, agreed] };
  const claims = claimsOf(conversationOf({ ...RESULT, summary }), [mean.text, agreed.text]);
  expect(claims.map(({ lines }) => lines)).toEqual([[], [0]]);
});

it('numbers are written as people read them', () => {
  expect([clock(59.9), clock(61), clock(3661)]).toEqual(['0:59', '1:01', '1:01:01']);
  expect([two(-0.5), plus(0.25), plus(-0.25)]).toEqual(['−0.50', '+0.25', '−0.25']);
  expect([two(-0.001), plus(0.001), plus(-0.001)]).toEqual(['0.00', '0.00', '0.00']);
  expect([0.75, 0.5, 0.49].map((value) => tier(value).word)).toEqual(['sure', 'likely', 'unsure']);
  for (const shares of [
    [1, 1, 1],
    [0.335, 0.335, 0.33],
    [5, 0, 0],
  ]) {
    const whole = percents(shares);
    expect(whole.reduce((sum, share) => sum + share, 0)).toBe(100);
  }
  expect(percents([0, 0])).toEqual([0, 0]);
});

it('the lanes are filled by the loud parts of the recording itself, not by its noise', () => {
  const levels = (...channels: number[][]) => ({ rate: 10, channels: channels.map((each) => Uint8Array.from(each)) });
  const speech = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? 0 : 60 + (i % 100) / 2));
  expect(fullLevelOf(levels(speech))).toBeGreaterThan(100);
  expect(fullLevelOf(levels(speech))).toBeLessThan(110);
  expect(fullLevelOf(levels(speech, [255]))).toBeLessThan(110);
  expect(fullLevelOf(levels([1, 2, 3]))).toBe(48);
  expect(fullLevelOf(levels([0, 0]))).toBe(48);
});
