import {
  CONTEXT_MODELS,
  type ContextModel,
  type ContextWeights,
  type DecisionWeights,
  type MomentWeights,
  type ReaderWeights,
  sigmoid,
  TRAINED_HEADS,
} from '../../../src/conversation/acts/act-model.ts';
import { BUCKETS } from '../../../src/conversation/acts/ngrams.ts';
import { logOdds } from '../../../src/conversation/moments/decisions.ts';
import { FOLDS } from '../own-data.ts';
import { contextRows, type Decisions, noRows, type Row } from './context-rows.ts';
import { type FittingData, foldOf, type UnseenReadings } from './corpus.ts';
import { fitNetwork } from './decision-network.ts';
import { fitHeads, isExchange, type Models } from './heads.ts';
import { packLayer, round } from './pack-layers.ts';

/**
 * Rounds in which the context is read with the networks of the round before, as when a conversation is read (after DAgger,
 * Ross et al. 2011, but only the last round's rows are learned from); in the first it is what is marked.
 */
const ROUNDS = 2;

/** Thresholds tried. */
const THRESHOLDS = Array.from({ length: 44 }, (_, i) => (10 + 2 * i) / 100);
/** What a false alarm weighs against a miss: F of this beta, with words alone. */
const BETA = 0.9;
/** Real conversations hold far fewer objections and changes of subject than dialogues written to show them. */
const BETA_IN_HINDSIGHT = { accepted: BETA, rejected: BETA, offer: BETA, shift: 0.5, objection: 0.5 };
/** What is told at once cannot be taken back, and what is missed then can still be told in hindsight. */
const BETA_AT_ONCE = 0.35;

const none = new Float32Array(0);
const silent: DecisionWeights = {
  features: {},
  network: { hidden: packLayer(none, none), output: packLayer(none, Float32Array.of(-9)) },
  threshold: 1,
};
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
  return { heads, ...all, readers, table: { step: 1, values: table } };
}

/** The threshold with the best F over turns; a turn of several rows is positive when any of them is (see `answersOf`). */
function thresholdOf(model: DecisionWeights, rows: Row[], beta: number): number {
  const turns = new Map<string, { none: number; positive: boolean; told: boolean }>();
  for (const { values, positive, dialogue, turn, told } of rows) {
    if (isExchange(dialogue)) continue;
    const p = sigmoid(logOdds(model, values));
    const key = `${dialogue} ${turn}`;
    const old = turns.get(key);
    turns.set(key, {
      none: (1 - p) * (old?.none ?? 1),
      positive: positive || Boolean(old?.positive),
      told,
    });
  }
  const all = [...turns.values()];
  const f = (threshold: number): number => {
    const found = all.filter((t) => t.told || 1 - t.none >= threshold);
    const right = found.filter((t) => t.positive).length;
    const there = all.filter((t) => t.positive).length;
    return ((1 + beta ** 2) * right) / (found.length + beta ** 2 * there);
  };
  return THRESHOLDS.reduce((a, b) => (f(b) > f(a) ? b : a));
}

function decision(rows: Row[], beta: number): DecisionWeights {
  const fitted = { ...fitNetwork(rows), threshold: 1 };
  return { ...fitted, threshold: thresholdOf(fitted, rows, beta) };
}

/**
 * Fits heads and, above them and the networks' readings, the context models with their thresholds.
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
  /** @param known without it the models are those of words alone, which decide at once */
  const fitContext = (known: UnseenReadings | undefined): Decisions<ContextWeights> => {
    let context: Decisions<ContextWeights> | undefined;
    for (let r = 0; r <= ROUNDS; r++) {
      const rows = { atOnce: noRows(), hindsight: noRows() };
      for (const { weights, unseen } of folds) {
        const more = contextRows(unseen, weights, known, context);
        for (const when of ['atOnce', 'hindsight'] as const)
          for (const k of CONTEXT_MODELS) rows[when][k].push(...more[when][k]);
      }
      const modelsOf = (when: keyof typeof rows, beta: (model: ContextModel) => number): ContextWeights =>
        Object.fromEntries(CONTEXT_MODELS.map((k) => [k, decision(rows[when][k], beta(k))])) as ContextWeights;
      context = known
        ? {
            atOnce: modelsOf('atOnce', () => BETA_AT_ONCE),
            hindsight: modelsOf('hindsight', (k) => BETA_IN_HINDSIGHT[k]),
          }
        : { atOnce: modelsOf('atOnce', () => BETA), hindsight: undecided };
    }
    return context!;
  };
  const words = fitContext(undefined).atOnce;
  const { atOnce: encoded, hindsight } = fitContext(readings);
  return pack(fitHeads(dialogues, lines, noise), readers, { words, encoded, hindsight });
}
