/**
 * Cross-validates the whole detector over the dialogues it is fitted to: `node bench/moments/cross-validation.ts`.
 *
 * Every part is read with weights, and thresholds, fitted without it: parts of a fifth of the dialogues each, and with
 * `--files` the dialogues of one file, that is of one hand, which is nearer to what unseen dialogues will give. `--errors`
 * lists the turns it gets wrong.
 */

import { DIALOGUE_FILES, own, ownData } from '../../scripts/train/moments/corpus.ts';
import { FOLDS, fitMoments } from '../../scripts/train/moments/fit.ts';
import { isExchange } from '../../scripts/train/moments/heads.ts';
import { useMomentWeights } from '../../src/conversation/dialogue-acts/act-model.ts';
import { MomentDetector } from '../../src/conversation/moments.ts';
import { report, say, type Table } from '../report.ts';
import { type Dialogue, macro, noScores, type OwnScores, scoreOwn } from './scoring.ts';

const byFile = process.argv.includes('--files');
const data = await ownData();
const whole = data.dialogues.filter((d) => !isExchange(d.id));
const exchanges = data.dialogues.filter((d) => isExchange(d.id));
const fileOf = new Map(DIALOGUE_FILES.flatMap((f) => own<Dialogue[]>(`${f}.json`).map((d) => [d.id, f])));
const partOf = (d: Dialogue, i: number): string => (byFile ? fileOf.get(d.id)! : String(i % FOLDS));

const encoded = noScores();
const words = noScores();
const errors: string[] = [];
const files = new Map(DIALOGUE_FILES.map((f) => [f, noScores()]));
const make = (): MomentDetector => new MomentDetector('d');
for (const part of new Set(whole.map(partOf))) {
  const kept = whole.filter((d, i) => partOf(d, i) !== part);
  useMomentWeights(fitMoments({ ...data, dialogues: [...kept, ...exchanges] }).weights);
  const unseen = whole.filter((d, i) => partOf(d, i) === part);
  scoreOwn(unseen, make, data.encodings, encoded, (error) => errors.push(error));
  scoreOwn(unseen, make, undefined, words);
  for (const d of unseen) scoreOwn([d], make, data.encodings, files.get(fileOf.get(d.id)!)!);
}
if (process.argv.includes('--errors')) for (const e of errors.toSorted()) say(e);

const how = byFile ? 'each file read with weights of the others' : `${FOLDS}-fold cross-validation`;
const table = (which: string, { rows, empty, falseInEmpty }: OwnScores): Table => ({
  title: `${which}: ${how}`,
  columns: ['class', 'n', 'P', 'R', 'F1'],
  rows: [
    ...[...rows].map(([name, s]) => [name, s.tp + s.fn, s.precision, s.recall, s.f1]),
    ['macro-F1 of the five categories', null, null, null, macro({ rows, empty, falseInEmpty })],
    [`false moments in the ${empty} empty dialogues`, null, null, null, falseInEmpty],
  ],
});

report('moments-cross-validation', [
  table('All dialogues, with encodings', encoded),
  table('All dialogues, words alone', words),
  {
    title: `By file: ${how}`,
    columns: ['file', 'macro-F1', 'links F1', 'empty dialogues', 'false moments in them'],
    rows: [...files].map(([file, s]) => [file, macro(s), s.rows.get('link')?.f1 ?? 0, s.empty, s.falseInEmpty]),
  },
]);
