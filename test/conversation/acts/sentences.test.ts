import { expect, test } from 'vitest';
import { actSentences, normalise, quote } from '../../../src/conversation/acts/sentences.ts';
import { isBackChannel, isQuestion } from '../../../src/conversation/words/surface.ts';

test('notes in brackets are left out, and a bracket that stays open is kept', () => {
  expect(normalise('Well [laughs] yes [a [b] c] no [open um x')).toBe('well yes c no open x');
});

test('questions are known by mark, word order or tag', () => {
  expect(['are you coming', 'You came by train?', 'it works, right'].map(isQuestion)).toEqual([true, true, true]);
  expect(['I know what you are', 'We went home.'].map(isQuestion)).toEqual([false, false]);
});

test('up to three listening words are a back-channel', () => {
  expect(['Mm-hm.', 'Oh okay, right.', 'Yeah.'].map(isBackChannel)).toEqual([true, true, true]);
  expect(isBackChannel('Yeah, send it.')).toBe(false);
});

test('a quote takes its times from the words of the utterance', () => {
  const words = ['Good.', 'Call', 'me.'].map((word, i) => ({ word, t_start: 10 + i, t_end: 10.5 + i, confidence: 1 }));
  const u = { utterance_id: 'u', speaker: 's', t_start: 10, t_end: 13, text: 'Good. Call me.', words };
  const sentence = actSentences(u.text)[1];
  expect(sentence && quote(u, sentence)).toEqual({ utterance_id: 'u', quote: 'Call me.', t_start: 11, t_end: 12.5 });
});

test('without words a quote lies in proportion of its characters', () => {
  const u = { utterance_id: 'u', speaker: 's', t_start: 0, t_end: 10, text: 'aaaa. bbb.' };
  const sentence = actSentences(u.text)[1];
  expect(sentence && quote(u, sentence)).toMatchObject({ t_start: 6, t_end: 10 });
});
