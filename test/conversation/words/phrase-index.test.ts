import { describe, expect, it } from 'vitest';
import { PhraseIndex } from '../../../src/conversation/words/phrase-index.ts';

const worth = (phrases: string[], text: string): number => {
  const sums = new Float32Array(1);
  new PhraseIndex([{ target: 0, weight: 1, phrases }]).add(text.split(' '), sums, 0);
  return sums[0]!;
};

describe('a phrase', () => {
  it('is found where its words stand together', () => {
    expect(worth(['spell that'], 'could you spell that please')).toBe(1);
    expect(worth(['spell that'], 'spell all of that')).toBe(0);
  });

  it('counts once an utterance, and each of a list for itself', () => {
    expect(worth(['bye'], 'bye bye')).toBe(1);
    expect(worth(['bye, take care'], 'bye and take care')).toBe(2);
  });

  it('has alternatives, any words, numbers and days', () => {
    expect(worth(['may|can i'], 'can i')).toBe(1);
    expect(worth(['my _ name'], 'my last name')).toBe(1);
    expect(worth(['# dollars'], 'for forty dollars')).toBe(1);
    expect(worth(['# dollars'], 'for 40 dollars')).toBe(1);
    expect(worth(['on @day'], 'see you on friday')).toBe(1);
    expect(worth(['on @day'], 'see you on paper')).toBe(0);
  });

  it('does not reach beyond the end', () => {
    expect(worth(['my last name'], 'my last')).toBe(0);
  });
});
