import { NUMBER_WORDS } from '../lexicon/en/numbers.ts';

const WORD = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;

/** Function words, fillers and courtesies: they say nothing about the topic. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  "i you he she it we they me him her us them my your his its our their this that these those a an the and or but if so as of at by for with about to from in on up down out off over into is are was were be been being am do does did doing have has had having will would can could should may might must shall not no nor yes yeah yep yup nope ok okay oh um uh uh-huh mm hmm mhm huh well just like know mean think really very there here what which who whom whose when where why how all any some each both more most other such only own same than too also again then once i'm it's that's don't i'll i've you're we're they're let's he's she's there's what's can't won't didn't doesn't isn't wasn't aren't couldn't wouldn't shouldn't i'd you'd we'd we'll you'll it'll we've you've they've please thank thanks get got getting go going gonna want wanna need one right hi hello hey bye goodbye sure maybe actually basically kind sort thing things stuff lot bit way say said saying see yet still even much many because while now back guess let make made take put come look people something anything everything someone anyone nothing".split(
    ' ',
  ),
);

/** The words of a text, lower-cased, with plain apostrophes. */
export function words(text: string): string[] {
  return text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [];
}

const SUFFIXES = ["'s", 'ing', 'edly', 'ed', 'ies', 'es', 's', 'ly'];
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
export const isContentWord = (word: string): boolean => word.length > 1 && !STOP_WORDS.has(word);
