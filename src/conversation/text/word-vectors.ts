import type { PackedMatrix } from '../packed-weights.ts';

/** Dimensions of a vector. */
export const DIMENSIONS = 48;

/** Smooth inverse frequency, with weight a / (a + p) (Arora, Liang & Ma 2017). */
const SIF_A = 1e-3;

/** The weights that `scripts/train/word-vectors.ts` writes. */
export interface WordVectorWeights {
  /** Stems, most frequent first, separated by single blanks. */
  stems: string;
  /** -10 log2 of the relative frequency of each stem. */
  rarity: Float32Array;
  /** A row for each stem, scaled to its largest entry. */
  vectors: PackedMatrix;
}

/** The project's word vectors. */
export class WordVectors {
  /** Row number of a stem. */
  readonly index: ReadonlyMap<string, number>;
  /** Row-major int8 with DIMENSIONS per row. */
  readonly rows: Int8Array;
  /** Weight of each stem in a sum, divided by the length of its row. */
  readonly weights: Float32Array;
  /** Relative frequency of each stem in the training text. */
  readonly frequency: Float32Array;

  constructor({ stems, rarity, vectors }: WordVectorWeights) {
    const rows = vectors.values;
    this.index = new Map(stems.split(' ').map((stem, row) => [stem, row]));
    this.rows = rows;
    this.frequency = rarity.map((r) => 2 ** (-r / 10));
    this.weights = this.frequency.map((p, i) => {
      let norm = 0;
      for (let j = i * DIMENSIONS; j < (i + 1) * DIMENSIONS; j++) norm += rows[j]! ** 2;
      return SIF_A / (SIF_A + p) / Math.sqrt(norm || 1);
    });
  }
}
