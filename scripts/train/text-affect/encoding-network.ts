import { join } from 'node:path';
import { FINE_CLASSES } from '../../../containers/pipeline/affect/text/emotion-classes.ts';
import { ENCODING_NETWORK, type EncodingNetwork } from '../../../containers/pipeline/affect/text/encoding-reading.ts';
import { randomVectors, seeded, shuffled } from '../../../support/random.ts';
import { Adam, cycled, DECAY, drop, learnHidden, slopeOf } from '../layers.ts';
import { packWeights } from '../pack-weights.ts';
import { goEmotions } from './corpora.ts';
import { encodingsOf } from './encodings.ts';
import { bareSpeech, punctuatedSpeech } from './speech-like.ts';

/**
 * Trains the hidden layer that predicts the fine classes from the sentence encoder's encoding, on GoEmotions (train
 * split), with each text as written and in one of its speech-like forms. Seeded, so that the same data produce the same
 * bytes. A step of `npm run train -- text-affect` that takes about five minutes, mostly for encoding.
 */
const PATH = join(import.meta.dirname, '../../../containers/pipeline/models/text-affect/encoding-network.bin');
/** Chosen on a tenth of the train split. 384 units or ten epochs were no better. */
const EPOCHS = 6;
const RATE = 0.002;
const BATCH = 128;
const INPUT_DROP = 0.1;
const HIDDEN_DROP = 0.3;
const SEED = 1;
const { inputs: INPUTS, hidden: HIDDEN } = ENCODING_NETWORK;
const CLASSES = FINE_CLASSES.length;

const examples = goEmotions('train');
const written = await encodingsOf(examples.map(({ text }) => text));
const spoken = await encodingsOf(
  examples.map(({ text }, i) => (i % 2 === 0 ? punctuatedSpeech(text) : bareSpeech(text))),
);

const random = seeded(SEED);
const filled = (size: number, sd: number) =>
  new Adam(Float32Array.from(randomVectors(size, random), (normal) => sd * normal));
const layers: Record<keyof EncodingNetwork, Adam> = {
  hidden: filled(HIDDEN * INPUTS, Math.sqrt(2 / INPUTS)),
  hiddenBias: filled(HIDDEN, 0),
  out: filled(CLASSES * HIDDEN, Math.sqrt(1 / HIDDEN)),
  outBias: filled(CLASSES, 0),
};

/** Forward and backward pass of one batch. Adds gradients to the layers and returns the summed loss. */
function learn(batch: number[]): number {
  const n = batch.length;
  const input = new Float32Array(n * INPUTS);
  batch.forEach((example, row) => {
    const form = random() < 0.5 ? written : spoken;
    input.set(
      form[example]!.map((value) => value * Math.sqrt(INPUTS)),
      row * INPUTS,
    );
  });
  drop(input, INPUT_DROP, random);
  let loss = 0;
  learnHidden(layers, input, n, HIDDEN_DROP, random, (scores) => {
    loss = batch.reduce((sum, example, row) => sum + slopeOf(scores, row * CLASSES, examples[example]!.fine, n), 0);
  });
  return loss;
}

const steps = EPOCHS * Math.ceil(examples.length / BATCH);
let step = 0;
for (let epoch = 0; epoch < EPOCHS; epoch++) {
  const order = shuffled(examples.length, random);
  let total = 0;
  for (let from = 0; from < order.length; from += BATCH) {
    total += learn([...order.subarray(from, from + BATCH)]);
    step++;
    for (const [name, layer] of Object.entries(layers))
      layer.apply(RATE * cycled(step / steps), step, 0, layer.values.length, name.endsWith('Bias') ? 0 : DECAY);
  }
  console.log(`epoch ${epoch + 1} of ${EPOCHS}: loss ${(total / examples.length).toFixed(4)}`);
}
const size = packWeights(PATH, [
  { name: 'hidden', values: layers.hidden.values, columns: INPUTS },
  { name: 'hiddenBias', values: layers.hiddenBias.values },
  { name: 'out', values: layers.out.values, columns: HIDDEN },
  { name: 'outBias', values: layers.outBias.values },
]);
console.log(`encoding-network.bin: ${size} bytes`);
