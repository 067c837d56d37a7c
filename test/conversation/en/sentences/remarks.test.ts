import { describe, expect, it } from 'vitest';
import { reportingVerb } from '../../../../src/conversation/en/sentences/remarks.ts';
import { languageOf } from '../../../../src/conversation/languages.ts';
import { actOf } from '../../../../src/conversation/summary/wording.ts';
import { asks } from '../../../../src/conversation/text/questions.ts';
import { clean } from '../../../../src/conversation/text/quotes.ts';

const ENGLISH = languageOf('en');

describe('the verb of a quote', () => {
  it.each([
    ['We need two more seats', 'wants'],
    ['You will need it while you travel', 'says'],
    ['You could walk in before then', 'says'],
    ['Traveling could get tiring', 'says'],
    ["If you give me a raise, I'll take on more", 'offers'],
    ["If you stay longer, we can't check it through", 'says'],
    ["Maybe I'll just have a dog", 'considers'],
    ["I'll send it on Monday", 'promises'],
    ['Can you tell me what happened', 'asks'],
    ['It has been down since yesterday', 'says'],
    ['I can match any quote you have in writing', 'offers'],
    ['We could get you a heater for your desk', 'offers'],
    ["Let's do the ten fifteen then", 'suggests'],
    // Nobody in particular owes it.
    ["You'll hear from us by Friday", 'says'],
    ["We'll use titanium for the shell", 'says'],
    ['Tomorrow I am in workshops all day', 'says'],
  ])('for %j is %j', (text, verb) => {
    const quote = { quote: clean(text, ENGLISH), utterance_id: 'u' };
    expect(reportingVerb({ quote, asks: asks(text, ENGLISH), act: () => actOf(quote.quote, ENGLISH) })).toBe(verb);
  });
});
