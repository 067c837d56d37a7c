import type { ActSentence } from './sentences.ts';

/** Buckets that n-grams are hashed into. */
export const BUCKETS = 1 << 15;
/** Longest n-gram of classes, and of words. */
const CLASS_N = 4;
const WORD_N = 3;
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

/** The first `MAX_TOKENS` with the two last in place of the overflow. */
const shorten = (list: readonly string[]): readonly string[] =>
  list.length > MAX_TOKENS ? [...list.slice(0, MAX_TOKENS - 2), ...list.slice(-2)] : list;

/** The sentence that last had each bucket: tells doublets without a set. */
const seenBy = new Uint32Array(BUCKETS);
let sentences = 0;

/** Adds the bucket of a hash unless this sentence has it already. */
function add(found: number[], h: number): void {
  const b = bucket(h);
  if (seenBy[b] === sentences) return;
  seenBy[b] = sentences;
  found.push(b);
}

/** Adds the buckets of all runs of up to `n` items. */
function addRuns(found: number[], items: readonly string[], n: number, seed: number): void {
  const hashed = items.map(hashOf);
  for (let i = 0; i < hashed.length; i++) {
    let h = seed;
    const end = Math.min(hashed.length, i + n);
    for (let j = i; j < end; j++) {
      h = extend(h, hashed[j]!);
      add(found, h);
    }
  }
}

/**
 * The buckets of a sentence's n-grams (words up to triples, classes up to four in a row), of the words it opens with and
 * of the cues found in it.
 * @returns distinct buckets, in no order
 */
export function featureBuckets(
  { tokens, classes, opening, question }: Pick<ActSentence, 'tokens' | 'classes' | 'opening' | 'question'>,
  cues: Iterable<string>,
): number[] {
  sentences = (sentences + 1) >>> 0 || 1;
  const found: number[] = [];
  addRuns(found, shorten(tokens), WORD_N, 1);
  addRuns(found, shorten(classes), CLASS_N, 2);
  for (const word of opening) {
    add(found, extend(3, hashOf(word)));
    if (question) add(found, extend(4, hashOf(word)));
  }
  for (const cue of cues) add(found, extend(5, hashOf(cue)));
  return found;
}
