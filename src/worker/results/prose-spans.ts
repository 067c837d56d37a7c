import type { SentenceSpan } from '../../contract/findings.ts';

/** Quoted words, which are not changed, or a speaker label in the service's spelling. */
const QUOTE_OR_LABEL = /“[^”]*”?|"[^"]*"?|(?<!\w)Speaker_\d+(?!\w)/g;

/**
 * The spans of a sentence that was stored as plain text, because a language model wrote it or because it dates from
 * before sentences were kept as spans. This is the only place that parses prose.
 */
export function spansOfProse(text: string): SentenceSpan[] {
  const spans: SentenceSpan[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(QUOTE_OR_LABEL)) {
    if (!found.startsWith('Speaker_')) continue;
    if (index > from) spans.push({ text: text.slice(from, index) });
    spans.push({ speaker: found });
    from = index + found.length;
  }
  if (from < text.length) spans.push({ text: text.slice(from) });
  return spans;
}
