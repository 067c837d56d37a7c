import { FNV_BASIS, fnv1a } from '../../contract/fnv1a.ts';
import { words } from '../text/tokens.ts';

/** Buckets for hashed runs of words. */
export const BUCKETS = 1 << 14;
/** Longest run in words, and number of words read from a text. */
const RUN = 3;
const MAX_WORDS = 60;

/**
 * The buckets of all runs of up to three words, including question and exclamation marks and the two ends of the text.
 * @returns distinct buckets, in no particular order
 */
export function wordRuns(text: string): number[] {
  const run = ['^', ...words(text, 'marked').slice(0, MAX_WORDS), '$'];
  const found = new Set<number>();
  for (let i = 0; i < run.length; i++) {
    let h = FNV_BASIS;
    for (const word of run.slice(i, i + RUN)) {
      h = fnv1a(` ${word}`, h);
      found.add(((h ^ (h >>> 15)) >>> 0) % BUCKETS);
    }
  }
  return [...found];
}
