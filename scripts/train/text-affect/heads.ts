import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CueWeights,
  loadEncodingNetwork,
  runEncodingNetwork,
} from '../../../containers/pipeline/affect/text/encoding-reading.ts';
import {
  ekmanOf,
  encodingCues,
  type Heads,
  jointScores,
  loadNetwork,
  softmax,
  vadCues,
} from '../../../containers/pipeline/affect/text/model.ts';
import { runNetwork } from '../../../containers/pipeline/affect/text/network.ts';
import { EMOTIONS } from '../../../src/contract/timeline.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { argmax, classScores, reliability } from '../agreement.ts';
import { packWeights, type Unpacked } from '../pack-weights.ts';
import { emoBank, goEmotions, unlabelledTalk } from './corpora.ts';
import { encodingsOf } from './encodings.ts';
import { fitSentiment } from './sentiment.ts';
import { sentimentExamples } from './sentiment-examples.ts';
import { bareSpeech } from './speech-like.ts';
import { fitVad, vadForms } from './vad.ts';

const ENGLISH = languageOf('en');

/**
 * Fits the heads of the networks, both without and with the encoding of a text: temperature and decision offsets
 * (GoEmotions dev), the odds of neutral in conversation (unlabelled texts), valence, arousal and dominance (EmoBank
 * train), and sentiment (the project's own lines). Last step of `npm run train -- text-affect`.
 */
const FOLDER = join(import.meta.dirname, '../../../containers/pipeline/models/text-affect');

const network = loadNetwork();
const scoresOf = (text: string) => runNetwork(network, text).scores;

/**
 * Temperature with the lowest calibration error on the worse of the two forms of the dev texts, written and
 * speech-like.
 */
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

const macroF1Of = (guesses: number[], labels: number[]) => classScores(guesses, labels, EMOTIONS.length).macroF1;

/**
 * Offsets of the log-probabilities that raise macro-F1. They are found one class at a time and halved, because a full
 * step would fit the noise of dev.
 */
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

/**
 * Prior of neutral in unlabelled texts, by expectation maximisation (Saerens et al. 2002), as odds relative to the
 * training prior.
 */
function neutralOdds(probabilities: number[][], trained: number): number {
  const neutral = EMOTIONS.indexOf('neutral');
  let prior = trained;
  for (let round = 0; round < 200; round++) {
    const odds = prior / (1 - prior) / (trained / (1 - trained));
    prior =
      probabilities.reduce((sum, p) => sum + (p[neutral]! * odds) / (p[neutral]! * odds + 1 - p[neutral]!), 0) /
      probabilities.length;
  }
  console.log(`neutral: ${trained.toFixed(3)} in GoEmotions, ${prior.toFixed(3)} in unlabelled conversation`);
  return prior / (1 - prior) / (trained / (1 - trained));
}

/**
 * Share of a class's rarity by which its scores are raised (logit adjustment: Menon et al. 2021), because two averaged
 * networks are more cautious than one. On a tenth of the train split that neither had seen, .2 to .3 raised macro-F1
 * from .599 to .602-.605 (without punctuation .577 to .580-.598) and left calibration unchanged.
 */
const RARITY_SHARE = 0.25;

/** Offsets of the scores of the seven classes, in wire order, from their shares in the training texts. */
function rarityOffsets(): number[] {
  const shares = ekmanOf(meanOf(goEmotions('train').map(({ fine }) => fine)));
  return shares.map((share) => Number((-RARITY_SHARE * Math.log(share)).toFixed(4)));
}

const meanOf = (rows: Float32Array[]): number[] =>
  Array.from(rows[0]!, (_, k) => rows.reduce((sum, row) => sum + row[k]!, 0) / rows.length);

/** Temperature and decision offsets for the scores of the dev texts in both forms. */
function fitScale(forms: Float32Array[][], labels: number[]) {
  const temperature = fitTemperature(forms, labels);
  const probabilities = forms.flat().map((scores) => ekmanOf(softmax(scores, temperature)));
  return { temperature, decision: fitDecision(probabilities, [...labels, ...labels]) };
}

const encodingNetwork = loadEncodingNetwork();
const encodedScoresOf = (encoding: Float32Array) => runEncodingNetwork(encodingNetwork, encoding);
const encodedCuesOf = (encoding: Float32Array) => encodingCues(encoding, encodedScoresOf(encoding));

const dev = goEmotions('dev').filter(({ ekman }) => ekman.length === 1);
const labels = dev.map(({ ekman }) => EMOTIONS.indexOf(ekman[0]!));
const devTexts = [dev.map(({ text }) => text), dev.map(({ text }) => bareSpeech(text))];
const devForms = devTexts.map((texts) => texts.map(scoresOf));
const offsets = rarityOffsets();
const encodedForms: Float32Array[][] = [];
for (const [form, texts] of devTexts.entries())
  encodedForms.push(
    (await encodingsOf(texts)).map((encoding, i) =>
      jointScores(devForms[form]![i]!, encodedScoresOf(encoding), offsets),
    ),
  );
const { temperature, decision } = fitScale(devForms, labels);
const encoded = { ...fitScale(encodedForms, labels), offsets };
const trainedNeutral = labels.filter((label) => EMOTIONS[label] === 'neutral').length / labels.length;
const talk = unlabelledTalk().map((text) => ekmanOf(softmax(scoresOf(text), temperature)));
const conversationOdds = Number(neutralOdds(talk, trainedNeutral).toFixed(3));
console.log(
  `temperature ${temperature}, with encodings ${encoded.temperature}; odds of neutral in conversation ${conversationOdds}`,
);

const rated = emoBank('train');
const wordCuesOf = (text: string) => vadCues(text, scoresOf(text), ENGLISH);
const { ngrams, cues } = fitVad(rated, wordCuesOf);
const forms = vadForms(rated);
const encodings = new Map((await encodingsOf(forms)).map((encoding, i) => [forms[i]!, encoding]));
const joint = fitVad(rated, (text) => [...wordCuesOf(text), ...encodedCuesOf(encodings.get(text)!)]);
const examples = sentimentExamples();
const lines = await encodingsOf(examples.map(({ text }) => text));
const sentiment = fitSentiment(
  lines.map(encodedCuesOf),
  examples.map(({ shares }) => shares),
);

const heads: Heads = { temperature, decision, encoded, conversationOdds, vad: cues };
writeFileSync(
  join(FOLDER, 'heads.json'),
  `${JSON.stringify(heads, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value))}\n`,
);
const ngramArrays = ({ vad, bias, rarity }: typeof ngrams): Unpacked[] => [
  { name: 'vad', values: vad, columns: 3 },
  { name: 'bias', values: bias },
  { name: 'rarity', values: rarity, columns: 1 },
];
const cueArrays = (name: string, { means, scales, weights }: CueWeights): Unpacked[] => [
  { name: `${name}Means`, values: Float32Array.from(means) },
  { name: `${name}Scales`, values: Float32Array.from(scales) },
  { name: `${name}Weights`, values: Float32Array.from(weights.flatMap((row) => Array.from(row))) },
];
const files = {
  'ngrams.bin': ngramArrays(ngrams),
  'encoding-readings.bin': [
    ...ngramArrays(joint.ngrams),
    ...cueArrays('vad', joint.cues),
    ...cueArrays('sentiment', sentiment.cues),
    { name: 'sentimentBias', values: sentiment.bias },
  ],
};
for (const [name, arrays] of Object.entries(files))
  console.log(`${name}: ${packWeights(join(FOLDER, name), arrays)} bytes`);
