import { join } from 'node:path';
import { ENCODING_DIMENSIONS, ENCODING_STEP } from '../../../src/contract/encoding.ts';
import { packInt8 } from '../../../src/contract/packed-int8.ts';
import { unpackWeights } from '../affect/packed-weights.ts';

/**
 * Model card of moment-pooling.bin: what of an utterance bears on key moments. For each encoder eight heads of attention
 * over the states of the pieces, normalised, then one layer of tanh over both; int8 with a scale for each column. Trained
 * by `npm run train:moments` with the networks that read its result (src/conversation/moments/turn-reader.ts), on the
 * project's own dialogues without their test. How well the whole does: `npm run bench:moments`. It fails where they do:
 * what was misheard, answers that take knowledge of the world, trades and tones unlike those it saw.
 */
export const POOLING_PATH = join(import.meta.dirname, 'moment-pooling.bin');

/** The encoders whose states are pooled, in the order in which they are laid end to end. */
export const POOLED = ['sentence', 'minilm'] as const;
/** A row for each piece, at least one: of `SentenceEncoder` and of `MiniLm`. */
export type PieceStates = Record<(typeof POOLED)[number], Float32Array>;

/** Of the normalisation, as trained. */
const EPSILON = 1e-5;

/** Of one encoder: a row of `attention` for each number of a state, a column for each head. */
interface Heads {
  attention: Float32Array;
  attentionBias: Float32Array;
  scale: Float32Array;
  shift: Float32Array;
}

/** `pooling`: a row for each number that the heads attended to. */
interface Pooling {
  heads: Record<(typeof POOLED)[number], Heads>;
  pooling: Float32Array;
  poolingBias: Float32Array;
}

let loaded: Pooling | null = null;

function load(): Pooling {
  const arrays = unpackWeights(POOLING_PATH);
  const headsOf = (encoder: string): Heads => ({
    attention: arrays[`${encoder}.attention`]!,
    attentionBias: arrays[`${encoder}.attentionBias`]!,
    scale: arrays[`${encoder}.scale`]!,
    shift: arrays[`${encoder}.shift`]!,
  });
  return {
    heads: { sentence: headsOf('sentence'), minilm: headsOf('minilm') },
    pooling: arrays.pooling!,
    poolingBias: arrays.poolingBias!,
  };
}

/** An utterance as it goes to the conversation (`decodeEncoding`). */
export function poolStates(states: PieceStates): string {
  loaded ??= load();
  const { heads, pooling, poolingBias } = loaded;
  const sums = Float32Array.from(poolingBias);
  let row = 0;
  for (const encoder of POOLED)
    for (const x of normalised(attend(states[encoder], heads[encoder]), heads[encoder])) {
      for (let k = 0; k < ENCODING_DIMENSIONS; k++) sums[k]! += x * pooling[row * ENCODING_DIMENSIONS + k]!;
      row++;
    }
  return packInt8(Int8Array.from(sums, (sum) => Math.round(Math.tanh(sum) / ENCODING_STEP)));
}

/** The mean of the states, for each head weighted by what it attends to: [heads, numbers in a state]. */
function attend(states: Float32Array, { attention, attentionBias }: Heads): Float32Array {
  const heads = attentionBias.length;
  const size = attention.length / heads;
  const pieces = states.length / size;
  const means = new Float32Array(heads * size);
  const shares = new Float64Array(pieces);
  for (let head = 0; head < heads; head++) {
    let total = 0;
    for (let piece = 0; piece < pieces; piece++) {
      let logit = attentionBias[head]!;
      for (let i = 0; i < size; i++) logit += states[piece * size + i]! * attention[i * heads + head]!;
      shares[piece] = Math.exp(logit);
      total += shares[piece]!;
    }
    for (let piece = 0; piece < pieces; piece++) {
      const share = shares[piece]! / total;
      for (let i = 0; i < size; i++) means[head * size + i]! += share * states[piece * size + i]!;
    }
  }
  return means;
}

/** Layer normalisation (Ba et al. 2016, arXiv:1607.06450). */
function normalised(values: Float32Array, { scale, shift }: Heads): Float32Array {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
  const size = Math.sqrt(variance + EPSILON);
  return values.map((x, i) => ((x - mean) / size) * scale[i]! + shift[i]!);
}
