import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classScores, reliability } from '../../../bench/agreement.ts';
import { ekmanOf, type Heads, loadNetwork, softmax } from '../../../containers/pipeline/affect/text-model.ts';
import { runNetwork } from '../../../containers/pipeline/affect/text-network.ts';
import { EMOTIONS } from '../../../src/contract/timeline.ts';
import { emoBank, goEmotions, unlabelledTalk } from './corpora.ts';
import { packWeights } from './pack-weights.ts';
import { bareSpeech } from './speech-like.ts';
import { fitVad } from './vad.ts';

/**
 * Fits what stands on the network: temperature and decision offsets (GoEmotions dev), the odds of neutral in conversation
 * (texts without labels), valence, arousal and dominance (EmoBank train). Second half of `npm run train:text-affect`.
 */
const FOLDER = join(import.meta.dirname, '../../../containers/pipeline/models/text-affect');

const network = loadNetwork();
const scoresOf = (text: string) => runNetwork(network, text).scores;

/** Temperature with the least calibration error on the worse of the two forms of the dev texts, written and speech-like. */
function fitTemperature(forms: Float32Array[][], labels: number[]): number {
  let best = { error: Infinity, temperature: 1 };
  for (let temperature = 0.7; temperature < 1.5; temperature += 0.01) {
    const errors = forms.map((scores) => {
      const probabilities = scores.map((row) => ekmanOf(softmax(row, temperature)));
      const right = probabilities.map((p, i) => argmax(p) === labels[i]);
      return reliability(
        probabilities.map((p) => Math.max(...p)),
        right,
      ).ece;
    });
    if (Math.max(...errors) < best.error) best = { error: Math.max(...errors), temperature };
  }
  return Number(best.temperature.toFixed(2));
}

const argmax = (values: number[]) => values.indexOf(Math.max(...values));
const macroF1Of = (guesses: number[], labels: number[]) => classScores(guesses, labels, EMOTIONS.length).macroF1;

/** Offsets of the log-probabilities that raise macro-F1, found class by class and halved: a full step would fit dev's noise. */
function fitDecision(probabilities: number[][], labels: number[]): number[] {
  const logs = probabilities.map((p) => p.map((value) => Math.log(value + 1e-9)));
  const decide = (offsets: number[]) => logs.map((row) => argmax(row.map((value, k) => value + offsets[k]!)));
  let offsets = EMOTIONS.map(() => 0);
  let best = macroF1Of(decide(offsets), labels);
  for (let k = 0; k < EMOTIONS.length; k++)
    for (let offset = -1; offset <= 1.001; offset += 0.1) {
      const tried = offsets.map((old, i) => (i === k ? Number(offset.toFixed(1)) : old));
      const score = macroF1Of(decide(tried), labels);
      if (score > best) [best, offsets] = [score, tried];
    }
  return offsets.map((offset) => offset / 2);
}

/** Prior of neutral in texts without labels, by expectation maximisation (Saerens et al. 2002), as odds against the training prior. */
function neutralOdds(probabilities: number[][], trained: number): number {
  const neutral = EMOTIONS.indexOf('neutral');
  let prior = trained;
  for (let round = 0; round < 200; round++) {
    const odds = prior / (1 - prior) / (trained / (1 - trained));
    prior =
      probabilities.reduce((sum, p) => sum + (p[neutral]! * odds) / (p[neutral]! * odds + 1 - p[neutral]!), 0) /
      probabilities.length;
  }
  console.log(`neutral: ${trained.toFixed(3)} in GoEmotions, ${prior.toFixed(3)} in talk without labels`);
  return prior / (1 - prior) / (trained / (1 - trained));
}

const dev = goEmotions('dev').filter(({ ekman }) => ekman.length === 1);
const labels = dev.map(({ ekman }) => EMOTIONS.indexOf(ekman[0]!));
const devForms = [dev.map(({ text }) => scoresOf(text)), dev.map(({ text }) => scoresOf(bareSpeech(text)))];
const devLabels = [...labels, ...labels];
const temperature = fitTemperature(devForms, labels);
const probabilities = devForms.flat().map((scores) => ekmanOf(softmax(scores, temperature)));
const decision = fitDecision(probabilities, devLabels);
const trainedNeutral = labels.filter((label) => EMOTIONS[label] === 'neutral').length / labels.length;
const talk = unlabelledTalk().map((text) => ekmanOf(softmax(scoresOf(text), temperature)));
const conversationOdds = Number(neutralOdds(talk, trainedNeutral).toFixed(3));
console.log(`temperature ${temperature}, decision ${decision}, odds of neutral in talk ${conversationOdds}`);

const { ngrams, cues } = fitVad(emoBank('train'), scoresOf);
const heads: Heads = { temperature, decision, conversationOdds, vad: cues };
writeFileSync(
  join(FOLDER, 'heads.json'),
  `${JSON.stringify(heads, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value))}\n`,
);
const size = packWeights(join(FOLDER, 'ngrams.bin'), [
  { name: 'vad', values: ngrams.vad, columns: 3 },
  { name: 'bias', values: ngrams.bias },
  { name: 'rarity', values: ngrams.rarity, columns: 1 },
]);
console.log(`ngrams.bin: ${size} bytes`);
