import type { Language } from '../language.ts';

/**
 * Forms of a word. Each set of weights and each word list was made with one of them; text is lower-cased and its
 * apostrophes are plain.
 */
const WORD_FORMS = {
  /** Letters and digits with one apostrophe: "two-year" is two words. Topics, phases, metrics, segmentation weights. */
  plain: /[\p{L}\p{N}]+(?:'\p{L}+)?/gu,
  /** Hyphens, points and apostrophes join, and a cut-off word keeps its dash: "two-year", "8.5", "tues-". Affect. */
  joined: /[\p{L}\p{N}]+(?:['.-][\p{L}\p{N}]+)*(?:-(?=\s|$|[,.]))?/gu,
  /** Includes question and exclamation marks. Hashed features of the moment network. */
  marked: /[\p{L}\p{N}']+|[?!]/gu,
  /** Includes runs of marks, ellipses and single other signs, such as emoji. Hashed features of the affect network. */
  signs: /[\p{L}\p{N}]+(?:'\p{L}+)?|[!?]+|\.\.+|[^\s\p{L}\p{N}]/gu,
  /** Anything between blanks, commas, points and question marks. Cue phrases, after `normalise`. */
  spaced: /(?!-(?:[\s,.?]|$))[^\s,.?]+/gu,
} as const;
export type WordForm = keyof typeof WORD_FORMS;

/** Replaces typographic quotes, dashes and ellipses by plain ones. */
export const plainPunctuation = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u0091\u0092]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2013\u2014]/g, ' - ')
    .replace(/\u2026|\u0085/g, '...');

/** The words of a text, lower-cased, with plain apostrophes. */
export function words(text: string, form: WordForm = 'plain'): string[] {
  const plain = form === 'joined' || form === 'signs' ? plainPunctuation(text) : text.replaceAll('’', "'");
  return plain.toLowerCase().match(WORD_FORMS[form]) ?? [];
}

/** Whether a word, lower-cased, is a number, in words or in digits. */
export const isNumber = (word: string, language: Language): boolean =>
  language.words.numbers.has(word) || /^\d/.test(word);

/** Whether a word can be a topic: no function word, no single letter. */
export const isContentWord = (word: string, language: Language): boolean =>
  word.length > 1 && !language.words.stopWords.has(word);
