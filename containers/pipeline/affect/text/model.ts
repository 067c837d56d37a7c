import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMOTIONS } from '../../../../src/contract/timeline.ts';
import type { Language } from '../../../../src/conversation/language.ts';
import { unpackWeights } from '../../../../src/conversation/packed-weights.ts';
import { plainPunctuation, words as wordsOf } from '../../../../src/conversation/text/tokens.ts';
import { FINE_CLASSES } from './emotion-classes.ts';
import {
  type CueWeights,
  type EncodingNetwork,
  type EncodingReadings,
  loadEncodingNetwork,
  loadEncodingReadings,
  runEncodingNetwork,
  weighCues,
} from './encoding-reading.ts';
import { ngramsOf } from './features.ts';
import { type NetworkWeights, runNetwork } from './network.ts';
import { readVader } from './vader.ts';

const FOLDER = join(import.meta.dirname, '../../models/text-affect');

/** Parameters fitted on the network's scores, stored as text beside the weights (heads.json). */
export interface Heads {
  /** Scores are divided by this before they are converted to probabilities (Guo et al. 2017). */
  temperature: number;
  /**
   * Added to the log-probability of each of the seven classes, in wire order, when a written text has to be assigned
   * one class.
   */
  decision: number[];
  /** The same two parameters for a text with an encoding, and the offsets added to the scores of the seven classes. */
  encoded: { temperature: number; decision: number[]; offsets: number[] };
  /** Odds of neutral in conversation relative to GoEmotions, estimated without labels. */
  conversationOdds: number;
  /**
   * Contribution of standardised cues to the n-gram reading of valence, arousal and dominance (V/A/D), in EmoBank's
   * standard deviations.
   */
  vad: CueWeights;
}

/** Weights of the n-gram reading of V/A/D: n-grams x 3, biases, and the rarity of each n-gram. */
export interface NgramWeights {
  vad: Float32Array;
  bias: Float32Array;
  rarity: Float32Array;
}

export const loadNetwork = (): NetworkWeights =>
  unpackWeights(readFileSync(join(FOLDER, 'network.bin'))) as unknown as NetworkWeights;
const loadNgrams = (): NgramWeights =>
  unpackWeights(readFileSync(join(FOLDER, 'ngrams.bin'))) as unknown as NgramWeights;
const loadHeads = (): Heads => JSON.parse(readFileSync(join(FOLDER, 'heads.json'), 'utf8')) as Heads;

/** Converts scores to probabilities at a given temperature. */
export function softmax(scores: ArrayLike<number>, temperature = 1): number[] {
  const list = Array.from(scores, (score) => score / temperature);
  const top = Math.max(...list);
  const powers = list.map((score) => Math.exp(score - top));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Sums the fine classes into the seven classes, in wire order. */
export const ekmanOf = (fine: number[]): number[] =>
  EMOTIONS.map((name) => fine.reduce((sum, p, i) => (FINE_CLASSES[i]!.emotion === name ? sum + p : sum), 0));

/** V/A/D from n-grams and cues together, in EmoBank's standard deviations. */
export function readVad(
  text: string,
  cues: ArrayLike<number>,
  { vad, bias, rarity }: NgramWeights,
  weights: CueWeights,
): [number, number, number] {
  const sums: [number, number, number] = [bias[0]!, bias[1]!, bias[2]!];
  for (const { column, value } of ngramsOf(text, rarity))
    for (let k = 0; k < 3; k++) sums[k]! += value * vad[column * 3 + k]!;
  return weighCues(cues, weights, sums);
}

/** Log-probabilities and probabilities derived from scores. */
const classCues = (scores: Float32Array): number[] => {
  const fine = softmax(scores);
  return [...fine.map((p) => Math.log(p + 1e-6)), ...fine];
};

/** Dense cues of an encoding: its network's class scores, followed by the encoding itself. */
export const encodingCues = (encoding: Float32Array, scores: Float32Array): number[] => [
  ...classCues(scores),
  ...encoding,
];

/** Dense cues for V/A/D: the network's class scores, VADER, punctuation. */
export function vadCues(text: string, scores: Float32Array, language: Language): number[] {
  const { compound, positive, negative, rated } = readVader(text, language);
  const words = wordsOf(text, 'joined');
  const plain = plainPunctuation(text);
  const share = (mark: RegExp) => (plain.match(mark)?.length ?? 0) / Math.max(1, words.length);
  const marks = [/!/, /\?/, /"/, /\.\.\./, /\d/, ...language.affect.personMarks, /[.!?"]\s*$/, /"\s*$/];
  return [
    ...classCues(scores),
    compound,
    positive,
    negative,
    rated,
    Math.log(words.length + 1),
    words.length / 20,
    share(/\b[A-Z]/g),
    share(/\b[A-Z]{2,}\b/g),
    share(/,/g),
    words.join('').length / Math.max(1, words.length),
    ...marks.map((mark) => (mark.test(plain) ? 1 : 0)),
  ];
}

/** The trained model's reading of a text, before any adjustment for conversation. */
export interface ModelReading {
  /** Calibrated probabilities of the fine classes, in the order of FINE_CLASSES. */
  fine: number[];
  /** The temperature that the scores were divided by. */
  temperature: number;
  /** Valence, arousal, dominance in standard deviations of EmoBank's ratings. */
  vad: [number, number, number];
  /** Probabilities of negative, neutral and positive from the encoding; null without one. */
  sentiment: number[] | null;
}

/**
 * Weight of the encoding's network in the class scores. Among 0 to 1 in tenths, .3 and .4 were best on a tenth of
 * GoEmotions train that neither network had seen.
 */
export const ENCODING_SHARE = 0.35;

/** The trained model, whose files are read on first use. */
let loaded: {
  network: NetworkWeights;
  ngrams: NgramWeights;
  heads: Heads;
  encodingNetwork: EncodingNetwork;
  readings: EncodingReadings;
} | null = null;
export function loadModel(): NonNullable<typeof loaded> {
  loaded ??= {
    network: loadNetwork(),
    ngrams: loadNgrams(),
    heads: loadHeads(),
    encodingNetwork: loadEncodingNetwork(),
    readings: loadEncodingReadings(),
  };
  return loaded;
}

/**
 * Scores of the fine classes from words and encoding together. `offsets` are those of the seven classes, in wire order.
 */
export const jointScores = (words: Float32Array, encoding: Float32Array, offsets: number[]): Float32Array =>
  words.map((score, i) => {
    const offset = offsets[EMOTIONS.indexOf(FINE_CLASSES[i]!.emotion)]!;
    return (1 - ENCODING_SHARE) * score + ENCODING_SHARE * encoding[i]! + offset;
  });

/**
 * Runs the trained model on a text. Takes a few tenths of a millisecond.
 * @param encoding of the same text by the sentence encoder; null to read the words alone, which is less accurate
 */
export function readModel(text: string, language: Language, encoding: Float32Array | null = null): ModelReading {
  const { network, ngrams, heads, encodingNetwork, readings } = loadModel();
  const { scores } = runNetwork(network, text);
  const cues = vadCues(text, scores, language);
  if (encoding === null) {
    const { temperature } = heads;
    const vad = readVad(text, cues, ngrams, heads.vad);
    return { fine: softmax(scores, temperature), temperature, vad, sentiment: null };
  }
  const { temperature, offsets } = heads.encoded;
  const encoded = runEncodingNetwork(encodingNetwork, encoding);
  const more = encodingCues(encoding, encoded);
  return {
    fine: softmax(jointScores(scores, encoded, offsets), temperature),
    temperature,
    vad: readVad(text, [...cues, ...more], readings, readings.vadCues),
    sentiment: softmax(weighCues(more, readings.sentimentCues, readings.sentimentBias)),
  };
}
