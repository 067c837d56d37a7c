import type { Language } from '../language.ts';
import type { PackedMatrix } from '../packed-weights.ts';
import type { WordVectors } from '../text/word-vectors.ts';

/** Share assumed for a word missing from the training text, and for a missing word with a non-noun ending. */
const UNKNOWN = 0.6;
const UNKNOWN_ENDING = 0.25;
/** Number of steps between 0 and 1 in which shares are stored. */
export const NOUN_STEPS = 9;

/** The weights that `scripts/train/noun-shares.ts` writes: a number of steps for each stem of the word vectors. */
export interface NounShareWeights {
  head: PackedMatrix;
  nominal: PackedMatrix;
}

/** How often words occur in the position of nouns. */
export class NounShares {
  readonly #weights: NounShareWeights;
  readonly #vectors: WordVectors;

  constructor(weights: NounShareWeights, vectors: WordVectors) {
    this.#weights = weights;
    this.#vectors = vectors;
  }

  /** How often a word is the head noun of its phrase, 0 to 1. */
  head(word: string, language: Language): number {
    return this.#share(this.#weights.head, word, language);
  }

  /** How often a word occurs in a noun phrase rather than in the position of a verb, 0 to 1. */
  nominal(word: string, language: Language): number {
    return this.#share(this.#weights.nominal, word, language);
  }

  #share({ values }: PackedMatrix, word: string, { words }: Language): number {
    const row = this.#vectors.index.get(words.stem(word));
    if (row === undefined) return words.notANoun.test(word) ? UNKNOWN_ENDING : UNKNOWN;
    return values[row]! / NOUN_STEPS;
  }
}
