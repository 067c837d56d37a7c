import { describe, expect, it } from 'vitest';
import { deed } from '../../../src/conversation/telling/wording.ts';
import { asks } from '../../../src/conversation/words/questions.ts';
import { clean } from '../../../src/conversation/words/quotes.ts';

describe('the verb of a quote', () => {
  it.each([
    ['We need two more seats', 'wants'],
    ['You will need it while you travel', 'says'],
    ['You could walk in before then', 'suggests'],
    ['Traveling could get tiring', 'says'],
    ["If you give me a raise, I'll take on more", 'offers'],
    ["If you stay longer, we can't check it through", 'reports'],
    ["Maybe I'll just have a dog", 'considers'],
    ["I'll send it on Monday", 'promises'],
    ['Can you tell me what happened', 'asks'],
    ['It has been down since yesterday', 'says'],
  ])('of %j is %j', (said, verb) => {
    const sentence = {
      turn: 0,
      speaker: 'a',
      text: clean(said),
      stems: [],
      length: 5,
      asks: asks(said),
      heard: { mean: 1, least: 1 },
    };
    expect(deed(sentence)).toBe(verb);
  });
});
