import tokenizer from 'llama-tokenizer-js';
import { describe, expect, it } from 'vitest';
import {
  lengthWithoutLoop,
  loopLength,
  wordsOf,
} from '../../../../containers/pipeline/recognition/moonshine/tokens.ts';

const ids = (text: string) => tokenizer.encode(text, false);

describe('words of tokens', () => {
  it('keeps punctuation with its word and its time without it', () => {
    const words = wordsOf(ids('Well, see you on Tuesday.'));
    expect(words.map(({ word }) => word)).toEqual(['Well,', 'see', 'you', 'on', 'Tuesday.']);
    expect(words[0]!.end).toBeLessThan(words[0]!.last);
  });

  it('reads letters outside the vocabulary from their bytes', () => {
    expect(wordsOf(ids('naïve 日本 ok')).map(({ word }) => word)).toEqual(['naïve', '日本', 'ok']);
  });

  it('leaves out marks without text', () => {
    expect(wordsOf([32_500, ...ids('yes')]).map(({ word }) => word)).toEqual(['yes']);
  });
});

describe('loops', () => {
  it('finds a block that repeats', () => {
    expect(loopLength([9, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])).toBe(4);
    expect(lengthWithoutLoop([9, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])).toBe(5);
  });

  it('accepts a repeated word or phrase', () => {
    expect(loopLength([5, 5, 5, 5])).toBe(0);
    expect(loopLength([5, 5, 5, 5, 5])).toBe(1);
    expect(loopLength([1, 2, 3, 4, 1, 2, 3, 4])).toBe(0);
  });
});
