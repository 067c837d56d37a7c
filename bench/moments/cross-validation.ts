/**
 * Cross-validates the whole detector over the tuning dialogues: every fold is read with weights fitted without it.
 * `node bench/moments/cross-validation.ts [--errors]`; `--errors` lists the turns it gets wrong.
 */

import { own, ownData } from '../../scripts/train/moments/corpus.ts';
import { FOLDS, fitMoments } from '../../scripts/train/moments/fit.ts';
import { useMomentWeights } from '../../src/conversation/dialogue-acts/act-model.ts';
import { MomentDetector } from '../../src/conversation/moments.ts';
import { report, type Table } from '../report.ts';
import { macro, noScores, type OwnScores, scoreOwn } from './scoring.ts';

const data = ownData();
const isWhole = ({ id }: { id: string }): boolean => !id.startsWith('exchange');
const whole = data.dialogues.filter(isWhole);
const exchanges = data.dialogues.filter((d) => !isWhole(d));

const scores = noScores();
const first = new Set(own<{ id: string }[]>('tune.json').map((d) => d.id));
const firstScores = noScores();
const errors: string[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const kept = whole.filter((_, i) => i % FOLDS !== fold);
  useMomentWeights(fitMoments({ ...data, dialogues: [...kept, ...exchanges] }).weights);
  const unseen = whole.filter((_, i) => i % FOLDS === fold);
  const make = (): MomentDetector => new MomentDetector('d');
  scoreOwn(unseen, make, scores, (error) => errors.push(error));
  scoreOwn(
    unseen.filter((d) => first.has(d.id)),
    make,
    firstScores,
  );
}
if (process.argv.includes('--errors')) for (const e of errors.toSorted()) console.error(e);

const table = (which: string, { rows, falseInEmpty }: OwnScores): Table => ({
  title: `${which}, ${FOLDS}-fold cross-validation of the whole detector`,
  columns: ['class', 'n', 'P', 'R', 'F1'],
  rows: [
    ...[...rows].map(([name, s]) => [name, s.tp + s.fn, s.precision, s.recall, s.f1]),
    ['macro-F1 of the five categories', null, null, null, macro({ rows, falseInEmpty })],
    ['false moments in the empty dialogues', null, null, null, falseInEmpty],
  ],
});

report('moments-cross-validation', [
  table('Own dialogues, tuning half', firstScores),
  table('... with those of other hands', scores),
]);
