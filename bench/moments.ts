/**
 * The key moments that the service reports, against those that readers marked.
 *
 *   npm run bench -- moments                     the real dialogues, the held-out ones, and public proxies
 *   npm run bench -- moments --dialogues FILE    those of a file alone: a list of {id, turns: [{speaker, text, moments?:
 *                                                [{category, labels?, answers_any?: turns, sure}]}]}
 *   ... --predictions OUT                        writes the moments found: {id: [[{category, labels, answers, confidence}]
 *                                                for each turn]}, `answers` the turn of the offer or null
 *   ... --real, --own, --small-talk, --json      one part alone; JSON
 *   ... --kinds                                  reported moments by kind of conversation, and the best F1 with
 *                                                thresholds chosen in folds of the judged dialogues
 *   ... --llm                                    the moments with the operator's language model (`LLM_BASE_URL`,
 *                                                `LLM_MODEL`, `LLM_API_KEY`), requested as the service requests it;
 *                                                --first N dialogues of each table
 *   ... --llm-requests FOLDER                    writes these requests instead, one file each
 *   ... --llm-answers FOLDER                     plays back the answers to them, one file each
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readMoments } from '../src/worker/analysis/language-model.ts';
import { type MarkedDialogue, readDialogues } from '../support/own-data.ts';
import { countRequests, llmAsked, materialOf, spentTable } from './llm.ts';
import { type Encodings, encodeTexts } from './moments/encodings.ts';
import { firstJudgeSet, judgeSet } from './moments/judge-set.ts';
import { KeywordTeller } from './moments/keywords.ts';
import { kindsTable, reportedTable } from './moments/kinds.ts';
import { proxyTable } from './moments/proxies.ts';
import {
  byTurn,
  concluded,
  type MomentSource,
  macro,
  momentsByTurn,
  scoreDialogues,
  service,
  type TurnMoment,
  timed,
} from './moments/scoring.ts';
import { smallTalkTable } from './moments/small-talk.ts';
import { report, type Table } from './report.ts';

/** The conversation without encodings, as when the pipeline's sentence encoder cannot be loaded. */
function wordsAlone(): MomentSource {
  const conversation = service();
  return { add: (u) => conversation.add(u), end: () => conversation.end?.() ?? { moments: [] } };
}

const told = new Map<string, TurnMoment[][]>();
const llm = await llmAsked();
if (llm) countRequests();

/** Reported moments of each dialogue when the language model also reads it. */
async function toldWithModel(
  dialogues: readonly MarkedDialogue[],
  encodings: Encodings,
): Promise<Map<string, TurnMoment[][]>> {
  const all = new Map<string, TurnMoment[][]>();
  for (const { id, turns } of dialogues) {
    const utterances = timed(turns);
    const material = materialOf(utterances, concluded(utterances, encodings));
    all.set(id, byTurn(await readMoments(material, llm!), turns.length));
  }
  return all;
}

async function tableOf(title: string, all: MarkedDialogue[]): Promise<Table> {
  const dialogues = all.slice(0, Number(argumentOf('--first') ?? all.length));
  const encodings = await encodeTexts(dialogues.flatMap((d) => d.turns.map((t) => t.text)));
  const scoreOf = (make: () => MomentSource, isEncoded: boolean) => {
    const said = new Map(
      dialogues.map(({ id, turns }) => [id, momentsByTurn(make(), turns, isEncoded ? encodings : undefined)]),
    );
    if (isEncoded) for (const [id, turns] of said) told.set(id, turns);
    return scoreDialogues(dialogues, said);
  };
  const [own, words, base] = [
    scoreOf(service, true),
    scoreOf(wordsAlone, false),
    scoreOf(() => new KeywordTeller(), false),
  ];
  const withModel = llm && (await toldWithModel(dialogues, encodings));
  if (withModel) for (const [id, turns] of withModel) told.set(id, turns);
  const asked = withModel ? scoreDialogues(dialogues, withModel) : own;
  const others = [...(llm ? [own] : []), words, base];
  const f1 = (scores: typeof own, name: string): number => scores.rows.get(name)?.f1 ?? 0;
  return {
    title: `${title}: ${dialogues.length} dialogues`,
    columns: ['class', 'n', 'P', 'R', 'F1', ...(llm ? ['built-in F1'] : []), 'words alone F1', 'keywords F1'],
    rows: [
      ...[...asked.rows].map(([name, s]) => [
        name,
        s.tp + s.fn,
        s.precision,
        s.recall,
        s.f1,
        ...others.map((scores) => f1(scores, name)),
      ]),
      ['macro-F1 of the five categories', null, null, null, ...[asked, ...others].map(macro)],
      [
        `false moments in the ${own.empty} dialogues without any`,
        ...[null, null, null],
        ...[asked, ...others].map(({ falseInEmpty }) => falseInEmpty),
      ],
    ],
    note: 'A moment counts at the very turn it is marked at, one that only one reader has neither as missed nor as false; a link when both its turns are right.',
  };
}

const realTables = (): Promise<Table>[] => [
  tableOf('Real dialogues by two readers (excerpts, everyday talk, meetings, telephone)', judgeSet()),
  tableOf('Real dialogues of the first set', firstJudgeSet()),
  tableOf('Doctors, booking, persuasion: of the kinds in the training data, held back', readDialogues('judge-kinds')),
];
const kindTables = (): Promise<Table>[] => [reportedTable(), kindsTable()];
const ownTables = (): Promise<Table>[] => [tableOf('Written for the project, held back', readDialogues('held-out'))];

const argumentOf = (option: string): string | undefined => {
  const at = process.argv.indexOf(option);
  return at < 0 ? undefined : process.argv[at + 1];
};
const isAsked = (option: string): boolean => process.argv.includes(option);

function wanted(): Promise<Table>[] {
  const file = argumentOf('--dialogues');
  if (file) return [tableOf(file, JSON.parse(readFileSync(file, 'utf8')) as MarkedDialogue[])];
  if (isAsked('--real')) return realTables();
  if (isAsked('--own')) return ownTables();
  if (isAsked('--small-talk')) return [smallTalkTable()];
  if (isAsked('--kinds')) return kindTables();
  return [...realTables(), ...kindTables(), ...ownTables(), smallTalkTable(), proxyTable()];
}

const tables = await Promise.all(wanted());
const out = argumentOf('--predictions');
if (out) writeFileSync(out, JSON.stringify(Object.fromEntries(told)));
if (llm) tables.push(spentTable());
report('moments', tables);
