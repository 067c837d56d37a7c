import { describe, expect, it } from 'vitest';
import { ConversationPatchSchema } from '../../../src/contract/conversations.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { describeMoment } from '../../../src/conversation/summary/moment-descriptions.ts';
import { correctedQuote, correctedWords } from '../../../src/worker/results/edits/corrections.ts';
import { checkEdit } from '../../../src/worker/results/edits/edited.ts';
import { resultOf, timelineOf } from '../../../support/results.ts';
import { appliedTo } from './applied-to.ts';

const TURNS = [
  { speaker: 'Speaker_0', text: 'I can give you a discount on the yearly plan. Shall we do it?' },
  { speaker: 'Speaker_1', text: 'No, the prize is too high for us, it is too expensive.' },
  { speaker: 'Speaker_0', text: 'I will send you an offer by Friday.' },
];
const RIGHT = 'No, the price is much too high for us, it is too expensive.';
const timeline = timelineOf('c', { turns: TURNS });
const id = timeline[1]!.utterance_id;
const moment = describeMoment(
  {
    moment_id: 'c_moment_0',
    category: 'objection',
    speaker_id: 'Speaker_1',
    start_ms: Math.round(timeline[1]!.t_start * 1000),
    end_ms: Math.round(timeline[1]!.t_end * 1000),
    utterance_ids: [id],
    labels: ['price'],
    evidence: [
      {
        utterance_id: id,
        quote: 'the prize is too high for us',
        t_start: timeline[1]!.t_start,
        t_end: timeline[1]!.t_end,
      },
    ],
    confidence: 0.9,
  },
  languageOf('en'),
);
const result = { ...resultOf('c', timeline), moments: [moment] };
const correct = { correct: [{ utterance_id: id, text: RIGHT }] };

describe('a correction', () => {
  it('replaces the words everywhere, as if they had been transcribed so', () => {
    const corrected = appliedTo(result, correct);
    expect(JSON.stringify(result)).toContain('prize');
    expect(JSON.stringify(corrected)).not.toContain('prize');
    expect(corrected.timeline[1]).toMatchObject({ text: RIGHT, asr_confidence: 1, emotions: timeline[1]!.emotions });
    expect(corrected.moments[0]!.evidence[0]!.quote).toBe('the price is much too high for us');
    expect(corrected.moments[0]!.summary).toContain('the price is much too high for us');
  });

  it('changes no other utterance and drops no moment', () => {
    const corrected = appliedTo(result, correct);
    expect([corrected.timeline[0], corrected.timeline[2]]).toEqual([result.timeline[0], result.timeline[2]]);
    expect(corrected.moments.map(({ moment_id }) => moment_id)).toEqual(
      result.moments.map(({ moment_id }) => moment_id),
    );
  });

  it('lets conclusions read an utterance that was not understood', () => {
    const unread = resultOf('c', [timeline[0]!, { ...timeline[1]!, unread: 'not_understood' }, timeline[2]!]);
    expect(appliedTo(unread, correct).timeline[1]).not.toHaveProperty('unread');
  });

  it('is refused for an utterance that the conversation does not have, and for texts that are empty or too long', () => {
    const measured = { utteranceIds: new Set([id]), speakers: new Set(['Speaker_0']) };
    expect(() => checkEdit({ correct: [{ utterance_id: 'x', text: 'a' }] }, [], measured)).toThrow(
      'correct.0.utterance_id',
    );
    for (const text of ['', ' ', 'a\u0000b', 'a'.repeat(8_001)])
      expect(ConversationPatchSchema.safeParse({ correct: [{ utterance_id: id, text }] }).success).toBe(false);
  });
});

describe('the words of a corrected text', () => {
  const words = ['the', 'prize', 'is', 'high'].map((word, i) => ({
    word,
    t_start: i,
    t_end: i + 0.5,
    confidence: 0.4,
  }));

  it('keep their times, and a replaced word is certain', () => {
    expect(correctedWords(words, 'the price is high')).toEqual([
      words[0],
      { ...words[1], word: 'price', confidence: 1 },
      words[2],
      words[3],
    ]);
  });

  it('share the time of what they replace, add to, or remove', () => {
    const times = (text: string) =>
      correctedWords(words, text).map(({ word, t_start, t_end }) => [word, t_start, t_end]);
    expect(times('the prices are low and is high').slice(1, 5)).toEqual([
      ['prices', 1, 1.125],
      ['are', 1.125, 1.25],
      ['low', 1.25, 1.375],
      ['and', 1.375, 1.5],
    ]);
    expect(times('the is high').map(([word]) => word)).toEqual(['the', 'is', 'high']);
    expect(times('the prize is high now').at(-1)).toEqual(['now', 3.5, 3.5]);
    expect(times('well the prize is high')[0]).toEqual(['well', 0, 0]);
    expect(correctedWords([], 'anything')).toEqual([]);
  });
});

it('a quote follows the correction of its text, in whole words', () => {
  const [before, after] = ['we saw the cat, and the prize is high.', 'we saw the cat, and the price is too high.'];
  expect(correctedQuote('the prize is high', before, after)).toBe('the price is too high');
  expect(correctedQuote('the cat', before, 'we saw the car, and the price is high.')).toBe('the car');
  expect(correctedQuote('prize is', before, 'we saw the car, and the price is high.')).toBe('price is');
  expect(correctedQuote('we saw', before, after)).toBe('we saw');
  expect(correctedQuote('not there', before, after)).toBe('not there');
  expect(correctedQuote('the prize', 'so the prize is high', 'so the price of it is high')).toBe('the price of it');
  expect(correctedQuote('high', before, after)).toBe('high');
});
