import { SUFFIXES } from '../lexicon/en/endings.ts';
import { NUMBER_WORDS } from '../lexicon/en/numbers.ts';
import { STOP_WORDS } from '../lexicon/en/stop-words.ts';

const WORD = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;

const STOPPED: ReadonlySet<string> = new Set(STOP_WORDS.split(' '));

/** The words of a text, lower-cased, with plain apostrophes. */
export function words(text: string): string[] {
  return text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [];
}

/** Letters that must remain for a suffix to come off. */
const MIN_STEM = 3;

/** A light stem: one inflectional suffix off. Enough to let 'invoice' and 'invoices' meet. */
export function stem(word: string): string {
  for (const suffix of SUFFIXES) {
    if (word.length - suffix.length >= MIN_STEM && word.endsWith(suffix)) {
      const root = word.slice(0, -suffix.length);
      return suffix === 'ies' ? `${root}y` : root.length > MIN_STEM && root.endsWith('e') ? root.slice(0, -1) : root;
    }
  }
  return word.length > MIN_STEM + 1 && word.endsWith('e') ? word.slice(0, -1) : word;
}

const NUMBERS = new Set(NUMBER_WORDS.split(' '));

/** Whether a word, lower-cased, is a number, in words or in digits. */
export const isNumber = (word: string): boolean => NUMBERS.has(word) || /^\d/.test(word);

/** Whether a word can carry the topic: no function word, no single letter. */
export const isContentWord = (word: string): boolean => word.length > 1 && !STOPPED.has(word);
