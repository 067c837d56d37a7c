import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { Recognition } from './recogniser.ts';

/** Whether a recogniser understood speech. `uncertain` means that there is too little to decide. */
export type Understanding = 'understood' | 'not_understood' | 'uncertain';

/** Transcripts of the same speech: first of the unchanged audio, then of shifted copies. */
export interface RepeatedRecognition {
  seconds: number;
  /** `cut` is absent in a stream, whose passes are kept without it. */
  passes: (Pick<Recognition, 'text' | 'confidence'> & Partial<Pick<Recognition, 'cut'>>)[];
}

/**
 * Time shift of the audio in each pass, samples: 0, 6 and 12 ms. Understood speech yields nearly the same words each
 * time, and speech in another language yields entirely different ones.
 */
export const MOVED_BY: readonly number[] = [0, 0.006, 0.012].map((seconds) => Math.round(seconds * SAMPLE_RATE_HZ));

/**
 * The limits lie between what bench/languages.ts prints for English (clips, calls, meetings, telephones) and for other
 * languages. With fewer words than this, agreement and confidence vary too much to tell the language.
 */
const ENOUGH_WORDS = 15;
/** Mean confidence of the first pass above which no other language occurred, and below which no English did. */
const SURE_CONFIDENCE = 0.82;
const HOPELESS_CONFIDENCE = 0.5;
/** Fewest words per second of speech, measured over at least this many seconds. Other languages often yield none. */
const FEWEST_WORDS_PER_S = 0.5;
const ENOUGH_S = 10;
/** Agreement between the words of two passes above or below which no third pass is needed. */
const SURE_AGREEMENT = 0.75;
const SURE_DISAGREEMENT = 0.35;
/**
 * Criteria for understood speech: the minimum agreement between the words of all passes, and the maximum fraction of
 * repeated triples.
 */
const LEAST_AGREEMENT = 0.55;
const MOST_REPEATED = 0.12;
/**
 * Criteria for reading a few words: the minimum confidence of every pass, none of which was broken off, and the minimum
 * product of the first one's confidence and the agreement.
 */
const LEAST_CONFIDENCE = 0.55;
const LEAST_PRODUCT = 0.3;

/**
 * Judges speech from its passes so far.
 * @returns null when another pass is needed
 */
export function understandingOf(heard: readonly RepeatedRecognition[]): Understanding | null {
  const first = heard.map(({ passes }) => wordsOf(passes[0]!.text));
  const words = first.reduce((sum, { length }) => sum + length, 0);
  const seconds = heard.reduce((sum, one) => sum + one.seconds, 0);
  if (seconds >= ENOUGH_S && words < seconds * FEWEST_WORDS_PER_S) return 'not_understood';
  if (words === 0) return 'uncertain';
  const confidence = meanConfidence(heard, 0);
  const isEnough = words >= ENOUGH_WORDS;
  if (isEnough && (repeatedTriples(first) > MOST_REPEATED || confidence < HOPELESS_CONFIDENCE)) return 'not_understood';
  if (isEnough && confidence >= SURE_CONFIDENCE) return 'understood';
  const passes = Math.min(...heard.map((one) => one.passes.length));
  if (passes === 1) return null;
  const agreement = meanAgreement(heard, first, passes);
  if (passes < MOVED_BY.length && !(isEnough && (agreement >= SURE_AGREEMENT || agreement <= SURE_DISAGREEMENT)))
    return null;
  if (isEnough) return agreement >= LEAST_AGREEMENT ? 'understood' : 'not_understood';
  const isWhole = heard.every((one) => one.passes.every(({ cut }) => !cut));
  const isSure = isWhole && MOVED_BY.every((_, pass) => meanConfidence(heard, pass) >= LEAST_CONFIDENCE);
  const isRead = isSure && confidence * agreement >= LEAST_PRODUCT;
  return isRead ? 'understood' : 'uncertain';
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/** Geometric mean of a pass's confidences, weighted by word count. 0 for a pass without words. */
function meanConfidence(heard: readonly RepeatedRecognition[], pass: number): number {
  let sum = 0;
  let words = 0;
  for (const { passes } of heard) {
    const { text, confidence } = passes[pass]!;
    const { length } = wordsOf(text);
    sum += length * Math.log(Math.max(confidence, Number.MIN_VALUE));
    words += length;
  }
  return words === 0 ? 0 : Math.exp(sum / words);
}

/** Fraction of words that the later passes share with the first. */
function meanAgreement(heard: readonly RepeatedRecognition[], first: readonly string[][], passes: number): number {
  let shared = 0;
  let all = 0;
  for (const [i, one] of heard.entries())
    for (const { text } of one.passes.slice(1, passes)) {
      const again = wordsOf(text);
      const longer = Math.max(first[i]!.length, again.length);
      shared += longer - editDistance(first[i]!, again);
      all += longer;
    }
  return all === 0 ? 1 : shared / all;
}

/** Levenshtein distance in words. The texts cover at most half a minute. */
function editDistance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, word] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (word === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** Fraction of word triples that occurred before. A recogniser that understands nothing repeats itself. */
function repeatedTriples(texts: readonly string[][]): number {
  const triples = texts.flatMap((words) => words.slice(2).map((word, i) => `${words[i]} ${words[i + 1]} ${word}`));
  return triples.length === 0 ? 0 : 1 - new Set(triples).size / triples.length;
}
