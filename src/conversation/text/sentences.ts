import type { Language } from '../language.ts';

/** A sentence of a text. */
export interface Sentence {
  /** Text as printed, but trimmed. */
  text: string;
  /** Index of its first character in the whole text. */
  start: number;
}

/**
 * Splits a text at its punctuation. A text without punctuation is one sentence. A part without a letter or digit is
 * dropped.
 * @param most number of sentences after which the rest is one sentence; bounds the work for a pathological text
 */
export function splitSentences(text: string, language: Language, most = Number.POSITIVE_INFINITY): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const take = (to: number): void => {
    const raw = text.slice(from, to);
    const trimmed = raw.trim();
    if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push({ text: trimmed, start: from + raw.indexOf(trimmed) });
    from = to;
  };
  for (const end of text.matchAll(language.sentenceEnds.sentenceEnd)) {
    if (sentences.length >= most - 1) break;
    take(end.index + end[0].length);
  }
  take(text.length);
  return sentences;
}

/**
 * The last sentence of a text as in the training data of the segmentation weights: split after any punctuation before a
 * blank, including an abbreviation's. All other code uses `splitSentences`.
 */
export const lastSentence = (text: string): string =>
  text.split(/(?<=[.!?])\s+(?=\S)/u).findLast((s) => /\p{L}/u.test(s)) ?? text;
