import type { MomentEvent } from '../../../contract/findings.ts';
import type { Utterance, Word } from '../../../contract/timeline.ts';
import type { TimelineEntry } from '../../../contract/timeline-entry.ts';
import type { Language } from '../../../conversation/language.ts';
import { hasSpeech, textOf } from '../../../conversation/sentences/spans.ts';
import { sentenceOfMoment, spansOfMoment } from '../../../conversation/summary/moment-descriptions.ts';

/** The number of equal items at the start and at the end of two lists. The two ranges do not overlap. */
function sameEnds<T>(
  a: ArrayLike<T>,
  b: ArrayLike<T>,
  isSame: (a: T, b: T) => boolean,
): { start: number; end: number } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && isSame(a[start]!, b[start]!)) start++;
  let end = 0;
  while (end < most - start && isSame(a[a.length - 1 - end]!, b[b.length - 1 - end]!)) end++;
  return { start, end };
}

/**
 * The words of a corrected text. Unchanged words keep their times and confidence. New words share the time of the words
 * they replace, with a confidence of 1.
 */
export function correctedWords(words: readonly Word[], text: string): Word[] {
  const said = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  if (said.length === words.length)
    return said.map((word, i) => (word === words[i]!.word ? words[i]! : { ...words[i]!, word, confidence: 1 }));
  const { start, end } = sameEnds<string>(
    words.map(({ word }) => word),
    said,
    (a, b) => a === b,
  );
  const before = words.slice(0, start);
  const replaced = words.slice(start, words.length - end);
  const after = words.slice(words.length - end);
  const from = replaced[0]?.t_start ?? before.at(-1)?.t_end ?? after[0]!.t_start;
  const to = Math.max(from, replaced.at(-1)?.t_end ?? after[0]?.t_start ?? from);
  const added = said.slice(start, said.length - end);
  const share = (to - from) / Math.max(1, added.length);
  return [
    ...before,
    ...added.map((word, i) => ({
      word,
      t_start: from + i * share,
      t_end: i === added.length - 1 ? to : from + (i + 1) * share,
      confidence: 1,
    })),
    ...after,
  ];
}

/**
 * The words of the corrected text that replace a quote from the original. The quote is returned unchanged if the
 * original does not contain it.
 */
export function correctedQuote(quote: string, before: string, after: string): string {
  const from = before.indexOf(quote);
  if (from < 0 || quote === '') return quote;
  const to = from + quote.length;
  const [old, corrected] = [placesOf(before), placesOf(after)];
  const first = old.findIndex((word) => word.to > from);
  const last = old.findLastIndex((word) => word.from < to);
  if (first < 0 || last < first) return quote;
  const { start, end } = sameEnds(old, corrected, (a, b) => a.word === b.word);
  const grown = corrected.length - old.length;
  const isAligned = grown === 0;
  const firstNow = isAligned || first < start ? first : first >= old.length - end ? first + grown : start;
  const lastNow =
    isAligned || last < start ? last : last >= old.length - end ? last + grown : corrected.length - end - 1;
  if (lastNow < firstNow) return quote;
  let text = after.slice(corrected[firstNow]!.from, corrected[lastNow]!.to);
  // Punctuation around the quote stays outside.
  if (old[first]!.from < from) text = text.replace(/^[^\p{L}\p{N}]+/u, '');
  if (old[last]!.to > to) text = text.replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '');
  return text || quote;
}

const placesOf = (text: string): { word: string; from: number; to: number }[] =>
  [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }));

/** An utterance with corrected words. Its prosody and affect stay as measured. */
export const correctedUtterance = ({ unread: _, ...utterance }: Utterance, text: string): Utterance => ({
  ...utterance,
  text,
  asr_confidence: 1,
  ...(utterance.words && { words: correctedWords(utterance.words as Word[], text) }),
});

export const correctedEntry = ({ unread: _, ...entry }: TimelineEntry, text: string): TimelineEntry => ({
  ...entry,
  text,
  asr_confidence: 1,
  words: correctedWords(entry.words, text),
});

/** A moment with corrected quotes. Its sentence is written again from its facts. */
export function correctedMoment(
  moment: MomentEvent,
  texts: ReadonlyMap<string, { before: string; after: string }>,
  language: Language,
): MomentEvent {
  if (!moment.evidence.some(({ utterance_id }) => texts.has(utterance_id))) return moment;
  const evidence = moment.evidence.map((one) => {
    const text = texts.get(one.utterance_id);
    return text ? { ...one, quote: correctedQuote(one.quote, text.before, text.after) } : one;
  });
  const changed = { ...moment, evidence };
  if (!hasSpeech(spansOfMoment(moment, language))) return changed;
  return { ...changed, summary: textOf(sentenceOfMoment(changed, language)) };
}
