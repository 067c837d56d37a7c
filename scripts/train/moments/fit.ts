import {
  CONTEXT_MODELS,
  type ContextWeights,
  type DecisionWeights,
  linear,
  type MomentWeights,
  type ReaderWeights,
  sigmoid,
  TRAINED_HEADS,
  useMomentWeights,
} from '../../../src/conversation/dialogue-acts/act-model.ts';
import { BUCKETS } from '../../../src/conversation/dialogue-acts/ngrams.ts';
import { contextRows, type Decisions, noRows, type Row } from './context-rows.ts';
import { type FittingData, FOLDS, foldOf, type UnseenReadings } from './corpus.ts';
import { fitHeads, isExchange, type Models } from './heads.ts';
import { fitLinear } from './logistic.ts';

/** Rounds in which the context is read with the models of the round before (after DAgger, Ross et al. 2011). */
const ROUNDS = 2;

/**
 * Thresholds tried, and what a false alarm weighs against a miss: F of this beta. What is told at once cannot be taken
 * back, and what is missed then can still be told in hindsight.
 */
const THRESHOLDS = Array.from({ length: 44 }, (_, i) => (10 + 2 * i) / 100);
const BETA = 1.1;
const BETA_AT_ONCE = 0.35;
/**
 * What a false alarm weighs in a dialogue that holds no moment at all: most talk holds fewer than these dialogues. An answer
 * needs an offer anyway. Chosen by cross-validation.
 */
const EMPTY_WEIGHTS: Record<keyof ContextWeights, number> = {
  accepted: 1,
  rejected: 1,
  shift: 60,
  offer: 30,
  objection: 60,
};

const round = (x: number): number => Math.round(x * 1e4) / 1e4;

const silent: DecisionWeights = { bias: -9, weights: {}, threshold: 1 };
const undecided: ContextWeights = {
  accepted: silent,
  rejected: silent,
  shift: silent,
  offer: silent,
  objection: silent,
};

/** Everything in the form that is shipped: n-gram weights as int8 in steps of each head's own. */
function pack(
  models: Models,
  readers: ReaderWeights[],
  context: Partial<Record<'words' | 'encoded' | 'hindsight', ContextWeights>> = {},
): MomentWeights {
  const table = new Int8Array(BUCKETS * TRAINED_HEADS.length);
  const heads = {} as MomentWeights['heads'];
  TRAINED_HEADS.forEach((head, h) => {
    const { bias, cues, weights } = models[head];
    const step = weights.reduce((max, w) => Math.max(max, Math.abs(w)), 1e-9) / 127;
    weights.forEach((w, b) => {
      table[b * TRAINED_HEADS.length + h] = Math.round(w / step);
    });
    heads[head] = { bias: round(bias), cues: round(cues), step };
  });
  const all = { words: undecided, encoded: undecided, hindsight: undecided, ...context };
  return { heads, ...all, readers, table: Buffer.from(table.buffer).toString('base64') };
}

/** The threshold with the best F over turns; a turn of several rows is positive when any of them is (see `answersOf`). */
function thresholdOf(
  model: { bias: number; weights: Record<string, number> },
  rows: Row[],
  beta: number,
  weightOf: (dialogue: string) => number,
): number {
  const turns = new Map<string, { none: number; positive: boolean; told: boolean; weight: number }>();
  for (const { values, positive, dialogue, turn, told } of rows) {
    if (isExchange(dialogue)) continue;
    const p = sigmoid(linear(model, values));
    const key = `${dialogue} ${turn}`;
    const old = turns.get(key);
    turns.set(key, {
      none: (1 - p) * (old?.none ?? 1),
      positive: positive || Boolean(old?.positive),
      told,
      weight: weightOf(dialogue),
    });
  }
  const all = [...turns.values()];
  const f = (threshold: number): number => {
    const found = all.filter((t) => t.told || 1 - t.none >= threshold);
    const right = found.filter((t) => t.positive).length;
    const there = all.filter((t) => t.positive).length;
    return ((1 + beta ** 2) * right) / (found.reduce((sum, t) => sum + t.weight, 0) + beta ** 2 * there);
  };
  return THRESHOLDS.reduce((a, b) => (f(b) > f(a) ? b : a));
}

function decision(fitted: Row[], latest: Row[], beta: number, weightOf: (dialogue: string) => number): DecisionWeights {
  const { bias, weights } = fitLinear(fitted);
  const rounded = {
    bias: round(bias),
    weights: Object.fromEntries(Object.entries(weights).map(([k, w]) => [k, round(w)])),
  };
  return { ...rounded, threshold: thresholdOf(rounded, latest, beta, weightOf) };
}

/**
 * Fits heads and, above them and the networks' readings, the context models with their thresholds. Leaves the fitted
 * weights loaded.
 * @param readers the networks to ship
 */
export function fitMoments(
  { dialogues, lines, noise, readings }: FittingData,
  readers: ReaderWeights[],
): MomentWeights {
  const folds = Array.from({ length: FOLDS }, (_, f) => ({
    seen: dialogues.filter(({ id }) => foldOf(id) !== f),
    unseen: dialogues.filter(({ id }) => foldOf(id) === f),
  }))
    .filter(({ unseen }) => unseen.length > 0)
    .map(({ seen, unseen }) => ({ weights: pack(fitHeads(seen, lines, noise), readers), unseen }));
  const empty = new Set(dialogues.filter((d) => d.turns.every((t) => !t.moments?.length)).map((d) => d.id));
  /** @param known without it the models are those of words alone, which decide at once */
  const fitContext = (known: UnseenReadings | undefined): Decisions<ContextWeights> => {
    let rows = { atOnce: noRows(), hindsight: noRows() };
    let context: Decisions<ContextWeights> | undefined;
    for (let r = 0; r <= ROUNDS; r++) {
      // The first round sees what is marked, which no conversation shows: it teaches no more than to read the second.
      if (r === 1) rows = { atOnce: noRows(), hindsight: noRows() };
      const latest = { atOnce: noRows(), hindsight: noRows() };
      for (const { weights, unseen } of folds) {
        useMomentWeights(weights);
        const more = contextRows(unseen, known, context);
        for (const when of ['atOnce', 'hindsight'] as const)
          for (const k of CONTEXT_MODELS) {
            latest[when][k].push(...more[when][k]);
            rows[when][k].push(...more[when][k]);
          }
      }
      const modelsOf = (when: keyof typeof rows, beta: number): ContextWeights =>
        Object.fromEntries(
          CONTEXT_MODELS.map((k) => [
            k,
            decision(rows[when][k], latest[when][k], beta, (id) => (empty.has(id) ? EMPTY_WEIGHTS[k] : 1)),
          ]),
        ) as ContextWeights;
      context = known
        ? { atOnce: modelsOf('atOnce', BETA_AT_ONCE), hindsight: modelsOf('hindsight', BETA) }
        : { atOnce: modelsOf('atOnce', BETA), hindsight: undecided };
    }
    return context!;
  };
  const words = fitContext(undefined).atOnce;
  const { atOnce: encoded, hindsight } = fitContext(readings);
  const weights = pack(fitHeads(dialogues, lines, noise), readers, { words, encoded, hindsight });
  useMomentWeights(weights);
  return weights;
}
