import { expect, test } from 'vitest';
import { PhraseMatcher } from '../../../src/conversation/text/phrases.ts';

const found = (phrase: string, text: string): boolean =>
  new PhraseMatcher({ cue: [phrase] }, { day: ['monday tuesday'] }).match(['^', ...text.split(' '), '$']).has('cue');

test('a phrase is found anywhere in a sentence', () => {
  expect(found('how about', 'so how about now')).toBe(true);
  expect(found('how about', 'how is it about')).toBe(false);
});

test('alternatives nest, and an empty one makes them optional', () => {
  const phrase = 'i (can|could (just|)) send';
  expect(found(phrase, 'i can send')).toBe(true);
  expect(found(phrase, 'i could send')).toBe(true);
  expect(found(phrase, 'i could just send')).toBe(true);
  expect(found(phrase, 'i can just send')).toBe(false);
});

test('adjacent groups need no blank between them', () => {
  expect(found('(price|cost) (* |)(is|was) high', 'the price now is high')).toBe(true);
  expect(found('(price|cost) (* |)(is|was) high', 'the cost was high')).toBe(true);
});

test('a class matches each of its words and a star any word, but not the end', () => {
  expect(found('on <day>', 'see you on tuesday')).toBe(true);
  expect(found('on <day>', 'see you on sunday')).toBe(false);
  expect(found('see *', 'now see you')).toBe(true);
  expect(found('see *', 'now see')).toBe(false);
});

test('anchors bind a phrase to the ends of the sentence', () => {
  expect(found('^ yes', 'yes indeed')).toBe(true);
  expect(found('^ yes', 'oh yes')).toBe(false);
  expect(found('done $', 'we are done')).toBe(true);
});

test('an unbalanced phrase is refused', () => {
  expect(() => new PhraseMatcher({ cue: ['a (b|c))'] }, {})).toThrow(SyntaxError);
});

test('a number matches digits or the words of its class', () => {
  const prices = new PhraseMatcher({ cue: ['<number> dollars'] }, { number: ['forty fifty'] });
  const found = (text: string) => prices.match(text.split(' ')).has('cue');
  expect(['for 45 dollars', 'for 8 dollars', 'for fifty dollars', 'for five dollars'].map(found)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  // Also a number that a phrase gives in digits.
  expect(new PhraseMatcher({ a: ['8 o'], b: ['<number> dollars'] }, {}).match(['8', 'dollars']).has('b')).toBe(true);
});

test('a phrase does not reach beyond the end', () => {
  expect(new PhraseMatcher({ cue: ['my last name'] }, {}).match(['my', 'last']).size).toBe(0);
});
