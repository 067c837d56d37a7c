import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../src/conversation/languages.ts';
import { writtenForm } from '../../../src/conversation/topics/written-form.ts';

const ENGLISH = languageOf('en');

describe('a topic', () => {
  it.each([
    ['jersey', ["I'm in New Jersey now, though.", "I don't hear that in New Jersey."], 'New Jersey'],
    ['chromecast', ["I'd like to buy a Chromecast."], 'Chromecast'],
    ['york city', ['We moved to New York City, then back.'], 'New York City'],
    ['tang dynasty style', ['That gown of Tang-Dynasty style is beautiful.'], 'Tang-Dynasty style'],
    ['rewards card', ['Tell me about the rewards card.'], 'rewards card'],
    ['motors', ['Thank you for calling Platinum Motors.', 'the motors are loud'], 'Platinum Motors'],
  ])('%j is spelled as in %j: %j', (phrase, texts, form) => {
    expect(writtenForm(phrase, texts, ENGLISH)).toBe(form);
  });

  it('ignores capitals of sentence starts, shouting, longer words and the word I', () => {
    expect(writtenForm('invoice', ['Invoice arrived.', 'I paid. Invoice is here.'], ENGLISH)).toBe('invoice');
    expect(writtenForm('invoice', ['WHERE IS MY INVOICE?'], ENGLISH)).toBe('invoice');
    expect(writtenForm('car', ['we took the car', 'on a Caribbean cruise', 'in the Caribbean'], ENGLISH)).toBe('car');
    expect(writtenForm('melissa', ['and there I Melissa met'], ENGLISH)).toBe('Melissa');
  });
});
