/**
 * Cross-validates the whole detector over the dialogues it is fitted to: `node bench/moments/cross-validation.ts`, after
 * `npm run train:moments`.
 *
 * Every fifth of the files, that is of the hands that wrote them, is read with weights, thresholds and networks fitted
 * without it: the honest estimate for unseen dialogues. `--errors` lists the turns it gets wrong.
 */

import { storedReader, UNUSED } from '../../scripts/train/moments/context-rows.ts';
import { DIALOGUE_FILES, FOLDS, foldOf, own, ownData } from '../../scripts/train/moments/corpus.ts';
import { fitMoments } from '../../scripts/train/moments/fit.ts';
import { isExchange } from '../../scripts/train/moments/heads.ts';
import { trainedReaders } from '../../scripts/train/moments/reader-weights.ts';
import { MomentDetector } from '../../src/conversation/moments.ts';
import { report, say, type Table } from '../report.ts';
import { type Dialogue, macro, noScores, type OwnScores, scoreOwn } from './scoring.ts';

const data = ownData();
const whole = data.dialogues.filter((d) => !isExchange(d.id));
const fileOf = new Map(DIALOGUE_FILES.flatMap((f) => own<Dialogue[]>(`${f}.json`).map((d) => [d.id, f])));
// The stored readings take the place of encodings.
const known = new Map(whole.flatMap((d) => d.turns.map((t) => [t.text, UNUSED])));

const encoded = noScores();
const words = noScores();
const errors: string[] = [];
const files = new Map(DIALOGUE_FILES.map((f) => [f, noScores()]));
const make = (id: string): MomentDetector => new MomentDetector('d', storedReader(data.readings[id]!));
for (let fold = 0; fold < FOLDS; fold++) {
  fitMoments({ ...data, dialogues: data.dialogues.filter((d) => foldOf(d.id) !== fold) }, trainedReaders());
  const unseen = whole.filter((d) => foldOf(d.id) === fold);
  scoreOwn(unseen, make, known, encoded, (error) => errors.push(error));
  scoreOwn(unseen, make, undefined, words);
  for (const d of unseen) scoreOwn([d], make, known, files.get(fileOf.get(d.id)!)!);
}
if (process.argv.includes('--errors')) for (const e of errors.toSorted()) say(e);

const how = `a fifth of the files read with what the others taught`;
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
