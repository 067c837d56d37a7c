/**
 * Fits the two logistic regressions behind goal answers, on the questions about parts of QMSum's meetings (MIT): the
 * first finds the sentences in the turns that answer a question, and the second gives the probability that the best one
 * is right when half of the questions come from other meetings. The second is fitted on meetings that the first did not
 * see. Writes src/conversation/summary/goal-weights.ts.
 *
 *   npm run train -- goal-answers
 */
import { writeFileSync } from 'node:fs';
import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import { languageOf } from '../../src/conversation/languages.ts';
import { bestOf, type Logistic, readGoal, surenessOf } from '../../src/conversation/summary/goal-answer.ts';
import { spokenSentences } from '../../src/conversation/text/spoken-sentences.ts';
import { readTurns } from '../../src/conversation/text/turns.ts';
import { type Meeting, qmsum } from './dialogue-corpus.ts';
import { fitLogistic } from './logistic-regression.ts';

const FOLDS = 5;
/** One in this many sentences outside the answer is used for training. */
const OTHERS = 12;
/** Precision that the threshold must reach: 3 in 4, plus a margin because the threshold is chosen on the same data. */
const PRECISION = 0.76;
/** Fewest answers for estimating a precision. */
const LEAST = 40;

type Reading = NonNullable<ReturnType<typeof readGoal>>;
interface Case {
  fold: number;
  reading: Reading;
  /** Turns that answer the question. Empty for a question about another meeting. */
  spans: [number, number][];
}

const within = (spans: readonly [number, number][], turn: number): boolean =>
  spans.some(([from, to]) => turn >= from && turn <= to);

function casesOf(meetings: Meeting[]): Case[] {
  const { vectors } = conversationWeights();
  return meetings.flatMap((meeting, m) => {
    const utterances = meeting.turns.map((text, i) => ({ text, speaker: meeting.speakers[i]! }));
    const turns = readTurns(utterances, vectors, languageOf('en'));
    const sentences = utterances.flatMap((_, turn) => spokenSentences(turns, turn));
    const read = (query: string, spans: Case['spans']): Case[] => {
      const reading = readGoal(query, turns, sentences, vectors);
      return reading ? [{ fold: m % FOLDS, reading, spans }] : [];
    };
    return meeting.specific.flatMap(({ query, spans }, q) => {
      const other = meetings[(m + 1 + ((q * 37) % (meetings.length - 1))) % meetings.length]!.specific;
      const foreign = other[q % other.length]?.query;
      return [...read(query, spans), ...(foreign ? read(foreign, []) : [])];
    });
  });
}

/** A logistic regression on unscaled rows, which are standardised during the fit. */
function fitRows(rows: readonly number[][], labels: readonly number[]): Logistic {
  const width = rows[0]!.length;
  const mean = Array.from({ length: width }, (_, f) => rows.reduce((sum, row) => sum + row[f]!, 0) / rows.length);
  const scale = mean.map(
    (m, f) => Math.sqrt(rows.reduce((sum, row) => sum + (row[f]! - m) ** 2, 0) / rows.length) || 1,
  );
  const dense = Float32Array.from(rows.flatMap((row) => row.map((v, f) => (v - mean[f]!) / scale[f]!)));
  const { bias, dense: w } = fitLogistic(
    { dense, width, words: rows.map(() => new Uint16Array(0)), labels: Uint8Array.from(labels) },
    { buckets: 0, c: 1, wordScale: 1, denseScale: 1, iterations: 300 },
  );
  const own = [...w].map((v, f) => v / scale[f]!);
  return [bias - own.reduce((sum, v, f) => sum + v * mean[f]!, 0), ...own];
}

function fitChoice(cases: Case[]): Logistic {
  const rows: number[][] = [];
  const labels: number[] = [];
  for (const { reading, spans } of cases)
    for (const [i, s] of reading.sentences.entries()) {
      const isAnswer = within(spans, s.turn);
      if (spans.length === 0 || (!isAnswer && i % OTHERS > 0)) continue;
      rows.push(reading.features[i]!);
      labels.push(isAnswer ? 1 : 0);
    }
  return fitRows(rows, labels);
}

const all = casesOf(qmsum('train'));
const held = Array.from({ length: FOLDS }, (_, fold) => {
  const choice = fitChoice(all.filter((c) => c.fold !== fold));
  return all
    .filter((c) => c.fold === fold)
    .flatMap(({ reading, spans }) => {
      const best = bestOf(reading, choice);
      return best ? [{ fold, row: best.sureness, right: within(spans, best.sentence.turn) ? 1 : 0 }] : [];
    });
}).flat();
const sureness = fitRows(
  held.map(({ row }) => row),
  held.map(({ right }) => right),
);
/** Scores of meetings that neither regression saw. */
const scored = Array.from({ length: FOLDS }, (_, fold) => {
  const others = held.filter((h) => h.fold !== fold);
  const weights = fitRows(
    others.map(({ row }) => row),
    others.map(({ right }) => right),
  );
  return held.filter((h) => h.fold === fold).map(({ row, right }) => ({ score: surenessOf(row, weights), right }));
})
  .flat()
  .sort((a, b) => b.score - a.score);
/** The lowest score at which the answers reach the precision. */
let threshold = 1;
let right = 0;
for (const [i, one] of scored.entries()) {
  right += one.right;
  if (i + 1 >= LEAST && right / (i + 1) >= PRECISION) threshold = one.score;
}
for (const from of [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0]) {
  const above = scored.filter(({ score }) => score >= from);
  const good = above.reduce((sum, one) => sum + one.right, 0);
  console.error(`score >= ${from}: ${above.length} of ${scored.length}, right ${(good / above.length).toFixed(3)}`);
}
const round = (values: Logistic): string => values.map((v) => Number(v.toFixed(4))).join(', ');
writeFileSync(
  new URL('../../src/conversation/summary/goal-weights.ts', import.meta.url),
  `// Written by scripts/train/goal-answers.ts from QMSum train (MIT).

/** The choice of a sentence: the bias, then the weights of \`GoalReading.features\`. */
export const CHOICE = [${round(fitChoice(all))}] as const;

/** The probability that the chosen sentence is an answer: the bias, then the weights of \`bestOf(...).sureness\`. */
export const SURENESS = [${round(sureness)}] as const;

/** Minimum score of an answer. At or above it, ${PRECISION} of the answers to questions about held-out meetings are right. */
export const ANSWER_THRESHOLD = ${Math.ceil(threshold * 1000) / 1000};
`,
);
