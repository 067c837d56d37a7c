import { hash, tokensOf } from './features.ts';

/**
 * A small convolutional network that reads short texts (after Kim 2014): vectors of hashed words and character n-grams,
 * one convolution over three tokens, the largest and the mean value over the text, and one hidden layer. The sizes are
 * part of the trained weights.
 */
export const NETWORK = {
  /** Number of rows in the word table and in the character n-gram table. */
  wordRows: 20_000,
  gramRows: 24_000,
  /** Width of a token's vector, of the convolution's output and of the hidden layer. */
  width: 56,
  filters: 128,
  hidden: 96,
  /** Most tokens that are read. For a longer text, half are taken from the start and half from the end. */
  longest: 48,
} as const;
/** Number of tokens in one convolution step. */
export const WINDOW = 3;
const GRAMS = { shortest: 3, longest: 5, most: 16 };
const SEED = { word: 101, gram: 202 };

/** Weights as plain arrays, row-major: filters x (window x width), hidden x (2 x filters), outputs x hidden. */
export interface NetworkWeights {
  words: Float32Array;
  grams: Float32Array;
  conv: Float32Array;
  convBias: Float32Array;
  dense: Float32Array;
  denseBias: Float32Array;
  out: Float32Array;
  outBias: Float32Array;
}

/** Table rows of one token: its word row and the rows of its character n-grams. */
export interface TokenRows {
  word: number;
  grams: Uint32Array;
}

const cache = new Map<string, TokenRows>();
/** Most tokens in the cache, so that the memory of a long-lived server does not grow. */
const CACHE_TOKENS = 20_000;

function rowsOfToken(token: string): TokenRows {
  const known = cache.get(token);
  if (known) return known;
  const edged = `<${token}>`;
  const grams: number[] = [];
  for (let n = GRAMS.shortest; n <= GRAMS.longest; n++)
    for (let from = 0; from + n <= edged.length && grams.length < GRAMS.most; from++)
      grams.push(hash(edged, from, from + n, SEED.gram) % NETWORK.gramRows);
  const rows = { word: hash(token, 0, token.length, SEED.word) % NETWORK.wordRows, grams: Uint32Array.from(grams) };
  if (cache.size < CACHE_TOKENS) cache.set(token, rows);
  return rows;
}

/** Table rows of a text's tokens. A text without tokens is read as a full stop. */
export function tokenRowsOf(text: string): TokenRows[] {
  const tokens = tokensOf(text);
  const half = NETWORK.longest / 2;
  const kept = tokens.length > NETWORK.longest ? [...tokens.slice(0, half), ...tokens.slice(-half)] : tokens;
  return (kept.length === 0 ? ['.'] : kept).map(rowsOfToken);
}

/**
 * out[to + o] = bias[o] + weights[o] . input[at ...], computed four outputs at a time. The inner length is that of a
 * weight row.
 */
export function affine(
  weights: Float32Array,
  bias: Float32Array,
  input: Float32Array,
  at: number,
  out: Float32Array,
  to: number,
) {
  const outputs = bias.length;
  const inner = weights.length / outputs;
  const grouped = outputs - (outputs % 4);
  for (let o = 0; o < grouped; o += 4) {
    const [wa, wb, wc, wd] = [o * inner, (o + 1) * inner, (o + 2) * inner, (o + 3) * inner] as const;
    let a = bias[o]!;
    let b = bias[o + 1]!;
    let c = bias[o + 2]!;
    let d = bias[o + 3]!;
    for (let i = 0; i < inner; i++) {
      const x = input[at + i]!;
      a += x * weights[wa + i]!;
      b += x * weights[wb + i]!;
      c += x * weights[wc + i]!;
      d += x * weights[wd + i]!;
    }
    out[to + o] = a;
    out[to + o + 1] = b;
    out[to + o + 2] = c;
    out[to + o + 3] = d;
  }
  for (let o = grouped; o < outputs; o++) {
    let sum = bias[o]!;
    for (let i = 0; i < inner; i++) sum += input[at + i]! * weights[o * inner + i]!;
    out[to + o] = sum;
  }
}

/** Scores of a text, one for each output, and the hidden layer that they are computed from. */
export function runNetwork(weights: NetworkWeights, text: string): { scores: Float32Array; hidden: Float32Array } {
  const { width, filters } = NETWORK;
  const rows = tokenRowsOf(text);
  const vectors = new Float32Array((rows.length + 2) * width);
  rows.forEach(({ word, grams }, t) => {
    const at = (t + 1) * width;
    for (let d = 0; d < width; d++) vectors[at + d] = weights.words[word * width + d]!;
    const share = 1 / Math.sqrt(Math.max(1, grams.length));
    for (const gram of grams)
      for (let d = 0; d < width; d++) vectors[at + d]! += share * weights.grams[gram * width + d]!;
  });
  const pooled = new Float32Array(2 * filters);
  const step = new Float32Array(filters);
  for (let t = 0; t < rows.length; t++) {
    affine(weights.conv, weights.convBias, vectors, t * width, step, 0);
    for (let f = 0; f < filters; f++) {
      const value = Math.max(0, step[f]!);
      pooled[f] = Math.max(pooled[f]!, value);
      pooled[filters + f]! += value / rows.length;
    }
  }
  const hidden = new Float32Array(NETWORK.hidden);
  affine(weights.dense, weights.denseBias, pooled, 0, hidden, 0);
  for (let h = 0; h < hidden.length; h++) hidden[h] = Math.max(0, hidden[h]!);
  const scores = new Float32Array(weights.outBias.length);
  affine(weights.out, weights.outBias, hidden, 0, scores, 0);
  return { scores, hidden };
}
