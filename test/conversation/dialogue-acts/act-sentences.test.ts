import { expect, test } from 'vitest';
import {
  actSentences,
  normalise,
  quote,
  readsAsQuestion,
} from '../../../src/conversation/dialogue-acts/act-sentences.ts';

test('notes in brackets are left out, and a bracket that stays open is kept', () => {
  expect(normalise('Well [laughs] yes [a [b] c] no [open um x')).toBe('well yes c no open x');
});

test('questions are known by mark, word order or tag', () => {
  expect(['are you coming', 'You came by train?', 'it works, right'].map(readsAsQuestion)).toEqual([true, true, true]);
  expect(['I know what you are', 'We went home.'].map(readsAsQuestion)).toEqual([false, false]);
});

test('a question is told behind any closing marks', () => {
  expect(readsAsQuestion('That is fine, right.. .')).toBe(true);
  expect(readsAsQuestion('That is fine.. .')).toBe(false);
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
