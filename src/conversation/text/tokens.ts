import { DEFAULT_LANGUAGE } from '../languages.ts';

const WORD = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;

const { stopWords, numbers } = DEFAULT_LANGUAGE.words;

/** The words of a text, lower-cased, with plain apostrophes. */
export function words(text: string): string[] {
  return text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [];
}

export const { stem } = DEFAULT_LANGUAGE.words;

/** Whether a word, lower-cased, is a number, in words or in digits. */
export const isNumber = (word: string): boolean => numbers.has(word) || /^\d/.test(word);

/** Whether a word can carry the topic: no function word, no single letter. */
export const isContentWord = (word: string): boolean => word.length > 1 && !stopWords.has(word);
