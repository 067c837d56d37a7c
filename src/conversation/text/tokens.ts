import type { Language } from '../language.ts';

/**
 * Ways to split a text into words. Each set of weights and each word list depends on one of them. The text is in lower
 * case and has plain apostrophes.
 */
const WORD_FORMS = {
  /**
   * Letters and digits with one apostrophe, so that "two-year" is two words. For topics, phases, metrics, segmentation
   * weights.
   */
  plain: /[\p{L}\p{N}]+(?:'\p{L}+)?/gu,
  /**
   * Hyphens, points and apostrophes join words, and a cut-off word keeps its dash: "two-year", "8.5", "tues-". For
   * affect.
   */
  joined: /[\p{L}\p{N}]+(?:['.-][\p{L}\p{N}]+)*(?:-(?=\s|$|[,.]))?/gu,
  /** Includes question and exclamation marks. For hashed features of the moment network. */
  marked: /[\p{L}\p{N}']+|[?!]/gu,
  /**
   * Includes runs of punctuation, ellipses and other single signs, such as emoji. For hashed features of the affect
   * network.
   */
  signs: /[\p{L}\p{N}]+(?:'\p{L}+)?|[!?]+|\.\.+|[^\s\p{L}\p{N}]/gu,
  /** Anything between blanks, commas, points and question marks. For cue phrases, after `normalise`. */
  spaced: /(?!-(?:[\s,.?]|$))[^\s,.?]+/gu,
} as const;
export type WordForm = keyof typeof WORD_FORMS;

/** Replaces typographic quotes, dashes and ellipses with plain ones. */
export const plainPunctuation = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u0091\u0092]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2013\u2014]/g, ' - ')
    .replace(/\u2026|\u0085/g, '...');

/** The words of a text in lower case, with plain apostrophes. */
export function words(text: string, form: WordForm = 'plain'): string[] {
  const plain = form === 'joined' || form === 'signs' ? plainPunctuation(text) : text.replaceAll('’', "'");
  return plain.toLowerCase().match(WORD_FORMS[form]) ?? [];
}

/** A word in lower case, and its place in the text. */
export interface PlacedWord {
  word: string;
  at: number;
  end: number;
}

/** The words of a text in the plain form, with their places. */
export const placedWords = (text: string): PlacedWord[] =>
  Array.from(text.replaceAll('’', "'").matchAll(WORD_FORMS.plain), ({ 0: word, index: at }) => ({
    word: word.toLowerCase(),
    at,
    end: at + word.length,
  }));

/** Whether a lower-case word is a number, in words or in digits. */
export const isNumber = (word: string, language: Language): boolean =>
  language.words.numbers.has(word) || /^\d/.test(word);

/** Whether a word can be a topic. A function word or a single letter cannot. */
export const isContentWord = (word: string, language: Language): boolean =>
  word.length > 1 && !language.words.stopWords.has(word);
