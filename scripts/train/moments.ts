/**
 * Fits everything that moments are read with: the last step of `npm run train:moments`.
 *
 * Heads of dialogue acts over cues and n-grams, and above them and the readers of `moments/reader.py` the networks
 * that read an utterance in its context, with their thresholds. Data: the project's own dialogues, exchanges and
 * single lines (data/moments/fit, never what is held out), and, free to use, CaSiNo (CC BY 4.0: the last turn before a deal agrees), QMSum (MIT:
 * where a topic opens) and ABCD (MIT), the latter two as a background of sentences that for the most part offer, answer
 * and object nothing. Writes src/conversation/weights/moments.bin and
 * containers/pipeline/models/moment-pooling.bin. `bench/moments/cross-validation.ts` judges the same fit, the whole
 * detector, on dialogues it was not fitted to.
 */
import { ownData } from './moments/corpus.ts';
import { fitMoments } from './moments/fit.ts';
import { trainedReaders, writePooling } from './moments/reader-weights.ts';
import { writeWeights } from './write-weights.ts';

const weights = fitMoments(ownData(), trainedReaders());
console.log(`moment-pooling.bin: ${writePooling()} bytes`);

writeWeights('moments', weights, {
  trained_on: ['data/moments/fit', 'CaSiNo train (CC BY 4.0)', 'QMSum train (MIT)', 'ABCD sample (MIT)'],
  made_by: 'scripts/train/moments.ts',
});

const { words, encoded, hindsight } = weights;
for (const [when, models] of Object.entries({ words, encoded, hindsight }))
  console.log(when, Object.fromEntries(Object.entries(models).map(([model, { threshold }]) => [model, threshold])));
