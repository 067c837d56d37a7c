/**
 * The built-in summary against reference summaries, and every generated text against its evidence.
 *
 * ROUGE F1 of the first words of each system, the same number for all (DialogSum 25, QMSum 100: about the mean
 * reference). Undertone's text is the overview followed by the key insights, unchanged. Lead-3 is the first three turns
 * (in meetings shorter than the others, so a lead of the same length is given too), TextRank the best-ranked sentences;
 * both have the speaker's name before each, since Undertone's text names the speakers.
 *
 *   npm run bench -- summary               ... --facts the first tables alone; --goals the answers to
 *                                          goals alone; --json
 *   npm run bench -- summary --llm         the summary that the operator's language model writes of the same
 *                                          conversations, requested as the service requests it (`LLM_BASE_URL`,
 *                                          `LLM_MODEL`, `LLM_API_KEY`); --first N of each table
 *   ... --llm-requests FOLDER              writes these requests instead, one file each
 *   ... --llm-answers FOLDER               plays back the answers to them, one file each
 */
import { readFileSync } from 'node:fs';
import { conversationWeights } from '../containers/pipeline/conversation-weights.ts';
import { evalPath } from '../scripts/eval-data.ts';
import { qmsum } from '../scripts/train/dialogue-corpus.ts';
import type { Findings } from '../src/contract/findings.ts';
import type { Utterance } from '../src/contract/timeline.ts';
import { Conversation } from '../src/conversation/conversation.ts';
import { refineFindings } from '../src/worker/analysis/language-model.ts';
import { dialoguesWithFacts, linesOf, type SummaryLine, shortened, statedShare, type WithFacts } from './facts.ts';
import { agreementTable } from './facts-agreement.ts';
import { findUnfaithful } from './faithfulness.ts';
import { goalAnswersTables } from './goal-answers.ts';
import { costTable, countRequests, llmAsked, materialOf, spentTable } from './llm.ts';
import { encodeTexts } from './moments/encodings.ts';
import { report, say, type Table } from './report.ts';
import { rouge } from './rouge.ts';
import { textRank } from './text-rank.ts';

interface Summarised {
  turns: string[];
  speakers: string[];
  reference: string;
}

/** Words per second and pause between turns of the synthetic times, since the data has none. */
const WORDS_PER_SECOND = 2.7;
const PAUSE_S = 0.3;

function toUtterances({ turns, speakers }: Summarised): Utterance[] {
  let t = 0;
  return turns.map((text, i) => {
    const start = t;
    const end = start + Math.max(0.5, text.split(/\s+/).length / WORDS_PER_SECOND);
    t = end + PAUSE_S;
    return { utterance_id: `bench_utt_${i}`, speaker: speakers[i]!, t_start: start, t_end: end, text };
  });
}

function conclude(utterances: Utterance[], goal = ''): Findings {
  const conversation = new Conversation({ conversationId: 'bench', goal }, conversationWeights());
  for (const u of utterances) conversation.add(u);
  return conversation.finish();
}

function dialogsum(): Summarised[] {
  return readFileSync(evalPath('conversations/dialogsum/dev.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { dialogue, summary } = JSON.parse(line) as { dialogue: string; summary: string };
      const turns = dialogue.split('\n').map((turn) => /^#(\w+)#: ?(.*)$/.exec(turn));
      return {
        turns: turns.map((m) => (m?.[2] ?? '').replace(/ ' /g, "'")),
        speakers: turns.map((m) => m?.[1] ?? 'Person1'),
        reference: summary.replaceAll('#', ''),
      };
    });
}

const SUMMARY_QUERY =
  /^(summari[sz]e|what (was|were) (the )?(main|whole)|general|please summari)|whole meeting|entire meeting/i;

/** Summaries of whole meetings: the answer to the first general query that asks for one, or else to the first query. */
function meetings(): Summarised[] {
  return qmsum('val').flatMap((m) => {
    const query = m.general.find((q) => SUMMARY_QUERY.test(q.query)) ?? m.general[0];
    return query ? [{ turns: m.turns, speakers: m.speakers, reference: query.answer }] : [];
  });
}

const firstWords = (text: string, count: number): string => text.split(/\s+/).slice(0, count).join(' ');

const faults: string[] = [];
let texts = 0;
let modelTexts = 0;
let modelFaults = 0;
const llm = await llmAsked();
if (llm) countRequests();

const firstAt = process.argv.indexOf('--first');
const firstOf = <T>(all: T[]): T[] => (firstAt < 0 ? all : all.slice(0, Number(process.argv[firstAt + 1])));

/** The findings as the operator's language model writes them. There are none if no model was chosen. */
async function modelled(utterances: Utterance[], findings: Findings): Promise<Findings | undefined> {
  if (!llm) return undefined;
  const { summary, segmentation } = await refineFindings(findings, materialOf(utterances, findings), llm);
  const told = { ...findings, summary, segmentation };
  modelTexts++;
  const own = findUnfaithful(told, utterances);
  modelFaults += own.length;
  for (const fault of own) say(fault);
  return told;
}

async function table(title: string, all: Summarised[], words: number): Promise<Table> {
  const docs = firstOf(all);
  const systems: Record<string, (d: Summarised, findings: Findings, model: Findings) => string> = {
    'lead-3': (d) =>
      d.turns
        .slice(0, 3)
        .map((t, i) => `${d.speakers[i]}: ${t}`)
        .join(' '),
    'lead, same length': (d) =>
      d.turns
        .slice(0, 100)
        .map((t, i) => `${d.speakers[i]}: ${t}`)
        .join(' '),
    TextRank: (d) =>
      textRank(d.turns.flatMap((t, i) => t.split(/(?<=[.!?])\s+/).map((text) => ({ speaker: d.speakers[i]!, text }))))
        .slice(0, 30)
        .map((s) => `${s.speaker}: ${s.text}`)
        .join(' '),
    undertone: (_, { summary }) => [summary.overview, ...summary.key_insights].join(' '),
    ...(llm && {
      'language model': (_, __, { summary }) => [summary.overview, ...summary.key_insights].join(' '),
    }),
  };
  const sums = Object.keys(systems).map(() => [0, 0, 0, 0]);
  for (const [index, doc] of docs.entries()) {
    const utterances = toUtterances(doc);
    const findings = conclude(utterances);
    const model = (await modelled(utterances, findings)) ?? findings;
    faults.push(...findUnfaithful(findings, utterances).map((f) => `${title} ${index}: ${f}`));
    // The second pass has a goal, whose lines also need evidence.
    const goal = firstWords(doc.reference, 6);
    faults.push(...findUnfaithful(conclude(utterances, goal), utterances, goal).map((f) => `${title} ${index}: ${f}`));
    texts += 2;
    Object.values(systems).forEach((system, s) => {
      const text = firstWords(system(doc, findings, model), words);
      rouge(text, doc.reference).forEach((value, k) => {
        sums[s]![k]! += value;
      });
      sums[s]![3]! += text.split(/\s+/).length;
    });
    if (llm) say(`${title} ${index + 1}/${docs.length}`);
  }
  return {
    title: `${title}: ${docs.length} conversations, first ${words} words of each system`,
    columns: ['system', 'ROUGE-1', 'ROUGE-2', 'ROUGE-L', 'words'],
    rows: Object.keys(systems).map((name, s) => [name, ...sums[s]!.map((v) => v / docs.length)]),
  };
}

/** Fraction of a fact's words above which it is nearly stated. */
const NEARLY = 0.6;

/** Facts that two readers want stated, and how many of them each system states within the same number of words. */
async function factsTable(dialogues: WithFacts[]): Promise<Table> {
  const encodings = await encodeTexts(dialogues.flatMap(({ turns }) => turns.map(({ text }) => text)));
  const rows = new Map<string, { stated: number; nearly: number; words: number }>();
  let all = 0;
  for (const { turns, facts } of dialogues) {
    const said = { turns: turns.map((t) => t.text), speakers: turns.map((t) => t.speaker), reference: '' };
    const utterances = toUtterances(said);
    const conversation = new Conversation({ conversationId: 'bench', goal: '' }, conversationWeights());
    for (const u of utterances) conversation.add(u, encodings.get(u.text));
    const findings = conversation.finish();
    faults.push(...findUnfaithful(findings, utterances).map((f) => `facts: ${f}`));
    texts++;
    const model = await modelled(utterances, findings);
    const own = linesOf(findings.summary);
    const words = own.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
    const sentences = said.turns.flatMap((t, i) =>
      t.split(/(?<=[.!?])\s+/).map((text) => ({ speaker: said.speakers[i]!, text, turns: [i] })),
    );
    const ranked = textRank(sentences).map(({ text }) => sentences.find((s) => s.text === text)!);
    const systems: Record<string, SummaryLine[]> = {
      'lead-3': said.turns.slice(0, 3).map((text, i) => ({ text, turns: [i] })),
      'lead, same length': said.turns.map((text, i) => ({ text, turns: [i] })),
      TextRank: ranked,
      undertone: own,
      ...(model && { 'language model': linesOf(model.summary) }),
    };
    all += facts.length;
    for (const [name, lines] of Object.entries(systems)) {
      const row = rows.get(name) ?? { stated: 0, nearly: 0, words: 0 };
      rows.set(name, row);
      const kept = shortened(lines, words);
      const shares = facts.map((fact) => statedShare(fact, kept));
      row.stated += shares.filter((share) => share === 1).length;
      row.nearly += shares.filter((share) => share >= NEARLY).length;
      row.words += kept.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
    }
  }
  return {
    title: `Facts stated: ${all} facts that two readers want stated of ${dialogues.length} real conversations`,
    columns: ['system', 'stated', 'nearly', 'words'],
    rows: [...rows].map(([name, r]) => [name, r.stated / all, r.nearly / all, r.words / dialogues.length]),
    note: `Stated: one line that rests on the fact's turns holds all its content words; nearly: ${NEARLY} of them. All at the length of ours.`,
  };
}

if (process.argv.includes('--goals')) {
  report('summary', await goalAnswersTables());
  process.exit();
}
const withFacts = dialoguesWithFacts();
const tables = [await factsTable(firstOf(withFacts)), agreementTable(withFacts)];
if (!process.argv.includes('--facts')) {
  tables.push(...(await goalAnswersTables()));
  tables.push(await table('DialogSum dev', dialogsum(), 25), await table('QMSum val', meetings(), 100));
  const materials = meetings().map((meeting) => {
    const utterances = toUtterances(meeting);
    return materialOf(utterances, conclude(utterances));
  });
  tables.push(costTable('What a language model is sent where one is switched on: QMSum val', materials));
}
if (llm) tables.push(spentTable());
tables.push({
  title: 'Faithfulness: every number and every quoted word of every generated text is found in its evidence',
  columns: ['findings checked', 'not borne out'],
  rows: [[texts, faults.length], ...(llm ? [[modelTexts, modelFaults]] : [])],
  note: [...faults.slice(0, 10), ...(llm ? ['The second row is the language model.'] : [])].join('\n  '),
});
report('summary', tables);
if (faults.length > 0) process.exitCode = 1;
