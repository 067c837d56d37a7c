import { FNV_BASIS, fnv1a } from '../../../../src/contract/fnv1a.ts';
import { plainPunctuation, words as wordsOf } from '../../../../src/conversation/text/tokens.ts';

/** Number of buckets in each of the two feature blocks: one for words and word pairs, one for character n-grams. */
const BLOCK_BUCKETS = 2 ** 16;
export const NGRAM_COLUMNS = 2 * BLOCK_BUCKETS;
/** Shortest and longest character n-grams within a word. The edges of the word count as characters. */
const CHARACTERS = { shortest: 2, longest: 5 };

/** Lower-case tokens of a text, as the affect model expects them. */
export const tokensOf = (text: string): string[] =>
  wordsOf(
    plainPunctuation(text)
      .toLowerCase()
      .replace(/\[(\w+)\]/g, '$1'),
    'signs',
  );

/** A seeded FNV-1a with a final mix, so that the low bits can be used alone. Unsigned 32 bits. */
export function hash(text: string, from = 0, to = text.length, seed = 0): number {
  let h = fnv1a(text, FNV_BASIS ^ seed, from, to);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  return h >>> 0;
}

/**
 * Hashed features of a text, with each bucket listed once: words and pairs in the first block, character n-grams in the
 * second. Features are either present or absent, so the model weights them by rarity.
 */
export function featuresOf(text: string): { words: number[]; characters: number[] } {
  const tokens = tokensOf(text);
  const words = new Set<number>();
  const characters = new Set<number>();
  tokens.forEach((token, at) => {
    words.add(hash(token) % BLOCK_BUCKETS);
    if (at > 0) words.add(hash(`${tokens[at - 1]} ${token}`) % BLOCK_BUCKETS);
    const edged = ` ${token} `;
    for (let n = CHARACTERS.shortest; n <= CHARACTERS.longest; n++)
      for (let from = 0; from + n <= edged.length; from++)
        characters.add(BLOCK_BUCKETS + (hash(edged, from, from + n, n) % BLOCK_BUCKETS));
  });
  return { words: [...words], characters: [...characters] };
}

/**
 * The features of a text weighted by rarity (inverse document frequency by column), with each block scaled to length 1.
 */
export function ngramsOf(text: string, rarity: ArrayLike<number>): { column: number; value: number }[] {
  const { words, characters } = featuresOf(text);
  return [words, characters].flatMap((block) => {
    const norm = Math.sqrt(block.reduce((sum, column) => sum + rarity[column]! ** 2, 0));
    return block.map((column) => ({ column, value: rarity[column]! / norm }));
  });
}
