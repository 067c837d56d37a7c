import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackWeights } from '../../../../src/conversation/packed-weights.ts';
import { affine } from './network.ts';

const FOLDER = join(import.meta.dirname, '../../models/text-affect');

/** Size of the sentence encoder's encoding of a text, and of the hidden layer that reads it. */
export const ENCODING_NETWORK = { inputs: 512, hidden: 192 } as const;
/** An encoding has length 1. This factor scales its numbers to about 1. */
const SCALE = Math.sqrt(ENCODING_NETWORK.inputs);

/** A hidden layer over the encoding that predicts the fine classes; row-major, outputs x inputs. */
export interface EncodingNetwork {
  hidden: Float32Array;
  hiddenBias: Float32Array;
  out: Float32Array;
  outBias: Float32Array;
}

/** A linear model over standardised cues with three outputs. */
export interface CueWeights {
  means: ArrayLike<number>;
  scales: ArrayLike<number>;
  /** Three rows with one weight for each cue. */
  weights: ArrayLike<number>[];
}

/**
 * Linear models for valence, arousal and dominance (from n-grams and all cues) and for sentiment (from the cues of the
 * encoding alone; negative, neutral, positive).
 */
export interface EncodingReadings {
  /** N-grams x 3, three biases, and the rarity of each n-gram. */
  vad: Float32Array;
  bias: Float32Array;
  rarity: Float32Array;
  vadCues: CueWeights;
  sentimentCues: CueWeights;
  sentimentBias: Float32Array;
}

export const loadEncodingNetwork = (): EncodingNetwork =>
  unpackWeights(readFileSync(join(FOLDER, 'encoding-network.bin'))) as unknown as EncodingNetwork;

/**
 * Reads the weights file, which stores each `CueWeights` as three arrays, with its rows of weights one after another.
 */
export function loadEncodingReadings(): EncodingReadings {
  const arrays = unpackWeights(readFileSync(join(FOLDER, 'encoding-readings.bin')));
  const cueWeights = (name: string): CueWeights => {
    const means = arrays[`${name}Means`]!;
    const rows = [0, 1, 2].map((k) => arrays[`${name}Weights`]!.subarray(k * means.length, (k + 1) * means.length));
    return { means, scales: arrays[`${name}Scales`]!, weights: rows };
  };
  const { vad, bias, rarity, sentimentBias } = arrays as Record<string, Float32Array>;
  return {
    vad: vad!,
    bias: bias!,
    rarity: rarity!,
    vadCues: cueWeights('vad'),
    sentimentCues: cueWeights('sentiment'),
    sentimentBias: sentimentBias!,
  };
}

/** Scores of the fine classes from the encoding alone. */
export function runEncodingNetwork(weights: EncodingNetwork, encoding: Float32Array): Float32Array {
  const hidden = new Float32Array(weights.hiddenBias.length);
  affine(
    weights.hidden,
    weights.hiddenBias,
    encoding.map((value) => value * SCALE),
    0,
    hidden,
    0,
  );
  const scores = new Float32Array(weights.outBias.length);
  affine(
    weights.out,
    weights.outBias,
    hidden.map((value) => Math.max(0, value)),
    0,
    scores,
    0,
  );
  return scores;
}

/** Adds the three outputs of a linear model over cues to `from`. */
export const weighCues = (cues: ArrayLike<number>, { means, scales, weights }: CueWeights, from: ArrayLike<number>) =>
  [0, 1, 2].map((k) => {
    const row = weights[k]!;
    let sum = from[k]!;
    for (let i = 0; i < cues.length; i++) sum += (row[i]! * (cues[i]! - means[i]!)) / scales[i]!;
    return sum;
  }) as [number, number, number];
