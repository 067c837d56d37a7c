import { describe, expect, it } from 'vitest';
import { disfluenciesIn, hedgesIn, readLexical } from '../../../containers/pipeline/affect/text/lexical.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { asks } from '../../../src/conversation/text/questions.ts';
import { words as wordsOf } from '../../../src/conversation/text/tokens.ts';

const ENGLISH = languageOf('en');

const hedges = (text: string) => hedgesIn(wordsOf(text, 'joined'), ENGLISH).map(({ phrase }) => phrase);

describe('hedges', () => {
  it.each([
    ['I think it is probably fine', ['i think', 'probably']],
    ['it was kind of slow', ['kind of']],
    ['about twenty people came', ['about']],
    ["I'm not sure", ["i'm not sure"]],
    ['a little bit louder', ['a little bit']],
  ])('finds those of "%s"', (text, found) => expect(hedges(text)).toEqual(found));

  it.each([
    'what kind of phone is it',
    'this kind of the thing',
    'I was about to leave',
    'I think about it every day',
    'I like it',
    'not kind of hard, hard',
    'a might of its own and the might of the law',
    'there should be a button',
  ])('finds none in "%s"', (text) => expect(hedges(text)).toEqual([]));

  it('are relational or propositional', () => {
    expect(hedgesIn(wordsOf('I guess it is sort of done', 'joined'), ENGLISH).map(({ kind }) => kind)).toEqual([
      'relational',
      'propositional',
    ]);
  });

  it('raise the density, one for each phrase', () => {
    expect(readLexical('I think so', ENGLISH).markers.hedge_density).toBeCloseTo(1 / 3);
    expect(readLexical('It is done', ENGLISH).markers.hedge_density).toBe(0);
  });
});

describe('disfluencies', () => {
  it('are fillers, repeats and repairs', () => {
    const found = disfluenciesIn(wordsOf('um so the the price uh we should we could lower it', 'joined'), ENGLISH);
    expect(found.fillers).toEqual(['um', 'uh']);
    expect(found.repeats).toEqual(['the']);
    expect(found.repairs).toEqual(['we should']);
  });

  it('do not count emphasis and numbers', () => {
    expect(disfluenciesIn(wordsOf('no no it is very very far, room two two', 'joined'), ENGLISH).repeats).toEqual([]);
  });

  it('count a word that was cut off as a repair', () => {
    expect(readLexical('on tues- on wednesday', ENGLISH).markers.self_repair).toBe(true);
    expect(readLexical('on wednesday', ENGLISH).markers.self_repair).toBe(false);
  });

  it('say in the reasoning what was counted', () => {
    expect(readLexical('um I think yes', ENGLISH).markers.reasoning).toBe(
      '4 words: 1 hedge ("i think"); 1 filler ("um").',
    );
    expect(readLexical('We sign.', ENGLISH).markers.reasoning).toBe('2 words: no hedges, fillers or repairs.');
  });

  it('are 0 for an empty text', () => {
    expect(readLexical('', ENGLISH).markers).toMatchObject({
      hedge_density: 0,
      disfluency_rate: 0,
      is_question: false,
    });
  });
});

describe('questions', () => {
  it.each([
    'How much is it?',
    'how much is it',
    'can you hear me',
    'so what about friday',
    "you got the mail didn't you",
    'Do you have a minute.',
  ])('are found in "%s"', (text) => expect(asks(text, ENGLISH)).toBe(true));

  it.each(['It is done.', 'what I need is time', 'I know how it works', 'You can call me.', 'that is right.', ''])(
    'are not heard in "%s"',
    (text) => expect(asks(text, ENGLISH)).toBe(false),
  );
});
