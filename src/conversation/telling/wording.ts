import { isSure } from '../words/hearing.ts';
import { shorten } from '../words/quotes.ts';
import type { SaidSentence } from '../words/said-sentences.ts';
import { retell } from './indirect-speech.ts';

/** Whether a text has one thing and, behind the first place of it, another. */
export function isFollowed(text: string, first: RegExp, then: RegExp): boolean {
  const found = first.exec(text);
  return found !== null && then.test(text.slice(found.index + found[0].length));
}

/** What somebody does by saying a sentence, told from its words and those behind them; the first that fits. */
const DEEDS: readonly [cue: RegExp, deed: string, then?: RegExp][] = [
  [/\b(maybe|perhaps|might)\b/i, 'considers', /\b(i|we)('ll| will)\b/i],
  [/\bif you\b/i, 'offers', /\b(i|we)('ll| will| can| could)\b(?!')/i],
  [/\b(i|we)('ll| will| am going to|'m going to|'re going to)\b/i, 'promises'],
  [
    /\b(can't|cannot|won't|doesn't|isn't|not working|broken|problem|issue|trouble|wrong|unfortunately|failed|error)\b/i,
    'reports',
  ],
  [
    /\b((i|we)(('d| would)( \w+)? (like|love|prefer)| (\w+ )?(need|want|prefer))|(i'm|i am|we're|we are)( \w+)? (looking for|hoping))\b/i,
    'wants',
  ],
  [
    /\b((you|we|i) (should|could)|(should|could|shall) we|suggest|recommend|propose|advise|let's|how about|why don't|maybe we)\b/i,
    'suggests',
  ],
  [/\b(because|the reason|that's why|so that)\b/i, 'explains'],
  [/\b(decided|agreed|we go with|settled)\b/i, 'decides'],
  [/\bi('m| am)? feel(ing)?\b/i, 'feels'],
  [/\b(i think|i believe|in my opinion|i guess)\b/i, 'thinks'],
];

/** The verb under which a sentence is quoted. */
export const deed = (sentence: SaidSentence): string =>
  sentence.asks
    ? 'asks'
    : (DEEDS.find(([cue, , then]) => (then ? isFollowed(sentence.text, cue, then) : cue.test(sentence.text)))?.[1] ??
      'says');

/** A sentence in quotation marks, of at most `words` words. */
export const quoted = (text: string, words: number): string => `“${shorten(text, words)}”`;

/** A line with its full stop, unless a question mark already ends it. */
export const ended = (line: string): string => (line.endsWith('?”') ? line : `${line}.`);

/** 'a', 'a and b', 'a, b and c'. */
export const enumerate = (parts: string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** A length in words that carry their number: seconds below two minutes, else whole minutes. */
export function lengthOf(seconds: number): { text: string; measure: Record<string, number> } {
  if (seconds < 120) {
    const whole = Math.round(seconds);
    return { text: `${whole} s`, measure: { duration_s: whole } };
  }
  const minutes = Math.round(seconds / 60);
  return { text: `${minutes} min`, measure: { duration_min: minutes } };
}

/** 0..1 as whole percent. */
export const percent = (share: number): number => Math.round(share * 100);

/**
 * A sentence as a note has it: retold in the third person where that is safe; else, and where it was not heard well,
 * quoted, so that a reader sees it as it was heard.
 * @param listener the only other speaker, if there is just one.
 */
export function note(s: SaidSentence, limit: number, listener: string | undefined): string {
  const sure = s.length <= limit && isSure(s.heard);
  const retold = sure ? retell(s.text, { speaker: s.speaker, listener }) : undefined;
  return ended(retold ?? `${s.speaker} ${deed(s)}: ${quoted(s.text, limit)}`);
}

/** The other of two speakers. */
export const otherOf = (speaker: string, speakers: readonly string[]): string | undefined =>
  speakers.length === 2 ? speakers.find((s) => s !== speaker) : undefined;
