import type { WordForms } from '../../language.ts';
import { NUMBER_WORDS } from './numbers.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Inflectional suffixes, in the order in which they are tried. */
const SUFFIXES = ["'s", 'ing', 'edly', 'ed', 'ies', 'es', 's', 'ly'];
/** Number of letters that must remain when a suffix is removed. */
const MIN_STEM = 3;

/** Reduces 'invoice' and 'invoices' to the same stem. */
function stem(word: string): string {
  for (const suffix of SUFFIXES) {
    if (word.length - suffix.length >= MIN_STEM && word.endsWith(suffix)) {
      const root = word.slice(0, -suffix.length);
      return suffix === 'ies' ? `${root}y` : root.length > MIN_STEM && root.endsWith('e') ? root.slice(0, -1) : root;
    }
  }
  return word.length > MIN_STEM + 1 && word.endsWith('e') ? word.slice(0, -1) : word;
}

export const WORDS: WordForms = {
  stopWords: new Set(STOP_WORDS.split(' ')),
  numbers: new Set(NUMBER_WORDS.split(' ')),
  notANoun: /(?:ly|ful|ous|able|ible|ial|ing|ed|est|ive|less)$/,
  possessive: /'s$/,
  contraction: /'(?!s$)/,
  stem,
};
