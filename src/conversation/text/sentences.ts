import { DEFAULT_LANGUAGE } from '../languages.ts';

const { sentenceEnd: SENTENCE_END } = DEFAULT_LANGUAGE.sentenceEnds;
/** A sentence of a text. */
export interface Sentence {
  /** As printed, trimmed. */
  text: string;
  /** First character of `text` in the whole. */
  start: number;
}

/**
 * Splits a text at its sentence marks; one without any is one sentence, and what holds no word is none.
 * @param ends what ends a sentence, where somebody was trained on another form
 * @param most sentences after which the rest is read as one
 */
export function splitSentences(text: string, ends = SENTENCE_END, most = Number.POSITIVE_INFINITY): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const take = (to: number): void => {
    const raw = text.slice(from, to);
    const trimmed = raw.trim();
    if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push({ text: trimmed, start: from + raw.indexOf(trimmed) });
    from = to;
  };
  for (const end of text.matchAll(ends)) {
    if (sentences.length >= most - 1) break;
    take(end.index + end[0].length);
  }
  take(text.length);
  return sentences;
}
