import { abstractWord } from '../lexicon/abstract-classes.ts';

/** Buckets that n-grams are hashed into. */
export const BUCKETS = 1 << 13;
/** Longest n-gram of classes, and of words. */
const CLASS_N = 4;
const WORD_N = 2;
/** Words of a sentence that are read: the act of a sentence shows early. */
const MAX_TOKENS = 40;

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

const hashes = new Map<string, number>();
/** Distinct words whose hashes are kept. */
const MAX_KEPT = 20_000;
function hashOf(word: string): number {
  let h = hashes.get(word);
  if (h === undefined) {
    h = hash(word);
    if (hashes.size < MAX_KEPT) hashes.set(word, h);
  }
  return h;
}

const extend = (h: number, next: number): number => Math.imul(h ^ next, 0x9e3779b1) ^ (h >>> 15);
const bucket = (h: number): number => ((h ^ (h >>> 13)) >>> 0) & (BUCKETS - 1);

/**
 * The buckets of a sentence's n-grams: words up to pairs, classes up to four in a row.
 * @param tokens words between `^` and `$`
 * @returns distinct buckets, in no order
 */
export function ngramBuckets(tokens: readonly string[]): number[] {
  const read = tokens.length > MAX_TOKENS ? [...tokens.slice(0, MAX_TOKENS - 2), ...tokens.slice(-2)] : tokens;
  const words = read.map(hashOf);
  const classes = read.map((t) => hashOf(abstractWord(t)));
  const found = new Set<number>();
  const add = (seed: number, run: readonly number[]): void => {
    let h = seed;
    for (const next of run) {
      h = extend(h, next);
      found.add(bucket(h));
    }
  };
  for (let i = 0; i < read.length; i++) {
    add(1, words.slice(i, i + WORD_N));
    add(2, classes.slice(i, i + CLASS_N));
  }
  return [...found];
}
