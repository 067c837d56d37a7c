import type { Language } from '../language.ts';

/** Letters before a word in which that is seen. */
const REACH = 60;
/** What stands before a word that opens no sentence, whose capital tells nothing. */
const INSIDE = /[\p{L}\p{N}][,;:]?\s$/u;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * How a topic is mostly written inside sentences: a name keeps its capitals and the words that belong to it
 * ("jersey" is "New Jersey").
 * @param phrase lower-cased words.
 * @param texts where it was said; one in capitals throughout tells nothing.
 * @returns `phrase` where it only opens sentences or is not found as it stands.
 */
export function writtenForm(phrase: string, texts: Iterable<string>, { topics }: Language): string {
  const forms = new Map<string, number>();
  for (const text of texts) {
    const lower = text.toLowerCase().replaceAll('’', "'").replaceAll('-', ' ');
    // Letters whose lower case is longer would shift every place after them.
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
