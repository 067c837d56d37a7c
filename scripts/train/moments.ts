/**
 * Fits the weights of the dialogue acts, answers and topic shifts: `node scripts/train/moments.ts`.
 *
 * Data: the project's own dialogues (tuning half) and single lines, and, free to use, CaSiNo (CC BY 4.0: the last turn
 * before a deal agrees), QMSum (MIT: where a topic opens) and ABCD (MIT), the latter two as a background of sentences
 * that for the most part offer, answer and object nothing. Writes src/conversation/generated/moment-weights.ts.
 * With `--folds` prints what five-fold cross-validation over the own dialogues reaches for each model (`--show`: its errors);
 * with `--hold-out=n` leaves out every fifth dialogue, for `bench:moments --tune --own --fold=n`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LinearWeights, linear, sigmoid, TRAINED_HEADS } from '../../src/conversation/dialogue-acts/act-model.ts';
import { BUCKETS } from '../../src/conversation/dialogue-acts/ngrams.ts';
import { CONTEXT_MODELS, type ContextWeights, contextRows, noRows, type Row } from './moments/context-rows.ts';
import { background, type Dialogue, type Line, own } from './moments/corpus.ts';
import { fitHeads, type Models } from './moments/heads.ts';
import { fitLinear } from './moments/logistic.ts';

const OUT = join(import.meta.dirname, '../../src/conversation/generated/moment-weights.ts');

const FOLDS = 5;

function pack(models: Models): { heads: Record<string, { bias: number; cues: number; step: number }>; table: string } {
  const table = new Int8Array(BUCKETS * TRAINED_HEADS.length);
  const heads: Record<string, { bias: number; cues: number; step: number }> = {};
  TRAINED_HEADS.forEach((head, h) => {
    const { bias, cues, weights } = models[head];
    const step = weights.reduce((max, w) => Math.max(max, Math.abs(w)), 1e-9) / 127;
    weights.forEach((w, b) => {
      table[b * TRAINED_HEADS.length + h] = Math.round(w / step);
    });
    heads[head] = { bias: round(bias), cues: round(cues), step };
  });
  return { heads, table: Buffer.from(table.buffer).toString('base64') };
}

const round = (x: number): number => Math.round(x * 1e4) / 1e4;

const rounded = ({ bias, weights }: LinearWeights): LinearWeights => ({
  bias: round(bias),
  weights: Object.fromEntries(Object.entries(weights).map(([k, w]) => [k, round(w)])),
});

/** Prints the best F1 that a context model reaches on rows it was not fitted to, and with `--show` its errors. */
function judge(name: string, list: Row[]): void {
  const scored = list.map((row, i) => {
    const others = list.filter(
      (_, j) => Math.floor((j * FOLDS) / list.length) !== Math.floor((i * FOLDS) / list.length),
    );
    return { row, others };
  });
  const byFold = new Map<number, LinearWeights>();
  const judged = scored
    .map(({ row, others }, i) => {
      const f = Math.floor((i * FOLDS) / list.length);
      const model = byFold.get(f) ?? fitLinear(others);
      byFold.set(f, model);
      return { ...row, p: sigmoid(linear(model, row.values)) };
    })
    .sort((a, b) => b.p - a.p);
  const total = list.filter((r) => r.positive).length;
  let best = { f1: 0, at: 0 };
  let tp = 0;
  judged.forEach((r, i) => {
    if (r.positive) tp++;
    const f1 = (2 * tp) / (i + 1 + total);
    if (f1 > best.f1) best = { f1, at: r.p };
  });
  console.error(
    `cross-validated ${name}: best F1 ${best.f1.toFixed(3)} at ${best.at.toFixed(2)}, ${total} of ${list.length}`,
  );
  if (process.argv.includes('--show'))
    for (const r of judged)
      if (r.p >= best.at !== r.positive)
        console.error(`${name} ${r.p.toFixed(2)} ${r.positive ? 'MISSED' : 'FALSE '} ${r.text}`);
}

const heldOut = Number(process.argv.find((a) => a.startsWith('--hold-out='))?.split('=')[1] ?? -1);

const dialogues = [
  ...own<Dialogue[]>('tune.json').filter((_, i) => i % FOLDS !== heldOut),
  ...own<Dialogue[]>('exchanges.json'),
];

const lines = own<Line[]>('lines.json');

const noise = background();

const fold = (i: number): number => i % FOLDS;

const byFold = Array.from({ length: FOLDS }, (_, f) => ({
  models: fitHeads(
    dialogues.filter((_, i) => fold(i) !== f),
    lines,
    noise,
  ),
  unseen: dialogues.filter((_, i) => fold(i) === f),
}));

/** Rounds in which the context is read with the models of the round before (after DAgger, Ross et al. 2011). */
const ROUNDS = 2;

const rows = noRows();

let latest = noRows();

let context: ContextWeights | undefined;

for (let round = 0; round <= ROUNDS; round++) {
  latest = noRows();
  for (const { models, unseen } of byFold) {
    const more = contextRows(models, unseen, context);
    for (const k of CONTEXT_MODELS) latest[k].push(...more[k]);
  }
  for (const k of CONTEXT_MODELS) rows[k].push(...latest[k]);
  context = Object.fromEntries(CONTEXT_MODELS.map((k) => [k, rounded(fitLinear(rows[k]))])) as ContextWeights;
}

if (process.argv.includes('--folds')) for (const k of CONTEXT_MODELS) judge(k, latest[k]);

const { accepted, rejected, shift, offer, objection } = context ?? ({} as ContextWeights);

const models = fitHeads(dialogues, lines, noise);

const weights = { ...pack(models), answer: { accepted, rejected }, topicShift: shift, offer, objection };

writeFileSync(
  OUT,
  `// Written by scripts/train/moments.ts. Trained on the project's own lines and dialogues, CaSiNo (CC BY 4.0), QMSum (MIT) and ABCD (MIT).
import type { MomentWeights } from '../dialogue-acts/act-model.ts';

export const MOMENT_WEIGHTS: MomentWeights = ${JSON.stringify(weights, null, 2)};
`,
);

console.log(JSON.stringify({ heads: weights.heads, ...context }, null, 1));
