import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../src/conversation/languages.ts';
import { clean, isBroken, isCutOff, roughPlaces, shorten } from '../../../src/conversation/text/quotes.ts';

const ENGLISH = languageOf('en');

describe('a quote', () => {
  it.each([
    ['Um, so, I I need a a new laptop, you know.', 'I need a new laptop'],
    ['Well okay, what does it cost?', 'what does it cost?'],
    ['We uh ship on Friday', 'We ship on Friday'],
    ['Yeah, okay, right.', ''],
    ['“Fine”', '“Fine”'],
    ["I'm in New Jersey now, though.", "I'm in New Jersey now"],
    ['Like I said, it leaks, sir.', 'it leaks'],
    ["That's right.", "That's right"],
    ["It's too late, I'm afraid.", "It's too late"],
    ['With you, you never know', 'With you, you never know'],
    ['I, I know the way', 'I know the way'],
    ['It was nice. Nice talking to you', 'It was nice. Nice talking to you'],
  ])('cleans %j to %j', (said, quote) => {
    expect(clean(said, ENGLISH)).toBe(quote);
  });

  it('is cut at a clause when it is long, with an ellipsis', () => {
    expect(shorten('red and blue jars, not the green ones', 5, ENGLISH)).toBe('red and blue jars ...');
    expect(shorten('red and blue', 5, ENGLISH)).toBe('red and blue');
  });
});

it('cleans a long row of fillers before a word in little time', () => {
  expect(clean(`The price ${'so and '.repeat(40)}falls.`, ENGLISH)).toBe(`The price ${'so and '.repeat(40)}falls`);
  expect(clean(`The price falls ${'so and '.repeat(40)}.`, ENGLISH)).toBe('The price falls');
});

it.each([
  ['It has a real good, a real good engine, you know', 2],
  ['I had a, I had a plan', 1],
  ['The price is three fifty five five', 0],
  ['No, no, the price is fixed', 0],
])('the false starts and hesitations of %j are %i', (text, places) => {
  expect(roughPlaces(text, ENGLISH)).toBe(places);
});

it.each([
  ['We had a process to, assure the government', true],
  ['The, my only objection is the price', true],
  ["They'll, she'll accept it", true],
  ['I used to run it, I where we lived', true],
  ['It is really re really cheap', true],
  ['We look at th the buttons', true],
  ['We sold the car, and I, too, was glad', false],
  ['The order is number B 4 7, as you know', false],
  ['Mr. Hill went to the PC shop', false],
])('whether a new start breaks %j: %j', (text, broken) => {
  expect(isBroken(text, ENGLISH)).toBe(broken);
});

it('a sentence that ends in a word before more is cut off', () => {
  expect(isCutOff('The salaries were lower and it was', ENGLISH)).toBe(true);
  expect(isCutOff('The salaries were lower', ENGLISH)).toBe(false);
});

it('a printed sound of the speaker is no word of a quote', () => {
  expect(clean('It was just the weather <laughter>.', ENGLISH)).toBe('It was just the weather');
  expect(clean('It was [cough] expensive', ENGLISH)).toBe('It was expensive');
});
