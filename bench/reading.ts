/**
 * Writes every conclusion that a checkout draws from real conversations, beside their words, for readers to mark:
 * the recordings of `diarization` longer than 20 s, and 10 dialogues each of DialogSum dev, QMSum val and SwDA.
 *
 *   npm run bench -- reading OUT [--checkout FOLDER] [--seed 1] [--only recordings,dialogues]
 *     [--llm-requests FOLDER | --llm-answers FOLDER]
 *
 * With `--llm-requests`, the requests to a language model about the recordings are written to a folder; with
 * `--llm-answers`, the recorded answers to them are played back (see `bench/llm.ts`).
 *
 * OUT gets one text file a conversation. A line to mark begins with its number, e.g. `[12] overview: ...`. Phases
 * without a name are no line: they are counted at the end.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { EVAL_DATA, evalPath } from '../scripts/eval-data.ts';
import { qmsum } from '../scripts/train/dialogue-corpus.ts';
import type { Findings } from '../src/contract/findings.ts';
import type { Conversation } from '../src/conversation/conversation.ts';
import { UNNAMED } from '../src/conversation/en/sentences/phases.ts';
import { CheckoutService } from './checkout-service.ts';
import { startReplay } from './llm-replay.ts';
import { chosen, dialogsumDev, joined, labelled, spoken, type Turn, turnOf } from './reading-dialogues.ts';
import { say } from './report.ts';

const SHORTEST_S = 20;
const DIALOGUES_OF_A_CORPUS = 10;
const MOST_TURNS = 80;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    checkout: { type: 'string', default: join(import.meta.dirname, '..') },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: 'recordings,dialogues' },
    'llm-requests': { type: 'string' },
    'llm-answers': { type: 'string' },
  },
});
const [out] = positionals;
if (!out) throw new Error('Wanted: OUT');
const root = resolve(values.checkout);

type Concluded = Pick<Findings, 'summary' | 'segmentation' | 'moments'>;

let lines = 0;
let unnamed = 0;

function write(name: string, turns: readonly Turn[], { summary, segmentation, moments }: Concluded): void {
  const phases = segmentation.phases.filter(({ phase_name }) => phase_name !== UNNAMED);
  unnamed += segmentation.phases.length - phases.length;
  const { overview, key_insights, notable_patterns, recommendations, what_went_well, what_went_wrong } = summary;
  const sentences: string[] = [];
  for (const { text } of summary.evidence) {
    sentences.push(text);
    if (sentences.join(' ').length >= overview.length) break;
  }
  const told: [string, string][] = [
    ...(sentences.join(' ') === overview ? sentences : [overview]).map((text): [string, string] => ['overview', text]),
    ...(key_insights ?? []).map((text): [string, string] => ['insight', text]),
    ...(notable_patterns ?? []).map((text): [string, string] => ['pattern', text]),
    ...(recommendations ?? []).map((text): [string, string] => ['recommendation', text]),
    ...(what_went_well ?? []).map((text): [string, string] => ['went well', text]),
    ...(what_went_wrong ?? []).map((text): [string, string] => ['went wrong', text]),
    ...phases.map(({ phase_name, start_utterance_id, end_utterance_id }): [string, string] => [
      'phase name',
      `${phase_name} (turns ${turnOf(start_utterance_id)} to ${turnOf(end_utterance_id)})`,
    ]),
    ...moments.map(({ category, summary: text, labels, utterance_ids, confidence }): [string, string] => [
      'moment',
      `${category}${labels.length > 0 ? ` (${labels.join(', ')})` : ''} at turn ${turnOf(utterance_ids[0]!)}: ${text} [${confidence.toFixed(2)}]`,
    ]),
  ];
  const words = turns.map(({ speaker, text }, i) => `${i} ${speaker}: ${text}`);
  const marked = told.map(([kind, text], i) => `[${i + 1}] ${kind}: ${text}`);
  writeFileSync(join(out!, `${name}.txt`), `${['WORDS', ...words, '', 'LINES', ...marked].join('\n')}\n`);
  lines += told.length;
  say(`${name}: ${told.length} lines`);
}

async function readRecordings(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'undertone-reading-'));
  const { 'llm-requests': requests, 'llm-answers': answers } = values;
  const settings: Record<string, string> =
    requests || answers
      ? { LLM_BASE_URL: await startReplay({ requests, answers }), LLM_MODEL: 'recorded answers' }
      : {};
  const service = await CheckoutService.start(root, join(folder, 'state'), settings);
  try {
    const audio = join(EVAL_DATA, 'diarization/audio');
    for (const file of readdirSync(audio).sort()) {
      const path = join(audio, file);
      const seconds = execFileSync('ffprobe', [
        '-v',
        'error',
        '-show_entries',
        'format=duration',
        '-of',
        'csv=p=0',
        path,
      ]);
      if (Number(seconds) < SHORTEST_S) continue;
      const wav = `${file.replace(/\.\w+$/, '')}.wav`;
      execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-c:a', 'pcm_s16le', '-bitexact', join(folder, wav)]);
      const body = new FormData();
      body.set('file', new File([readFileSync(join(folder, wav))], wav));
      const answer = await service.send('/analyze', { method: 'POST', body });
      if (!answer.ok) throw new Error(`${file}: ${answer.status} ${await answer.text()}`);
      const result = (await answer.json()) as Concluded & { timeline: Turn[] };
      write(`recording-${file.replace(/\.\w+$/, '')}`, result.timeline, result);
    }
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function dialogues(): [name: string, turns: Turn[]][] {
  const meetings = qmsum('val').map(({ turns, speakers }) => turns.map((text, i) => ({ speaker: speakers[i]!, text })));
  const folder = evalPath('conversations/swda/val');
  const calls = readdirSync(folder).map((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [speaker = '', text = ''] = line.split('|');
        return { speaker, text };
      }),
  );
  return Object.entries({ dialogsum: dialogsumDev(), qmsum: meetings, swda: calls }).flatMap(([corpus, all]) =>
    chosen(all, DIALOGUES_OF_A_CORPUS, Number(values.seed)).map((turns, i): [string, Turn[]] => [
      `${corpus}-${i}`,
      joined(turns).slice(0, MOST_TURNS),
    ]),
  );
}

async function readDialogues(): Promise<void> {
  const module = (path: string) => import(pathToFileURL(join(root, path)).href);
  const { Conversation: Made } = (await module('src/conversation/conversation.ts')) as {
    Conversation: typeof Conversation;
  };
  const { conversationWeights } = await module('containers/pipeline/conversation-weights.ts');
  const { encodeTexts } = await module('bench/moments/encodings.ts');
  for (const [name, turns] of dialogues()) {
    const encodings = await encodeTexts(turns.map(({ text }) => text));
    const conversation = new Made({ conversationId: 'reading', goal: '' }, conversationWeights());
    const named = labelled(turns);
    for (const utterance of spoken(named)) conversation.add(utterance, encodings.get(utterance.text));
    write(name, named, conversation.finish());
  }
}

mkdirSync(out, { recursive: true });
if (values.only.includes('dialogues')) await readDialogues();
if (values.only.includes('recordings')) await readRecordings();
say(`${lines} lines; ${unnamed} phases have no name to mark`);
