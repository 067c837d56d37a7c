import { unpackInt8 } from '../../contract/packed-int8.ts';
import { DIMENSIONS, RARITY, STEMS, VECTORS } from '../generated/word-vectors.ts';

export { DIMENSIONS };

/** Smooth inverse frequency: weight a / (a + p) (Arora, Liang & Ma 2017). */
const SIF_A = 1e-3;

interface WordVectors {
  /** Row of a stem. */
  index: Map<string, number>;
  /** Row-major int8, DIMENSIONS a row. */
  rows: Int8Array;
  /** What a stem counts for in a sum, divided by the length of its row. */
  weights: Float32Array;
  /** Relative frequency of each stem in the training text. */
  frequency: Float32Array;
}

let loaded: WordVectors | undefined;

/** The project's word vectors, decoded on first use. */
export function wordVectors(): WordVectors {
  if (loaded) return loaded;
  const stems = STEMS.split(' ');
  const rows = unpackInt8(VECTORS);
  const frequency = Float32Array.from(RARITY.split(' '), (r) => 2 ** (-Number(r) / 10));
  const weights = frequency.map((p, i) => {
    let norm = 0;
    for (let j = i * DIMENSIONS; j < (i + 1) * DIMENSIONS; j++) norm += rows[j]! ** 2;
    return SIF_A / (SIF_A + p) / Math.sqrt(norm || 1);
  });
  loaded = { index: new Map(stems.map((s, i) => [s, i])), rows, weights, frequency };
  return loaded;
}
