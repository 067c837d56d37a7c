/**
 * Key moments as they leave the service's conversation, against those that readers marked.
 *
 *   npm run bench:moments                          the real dialogues, the written ones held back, and public proxies
 *   npm run bench:moments -- --dialogues FILE      those of a file alone: a list of {id, turns: [{speaker, text, moments?:
 *                                                  [{category, labels?, answers_any?: turns, sure}]}]}
 *   ... --predictions OUT                          writes what was told: {id: [[{category, labels, answers, confidence}] a turn]},
 *                                                  `answers` the turn of the offer or null
 *   ... --real, --own, --json                      one part alone; JSON
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Dialogue } from '../scripts/train/moments/corpus.ts';
import { ownFiles, readJson } from '../scripts/train/own-data.ts';
import { encodeTexts } from './moments/encodings.ts';
import { firstJudgeSet, judgeSet } from './moments/judge-set.ts';
import { KeywordTeller } from './moments/keywords.ts';
import { proxyTable } from './moments/proxies.ts';
import { macro, ours, type Said, scoreDialogues, type Teller, tell } from './moments/scoring.ts';
import { report, type Table } from './report.ts';

/** The conversation without encodings, as where the pipeline's sentence encoder does not load. */
function wordsAlone(): Teller {
  const conversation = ours();
  return { add: (u) => conversation.add(u), end: () => conversation.end?.() ?? { moments: [] } };
}

const told = new Map<string, Said[][]>();

async function tableOf(title: string, dialogues: Dialogue[]): Promise<Table> {
  const encodings = await encodeTexts(dialogues.flatMap((d) => d.turns.map((t) => t.text)));
  const scoreOf = (make: () => Teller, isEncoded: boolean) => {
    const said = new Map(
      dialogues.map(({ id, turns }) => [id, tell(make(), turns, isEncoded ? encodings : undefined)]),
    );
    if (isEncoded) for (const [id, turns] of said) told.set(id, turns);
    return scoreDialogues(dialogues, said);
  };
  const [own, words, base] = [
    scoreOf(ours, true),
    scoreOf(wordsAlone, false),
    scoreOf(() => new KeywordTeller(), false),
  ];
  const f1 = (scores: typeof own, name: string): number => scores.rows.get(name)?.f1 ?? 0;
  return {
    title: `${title}: ${dialogues.length} dialogues`,
    columns: ['class', 'n', 'P', 'R', 'F1', 'words alone F1', 'keywords F1'],
    rows: [
      ...[...own.rows].map(([name, s]) => [
        name,
        s.tp + s.fn,
        s.precision,
        s.recall,
        s.f1,
        f1(words, name),
        f1(base, name),
      ]),
      ['macro-F1 of the five categories', null, null, null, macro(own), macro(words), macro(base)],
      [
        `false moments in the ${own.empty} dialogues without any`,
        ...[null, null, null],
        ...[own.falseInEmpty, words.falseInEmpty, base.falseInEmpty],
      ],
    ],
    note: 'A moment counts at the very turn it is marked at, one that only one reader has neither as missed nor as false; a link when both its turns are right.',
  };
}

const realTables = (): Promise<Table>[] => [
  tableOf('Real dialogues by two readers (excerpts, everyday talk, meetings, telephone)', judgeSet()),
  tableOf('Real dialogues of the first set', firstJudgeSet()),
];
const ownTables = (): Promise<Table>[] => [
  tableOf(
    'Written for the project, held back',
    ownFiles('moments', 'held-out', 'dialogues').flatMap((file) => readJson<Dialogue[]>(file)),
  ),
];

const argumentOf = (option: string): string | undefined => {
  const at = process.argv.indexOf(option);
  return at < 0 ? undefined : process.argv[at + 1];
};
const isAsked = (option: string): boolean => process.argv.includes(option);

function wanted(): Promise<Table>[] {
  const file = argumentOf('--dialogues');
  if (file) return [tableOf(file, JSON.parse(readFileSync(file, 'utf8')) as Dialogue[])];
  if (isAsked('--real')) return realTables();
  if (isAsked('--own')) return ownTables();
  return [...realTables(), ...ownTables(), proxyTable()];
}

const tables = await Promise.all(wanted());
const out = argumentOf('--predictions');
if (out) writeFileSync(out, JSON.stringify(Object.fromEntries(told)));
report('moments', tables);
