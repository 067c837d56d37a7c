import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { POOLED_DIMENSIONS, POOLED_STEP } from '../../../src/conversation/encoding.ts';
import { unpackWeights } from '../../../src/conversation/packed-weights.ts';
import { ENCODING_SIZE } from './sentence-encoder.ts';

/**
 * Model card of moment-pooling.bin: the features of an utterance that matter for key moments. Each moment classifier
 * has eight attention heads over the sentence encoder's normalised piece states, followed by one tanh layer, stored as
 * int8 with a scale for each column. The layers were trained on the project's own written dialogues, without their test
 * split, together with four classifiers that were later discarded, and have not changed since. With them, the macro-F1
 * of src/conversation/moments/moment-network.ts on real dialogues is .05 higher than with the sentence vector alone.
 * `npm run train -- moments` reads the file and does not change it.
 */
export const POOLING_PATH = join(import.meta.dirname, 'moment-pooling.bin');

/** Epsilon of the normalisation, as used in training. */
const EPSILON = 1e-5;

/** The layers of one classifier. Matrices are stored row by row, one row for each input. */
interface Pooling {
  /** One column for each head. */
  attention: Float32Array;
  attentionBias: Float32Array;
  scale: Float32Array;
  shift: Float32Array;
  layer: Float32Array;
  layerBias: Float32Array;
}

let loaded: Pooling[] | undefined;

function load(): Pooling[] {
  const arrays = unpackWeights(readFileSync(POOLING_PATH));
  const members: Pooling[] = [];
  for (let member = 0; arrays[`${member}.layer`]; member++) {
    const of = (name: string): Float32Array => arrays[`${member}.${name}`]!;
    members.push({
      attention: of('attention'),
      attentionBias: of('attentionBias'),
      scale: of('scale'),
      shift: of('shift'),
      layer: of('layer'),
      layerBias: of('layerBias'),
    });
  }
  const numbers = members.reduce((sum, { layerBias }) => sum + layerBias.length, 0);
  if (numbers !== POOLED_DIMENSIONS)
    throw new Error(`moment-pooling.bin yields ${numbers} numbers for each utterance; expected ${POOLED_DIMENSIONS}`);
  return members;
}

/**
 * The encoding of an utterance for the conversation (`src/conversation/encoding.ts`), made of the classifiers' outputs.
 * @param states a row of `ENCODING_SIZE` for each piece, at least one (`SentenceEncoder.read`)
 */
export function poolStates(states: Float32Array): Float32Array {
  loaded ??= load();
  return Float32Array.from(loaded.flatMap((member) => pool(states, member)));
}

/** Rounds to the integer steps that the classifiers were trained on. */
function pool(states: Float32Array, member: Pooling): number[] {
  const { layer, layerBias } = member;
  const sums = Float32Array.from(layerBias);
  normalised(attend(states, member), member).forEach((x, i) => {
    for (let k = 0; k < sums.length; k++) sums[k]! += x * layer[i * sums.length + k]!;
  });
  return Array.from(sums, (sum) => Math.round(Math.tanh(sum) / POOLED_STEP) * POOLED_STEP);
}

/** The mean of the states, weighted by the attention of each head: [heads, ENCODING_SIZE]. */
function attend(states: Float32Array, { attention, attentionBias }: Pooling): Float32Array {
  const heads = attentionBias.length;
  const pieces = states.length / ENCODING_SIZE;
  const means = new Float32Array(heads * ENCODING_SIZE);
  const shares = new Float64Array(pieces);
  for (let head = 0; head < heads; head++) {
    let total = 0;
    for (let piece = 0; piece < pieces; piece++) {
      let logit = attentionBias[head]!;
      for (let i = 0; i < ENCODING_SIZE; i++)
        logit += states[piece * ENCODING_SIZE + i]! * attention[i * heads + head]!;
      shares[piece] = Math.exp(logit);
      total += shares[piece]!;
    }
    for (let piece = 0; piece < pieces; piece++) {
      const share = shares[piece]! / total;
      for (let i = 0; i < ENCODING_SIZE; i++)
        means[head * ENCODING_SIZE + i]! += share * states[piece * ENCODING_SIZE + i]!;
    }
  }
  return means;
}

/** Layer normalisation (Ba et al. 2016, arXiv:1607.06450). */
function normalised(values: Float32Array, { scale, shift }: Pooling): Float32Array {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
  const size = Math.sqrt(variance + EPSILON);
  return values.map((x, i) => ((x - mean) / size) * scale[i]! + shift[i]!);
}
