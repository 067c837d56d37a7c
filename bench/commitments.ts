/**
 * Commitments in real dialogues, for two readers who do not know each other's marks: ten dialogues each of OSCE
 * (the plan at the end), DialogSum dev, QMSum val and negotiations (CaSiNo valid, Persuasion for Good), drawn by a seed from
 * all, and ten each from those in which the service finds a commitment, with a day in half of them if there are as many.
 *
 *   npm run bench -- commitments OUT [--seed 1]       writes the sheets; READER.md in OUT says how to mark them
 *   npm run bench -- commitments OUT --score A B      scores two answer files: precision, agreement, recall
 *   ... --again                                       of what this version tells in the same dialogues
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reportedAgain } from './commitments/again.ts';
import { drawnDialogues } from './commitments/draw.ts';
import { readAnswers, scoreTables } from './commitments/scores.ts';
import { readKey, writeSheets } from './commitments/sheets.ts';
import { report, say } from './report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    score: { type: 'boolean' },
    again: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const [out, ...files] = positionals;
if (!out || files.length !== (values.score ? 2 : 0)) throw new Error('Wanted: OUT, or OUT --score A B');

if (values.score) {
  const key = readKey(out);
  const [a, b] = files.map((file) => readAnswers(readFileSync(file, 'utf8'), key));
  const again = values.again ? reportedAgain(out, key) : undefined;
  report('commitments', [...scoreTables(again?.key ?? key, [a!, b!]), ...(again ? [again.table] : [])]);
} else {
  const { dialogues, told } = writeSheets(out, drawnDialogues(Number(values.seed)));
  say(`${Object.keys(dialogues).length} dialogues, ${told.length} commitments`);
}
