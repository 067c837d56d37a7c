import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalPath } from '../../scripts/eval-data.ts';
import { normalise } from '../wer.ts';

/** Words with at most this many occurrences in conversation are rare. Shorter words are hardly ever names. */
const RARE = 3;
const LEAST_LETTERS = 4;
const TALK = ['qmsum', 'casino', 'abcd', 'dialogsum'];
/** Size of a list of names and products. */
const LISTED = 1000;

/** Occurrences of each word in a few million words of conversation. */
function talk(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const folder of TALK) {
    const path = evalPath('conversations', folder);
    for (const file of readdirSync(path).filter((name) => /\.(jsonl?|txt|csv)$/.test(name)))
      for (const [word] of readFileSync(join(path, file), 'utf8')
        .toLowerCase()
        .matchAll(/[a-z][a-z']+/g))
        counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

export interface RareWords {
  /** Rare words of the references. */
  said: string[];
  /** The spoken rare words and others that are not spoken, 1,000 in total. */
  list: string[];
  /** 1,000 words that are not spoken. */
  irrelevant: string[];
}

export function rareWords(references: readonly string[]): RareWords {
  const counts = talk();
  const words = new Set(references.flatMap((text) => normalise(text).split(' ')));
  const isLong = (word: string) => /^[a-z]+$/.test(word) && word.length >= LEAST_LETTERS;
  const said = [...words].filter((word) => isLong(word) && (counts.get(word) ?? 0) <= RARE);
  const others = [...counts]
    .filter(([word, count]) => count <= RARE && isLong(word) && !words.has(word))
    .map(([word]) => word)
    .sort();
  // Spread evenly over the alphabet.
  const irrelevant = Array.from({ length: LISTED }, (_, i) => others[Math.floor((i * others.length) / LISTED)]!);
  return { said, list: [...said, ...irrelevant].slice(0, LISTED), irrelevant };
}
