/**
 * Trains the word vectors of the conversation's texts: positive pointwise mutual information of stems within a few
 * words, with smoothed contexts, truncated by a randomized singular value decomposition (Levy & Goldberg 2014; Halko et
 * al. 2011).
 *
 *   node scripts/train/word-vectors.ts      writes src/conversation/weights/word-vectors.bin
 *
 * Only free text is used: QMSum (MIT), CaSiNo (CC BY), ABCD sample (MIT), GoEmotions text (CC BY).
 */

import { languageOf } from '../../src/conversation/languages.ts';
import { isContentWord, words } from '../../src/conversation/text/tokens.ts';
import { DIMENSIONS, type WordVectorWeights } from '../../src/conversation/text/word-vectors.ts';
import { randomVectors, seeded } from '../../support/random.ts';
import { abcd, casino, goEmotions, qmsum } from './dialogue-corpus.ts';
import { writeWeights } from './write-weights.ts';

const ENGLISH = languageOf('en');

const VOCABULARY = 9000;
const MIN_COUNT = 5;
const WINDOW = 8;
/** Context distribution smoothing (Levy, Goldberg & Dagan 2015). */
const SMOOTHING = 0.75;
/** Number of turns of a conversation that are joined into one window, because neighbouring turns share their topic. */
const TURNS_PER_STRETCH = 4;
const POWER_ITERATIONS = 4;
const OVERSAMPLING = 12;

function stretches(): string[][] {
  const out: string[][] = [];
  const push = (texts: string[]) =>
    out.push(
      texts.flatMap((t) =>
        words(t)
          .filter((word) => isContentWord(word, ENGLISH))
          .map(ENGLISH.words.stem),
      ),
    );
  for (const d of [...qmsum('train'), ...casino(), ...abcd()])
    for (let i = 0; i < d.turns.length; i += TURNS_PER_STRETCH) push(d.turns.slice(i, i + TURNS_PER_STRETCH));
  for (const d of qmsum('train')) for (const q of d.queries) push([q.query, q.answer]);
  for (const text of goEmotions()) push([text]);
  return out;
}

/** A sparse symmetric matrix in compressed rows. */
interface Sparse {
  n: number;
  starts: Int32Array;
  columns: Int32Array;
  values: Float64Array;
}

function ppmi(texts: string[][], vocabulary: Map<string, number>): Sparse {
  const n = vocabulary.size;
  const rows = Array.from({ length: n }, () => new Map<number, number>());
  for (const text of texts) {
    const ids = text.map((w) => vocabulary.get(w) ?? -1);
    ids.forEach((a, i) => {
      if (a < 0) return;
      for (let k = 1; k <= WINDOW && i + k < ids.length; k++) {
        const b = ids[i + k]!;
        if (b < 0 || b === a) continue;
        rows[a]!.set(b, (rows[a]!.get(b) ?? 0) + 1 / k);
        rows[b]!.set(a, (rows[b]!.get(a) ?? 0) + 1 / k);
      }
    });
  }
  const mass = rows.map((row) => [...row.values()].reduce((s, v) => s + v, 0));
  const smoothed = mass.map((m) => m ** SMOOTHING);
  const total = smoothed.reduce((s, v) => s + v, 0);
  const starts = new Int32Array(n + 1);
  const columns: number[] = [];
  const values: number[] = [];
  rows.forEach((row, a) => {
    for (const [b, count] of row) {
      const pmi = Math.log(count / mass[a]! / (smoothed[b]! / total));
      if (pmi > 0) {
        columns.push(b);
        values.push(pmi);
      }
    }
    starts[a + 1] = columns.length;
  });
  return { n, starts, columns: Int32Array.from(columns), values: Float64Array.from(values) };
}

/** `matrix` times each of `count` column vectors, stored row-major n x count. */
function multiply(matrix: Sparse, x: Float64Array, count: number): Float64Array {
  const y = new Float64Array(matrix.n * count);
  for (let a = 0; a < matrix.n; a++)
    for (let e = matrix.starts[a]!; e < matrix.starts[a + 1]!; e++) {
      const v = matrix.values[e]!;
      const b = matrix.columns[e]! * count;
      for (let j = 0; j < count; j++) y[a * count + j]! += v * x[b + j]!;
    }
  return y;
}

/** Modified Gram-Schmidt on the columns, in place. */
function orthonormalise(x: Float64Array, n: number, count: number): void {
  for (let j = 0; j < count; j++) {
    for (let k = 0; k < j; k++) {
      let dot = 0;
      for (let i = 0; i < n; i++) dot += x[i * count + j]! * x[i * count + k]!;
      for (let i = 0; i < n; i++) x[i * count + j]! -= dot * x[i * count + k]!;
    }
    let norm = 0;
    for (let i = 0; i < n; i++) norm += x[i * count + j]! ** 2;
    norm = Math.sqrt(norm) || 1;
    for (let i = 0; i < n; i++) x[i * count + j]! /= norm;
  }
}

const texts = stretches();
const counts = new Map<string, number>();
for (const text of texts) for (const w of text) counts.set(w, (counts.get(w) ?? 0) + 1);
const kept = [...counts]
  .filter(([w, c]) => c >= MIN_COUNT && !/^\d/.test(w))
  .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  .slice(0, VOCABULARY);
const vocabulary = new Map(kept.map(([w], i) => [w, i]));
console.error(`${texts.length} windows, ${counts.size} stems, ${kept.length} kept`);

const matrix = ppmi(texts, vocabulary);
const width = DIMENSIONS + OVERSAMPLING;
let basis = randomVectors(matrix.n * width, seeded(7));
for (let i = 0; i < POWER_ITERATIONS; i++) {
  basis = multiply(matrix, basis, width);
  orthonormalise(basis, matrix.n, width);
  console.error(`power iteration ${i + 1}`);
}
// The matrix is nearly symmetric, so the Rayleigh quotients of the basis approximate its singular values.
const image = multiply(matrix, basis, width);
const singular = Array.from({ length: width }, (_, j) => {
  let sum = 0;
  for (let i = 0; i < matrix.n; i++) sum += image[i * width + j]! ** 2;
  return Math.sqrt(sum);
});
const order = singular.map((_, j) => j).sort((a, b) => singular[b]! - singular[a]!);
const packed = new Int8Array(matrix.n * DIMENSIONS);
for (let i = 0; i < matrix.n; i++) {
  const row = order.slice(0, DIMENSIONS).map((j) => basis[i * width + j]! * Math.sqrt(singular[j]!));
  const peak = Math.max(...row.map(Math.abs)) || 1;
  row.forEach((v, j) => {
    packed[i * DIMENSIONS + j] = Math.round((v / peak) * 127);
  });
}
const total = [...counts.values()].reduce((s, c) => s + c, 0);
// Rarity as the integer -10 log2(frequency), the input of smooth inverse frequency weighting.
const rarity = kept.map(([, c]) => Math.round(-10 * Math.log2(c / total)));
const weights: WordVectorWeights = {
  stems: kept.map(([w]) => w).join(' '),
  rarity: Float32Array.from(rarity),
  vectors: { step: 1, values: packed },
};
writeWeights('word-vectors', weights, {
  trained_on: ['QMSum train (MIT)', 'CaSiNo train (CC BY 4.0)', 'ABCD sample (MIT)', 'GoEmotions text (CC BY 4.0)'],
  made_by: 'scripts/train/word-vectors.ts',
});
const nearest = (word: string): string => {
  const a = vocabulary.get(ENGLISH.words.stem(word));
  if (a === undefined) return `${word}: -`;
  const row = (i: number) => packed.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS);
  const cosine = (x: Int8Array, y: Int8Array) => {
    let xy = 0;
    let xx = 0;
    let yy = 0;
    for (let j = 0; j < DIMENSIONS; j++) {
      xy += x[j]! * y[j]!;
      xx += x[j]! ** 2;
      yy += y[j]! ** 2;
    }
    return xy / Math.sqrt(xx * yy + 1);
  };
  const near = kept
    .map(([w], i) => [w, cosine(row(a), row(i))] as const)
    .sort((x, y) => y[1] - x[1])
    .slice(1, 9);
  return `${word}: ${near.map(([w]) => w).join(' ')}`;
};
for (const word of ['price', 'battery', 'train', 'doctor', 'weather', 'pizza', 'budget', 'music', 'dog'])
  console.error(nearest(word));
