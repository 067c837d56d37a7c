import { type DecisionWeights, sigmoid } from '../../../src/conversation/acts/act-model.ts';
import { Adam, learnHidden } from '../layers.ts';
import { randomVectors, seeded, shuffled } from '../random.ts';
import { packLayer, round } from './pack-layers.ts';

/** Chosen by cross-validation: half as many units or six epochs read worse, twice as many no better. */
const UNITS = 64;
const EPOCHS = 10;
const RATE = 0.003;
const DECAY = 0.1;
const BATCH = 256;
const HIDDEN_DROP = 0.1;
const SEED = 1;
/** Log-odds that a network begins with: few turns do any one thing. */
const SELDOM = -3;

/** Means and deviations of the features that the first row has. */
function standards(rows: Record<string, number>[]): [name: string, mean: number, scale: number][] {
  return Object.keys(rows[0]!).map((name) => {
    const mean = rows.reduce((sum, values) => sum + (values[name] ?? 0), 0) / rows.length;
    const variance = rows.reduce((sum, values) => sum + ((values[name] ?? 0) - mean) ** 2, 0) / rows.length;
    return [name, round(mean), round(Math.sqrt(variance)) || 1];
  });
}

/** A row for each input of one that has a row for each output. */
const turned = (matrix: Float32Array, inputs: number): Float32Array => {
  const outputs = matrix.length / inputs;
  return matrix.map((_, at) => matrix[(at % outputs) * inputs + Math.floor(at / outputs)]!);
};

/**
 * A network of one hidden layer over named features, by Adam. Seeded: the same rows give the same network.
 * @param rows at least one, which names the features; one that another lacks is 0 there
 */
export function fitNetwork(
  rows: { values: Record<string, number>; positive: boolean }[],
): Pick<DecisionWeights, 'features' | 'network'> {
  const features = standards(rows.map(({ values }) => values));
  const inputs = features.length;
  const seen = new Float32Array(rows.length * inputs);
  rows.forEach(({ values }, row) => {
    features.forEach(([name, mean, scale], i) => {
      seen[row * inputs + i] = ((values[name] ?? 0) - mean) / scale;
    });
  });
  const random = seeded(SEED);
  const filled = (size: number, sd: number) =>
    new Adam(Float32Array.from(randomVectors(size, random), (normal) => sd * normal));
  const layers = {
    hidden: filled(UNITS * inputs, Math.sqrt(1 / inputs)),
    hiddenBias: filled(UNITS, 0),
    out: filled(UNITS, Math.sqrt(0.25 / UNITS)),
    outBias: new Adam(Float32Array.of(SELDOM)),
  };

  const learn = (batch: Uint32Array): void => {
    const n = batch.length;
    const input = new Float32Array(n * inputs);
    batch.forEach((row, at) => {
      input.set(seen.subarray(row * inputs, (row + 1) * inputs), at * inputs);
    });
    learnHidden(layers, input, n, HIDDEN_DROP, random, (logits) => {
      logits.forEach((logit, at) => {
        logits[at] = (sigmoid(logit) - (rows[batch[at]!]!.positive ? 1 : 0)) / n;
      });
    });
  };

  const steps = EPOCHS * Math.ceil(rows.length / BATCH);
  let step = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const order = shuffled(rows.length, random);
    for (let from = 0; from < order.length; from += BATCH) {
      learn(order.subarray(from, from + BATCH));
      const rate = RATE * (1 - step / steps);
      step++;
      for (const layer of Object.values(layers)) layer.apply(rate, step, 0, layer.values.length, DECAY);
    }
  }
  const { hidden, hiddenBias, out, outBias } = layers;
  return {
    features: Object.fromEntries(features.map(([name, mean, scale]) => [name, [mean, scale]])),
    network: {
      hidden: packLayer(turned(hidden.values, inputs), hiddenBias.values),
      output: packLayer(out.values, outBias.values),
    },
  };
}
