import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMOTIONS } from '../../../src/contract/timeline.ts';
import { FINE_CLASSES } from './emotion-classes.ts';
import { unpackWeights } from './packed-weights.ts';
import { ngramsOf } from './text-features.ts';
import { type NetworkWeights, runNetwork } from './text-network.ts';
import { plainPunctuation, wordsOf } from './tokens.ts';
import { readVader } from './vader.ts';

const FOLDER = join(import.meta.dirname, '../models/text-affect');

/** What was fitted on the network's scores, kept as text beside the weights (heads.json). */
export interface Heads {
  /** The scores are divided by this before they become probabilities (Guo et al. 2017). */
  temperature: number;
  /** Added to the log-probability of each of the seven classes, in wire order, when one class must be named for a written text. */
  decision: number[];
  /** Odds of neutral in conversation against GoEmotions, estimated without labels. */
  conversationOdds: number;
  vad: CueWeights;
}

/** What standardised cues add to the n-gram reading of valence, arousal and dominance, in EmoBank's standard deviations. */
export interface CueWeights {
  means: number[];
  scales: number[];
  /** Three rows, a weight for each cue. */
  weights: number[][];
}

/** Weights of the n-gram reading of V/A/D: n-grams x 3, biases, and the rarity of each n-gram. */
export interface NgramWeights {
  vad: Float32Array;
  bias: Float32Array;
  rarity: Float32Array;
}

export const loadNetwork = (): NetworkWeights =>
  unpackWeights(join(FOLDER, 'network.bin')) as unknown as NetworkWeights;
export const loadNgrams = (): NgramWeights => unpackWeights(join(FOLDER, 'ngrams.bin')) as unknown as NgramWeights;
export const loadHeads = (): Heads => JSON.parse(readFileSync(join(FOLDER, 'heads.json'), 'utf8')) as Heads;

/** Probabilities of scores at a temperature. */
export function softmax(scores: ArrayLike<number>, temperature = 1): number[] {
  const list = Array.from(scores, (score) => score / temperature);
  const top = Math.max(...list);
  const powers = list.map((score) => Math.exp(score - top));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Sums fine classes into the seven, in wire order. */
export const ekmanOf = (fine: number[]): number[] =>
  EMOTIONS.map((name) => fine.reduce((sum, p, i) => (FINE_CLASSES[i]!.emotion === name ? sum + p : sum), 0));

/** V/A/D from n-grams and cues together, in EmoBank's standard deviations. `scores` are the network's, of the same text. */
export function readVad(
  text: string,
  scores: Float32Array,
  { vad, bias, rarity }: NgramWeights,
  { means, scales, weights }: CueWeights,
): [number, number, number] {
  const sums: [number, number, number] = [bias[0]!, bias[1]!, bias[2]!];
  for (const { column, value } of ngramsOf(text, rarity))
    for (let k = 0; k < 3; k++) sums[k]! += value * vad[column * 3 + k]!;
  vadCues(text, scores).forEach((cue, i) => {
    for (let k = 0; k < 3; k++) sums[k]! += (weights[k]![i]! * (cue - means[i]!)) / scales[i]!;
  });
  return sums;
}

/** Dense cues of V/A/D: log-probabilities and probabilities of the fine classes, VADER, marks on the page. */
export function vadCues(text: string, scores: Float32Array): number[] {
  const fine = softmax(scores);
  const { compound, positive, negative, rated } = readVader(text);
  const words = wordsOf(text);
  const plain = plainPunctuation(text);
  const share = (mark: RegExp) => (plain.match(mark)?.length ?? 0) / Math.max(1, words.length);
  const marks = [
    /!/,
    /\?/,
    /"/,
    /\.\.\./,
    /\d/,
    /\b(I|i|my|me)\b/,
    /\b[Yy]ou/,
    /\b([Ww]e|[Oo]ur)\b/,
    /[.!?"]\s*$/,
    /"\s*$/,
  ];
  return [
    ...fine.map((p) => Math.log(p + 1e-6)),
    ...fine,
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

/** What the trained model reads in a text, before any adjustment to conversation. */
export interface ModelReading {
  /** Calibrated probabilities of the fine classes, in the order of FINE_CLASSES. */
  fine: number[];
  /** Valence, arousal, dominance in standard deviations of EmoBank's ratings. */
  vad: [number, number, number];
}

/** The trained model; its three files are read when it is first asked for. */
let loaded: { network: NetworkWeights; ngrams: NgramWeights; heads: Heads } | null = null;
export function loadModel(): NonNullable<typeof loaded> {
  loaded ??= { network: loadNetwork(), ngrams: loadNgrams(), heads: loadHeads() };
  return loaded;
}

/** Runs the trained model on a text. About a tenth of a millisecond. */
export function readModel(text: string): ModelReading {
  const { network, ngrams, heads } = loadModel();
  const { scores } = runNetwork(network, text);
  return { fine: softmax(scores, heads.temperature), vad: readVad(text, scores, ngrams, heads.vad) };
}
