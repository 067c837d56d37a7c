import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AnalysisOutput } from '../containers/pipeline/analysis-output.ts';
import { optionsAndMedia } from '../containers/pipeline/request-body.ts';
import type { StageLine } from '../containers/pipeline/stage-lines.ts';
import { EVAL_DATA, evalPath } from '../scripts/eval-data.ts';
import { casino, qmsum } from '../scripts/train/dialogue-corpus.ts';
import type { ConversationEntry, ConversationList } from '../src/contract/conversations.ts';
import { ndjsonLine } from '../src/contract/ndjson.ts';
import { PIPELINE_HEADERS } from '../support/pipeline-server.ts';
import { type SpokenDialogue, timelineOf } from '../support/results.ts';
import { freePort, type RestartableProcess, workerProcess } from './processes.ts';
import { report, say, type Table } from './report.ts';
import { ruleTrials } from './rule-trials.ts';

// Stored conversations of real text: how long lists, filters, searches and trials of rules take in the service, whether a page loses or
// repeats a row while others are written, and whether the catalogue rebuilt from the bucket equals the lost one. The
// real Worker runs under `wrangler dev`. Real uploads create its conversations, and a stand-in for the pipeline returns
// given texts.

const { values } = parseArgs({
  strict: false,
  options: { conversations: { type: 'string', default: '2000' }, times: { type: 'string', default: '100' } },
});
const CONVERSATIONS = Number(values.conversations);
/** Number of requests of each kind. */
const TIMES = Number(values.times);
const MOST_P95_MS = 50;
const KEY = 'catalogue-bench-key';
const ADMIN_TOKEN = 'catalogue-bench-admin-token';
const TENANT = 'catalogue';
const HEADERS = { 'X-API-Key': KEY };
/** Concurrent uploads. A key may have ten. */
const AT_ONCE = 6;
const MOST_SPEAKERS = 8;

/**
 * DialogSum (everyday conversations), CaSiNo (negotiations), QMSum (meetings), and as many of Switchboard's telephone
 * calls as are still needed.
 */
function talks(count: number): SpokenDialogue[] {
  const labelled = (id: string, turns: { who: string; text: string }[]): SpokenDialogue => {
    const order = [...new Set(turns.map(({ who }) => who))];
    const speakerOf = (who: string) => `Speaker_${order.indexOf(who) % MOST_SPEAKERS}`;
    return {
      id,
      turns: turns.filter(({ text }) => text !== '').map(({ who, text }) => ({ speaker: speakerOf(who), text })),
    };
  };
  const paired = ({ id, turns, speakers }: { id: string; turns: string[]; speakers: string[] }) =>
    labelled(
      id,
      turns.map((text, i) => ({ who: speakers[i]!, text })),
    );
  const dialogsum = readFileSync(evalPath('conversations/dialogsum/dev.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { fname, dialogue } = JSON.parse(line) as { fname: string; dialogue: string };
      const turns = dialogue.split('\n').map((turn) => {
        const [who = '', ...said] = turn.split(':');
        return { who, text: said.join(':').trim() };
      });
      return labelled(fname, turns);
    });
  const folder = join(EVAL_DATA, 'conversations/swda/train');
  const switchboard = function* () {
    for (const name of readdirSync(folder).sort()) {
      const turns = readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
      yield labelled(
        name,
        turns.map((turn) => {
          const [who = '', text = ''] = turn.split('|');
          return { who, text: text.trim() };
        }),
      );
    }
  };
  const first = [...dialogsum, ...casino().map(paired), ...qmsum('val').map(paired)];
  // Mixes them in a fixed order.
  const mixed = first.map((talk, i) => ({ talk, at: (i * 7919) % first.length })).sort((a, b) => a.at - b.at);
  const all = mixed.map(({ talk }) => talk);
  for (const talk of switchboard()) {
    if (all.length >= count) break;
    all.splice((all.length * 31) % (first.length + 1), 0, talk);
  }
  if (all.length < count) throw new Error(`There are ${all.length} talks only`);
  return all.slice(0, count);
}

/** Stands in for the pipeline. A file names its dialogue, and the stand-in returns that dialogue. */
async function startTeller(said: ReadonlyMap<string, SpokenDialogue>) {
  const server = createServer(async (request, response) => {
    response.setHeaders(new Headers(PIPELINE_HEADERS));
    if (request.url === '/healthz') return void response.end(JSON.stringify({ status: 'ok', running: 0, waiting: 0 }));
    try {
      const { options, media } = await optionsAndMedia(request);
      const pieces: Uint8Array[] = [];
      for await (const piece of media) pieces.push(piece);
      const talk = said.get(Buffer.concat(pieces).toString())!;
      const telling = new AnalysisOutput({ ...options, live: false });
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      for (const line of telling.open()) response.write(ndjsonLine(line));
      const timeline = timelineOf(options.conversation_id, talk);
      const lines: StageLine[] = [
        ...timeline.map((entry): StageLine => ({ type: 'utterance', entry, latency_ms: 1 })),
        {
          type: 'end',
          utterances: timeline.length,
          media: { duration_s: timeline.at(-1)!.t_end + 0.5, channels: 1, speaker_per_channel: false },
          speakers: {
            count: new Set(timeline.map(({ speaker }) => speaker)).size,
            confidence: 0.8,
            source: 'estimated',
          },
          warnings: [],
        },
      ];
      for (const line of lines) for (const told of telling.take(line)) response.write(ndjsonLine(told));
      for (const { parts } of telling.documents ?? []) for (const { bytes } of parts) response.write(bytes);
      response.end();
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

class Client {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = HEADERS): Promise<string> {
    const json: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const init = { method, headers: { ...headers, ...json }, body: body === undefined ? null : JSON.stringify(body) };
    const response = await fetch(this.#url + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  async list(query: string): Promise<ConversationList> {
    return JSON.parse(await this.ask('GET', `/conversations?${query}`)) as ConversationList;
  }

  /** Every match of a query, page by page. */
  async *pages(query: string): AsyncGenerator<ConversationEntry[], void> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: ConversationList = await this.list(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      yield page.conversations;
      cursor = page.next_cursor;
    }
  }

  async all(query: string): Promise<ConversationEntry[]> {
    const all: ConversationEntry[] = [];
    for await (const page of this.pages(query)) all.push(...page);
    return all;
  }

  async send(talk: SpokenDialogue): Promise<string> {
    const form = new FormData();
    form.set('file', new File([talk.id], `${talk.id.replace(/\W+/g, ' ')}.wav`));
    const response = await fetch(`${this.#url}/analyze`, { method: 'POST', headers: HEADERS, body: form });
    const text = await response.text();
    if (!response.ok) throw new Error(`${talk.id}: ${response.status} ${text.slice(0, 300)}`);
    return (JSON.parse(text) as { conversation_id: string }).conversation_id;
  }
}

/** Sends dialogues, several at a time. */
async function sendAll(client: Client, all: readonly SpokenDialogue[]): Promise<void> {
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let n = next++; n < all.length; n = next++) {
      await client.send(all[n]!);
      if (n % 200 === 199) say(`${n + 1} conversations`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;

/** The requests of a client, one kind at a time, with its variants in turn. */
function kinds(entries: readonly ConversationEntry[], cursors: readonly string[]): [string, string[]][] {
  const middle = entries[entries.length >> 1]!.created_at;
  const dates = `created_after=${entries.at(-1)!.created_at}&created_before=${middle}`;
  return [
    ['newest', ['limit=50', 'limit=20', 'limit=100']],
    ['a later page', cursors.map((cursor) => `limit=50&cursor=${cursor}`)],
    ['by date', [dates]],
    ['by status', ['status=completed', 'status=failed']],
    ['by speakers', ['min_speakers=3', 'max_speakers=2', 'min_speakers=8']],
    ['by length', ['min_duration=300', 'max_duration=30', 'min_duration=100000']],
    ['by moment', ['moment=objection', 'moment=cta_accepted', 'moment=topic_shift']],
    ['by sentiment', ['sentiment=positive', 'sentiment=negative']],
    ['by label', ['label=a', 'label=none']],
    ['search: one word', ['water', 'meeting', 'doctor', 'firewood', 'yes', 'the'].map((q) => `q=${q}`)],
    ['search: several', ['water food', 'good morning', 'i think that', 'project meeting budget'].map(asQuery)],
    ['search: a phrase', ['"thank you"', '"of course"', '"remote control"'].map(asQuery)],
    ['search: a beginning', ['wat*', 'interest*', 's*'].map(asQuery)],
    ['search: nothing', ['zyzzyva', 'xylophone quagmire'].map(asQuery)],
    ['search and filters', [`${asQuery('water')}&moment=objection`, `${asQuery('time')}&min_speakers=3`]],
  ];
}
const asQuery = (q: string): string => `q=${encodeURIComponent(q)}`;

async function timings(client: Client, entries: readonly ConversationEntry[]): Promise<Table> {
  const cursors: string[] = [];
  for (let at = await client.list('limit=50'); at.next_cursor !== null; ) {
    cursors.push(at.next_cursor);
    at = await client.list(`limit=50&cursor=${at.next_cursor}`);
  }
  const rows: Table['rows'] = [];
  const measure = async (name: string, paths: string[], most: number | null): Promise<void> => {
    for (const path of paths) await client.ask('GET', path);
    const took: number[] = [];
    for (let n = 0; n < TIMES; n++) {
      const begin = performance.now();
      await client.ask('GET', paths[n % paths.length]!);
      took.push(performance.now() - begin);
    }
    took.sort((a, b) => a - b);
    const p95 = quantile(took, 0.95);
    const isKept = most === null ? null : p95 < most ? 'yes' : 'NO';
    rows.push([name, quantile(took, 0.5), p95, took.at(-1)!, isKept].map((v) => (typeof v === 'number' ? ms(v) : v)));
  };
  await measure('(GET /health)', ['/health'], null);
  for (const [name, queries] of kinds(entries, cursors))
    await measure(
      name,
      queries.map((query) => `/conversations?${query}`),
      MOST_P95_MS,
    );
  return {
    title: `Lists, filters and searches of ${entries.length} conversations, ${TIMES} requests each`,
    columns: ['request', 'p50, ms', 'p95, ms', 'longest, ms', `p95 < ${MOST_P95_MS} ms`],
    rows,
    note: 'As a client on the same machine sees them, one after the other, through wrangler dev; /health is what that costs alone.',
  };
}
const ms = (value: number): number => Math.round(value * 10) / 10;

/** Pages through everything while conversations are written, changed and removed. */
async function paging(
  client: Client,
  all: readonly SpokenDialogue[],
  before: readonly ConversationEntry[],
): Promise<Table> {
  const changes = { written: 0, changed: 0, removed: 0 };
  const removed = new Set<string>();
  let isOver = false;
  const write = async (): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const old = before[(n * 37) % before.length]!.conversation_id;
      if (n % 3 === 0) {
        await client.send(all[n % all.length]!);
        changes.written++;
      } else if (n % 3 === 1 && !removed.has(old)) {
        await client.ask('PATCH', `/conversations/${old}`, { title: `Changed ${n}`, labels: ['a'] });
        changes.changed++;
      } else if (!removed.has(old)) {
        removed.add(old);
        await client.ask('DELETE', `/conversations/${old}`);
        changes.removed++;
      }
    }
  };
  const writing = write();
  const seen: string[] = [];
  let passes = 0;
  let doubled = 0;
  let missing = 0;
  while (passes < 3 || changes.removed < 10) {
    const gone = new Set(removed);
    seen.length = 0;
    for await (const page of client.pages('limit=20')) seen.push(...page.map((entry) => entry.conversation_id));
    doubled += seen.length - new Set(seen).size;
    const there = new Set(seen);
    missing += before.filter(({ conversation_id: id }) => !gone.has(id) && !removed.has(id) && !there.has(id)).length;
    passes++;
  }
  isOver = true;
  await writing;
  const { written, changed } = changes;
  return {
    title: 'Paging through all, 20 a page, while others are written',
    columns: ['passes', 'written', 'changed', 'removed', 'doubled', 'missing'],
    rows: [[passes, written, changed, changes.removed, doubled, missing]],
  };
}

const QUERIES = [
  '',
  'q=water',
  'q=thank',
  'moment=objection',
  'label=a',
  'sentiment=negative',
  'min_speakers=3',
  'q=changed',
];

/** Deletes the tenants' objects and rebuilds the catalogue from the bucket. */
async function rebuilding(client: Client, worker: RestartableProcess, folder: string): Promise<Table> {
  const found = () => Promise.all(QUERIES.map(async (query) => client.all(`limit=100&${query}`)));
  const before = await found();
  await worker.kill();
  const objects = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /Tenant.*\.sqlite/.test(path),
  );
  if (objects.length === 0) throw new Error('There is no object to lose');
  for (const path of objects) rmSync(join(folder, path));
  await worker.start();
  const lost = await client.all('limit=100');
  const begin = performance.now();
  let calls = 0;
  for (let cursor: string | null = ''; cursor !== null; calls++) {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const path: string = `/tenants/${TENANT}/reindex?cursor=${cursor}`;
    cursor = (JSON.parse(await client.ask('POST', path, undefined, headers)) as { next_cursor: string | null })
      .next_cursor;
  }
  const took = performance.now() - begin;
  const after = await found();
  const rows = QUERIES.map((query, i) => {
    const [was, is] = [before[i]!, after[i]!];
    return [
      query === '' ? '(all)' : query,
      was.length,
      is.length,
      JSON.stringify(was) === JSON.stringify(is) ? 'yes' : 'NO',
    ];
  });
  return {
    title: 'The catalogue made anew of the bucket, its object lost',
    columns: ['query', 'found before', 'after', 'equal, byte for byte'],
    rows,
    note: `${lost.length} were found when it was lost; ${calls} calls, ${(took / 1000).toFixed(1)} s.`,
  };
}

const all = talks(CONVERSATIONS);
const teller = await startTeller(new Map(all.map((talk) => [talk.id, talk])));
const folder = mkdtempSync(join(tmpdir(), 'undertone-catalogue-'));
const port = await freePort();
const worker = workerProcess(port, folder, {
  RUNTIME_URL: teller.url,
  API_KEYS: `${TENANT}:${KEY}`,
  ADMIN_TOKEN,
  KEY_PEPPER: 'catalogue-bench-pepper-0123456789',
  MAX_AUDIO_MINUTES_PER_DAY_PER_KEY: '1000000',
  MAX_AUDIO_MINUTES_PER_DAY_PER_TENANT: '1000000',
});
try {
  await worker.start();
  const client = new Client(`http://127.0.0.1:${port}`);
  await sendAll(client, all);
  const entries = await client.all('limit=100');
  if (entries.length !== all.length) throw new Error(`${entries.length} of ${all.length} are listed`);
  for (const [i, { conversation_id: id }] of entries.entries())
    if (i % 20 === 0) await client.ask('PATCH', `/conversations/${id}`, { labels: ['a'] });
  const tables = [await timings(client, entries), await ruleTrials((path, body) => client.ask('POST', path, body))];
  say('paging while others are written');
  tables.push(await paging(client, all, entries));
  say('the catalogue made anew');
  tables.push(await rebuilding(client, worker, folder));
  report('catalogue', tables);
} finally {
  await worker.kill();
  teller.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
