import tokenizer from 'llama-tokenizer-js';
import { describe, expect, it } from 'vitest';
import { listedWords } from '../../../../containers/pipeline/recognition/moonshine/word-list.ts';

const ids = (text: string) => tokenizer.encode(text, false);
/** The gain of a text's score from a list. */
function gain(list: string[], text: string): number {
  const words = listedWords(list);
  let { start: walk } = words;
  let sum = 0;
  for (const token of ids(text)) {
    const step = words.step(walk, token);
    walk = step.walk;
    sum += step.bonus;
  }
  return sum;
}

describe('a list of words', () => {
  it('makes each token of a listed word but the first more likely, as given and with a capital', () => {
    const bonus = 2 * (ids('Sittily').length - 1);
    expect(bonus).toBeGreaterThan(0);
    expect(gain(['Sittily'], 'Sittily.')).toBe(bonus);
    expect(gain(['Sittily'], 'my name is Sittily and that')).toBe(bonus);
    const lower = 2 * (ids('zwitterion').length - 1);
    expect(gain(['zwitterion'], 'the zwitterion is')).toBe(lower);
    expect(gain(['zwitterion'], 'Zwitterion is')).toBe(2 * (ids('Zwitterion').length - 1));
  });

  it('gives nothing for a word that begins like a listed word, or continues as a longer one', () => {
    expect(gain(['Sittily'], 'Sitting down')).toBe(0);
    expect(gain(['Sittily'], 'Sittilyness of')).toBe(0);
    expect(gain(['Sittily'], 'nothing of it')).toBe(0);
  });

  it('accepts names of several words', () => {
    expect(gain(['Acme Zorblax'], 'the Acme Zorblax came')).toBe(2 * (ids('Acme Zorblax').length - 1));
    expect(gain(['Acme Zorblax'], 'the Acme company')).toBe(0);
  });

  it('lists continuations of a word only inside one', () => {
    const words = listedWords(['Sittily']);
    const [first, second] = ids('Sittily');
    expect(words.continuations(words.start)).toEqual([]);
    expect(words.continuations(words.step(words.start, first!).walk)).toContain(second);
  });
});
