import { join } from 'node:path';
import { FINE_CLASSES } from '../../../containers/pipeline/affect/text/emotion-classes.ts';
import { NETWORK, WINDOW } from '../../../containers/pipeline/affect/text/network.ts';
import { packWeights } from '../pack-weights.ts';
import { goEmotions } from './corpora.ts';
import { trainNetwork } from './network-training.ts';
import { bareSpeech, punctuatedSpeech } from './speech-like.ts';

/**
 * Trains the text network on GoEmotions (train split), with each text as written and in two speech-like forms, and
 * writes its weights. Seeded, so that the same data produce the same bytes. The first half of `npm run train --
 * text-affect`, which takes about five minutes.
 */
const SCHEDULE = { epochs: 6, seed: 1, rate: 0.003, written: 0.5 };
const PATH = join(import.meta.dirname, '../../../containers/pipeline/models/text-affect/network.bin');

const examples = goEmotions('train').map(({ text, fine }) => ({
  forms: [text, bareSpeech(text), punctuatedSpeech(text)],
  classes: fine,
}));
const weights = trainNetwork(examples, FINE_CLASSES.length, SCHEDULE, (epoch, loss) =>
  console.log(`epoch ${epoch + 1} of ${SCHEDULE.epochs}: loss ${loss.toFixed(4)}`),
);
const size = packWeights(PATH, [
  { name: 'words', values: weights.words, columns: NETWORK.width },
  { name: 'grams', values: weights.grams, columns: NETWORK.width },
  { name: 'conv', values: weights.conv, columns: WINDOW * NETWORK.width },
  { name: 'convBias', values: weights.convBias },
  { name: 'dense', values: weights.dense, columns: 2 * NETWORK.filters },
  { name: 'denseBias', values: weights.denseBias },
  { name: 'out', values: weights.out, columns: NETWORK.hidden },
  { name: 'outBias', values: weights.outBias },
]);
console.log(`network.bin: ${size} bytes`);
