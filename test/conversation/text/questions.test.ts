import { expect, it } from 'vitest';
import { languageOf } from '../../../src/conversation/languages.ts';
import { asks, utteranceAsks } from '../../../src/conversation/text/questions.ts';

const ENGLISH = languageOf('en');

it.each([
  'You came by train?',
  'are you coming',
  'So how much is it',
  'okay, and what time would you come',
  'I see. Is there another one.',
  'Don’t you want to sit down',
  'what about the other one',
])('%s asks', (text) => expect(asks(text, ENGLISH)).toBe(true));

it.each([
  'I know what you are.',
  'When we arrived it was closed.',
  'What I mean is that it broke.',
  'Do it again.',
  'Have this one.',
  'which is not a lot',
  "That's right.",
  '',
])('%s does not', (text) => expect(asks(text, ENGLISH)).toBe(false));

it('the measured markers decide for a measured utterance', () => {
  const lexical_markers = {
    hedge_density: 0,
    disfluency_rate: 0,
    is_question: true,
    self_repair: false,
    reasoning: '',
  };
  expect(utteranceAsks({ text: 'You are coming.', lexical_markers }, ENGLISH)).toBe(true);
  expect(utteranceAsks({ text: 'You are coming.' }, ENGLISH)).toBe(false);
});
