/**
 * Redaction of spoken values, through the whole service: made dialogues are read aloud (espeak-ng, and flite where it is
 * installed), also in the band of a telephone, and sent in every way. Then the values are searched for in everything that
 * the service stored, sent and wrote: objects, SQLite with its logs, events, exports, searches, webhooks, tools of MCP,
 * prompts of a language model, and output; and so are the bytes of the sound under the tones. The recording with tones is
 * recognised again. Values that the recogniser hears differently, without redaction, are counted apart.
 *
 *   npm run bench -- canaries [--dialogues 40] [--each] [--minutes M] [--only 3,7] [--outcomes FILE]
 *
 * `--each` sends every dialogue in every way; otherwise each takes its turn. After `--minutes` no further dialogue is
 * sent, and the report is of those that were. `--outcomes` keeps the outcomes in a file: the next run with it goes on
 * where the last one stopped, and reports all of them. `--only` sends the named dialogues alone, also again.
 */

import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { decodeStream } from '../containers/pipeline/media/decode.ts';
import { engineOf } from '../containers/pipeline/recognition/engines.ts';
import { RecordingStages } from '../containers/pipeline/stages/recording.ts';
import { type Job, WorkerPool } from '../containers/pipeline/workers/pool.ts';
import type { Quality } from '../src/contract/options.ts';
import { REDACTION_KINDS } from '../src/contract/redaction.ts';
import { type AnalysisResponse, type StreamEvent, Undertone } from '../src/sdk/index.ts';
import { startServer as startHttp } from '../support/local-server.ts';
import { startProcess } from '../support/started.ts';
import { freePort } from '../tools/machine.ts';
import {
  type Canary,
  finder,
  isSpokenIn,
  isUnderstood,
  KINDS,
  madeCanaries,
  ownTraces,
  queriesOf,
  type Sides,
  sidesOf,
  soundOf,
  type Value,
  voiceOf,
  WAYS,
  type Way,
} from './canaries/dialogues.ts';
import { report, say, type Table } from './report.ts';

const { values: args } = parseArgs({
  options: {
    dialogues: { type: 'string' },
    each: { type: 'boolean' },
    minutes: { type: 'string' },
    only: { type: 'string' },
    outcomes: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const COUNT = Number(args.dialogues ?? 40);
const MOST_MS = Number(args.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const FORMATS = ['json', 'txt', 'md', 'srt', 'vtt', 'csv', 'html'] as const;
const TOOLS = ['get_transcript', 'get_summary', 'get_moments', 'get_insights', 'get_course'] as const;
/** All kinds but `digits`, which would hide what the other kinds miss. */
const REDACT = REDACTION_KINDS.filter((kind) => kind !== 'digits');
const CHUNK_BYTES = 32_000;
const BATCH: Job = { priority: 'batch' };
/** Longest wait for the last webhooks, ms. */
const WEBHOOKS_MS = 30_000;
/**
 * Longest wait for the ended live sessions to be removed, ms. Until then the log of their SQLite has the chunks, also those
 * that are overwritten.
 */
const REMOVED_MS = 180_000;

/** One value of one dialogue, and where it was found. */
interface Outcome {
  n: number;
  kind: Value['kind'];
  way: Way;
  voice: string;
  /** Whether the recogniser hears the value without redaction. */
  isHeard: boolean;
  verified: boolean | null;
  /** Places at which something of the value was found. */
  places: string[];
}

/** Counts of everything that a run searched. */
interface Searched {
  files: number;
  bytes: number;
  answers: number;
  webhooks: number;
  prompts: number;
  /** Pieces of the sound under tones. */
  traces: number;
}

interface Run {
  outcomes: Outcome[];
  searched: Searched;
}

/** Every file below a folder, as text with a byte a character. */
function* filesIn(folder: string): Generator<{ path: string; text: string }> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) yield { path: name, text: readFileSync(path, 'latin1') };
  }
}

/** Whether the database of a live session is open. */
const hasLiveSessions = (state: string): boolean =>
  readdirSync(state, { recursive: true, encoding: 'utf8' }).some((path) =>
    /LiveSession\/[0-9a-f]+\.sqlite-wal$/u.test(path),
  );

/** The words of a recording in each quality, without redaction. */
async function wordsIn(pool: WorkerPool, sound: Uint8Array, qualities: readonly Quality[]): Promise<string[]> {
  const recording = new RecordingStages(pool, BATCH);
  const engine = engineOf();
  try {
    const bytes = (async function* () {
      yield sound;
    })();
    for await (const block of decodeStream(bytes, '.wav')) await recording.push(block);
    const { segments } = await recording.layOut(engine.longestS);
    const read = async (quality: Quality) => {
      const texts: string[] = [];
      for (const segment of segments) {
        const samples = await recording.read(segment, segment.channel);
        const task = { samples, segment, recogniser: engine.id, options: { quality } };
        texts.push(...(await pool.run(BATCH, 'transcribe', task)).words.map(({ word }) => word));
      }
      return texts.join(' ');
    };
    const heard: string[] = [];
    for (const quality of qualities) heard.push(await read(quality));
    return heard;
  } finally {
    await recording.close();
  }
}

interface Sending {
  undertone: Undertone;
  mcp: Client;
  pool: WorkerPool;
  /** Files that the service fetches, by path, and the address of their server. */
  served: Map<string, Uint8Array>;
  address: string;
}

/** One analysis of a dialogue, with everything that the service shows of it. */
interface Sent {
  outcomes: Outcome[];
  /** Texts of the service by place. */
  answers: { place: string; text: string }[];
  sides: Sides;
}

/** Sends a dialogue in one of the ways, reads what the service shows of it, and hears the recording with tones. */
async function sent(canary: Canary, sound: Uint8Array<ArrayBuffer>, way: Way, to: Sending): Promise<Sent> {
  const { undertone, mcp, pool } = to;
  const [plain = ''] = await wordsIn(pool, sound, ['best']);
  const { id, events } = await analysed(undertone, { canary, sound, way }, to);
  const answers: Sent['answers'] = [];
  const take = (place: string, text: string) => answers.push({ place: `${way}: ${place}`, text });
  take('events', JSON.stringify(events));
  let result: AnalysisResponse = await undertone.conversations.get(id);
  const first = result;
  if (way === 'batch') {
    take('result', JSON.stringify(result));
    result = await undertone.conversations.reanalyze(id, { quality: 'fast', redact: REDACT });
  }
  take(way === 'batch' ? 're-analysed' : 'result', JSON.stringify(result));
  for (const format of FORMATS)
    take(`export ${format}`, await (await undertone.conversations.export(id, format)).text());
  const stored: StreamEvent[] = [];
  for await (const event of undertone.conversations.events(id)) stored.push(event);
  take('stored events', JSON.stringify(stored));
  for (const name of TOOLS) {
    const answer = await mcp.callTool({ name, arguments: { conversation_id: id } });
    if (answer.isError) throw new Error(`the tool ${name} failed: ${JSON.stringify(answer.content)}`);
    take(`tool ${name}`, JSON.stringify(answer));
  }
  const toned = new Uint8Array(await (await undertone.conversations.media(id)).arrayBuffer());
  const again = await wordsIn(pool, toned, ['best', 'fast']);
  const texts = result.timeline.map(({ text }) => text);
  const outcomes: Outcome[] = [];
  for (const value of canary.values) {
    const places: string[] = [];
    if (again.some((text) => isSpokenIn(text, value))) places.push('sound');
    if (texts.some((text) => isSpokenIn(text, value))) places.push('text');
    for (const query of queriesOf(value)) {
      const { conversations } = await undertone.conversations.list({ q: `"${query}"`, limit: 100 });
      if (conversations.some(({ conversation_id }) => conversation_id === id)) places.push(`search for "${query}"`);
    }
    outcomes.push({
      ...{ n: canary.n, kind: value.kind, way, voice: voiceOf(canary), isHeard: isUnderstood(plain, value) },
      ...{ verified: result.redaction?.verified ?? null, places },
    });
    if (places.length > 0)
      say(
        `${value.kind} "${value.written}"\n  heard: ${plain}\n  shown: ${texts.join(' / ')}\n  again: ${again.join(' / ')}`,
      );
  }
  return { outcomes, answers, sides: sidesOf(sound, canary, first.redaction?.muted ?? []) };
}

/** Sends a recording in one of the ways, to the end of its analysis. */
async function analysed(
  undertone: Undertone,
  { canary: { n }, sound, way }: { canary: Canary; sound: Uint8Array<ArrayBuffer>; way: Way },
  { served, address }: Sending,
): Promise<{ id: string; events: StreamEvent[] }> {
  const file = new File([sound], `call-${n}.wav`);
  const options = { redact: [...REDACT] };
  const events: StreamEvent[] = [];
  if (way === 'replay' || way === 'live') {
    if (way === 'replay') for await (const event of undertone.replay(file, options)) events.push(event);
    else {
      const capture = await undertone.live.start({ suffix: '.wav', ...options });
      const reading = (async () => {
        for await (const event of capture) events.push(event);
      })();
      for (let at = 0; at < sound.length; at += CHUNK_BYTES)
        await capture.send(new Blob([sound.subarray(at, at + CHUNK_BYTES)]));
      await capture.finalize();
      await reading;
    }
    const done = events.findLast(({ event }) => event === 'done');
    return { id: (done!.data as { conversation_id: string }).conversation_id, events };
  }
  if (way === 'by URL') {
    served.set(`/call-${n}.wav`, sound);
    const { conversation_id } = await undertone.analyze({ url: `${address}/call-${n}.wav` }, options);
    return { id: conversation_id, events };
  }
  const inParts = way === 'in parts' ? { onProgress: () => undefined } : {};
  const { conversation_id } = await undertone.analyze(file, { ...options, ...inParts });
  return { id: conversation_id, events };
}

/** Sends dialogues until the time is over, and searches everything for all their values. */
async function runOf(canaries: readonly Canary[]): Promise<Run> {
  const began = performance.now();
  const state = mkdtempSync(join(tmpdir(), 'canaries-'));
  const [prompts, webhooks]: [string[], string[]] = [[], []];
  const served = new Map<string, Uint8Array>();
  const outside = await startHttp(async (request, response: ServerResponse) => {
    const file = served.get(request.url ?? '');
    if (file) return void response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(file);
    let body = '';
    for await (const part of request) body += part;
    const isWebhook = request.url === '/hook';
    (isWebhook ? webhooks : prompts).push(body);
    if (isWebhook) response.writeHead(200).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"choices": []}');
  });
  const pool = await WorkerPool.start(1);
  const port = await freePort();
  const service = startProcess(['scripts/start.ts'], {
    PORT: String(port),
    STATE_DIR: state,
    LLM_MODEL: 'canary',
    LLM_BASE_URL: `${outside.url}/v1`,
    LLM_API_KEY: 'none',
    ALLOW_PRIVATE_TARGETS: 'true',
  });
  try {
    const key = /demo key: ([^;]+);/u.exec(await service.line(/demo key/u))![1]!;
    const url = new URL(`http://127.0.0.1:${port}`);
    const undertone = new Undertone({ url, key });
    await undertone.webhooks.create({ url: `${outside.url}/hook` });
    const mcp = new Client({ name: 'canaries', version: '1' });
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers: { 'X-API-Key': key } } }),
    );
    const all: (Sent & { canary: Canary })[] = [];
    for (const canary of canaries) {
      if (performance.now() - began > MOST_MS) break;
      const sound = soundOf(canary);
      for (const way of args.each ? WAYS : [canary.way]) {
        const one = await sent(canary, sound, way, { undertone, mcp, pool, served, address: outside.url });
        all.push({ ...one, canary });
        const seconds = ((performance.now() - began) / 1000).toFixed(0);
        const found = one.outcomes.map(({ kind, isHeard, places }) =>
          [kind, isHeard ? 'heard' : 'misheard', ...places].join(' '),
        );
        say(`${seconds} s: dialogue ${canary.n}, ${way}, ${voiceOf(canary)}: ${found.join('; ')}`);
      }
    }
    await mcp.close();
    const until = performance.now() + WEBHOOKS_MS;
    while (webhooks.length < all.length && performance.now() < until) await wait(500);
    if (all.length > 0 && (webhooks.length < all.length || prompts.length === 0))
      throw new Error(`only ${webhooks.length} webhooks and ${prompts.length} prompts came of ${all.length} analyses`);

    const outcomeOf = new Map(
      all.flatMap(({ canary, outcomes }) => outcomes.map((one, i) => [canary.values[i % 2]!, one] as const)),
    );
    const find = finder([...outcomeOf.keys()]);
    const search = (place: string, text: string) => {
      for (const [value, form] of find(text)) outcomeOf.get(value)!.places.push(`${place} (${form})`);
    };
    for (const { answers } of all) for (const { place, text } of answers) search(place, text);
    for (const body of webhooks) search('webhook', body);
    for (const body of prompts) search('prompt', body);
    search('output', service.lines.join('\n'));
    const searched: Searched = {
      ...{ files: 0, bytes: 0, answers: all.reduce((sum, { answers }) => sum + answers.length, 0) },
      ...{ webhooks: webhooks.length, prompts: prompts.length, traces: 0 },
    };
    const removedBy = performance.now() + REMOVED_MS;
    while (hasLiveSessions(state) && performance.now() < removedBy) await wait(1000);
    const recordings = all.map(({ sides }) => sides);
    const searchable = all.map(({ canary: { n }, outcomes, sides }) => {
      const own = ownTraces(sides, recordings);
      const shared = sides.traces.filter((trace) => !own.includes(trace)).map(({ at }) => at.toFixed(3));
      say(`dialogue ${n}: ${own.length} pieces of sound under tones; also beside them: ${shared.join(', ') || 'none'}`);
      searched.traces += own.length;
      return { outcomes, own };
    });
    for (const { path, text } of filesIn(state)) {
      searched.bytes += text.length;
      searched.files++;
      search(`stored ${path}`, text);
      for (const { outcomes, own } of searchable) {
        const trace = own.find(({ bytes }) => text.includes(bytes));
        if (trace)
          outcomes[0]!.places.push(
            `its sound at ${trace.at.toFixed(3)} s in ${path}, byte ${text.indexOf(trace.bytes)} of ${text.length}`,
          );
      }
    }
    return { outcomes: all.flatMap(({ outcomes }) => outcomes), searched };
  } finally {
    service.process.kill('SIGINT');
    await service.ended;
    await pool.close();
    await outside.close();
    rmSync(state, { recursive: true, force: true });
  }
}

function table({ outcomes, searched }: Run): Table {
  const rows = KINDS.map((kind) => {
    const of = (isHeard: boolean) => outcomes.filter((one) => one.kind === kind && one.isHeard === isHeard);
    const left = (all: readonly Outcome[]) => all.filter(({ places }) => places.length > 0);
    const [heard, misheard] = [of(true), of(false)];
    return [
      kind,
      heard.length,
      left(heard).length,
      left(heard).filter(({ verified }) => verified).length,
      misheard.length,
      left(misheard).length,
      left(misheard).filter(({ verified }) => verified).length,
    ];
  });
  const sums = rows[0]!.slice(1).map((_, i) => rows.reduce((sum, row) => sum + Number(row[i + 1]), 0));
  const { files, bytes, answers, webhooks, prompts, traces } = searched;
  const dialogues = new Set(outcomes.map(({ n }) => n)).size;
  return {
    title: 'Spoken values through the whole service',
    columns: ['kind', 'heard', 'left', 'left, but verified', 'misheard', 'a part left', 'a part left, but verified'],
    rows: [...rows, ['all', ...sums]],
    note: `${dialogues} dialogues with a name or an address each, in turn: ${WAYS.join(', ')}; those of the first way also re-analysed. Searched: ${files} stored files (${Math.round(bytes / 1e6)} MB), ${answers} answers, ${webhooks} webhooks, ${prompts} prompts, and the output, also for ${traces} pieces of sound of 8 ms (32 ms at telephone band) that stand nowhere beside the tones. Heard: the recogniser prints the value as it is, without redaction.`,
  };
}

/** The runs of a file, without the outcomes of dialogues that a later run has as well. */
function keptRuns(file: string | undefined): Run[] {
  if (file === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Run);
}

function joined(runs: readonly Run[]): Run {
  const byDialogue = new Map<number, Outcome[]>();
  for (const { outcomes } of runs) for (const [n, own] of Map.groupBy(outcomes, (one) => one.n)) byDialogue.set(n, own);
  const sum = (of: keyof Searched) => runs.reduce((total, { searched }) => total + (searched[of] ?? 0), 0);
  return {
    outcomes: [...byDialogue].toSorted(([a], [b]) => a - b).flatMap(([, own]) => own),
    searched: {
      ...{ files: sum('files'), bytes: sum('bytes'), answers: sum('answers') },
      ...{ webhooks: sum('webhooks'), prompts: sum('prompts'), traces: sum('traces') },
    },
  };
}

const kept = keptRuns(args.outcomes);
const isDone = new Set(kept.flatMap(({ outcomes }) => outcomes.map(({ n }) => n)));
const only = args.only?.split(',').map(Number);
const chosen = madeCanaries(COUNT).filter(({ n }) => (only ? only.includes(n) : !isDone.has(n)));
const runs = chosen.length > 0 ? [await runOf(chosen)] : [];
if (args.outcomes) for (const run of runs) appendFileSync(args.outcomes, `${JSON.stringify(run)}\n`);
const whole = joined([...kept, ...runs]);
for (const { n, kind, isHeard, voice, way, verified, places } of whole.outcomes)
  if (places.length > 0)
    say(
      `LEFT in dialogue ${n}: ${kind} (${isHeard ? 'heard' : 'misheard'}, ${voice}, ${way}, ${verified ? 'verified' : 'not verified'}): ${[...new Set(places)].slice(0, 8).join('; ')}`,
    );
report('canaries', [table(whole)]);
