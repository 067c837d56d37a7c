/** A sentence of a text. */
export interface Sentence {
  /** As printed, trimmed. */
  text: string;
  /** First character of `text` in the whole. */
  start: number;
}

/**
 * An end of sentence: marks before a blank, but not after an abbreviation or an initial. A row of marks is looked at from
 * its first one, or from the second where the first belongs to an abbreviation.
 */
const SENTENCE_END =
  /(?:(?<!\b(?:mr|mrs|ms|dr|st|vs|[a-hj-z])|[.!?…])|(?<=\b(?:mr|mrs|ms|dr|st|vs|[a-hj-z])[.!?…]))[.!?…]+["')\]]*(?=\s|$)/giu;

/**
 * Splits a text at its sentence marks; one without any is one sentence, and what holds no word is none.
 * @param most sentences after which the rest is read as one
 */
export function splitSentences(text: string, most = Number.POSITIVE_INFINITY): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const take = (to: number): void => {
    const raw = text.slice(from, to);
    const trimmed = raw.trim();
    if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push({ text: trimmed, start: from + raw.indexOf(trimmed) });
    from = to;
  };
  for (const end of text.matchAll(SENTENCE_END)) {
    if (sentences.length >= most - 1) break;
    take(end.index + end[0].length);
  }
  take(text.length);
  return sentences;
}
