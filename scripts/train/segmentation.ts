/**
 * Trains the two topic boundary classifiers.
 *
 *   node scripts/train/segmentation.ts      writes src/conversation/weights/segmentation.bin
 *
 * The chat classifier is trained on joined pieces of CaSiNo (CC BY), ABCD (MIT), QMSum (MIT) and the project's own
 * dialogues, on marked topic changes in the latter, and on small talk written for the project. The meeting classifier
 * is trained on the topic spans of QMSum's training split (MIT). The sets that the bench scores are never read.
 */
import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import { languageOf } from '../../src/conversation/languages.ts';
import { readTurns } from '../../src/conversation/text/turns.ts';
import { CHAT_NEARBY, MEETING_NEARBY } from '../../src/conversation/topics/boundaries.ts';
import type { BoundaryModel } from '../../src/conversation/topics/boundary-classifier.ts';
import {
  BUCKETS,
  boundaryFeatures,
  boundaryWords,
  NUMERIC_FEATURES,
} from '../../src/conversation/topics/boundary-features.ts';
import { writtenDialogues } from '../../support/own-data.ts';
import { seeded, shuffled } from '../../support/random.ts';
import { abcd, type CorpusDialogue, casino, qmsum } from './dialogue-corpus.ts';
import { type FitOptions, fitLogistic } from './logistic-regression.ts';
import { smallTalk } from './small-talk.ts';
import { joinDialogues, plain } from './synthetic-joins.ts';
import { writeWeights } from './write-weights.ts';

const { vectors } = conversationWeights();

type Labelled = Pick<Required<CorpusDialogue>, 'turns' | 'speakers' | 'boundaries'>;

/** Weights in the features' own units. */
interface Weights {
  bias: number;
  numeric: Float64Array;
  words: Float64Array;
}

/**
 * Early stopping also regularises the weights. The number was chosen by four-fold cross-validation over the meetings.
 */
const ITERATIONS = 100;

function train(docs: Labelled[], nearby: number, c: number, slack: number): Weights {
  const rows = docs.map((doc) => {
    const turns = readTurns(
      doc.turns.map((text, i) => ({ text, speaker: doc.speakers[i]! })),
      vectors,
      languageOf('en'),
    );
    return { features: boundaryFeatures(turns), words: boundaryWords(turns, nearby), marks: new Set(doc.boundaries) };
  });
  const words = rows.flatMap((r) => r.words);
  const dense = new Float32Array(words.length * NUMERIC_FEATURES);
  const labels = new Uint8Array(words.length);
  let row = 0;
  for (const { features, words: own, marks } of rows) {
    features.forEach((column, f) => {
      column.forEach((value, i) => {
        dense[(row + i) * NUMERIC_FEATURES + f] = value;
      });
    });
    for (let i = 1; i <= own.length; i++, row++)
      for (let k = -slack; k <= slack; k++) if (marks.has(i + k)) labels[row] = 1;
  }
  const mean = new Float64Array(NUMERIC_FEATURES);
  const deviation = new Float64Array(NUMERIC_FEATURES);
  for (let f = 0; f < NUMERIC_FEATURES; f++) {
    let sum = 0;
    let squares = 0;
    for (let i = f; i < dense.length; i += NUMERIC_FEATURES) {
      sum += dense[i]!;
      squares += dense[i]! ** 2;
    }
    mean[f] = sum / labels.length;
    deviation[f] = Math.sqrt(Math.max(0, squares / labels.length - mean[f]! ** 2)) + 1e-6;
    for (let i = f; i < dense.length; i += NUMERIC_FEATURES) dense[i] = (dense[i]! - mean[f]!) / deviation[f]!;
  }
  const options: FitOptions = { buckets: BUCKETS, c, wordScale: 0.5, denseScale: 0.3, iterations: ITERATIONS };
  const fit = fitLogistic({ dense, width: NUMERIC_FEATURES, words, labels }, options);
  const numeric = fit.dense.map((w, f) => w / deviation[f]!);
  return { bias: fit.bias - numeric.reduce((s, w, f) => s + w * mean[f]!, 0), numeric, words: fit.words };
}

/** The mean of linear models is a linear model. */
const average = (models: Weights[]): Weights => {
  const mean = (of: (m: Weights) => number): number => models.reduce((sum, m) => sum + of(m), 0) / models.length;
  return {
    bias: mean((m) => m.bias),
    numeric: models[0]!.numeric.map((_, f) => mean((m) => m.numeric[f]!)),
    words: models[0]!.words.map((_, k) => mean((m) => m.words[k]!)),
  };
};

function packed({ bias, numeric, words }: Weights): BoundaryModel {
  const scale = words.reduce((peak, w) => Math.max(peak, Math.abs(w)), 0) / 127;
  return {
    bias: Number(bias.toFixed(5)),
    numeric: Float32Array.from(numeric, (w) => Number(w.toFixed(5))),
    words: { step: Number(scale.toPrecision(5)), values: Int8Array.from(words, (w) => Math.round(w / scale)) },
  };
}

const JOINS = 2000;
const SMALL_TALKS = 1200;
/** Number of dialogues with a marked topic change. */
const MARKED = 800;
/** Seeds of the draws whose models are averaged, because a single draw changes Pk by .01. */
const DRAWS = [1, 2, 3, 4, 5];
/** Reach of a soft label, in turns. Annotators of meetings disagree by a few turns. */
const SOFT = 3;

const meetings = qmsum('train');
/** Excludes dialogues whose turns are cut at pauses. With those, the model finds boundaries in chats less reliably. */
const marked = writtenDialogues()
  .filter((dialogue) => !dialogue.cut_at_pauses)
  .map(({ id, turns }) => ({
    id,
    turns: turns.map((t) => t.text),
    speakers: turns.map((t) => t.speaker),
    boundaries: turns.flatMap((t, i) => (i > 0 && t.moments?.some((m) => m.category === 'topic_shift') ? [i] : [])),
  }));
/** Drops their few marks, which are off by a few turns and therefore useless in pieces of a few turns. */
const unmarked = meetings.map(({ boundaries: _, ...m }) => m);
const sources = [casino(), unmarked, abcd(), marked];
const changing = marked.filter(({ boundaries }) => boundaries.length > 0);

/** Draws joined pieces, topic changes and small talk once, and fits the model to them. */
function chatModel(seed: number): Weights {
  console.error(`chat model ${seed}`);
  const random = seeded(seed);
  const joins = joinDialogues(sources, { conversations: JOINS, pieces: [3, 7], turns: [2, 9], random });
  const talks = Array.from({ length: SMALL_TALKS }, (_, i) => {
    const talk = smallTalk(random, 2 + Math.floor(random() * 5));
    return i % 3 ? talk : { ...talk, turns: talk.turns.map(plain) };
  });
  const changes = Array.from(shuffled(changing.length, random).subarray(0, MARKED), (i) => changing[i]!);
  return train([...joins, ...changes, ...talks], CHAT_NEARBY, 0.1, 0);
}

const chat = average(DRAWS.map(chatModel));
console.error('meeting model');
const spans = meetings.map((m) => ({ ...m, boundaries: m.boundaries ?? [] }));
const meeting = average([train(spans, MEETING_NEARBY, 0.1, 0), train(spans, MEETING_NEARBY, 0.03, SOFT)]);
writeWeights(
  'segmentation',
  { chat: packed(chat), meeting: packed(meeting) },
  {
    trained_on: [
      'data/moments/fit.jsonl, dialogues written for the project',
      'CaSiNo train (CC BY 4.0)',
      'ABCD sample (MIT)',
      'QMSum train (MIT)',
      'scripts/train/small-talk.ts',
    ],
    made_by: 'scripts/train/segmentation.ts',
  },
);
