import { expect, test } from 'vitest';
import { actSentences, normalise, quote } from '../../../src/conversation/dialogue-acts/act-sentences.ts';
import { languageOf } from '../../../src/conversation/languages.ts';

const ENGLISH = languageOf('en');

test('notes in brackets are left out, and an unclosed bracket is kept', () => {
  expect(normalise('Well [laughs] yes [a [b] c] no [open um x', ENGLISH)).toBe('well yes c no open x');
});

test('a sentence is a question by its mark or its word order', () => {
  const asked = (text: string) => actSentences(text, ENGLISH).map(({ question }) => question);
  expect(['are you coming', 'You came by train?', 'Fine. Are you coming'].map(asked)).toEqual([
    [true],
    [true],
    [false, true],
  ]);
  expect(['I know what you are', 'We went home.'].map(asked)).toEqual([[false], [false]]);
});

test('a quote takes its times from the words of the utterance', () => {
  const words = ['Good.', 'Call', 'me.'].map((word, i) => ({ word, t_start: 10 + i, t_end: 10.5 + i, confidence: 1 }));
  const u = { utterance_id: 'u', speaker: 's', t_start: 10, t_end: 13, text: 'Good. Call me.', words };
  const sentence = actSentences(u.text, ENGLISH)[1];
  expect(sentence && quote(u, sentence)).toEqual({ utterance_id: 'u', quote: 'Call me.', t_start: 11, t_end: 12.5 });
});

test('without words a quote is timed in proportion to its characters', () => {
  const u = { utterance_id: 'u', speaker: 's', t_start: 0, t_end: 10, text: 'aaaa. bbb.' };
  const sentence = actSentences(u.text, ENGLISH)[1];
  expect(sentence && quote(u, sentence)).toMatchObject({ t_start: 6, t_end: 10 });
});
