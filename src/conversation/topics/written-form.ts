import type { Language } from '../language.ts';

/** Number of characters before a word that `INSIDE` checks. */
const REACH = 60;
/** Text before a word that does not open a sentence, so that a capital letter is significant. */
const INSIDE = /[\p{L}\p{N}][,;:]?\s$/u;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * The typical spelling of a topic within sentences. A name keeps its capitals and the words that belong to it ("jersey"
 * is "New Jersey").
 * @param phrase in lower case
 * @param texts in which it occurred; a text all in capitals is ignored
 * @returns `phrase` if it only opens sentences or is not found as given
 */
export function writtenForm(phrase: string, texts: Iterable<string>, { topics }: Language): string {
  const forms = new Map<string, number>();
  for (const text of texts) {
    const lower = text.toLowerCase().replaceAll('’', "'").replaceAll('-', ' ');
    // Letters whose lower case is longer would shift every index after them.
    if (lower.length !== text.length || text === text.toUpperCase()) continue;
    for (let at = lower.indexOf(phrase); at >= 0; at = lower.indexOf(phrase, at + phrase.length)) {
      const before = text.slice(Math.max(0, at - REACH), at);
      if (!INSIDE.test(before) || LETTER.test(text.charAt(at + phrase.length))) continue;
      const own = text.slice(at, at + phrase.length);
      const form = /^\p{Lu}/u.test(own) ? (topics.beforeName.exec(before)?.[0] ?? '') + own : own;
      forms.set(form, (forms.get(form) ?? 0) + 1);
    }
  }
  return [...forms].reduce((a, b) => (b[1] > a[1] ? b : a), [phrase, 0])[0];
}
