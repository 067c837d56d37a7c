/** Typographic quotes and dashes as the plain ones the lexicons are written in. */
export const plainPunctuation = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u0091\u0092]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2013\u2014]/g, ' - ')
    .replace(/\u2026|\u0085/g, '...');

/** The words of a text in lower case, apostrophes kept: "I can't" -> ["i", "can't"]. A cut-off word keeps its dash: "tues-". */
export const wordsOf = (text: string): string[] =>
  plainPunctuation(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:['.-][\p{L}\p{N}]+)*(?:-(?=\s|$|[,.]))?/gu) ?? [];

/** The sentences of a text, each with its closing punctuation ('' when the recogniser gave none). */
export const sentencesOf = (text: string): { text: string; end: string }[] =>
  [...plainPunctuation(text).matchAll(/([^.?!]+(?:\.(?=\d)[^.?!]+)*)([.?!]*)/g)]
    .map((match) => ({ text: (match[1] ?? '').trim(), end: match[2] ?? '' }))
    .filter((sentence) => sentence.text !== '');

/**
 * Finds phrases of a lexicon in a row of words, the longest first, without overlap.
 * @param phrases phrase -> value; words of a phrase are separated by one space.
 * @returns position, length in words and value of each, in order.
 */
export function findPhrases<T>(words: string[], phrases: Map<string, T>, longest = 5) {
  const found: { at: number; length: number; phrase: string; value: T }[] = [];
  for (let at = 0; at < words.length; at++) {
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const phrase = words.slice(at, at + length).join(' ');
      const value = phrases.get(phrase);
      if (value === undefined) continue;
      found.push({ at, length, phrase, value });
      at += length - 1;
      break;
    }
  }
  return found;
}
