import type { Language } from '../language.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { isContentWord, isNumber, words } from '../text/tokens.ts';
import type { Turns } from '../text/turns.ts';
import { DIMENSIONS, type WordVectors } from '../text/word-vectors.ts';
import { ANSWER_THRESHOLD, CHOICE, SURENESS } from './goal-weights.ts';

/** The sentence that answers a goal best. */
export interface GoalAnswer {
  sentence: SpokenSentence;
  /** Share of readers who would call it an answer, 0..1, calibrated on QMSum (scripts/train/goal-answers.ts). */
  score: number;
  /** Whether the score is high enough to call it an answer. */
  isSure: boolean;
}

/** A logistic regression: the bias, then a weight for each feature. */
export type Logistic = readonly number[];

/**
 * Number of turns before and after a sentence in which the question's words also count: nearby, and on the same
 * subject.
 */
const NEAR = 2;
const AROUND = 10;
/** Number of turns after a question with the goal's words in which its answer is expected. */
const ASKED_BEFORE = 3;
/** Minimum length of an answer, words. */
const MIN_WORDS = 4;
/** Number of best sentences whose positions are compared. */
const BEST = 10;

/** The content stems of a goal, each with its rarity in the conversation. */
interface Question {
  stems: ReadonlyMap<number, number>;
  /** Sum of all rarities, including those of stems that nobody says. */
  total: number;
  count: number;
  vector: Float64Array;
  /** Speakers that the goal names. */
  speakers: ReadonlySet<string>;
  wantsNumber: boolean;
}

function readQuestion(goal: string, turns: Turns, { index, rows, weights }: WordVectors): Question | undefined {
  const { language, stemIds, count } = turns;
  const asked = words(goal);
  const all = new Set(asked);
  const speakers = new Set(
    [...new Set(turns.speakers)].filter((name) => {
      const parts = words(name);
      return parts.length > 0 && parts.every((part) => all.has(part));
    }),
  );
  const names = new Set([...speakers].flatMap((name) => words(name)));
  const content = asked.filter(
    (w) => isContentWord(w, language) && !names.has(w) && !language.summaryCues.asking.test(w),
  );
  const roots = new Set(content.map((w) => language.words.stem(w)));
  if (roots.size === 0) return undefined;
  const documents = new Map<number, number>();
  for (const root of roots) {
    const id = stemIds.get(root);
    if (id !== undefined) documents.set(id, 0);
  }
  for (const own of turns.stems)
    for (const id of own) {
      const n = documents.get(id);
      if (n !== undefined) documents.set(id, n + 1);
    }
  const rarity = (n: number): number => Math.max(0.1, Math.log((count + 1) / (n + 0.5)));
  const stems = new Map([...documents].map(([id, n]) => [id, rarity(n)]));
  const vector = new Float64Array(DIMENSIONS);
  for (const root of roots) {
    const row = index.get(root);
    if (row !== undefined)
      for (let j = 0; j < DIMENSIONS; j++) vector[j]! += weights[row]! * rows[row * DIMENSIONS + j]!;
  }
  const known = [...stems.values()].reduce((sum, r) => sum + r, 0);
  return {
    stems,
    total: known + (roots.size - stems.size) * rarity(0),
    count: roots.size,
    vector,
    speakers,
    wantsNumber: language.summaryCues.asksNumber.test(goal),
  };
}

/**
 * For each turn, the share of the question's rarity that is spoken from `before` turns before it to `after` turns after
 * it.
 */
function coverage({ stems, total }: Question, turns: Turns, before: number, after: number): Float64Array {
  const open = new Map<number, number>();
  let sum = 0;
  const move = (turn: number, step: 1 | -1): void => {
    for (const id of turns.stems[turn] ?? []) {
      const rarity = stems.get(id);
      if (rarity === undefined) continue;
      const was = open.get(id) ?? 0;
      open.set(id, was + step);
      if (was === 0 && step === 1) sum += rarity;
      if (was === 1 && step === -1) sum -= rarity;
    }
  };
  for (let turn = 0; turn < Math.min(after, turns.count); turn++) move(turn, 1);
  return Float64Array.from({ length: turns.count }, (_, turn) => {
    if (turn + after < turns.count) move(turn + after, 1);
    if (turn - before > 0) move(turn - before - 1, -1);
    return sum / total;
  });
}

/** The cosine between a vector and the sum of the turns around each turn. */
function similarity(vector: Float64Array, { dense, count }: Turns): Float64Array {
  const norm = Math.sqrt(vector.reduce((sum, v) => sum + v * v, 0));
  const sum = new Float64Array(DIMENSIONS);
  const move = (turn: number, step: 1 | -1): void => {
    if (turn >= 0 && turn < count) for (let j = 0; j < DIMENSIONS; j++) sum[j]! += step * dense[turn * DIMENSIONS + j]!;
  };
  for (let turn = 0; turn < NEAR; turn++) move(turn, 1);
  return Float64Array.from({ length: count }, (_, turn) => {
    move(turn + NEAR, 1);
    move(turn - NEAR - 1, -1);
    let dot = 0;
    let own = 0;
    for (let j = 0; j < DIMENSIONS; j++) {
      dot += sum[j]! * vector[j]!;
      own += sum[j]! ** 2;
    }
    return norm > 0 && own > 0 ? dot / norm / Math.sqrt(own) : 0;
  });
}

const candidates = (sentences: readonly SpokenSentence[], { summaryCues }: Language): SpokenSentence[] =>
  sentences.filter(
    (s) => s.length >= MIN_WORDS && !summaryCues.courtesy.test(s.text) && !summaryCues.procedure.test(s.text),
  );

/** A goal read as a question to the conversation: the candidate sentences, and the features of each. */
export interface GoalReading {
  sentences: SpokenSentence[];
  /** One row for each sentence; see `CHOICE`. */
  features: number[][];
  /** Number of distinct content stems of the goal, and the share of their rarity that somebody says. */
  count: number;
  said: number;
}

/** Reads a goal as a question to a conversation; undefined if it has no content words. Linear in the text. */
export function readGoal(
  goal: string,
  turns: Turns,
  spoken: readonly SpokenSentence[],
  vectors: WordVectors,
): GoalReading | undefined {
  const { language } = turns;
  const question = readQuestion(goal, turns, vectors);
  if (!question) return undefined;
  const { stems, total, speakers } = question;
  const near = coverage(question, turns, NEAR, NEAR);
  const around = coverage(question, turns, AROUND, AROUND);
  const close = similarity(question.vector, turns);
  const shareOf = (s: SpokenSentence): number => s.stems.reduce((sum, id) => sum + (stems.get(id) ?? 0), 0) / total;
  /** For each turn, the largest share of the goal's words in one of its questions. */
  const asked = new Float64Array(turns.count);
  for (const s of spoken) if (s.asks) asked[s.turn] = Math.max(asked[s.turn]!, shareOf(s));
  const sentences = candidates(spoken, language);
  const features = sentences.map((s) => {
    const own = shareOf(s);
    const before = asked.subarray(Math.max(0, s.turn - ASKED_BEFORE), s.turn).reduce((a, b) => Math.max(a, b), 0);
    const number = question.wantsNumber && words(s.text).some((w) => isNumber(w, language));
    return [
      own,
      near[s.turn]!,
      around[s.turn]!,
      close[s.turn]!,
      Math.log(s.length),
      s.asks ? 1 : 0,
      before,
      speakers.size === 0 ? 0 : speakers.has(s.speaker) ? 1 : -1,
      number ? 1 : 0,
      language.summaryCues.informativeCue.test(s.text) ? 1 : 0,
      own * around[s.turn]!,
    ];
  });
  const said = [...stems.values()].reduce((sum, r) => sum + r, 0) / total;
  return { sentences, features, count: question.count, said };
}

const logit = (weights: Logistic, features: readonly number[]): number =>
  features.reduce((sum, value, i) => sum + weights[i + 1]! * value, weights[0]!);

/** The best sentence of a reading, with the features that calibrate its score; see `SURENESS`. */
export function bestOf(
  { sentences, features, count, said }: GoalReading,
  choice: Logistic = CHOICE,
): { sentence: SpokenSentence; sureness: number[] } | undefined {
  const values = features.map((row) => logit(choice, row));
  const order = values
    .map((_, i) => i)
    .sort((a, b) => values[b]! - values[a]! || a - b)
    .slice(0, BEST);
  const best = order[0];
  if (best === undefined) return undefined;
  const { turn } = sentences[best]!;
  const isClose = (i: number): boolean => Math.abs(sentences[i]!.turn - turn) <= AROUND;
  const together = order.filter(isClose).length / order.length;
  const mean = order.reduce((sum, i) => sum + values[i]!, 0) / order.length;
  const row = features[best]!;
  return {
    sentence: sentences[best]!,
    sureness: [
      values[best]!,
      values[best]! - mean,
      said,
      row[0]!,
      row[2]!,
      row[3]!,
      together,
      Math.log(count),
      said * together,
      row[4]!,
      row[7]!,
    ],
  };
}

/** The probability that a sentence with these features is an answer. */
export const surenessOf = (features: readonly number[], weights: Logistic = SURENESS): number =>
  1 / (1 + Math.exp(-logit(weights, features)));

/** The sentence that answers a goal best; undefined if the goal has no content words or nobody says any of them. */
export function answerGoal(
  goal: string,
  turns: Turns,
  sentences: readonly SpokenSentence[],
  vectors: WordVectors,
): GoalAnswer | undefined {
  const reading = readGoal(goal, turns, sentences, vectors);
  const best = reading && reading.said > 0 ? bestOf(reading) : undefined;
  if (!best) return undefined;
  const score = surenessOf(best.sureness);
  return { sentence: best.sentence, score, isSure: score >= ANSWER_THRESHOLD };
}
