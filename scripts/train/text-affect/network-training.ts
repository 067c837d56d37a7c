import {
  NETWORK,
  type NetworkWeights,
  type TokenRows,
  tokenRowsOf,
  WINDOW,
} from '../../../containers/pipeline/affect/text/network.ts';
import { seeded, shuffled } from '../../../support/random.ts';
import { Adam, cycled, DECAY, drop, multiply, multiplyBack, slopeOf } from '../layers.ts';

/** A training text in its forms (written form first), with soft class labels that sum to 1. */
export interface Example {
  forms: string[];
  classes: Float32Array;
}

export interface Schedule {
  epochs: number;
  seed: number;
  /** Highest learning rate of the one-cycle schedule. */
  rate: number;
  /** Probability that a text is used as written rather than in one of its other forms. */
  written: number;
}

const BATCH = 64;
const WORD_DROP = 0.15;
const VECTOR_DROP = 0.3;
const POOL_DROP = 0.35;
const HIDDEN_DROP = 0.35;
const { width: D, filters: F, hidden: M } = NETWORK;
const PATCH = WINDOW * D;

/** Trains the network. `watch` is called after each epoch with the weights so far. */
export function trainNetwork(
  examples: Example[],
  classes: number,
  { epochs, seed, rate, written }: Schedule,
  watch: (epoch: number, loss: number, weights: NetworkWeights) => void,
): NetworkWeights {
  const random = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const filled = (size: number, sd: number) => new Adam(Float32Array.from({ length: size }, () => sd * normal()));
  const layers = {
    words: filled(NETWORK.wordRows * D, 0.1),
    grams: filled(NETWORK.gramRows * D, 0.1),
    conv: filled(F * PATCH, Math.sqrt(2 / PATCH)),
    convBias: filled(F, 0),
    dense: filled(M * 2 * F, Math.sqrt(2 / (2 * F))),
    denseBias: filled(M, 0),
    out: filled(classes * M, Math.sqrt(1 / M)),
    outBias: filled(classes, 0),
  };
  const weights = Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [name, layer.values]),
  ) as unknown as NetworkWeights;
  const inputs = examples.map(({ forms }) => forms.map(tokenRowsOf));
  const steps = epochs * Math.ceil(examples.length / BATCH);
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = shuffled(examples.length, random);
    let total = 0;
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = [...order.subarray(from, from + BATCH)];
      const texts = batch.map((i) => {
        const forms = inputs[i]!;
        return forms[random() < written ? 0 : Math.floor(random() * forms.length)]!;
      });
      total += learn(
        layers,
        texts,
        batch.map((i) => examples[i]!),
        classes,
        random,
      );
      step++;
      const now = rate * cycled(step / steps);
      for (const name of ['conv', 'convBias', 'dense', 'denseBias', 'out', 'outBias'] as const)
        layers[name].apply(now, step, 0, layers[name].values.length, name.endsWith('Bias') ? 0 : DECAY);
      const touched = { words: new Set<number>(), grams: new Set<number>() };
      for (const rows of texts)
        for (const { word, grams } of rows) {
          touched.words.add(word);
          for (const gram of grams) touched.grams.add(gram);
        }
      for (const name of ['words', 'grams'] as const)
        for (const row of touched[name]) layers[name].apply(now, step, row * D, (row + 1) * D, 0);
    }
    watch(epoch, total / examples.length, weights);
  }
  return weights;
}

type Layers = Record<keyof NetworkWeights, Adam>;

/** Forward and backward pass of one batch. Adds gradients to the layers and returns the summed loss. */
function learn(
  layers: Layers,
  texts: TokenRows[][],
  examples: Example[],
  classes: number,
  random: () => number,
): number {
  const n = texts.length;
  const starts = [0];
  for (const rows of texts) starts.push(starts.at(-1)! + rows.length + 2);
  const vectors = new Float32Array((starts.at(-1)! + 1) * D);
  const keepWord: boolean[] = [];
  texts.forEach((rows, i) => {
    rows.forEach(({ word, grams }, t) => {
      const at = (starts[i]! + 1 + t) * D;
      const kept = random() >= WORD_DROP;
      keepWord.push(kept);
      if (kept) for (let d = 0; d < D; d++) vectors[at + d] = layers.words.values[word * D + d]!;
      const share = 1 / Math.sqrt(Math.max(1, grams.length));
      for (const gram of grams)
        for (let d = 0; d < D; d++) vectors[at + d]! += share * layers.grams.values[gram * D + d]!;
    });
  });
  const vectorDrop = drop(vectors, VECTOR_DROP, random);
  const steps = starts.at(-1)! - 2;
  const conv = new Float32Array((steps + 2) * F);
  multiply(vectors, steps, D, layers.conv.values, layers.convBias.values, conv);
  const pooled = new Float32Array(n * 2 * F);
  const winner = new Int32Array(n * F).fill(-1);
  texts.forEach((rows, i) => {
    for (let t = 0; t < rows.length; t++)
      for (let f = 0; f < F; f++) {
        const value = conv[(starts[i]! + t) * F + f]!;
        if (value <= 0) continue;
        if (value > pooled[i * 2 * F + f]!) {
          pooled[i * 2 * F + f] = value;
          winner[i * F + f] = t;
        }
        pooled[i * 2 * F + F + f]! += value / rows.length;
      }
  });
  const poolDrop = drop(pooled, POOL_DROP, random);
  const inner = new Float32Array(n * M);
  multiply(pooled, n, 2 * F, layers.dense.values, layers.denseBias.values, inner);
  for (let i = 0; i < inner.length; i++) inner[i] = Math.max(0, inner[i]!);
  const alive = inner.map((value) => (value > 0 ? 1 : 0));
  const innerDrop = drop(inner, HIDDEN_DROP, random);
  const scores = new Float32Array(n * classes);
  multiply(inner, n, M, layers.out.values, layers.outBias.values, scores);
  const loss = examples.reduce((sum, example, i) => sum + slopeOf(scores, i * classes, example.classes, n), 0);
  const innerSlope = new Float32Array(n * M);
  multiplyBack(inner, n, M, M, layers.out, layers.outBias, scores, innerSlope);
  for (let i = 0; i < innerSlope.length; i++) innerSlope[i]! *= innerDrop[i]! * alive[i]!;
  const pooledSlope = new Float32Array(n * 2 * F);
  multiplyBack(pooled, n, 2 * F, 2 * F, layers.dense, layers.denseBias, innerSlope, pooledSlope);
  for (let i = 0; i < pooledSlope.length; i++) pooledSlope[i]! *= poolDrop[i]!;
  const convSlope = new Float32Array(conv.length);
  texts.forEach((rows, i) => {
    for (let f = 0; f < F; f++) {
      const t = winner[i * F + f]!;
      if (t >= 0) convSlope[(starts[i]! + t) * F + f]! += pooledSlope[i * 2 * F + f]!;
      const mean = pooledSlope[i * 2 * F + F + f]! / rows.length;
      for (let s = 0; s < rows.length; s++)
        if (conv[(starts[i]! + s) * F + f]! > 0) convSlope[(starts[i]! + s) * F + f]! += mean;
    }
  });
  const vectorSlope = new Float32Array(vectors.length);
  multiplyBack(vectors, steps, D, PATCH, layers.conv, layers.convBias, convSlope, vectorSlope);
  let token = 0;
  texts.forEach((rows, i) => {
    rows.forEach(({ word, grams }, t) => {
      const at = (starts[i]! + 1 + t) * D;
      for (let d = 0; d < D; d++) vectorSlope[at + d]! *= vectorDrop[at + d]!;
      if (keepWord[token++]) for (let d = 0; d < D; d++) layers.words.slope[word * D + d]! += vectorSlope[at + d]!;
      const share = 1 / Math.sqrt(Math.max(1, grams.length));
      for (const gram of grams)
        for (let d = 0; d < D; d++) layers.grams.slope[gram * D + d]! += share * vectorSlope[at + d]!;
    });
  });
  return loss;
}
