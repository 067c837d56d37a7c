/**
 * Cross-validates the whole detector over the tuning dialogues: every fold is read with weights fitted without it.
 * `node bench/moments/cross-validation.ts [--errors]`; `--errors` lists the turns it gets wrong.
 */

import { ownData } from '../../scripts/train/moments/corpus.ts';
import { FOLDS, fitMoments } from '../../scripts/train/moments/fit.ts';
import { useMomentWeights } from '../../src/conversation/dialogue-acts/act-model.ts';
import { MomentDetector } from '../../src/conversation/moments.ts';
import { report } from '../report.ts';
import { macro, noScores, scoreOwn } from './scoring.ts';

const data = ownData();
const isWhole = ({ id }: { id: string }): boolean => !id.startsWith('exchange');
const whole = data.dialogues.filter(isWhole);
const exchanges = data.dialogues.filter((d) => !isWhole(d));

const scores = noScores();
const errors: string[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const kept = whole.filter((_, i) => i % FOLDS !== fold);
  useMomentWeights(fitMoments({ ...data, dialogues: [...kept, ...exchanges] }).weights);
  scoreOwn(
    whole.filter((_, i) => i % FOLDS === fold),
    () => new MomentDetector('d'),
    scores,
    (error) => errors.push(error),
  );
}
if (process.argv.includes('--errors')) for (const e of errors.toSorted()) console.error(e);

report('moments-cross-validation', [
  {
    title: `Own dialogues, tuning half, ${FOLDS}-fold cross-validation of the whole detector`,
    columns: ['class', 'n', 'P', 'R', 'F1'],
    rows: [
      ...[...scores.rows].map(([name, s]) => [name, s.tp + s.fn, s.precision, s.recall, s.f1]),
      ['macro-F1 of the five categories', null, null, null, macro(scores)],
      ['false moments in the empty dialogues', null, null, null, scores.falseInEmpty],
    ],
  },
]);
