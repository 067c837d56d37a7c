import {
  type LinearWeights,
  type MomentWeights,
  TRAINED_HEADS,
  useMomentWeights,
} from '../../../src/conversation/dialogue-acts/act-model.ts';
import { BUCKETS } from '../../../src/conversation/dialogue-acts/ngrams.ts';
import { CONTEXT_MODELS, type ContextWeights, contextRows, noRows, type Rows } from './context-rows.ts';
import type { Background, Dialogue, Line } from './corpus.ts';
import { fitHeads, type Models } from './heads.ts';
import { fitLinear } from './logistic.ts';

/** What the weights are fitted to. */
export interface FittingData {
  /** Dialogues and exchanges with marked moments. */
  dialogues: Dialogue[];
  lines: Line[];
  noise: Background;
}

/** Folds by which the heads read dialogues they were not fitted to, for the models above them. */
export const FOLDS = 5;

/** Rounds in which the context is read with the models of the round before (after DAgger, Ross et al. 2011). */
const ROUNDS = 2;

const round = (x: number): number => Math.round(x * 1e4) / 1e4;

const rounded = ({ bias, weights }: LinearWeights): LinearWeights => ({
  bias: round(bias),
  weights: Object.fromEntries(Object.entries(weights).map(([k, w]) => [k, round(w)])),
});

const silent: LinearWeights = { bias: -9, weights: {} };

/** Heads and context models in the form that is shipped: n-gram weights as int8 in steps of each head's own. */
function pack(models: Models, context?: ContextWeights): MomentWeights {
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
  const { accepted = silent, rejected = silent, shift = silent, offer = silent, objection = silent } = context ?? {};
  return {
    heads,
    answer: { accepted, rejected },
    topicShift: shift,
    offer,
    objection,
    table: Buffer.from(table.buffer).toString('base64'),
  };
}

/**
 * Fits heads and context models. Leaves the fitted weights loaded.
 * @returns the weights, and the rows of the last round with which the context models can be judged
 */
export function fitMoments({ dialogues, lines, noise }: FittingData): { weights: MomentWeights; rows: Rows } {
  const folds = Array.from({ length: FOLDS }, (_, f) => ({
    heads: fitHeads(
      dialogues.filter((_, i) => i % FOLDS !== f),
      lines,
      noise,
    ),
    unseen: dialogues.filter((_, i) => i % FOLDS === f),
  }));
  const rows = noRows();
  let latest = noRows();
  let context: ContextWeights | undefined;
  for (let r = 0; r <= ROUNDS; r++) {
    latest = noRows();
    for (const { heads, unseen } of folds) {
      useMomentWeights(pack(heads));
      const more = contextRows(unseen, context);
      for (const k of CONTEXT_MODELS) latest[k].push(...more[k]);
    }
    for (const k of CONTEXT_MODELS) rows[k].push(...latest[k]);
    context = Object.fromEntries(CONTEXT_MODELS.map((k) => [k, rounded(fitLinear(rows[k]))])) as ContextWeights;
  }
  const weights = pack(fitHeads(dialogues, lines, noise), context);
  useMomentWeights(weights);
  return { weights, rows: latest };
}
