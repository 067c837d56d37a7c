import type { Language } from '../language.ts';
import { words } from './tokens.ts';

/** Marks the end of an utterance within a sentence. It is an invisible separator, which no recogniser prints. */
export const BREAK = '\u2063';
export const withoutBreaks = (text: string): string => text.replaceAll(BREAK, '');

/** Whether a cleaned sentence was left unfinished. */
export const isCutOff = (text: string, { fillers }: Language): boolean => fillers.cutOff.test(text);

/** Whether a cleaned sentence holds a false start or a new start, after which its reader loses the thread. */
export const isBroken = (text: string, language: Language): boolean =>
  language.fillers.restart.test(text) || falseStarts(text, language) > 0;

/** Whether a cleaned sentence has words that only give its speaker time. */
export const hesitates = (text: string, { fillers }: Language): boolean => text.search(fillers.hesitation) >= 0;

/** Longest group of words whose immediate repetition is a false start. */
const GROUP_WORDS = 3;

/** The number of false starts ("I had a, I had a", "look at th at") and hesitations ("you know") in a cleaned sentence. */
export function roughPlaces(text: string, { fillers }: Pick<Language, 'fillers'>): number {
  return (text.match(fillers.hesitation)?.length ?? 0) + falseStarts(text, { fillers });
}

/** The number of false starts in a cleaned sentence. */
function falseStarts(text: string, { fillers }: Pick<Language, 'fillers'>): number {
  const spoken = words(text);
  let places = text.match(fillers.brokenOff)?.length ?? 0;
  for (let at = 0; at < spoken.length; at++)
    for (let length = 1; length <= GROUP_WORDS; length++) {
      const group = spoken.slice(at, at + length);
      if (
        group.some((word, i) => spoken[at + length + i] !== word) ||
        group.some((word) => fillers.saidTwice.test(word))
      )
        continue;
      places++;
      at += length - 1;
      break;
    }
  return places;
}

/** A single letter on either side of a row of single letters: "H A W A I I". */
const LETTER_BEFORE = /(?:^|[\s-])\p{L}[\s,-]+$/u;
const LETTER_AFTER = /^[\s,-]+\p{L}(?![\p{L}'])/u;

/**
 * A text with each stutter reduced to one occurrence. Repeated numbers, negations and letters of a spelled-out name are
 * kept, because they were meant.
 */
const withoutStutters = (text: string, { repeated, saidTwice }: Language['fillers']): string =>
  text.replace(repeated, (row: string, word: string, at: number) => {
    if (saidTwice.test(word)) return row;
    const isLetter = word.length === 1;
    const isSpelled =
      isLetter &&
      (LETTER_BEFORE.test(text.slice(Math.max(0, at - 4), at)) ||
        LETTER_AFTER.test(text.slice(at + row.length, at + row.length + 6)));
    return isSpelled || (isLetter && word !== 'I' && !row.endsWith(word.toLowerCase())) ? row : word;
  });

/**
 * A sentence without fillers at its ends and without stutters. Every other word is verbatim; numbers, spelled-out
 * letters and negations are never changed.
 */
export function clean(text: string, { fillers }: Language): string {
  const { filler, leading, trailing } = fillers;
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])/g, '$1')
    .replace(filler, ' ');
  const bare = withoutStutters(plain, fillers).replace(/\s+/g, ' ').trim();
  const end = /(?<![.!?…])[.!?…]+$/u.exec(bare)?.[0] ?? '';
  const led = bare.replace(leading, '').replace(/(?<![.!?…,;:\s-])[.!?…,;:\s-]+$/u, '');
  const trail = trailing.exec(led)?.[1] ?? '';
  const core = led.slice(0, led.length - trail.length).trim();
  return core === '' ? '' : core + (end.includes('?') ? '?' : '');
}

/**
 * The longest beginning of a text that fits. It is cut between words and never within a number, and '...' marks the
 * cut.
 */
export function shorten(text: string, words: number, { fillers }: Language): string {
  const parts = text.split(' ');
  if (parts.length <= words) return text;
  let end = words;
  // A cut at the end of a clause is preferred to one in the middle.
  for (let i = words; i > words * 0.6; i--)
    if (/[,;]$/.test(parts[i - 1]!)) {
      end = i;
      break;
    }
  const isSpelled = (i: number): boolean => fillers.spelledOut.test(parts[i]!);
  while (end > 0 && isSpelled(end - 1) && isSpelled(end)) end--;
  // A text that is one long number is quoted as a whole.
  if (end === 0) return text;
  return `${parts.slice(0, end).join(' ').replace(/[,;]$/, '')} ...`;
}

/** A text with at most a given number of characters (see `shorten`). A longer first word is kept whole. */
export const shortenTo = (text: string, characters: number, language: Language): string =>
  text.length <= characters
    ? text
    : shorten(text, Math.max(1, text.slice(0, characters + 1).split(' ').length - 1), language);
