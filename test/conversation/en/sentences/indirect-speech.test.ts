import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indirectSpeech } from '../../../../src/conversation/en/sentences/indirect-speech.ts';
import { textOf } from '../../../../src/conversation/sentences/spans.ts';

const TWO = { speaker: 'Ann', listener: 'Bob' };
const retell = (text: string, who: Parameters<typeof indirectSpeech>[1]): string | undefined => {
  const spans = indirectSpeech(text, who);
  return spans && textOf(spans);
};

describe('a sentence in indirect speech', () => {
  it.each([
    ['I need a new invoicing tool before March', 'Ann needs a new invoicing tool before March'],
    ["I'd like to buy a lamp", 'Ann would like to buy a lamp'],
    ["I'll send it to you in writing", 'Ann will send it to Bob in writing'],
    ['I got a car from your dealership', "Ann got a car from Bob's dealership"],
    ['The router is broken because it got wet', 'Ann explains that the router is broken because it got wet'],
    ['Would you like the red one or the blue one?', 'Ann asks whether Bob would like the red one or the blue one'],
    ['Could you spell that for me?', 'Ann asks Bob to spell that for them'],
    ['How would you feel about that?', 'Ann asks how Bob would feel about that'],
    ["I don't really trust the dealer", "Ann doesn't really trust the dealer"],
    ['I try to meet Bea at 9:00 AM', 'Ann tries to meet Bea at 9:00 AM'],
    ['My dad was dizzy', 'Ann says their dad was dizzy'],
    ['I watch the news', 'Ann watches the news'],
    ['All the papers should be in the drawer', 'Ann says all the papers should be in the drawer'],
  ])('turns %j into %j', (text, indirect) => {
    expect(retell(text, TWO)).toBe(indirect);
  });

  it('has its speakers as spans, also where a name replaced a pronoun', () => {
    expect(indirectSpeech("I'll send it to you, as Bob said", TWO)).toEqual([
      { speaker: 'Ann' },
      { text: ' will send it to ' },
      { speaker: 'Bob' },
      { text: ', as Bob said' },
    ]);
  });

  it.each([
    ["Let's get the black one"],
    ['You know, I was there too'],
    ['bring it in anytime that we are open'],
    ['Thank you so much for that'],
    ['I would like to come back to that, if'],
    ['You should restart your computer'],
    ['I am afraid not, but I will ask'],
    ["I haven't well I've seen it twice"],
    ['the User Interface Designer'],
    ['I get away with more than you can'],
    ['I went, we went to a dealership'],
    ["I don't, we could never see him there"],
    // A reader could not tell whom each 'they' means.
    ['My dad was on them and I was dizzy'],
    ['I meet them at 9 am if I am free'],
    ['We have two options right now'],
  ])('leaves %j as a quote', (text) => {
    expect(retell(text, TWO)).toBeUndefined();
  });

  it('needs the name of the listener', () => {
    expect(retell('I can send it to you', { speaker: 'Ann', listener: undefined })).toBeUndefined();
  });

  it('uses only the spoken words, names, pronouns and reporting verbs', () => {
    const own = new Set(
      'ann bob they them their theirs themselves are is has does needs wants thinks likes says asks explains reports suggests that whether to would have will were'.split(
        ' ',
      ),
    );
    const spoken = fc.array(
      fc.constantFrom(
        ..."I we my the router is was not need want have broken you your for to a it and because don't I'm we'll can".split(
          ' ',
        ),
      ),
      { minLength: 3, maxLength: 12 },
    );
    fc.assert(
      fc.property(spoken, fc.boolean(), (words, asks) => {
        const text = words.join(' ') + (asks ? '?' : '');
        const indirect = retell(text, TWO) ?? '';
        const known = new Set(text.toLowerCase().match(/[\p{L}']+/gu));
        for (const word of indirect.toLowerCase().match(/[\p{L}']+/gu) ?? [])
          expect(
            known.has(word) || own.has(word.replace(/'s$/, '')) || word === "doesn't",
            `${word} in ${indirect}`,
          ).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
