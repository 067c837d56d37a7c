import { parseArgs } from 'node:util';
import { evalPath } from '../scripts/eval-data.ts';
import { casino } from '../scripts/train/dialogue-corpus.ts';
import { AnalysisOptionsSchema } from '../src/contract/options.ts';
import type { AnalysisResponse } from '../src/sdk/wire.ts';
import { type Indexable, type Indexed, indexOf } from '../src/worker/results/card.ts';
import { editedBy } from '../src/worker/results/edits/edited.ts';
import { begunRecord, type StoredRecord } from '../src/worker/results/record.ts';
import { MADE } from '../support/made-conversations.ts';
import { converted } from '../support/recordings.ts';
import { dialogues, documentsOf, type SpokenDialogue, timelineOf } from '../support/results.ts';
import { form, KEY, startService, type TestService } from '../support/service-under-test.ts';
import { EXTENDED } from '../support/worker.ts';
import { reactions } from './reactions.ts';
import { report, say, type Table } from './report.ts';
import { ruleTrials } from './rule-trials.ts';

// Moments, lines and trends over many conversations: how long the requests of a page of patterns take in the Worker. The
// texts are real negotiations (CaSiNo) and written dialogues, each several times; their results are those of the real
// code, and their indexes are stored in the tenant's object without the results. Days, labels and people are made. The page
// itself is then used in Chromium, where pieces of a few conversations have a stored recording and are played.

const { values } = parseArgs({
  strict: false,
  options: {
    conversations: { type: 'string', default: '10000' },
    times: { type: 'string', default: '60' },
    rules: { type: 'boolean', default: false },
  },
});
const CONVERSATIONS = Number(values.conversations);
/** Number of requests of each kind. */
const TIMES = Number(values.times);
const [MOST_PAGE_MS, MOST_SHELF_MS] = [150, 60];
const BATCH = 50;
/** How often the page is tried at most: each action takes about a second. */
const MOST_REACTIONS = 20;
/** Conversations with a recording, and its length, s. */
const [RECORDED, RECORDED_S] = [14, 150];
/** Their age. They are far down the shelf, so that the reactions are those of pieces that do not play. */
const RECORDED_AGE_DAYS = 35;
const RECORDED_LABEL = 'recorded';
const WEEKS = 52;
const END = Date.parse('2026-11-23T00:00:00Z');
const WEEK_MS = 7 * 86_400_000;
const DISTINCT = 1_000;
const PEOPLE = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [`person_${n}`, { name: `Person ${n}`, role: 'agent' }]),
);

interface Objects {
  TENANT: {
    get(id: unknown): { store(conversations: { record: StoredRecord; indexed: Indexed }[]): Promise<void> };
    idFromName(name: string): unknown;
  };
}

/** Real negotiations, and as many written dialogues as are still needed. */
function texts(): SpokenDialogue[] {
  evalPath('conversations/casino/train.json');
  const negotiations = casino().map(({ id, turns, speakers }): SpokenDialogue => {
    const order = [...new Set(speakers)];
    return { id, turns: turns.map((text, i) => ({ speaker: `Speaker_${order.indexOf(speakers[i]!)}`, text })) };
  });
  return [...negotiations, ...dialogues()].slice(0, DISTINCT);
}

/** The results of the texts, with the placeholder `ID` in place of their ids. */
function results(): string[] {
  const all = texts().map((talk) => documentsOf('ID', timelineOf('ID', talk)).get('result.json')!);
  say(`${all.length} results`);
  return all;
}

/** The n-th conversation, and when its recording began. */
function conversation(n: number, result: string): { record: StoredRecord; indexed: Indexed } {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const began = END - Math.floor(((n * 0.618_034) % 1) * WEEKS * WEEK_MS);
  const indexable = JSON.parse(result.replaceAll('ID_', `${id}_`)) as Indexable;
  const options = AnalysisOptionsSchema.parse({ recorded_at: new Date(began).toISOString() });
  const about = {
    id,
    mode: 'batch',
    key: KEY,
    requestId: 'r',
    filename: `Call ${n}.wav`,
    suffix: '.wav',
    options,
  } as const;
  const edits = [{ labels: [`label ${n % 7}`], people: { Speaker_0: `person_${n % 20}` } }];
  const record: StoredRecord = { ...begunRecord(about, began + n), status: 'completed', edits, people: PEOPLE };
  const named: Indexable = { ...indexable, options: { recorded_at: options.recorded_at } };
  return { record, indexed: indexOf(named, editedBy(edits, PEOPLE)) };
}

const day = (weeksAgo: number): string => new Date(END - weeksAgo * WEEK_MS).toISOString().slice(0, 10);
const PERIOD = `from=${day(8)}`;
const q = (words: string): string => `q=${encodeURIComponent(words)}`;
/** The requests of a page, by kind. */
const PAGE: [string, string[]][] = [
  [
    'trends: moments by week and category, 8 weeks, marks',
    [`/trends?measure=moments.count&by=week,category&marks=true&tz=Europe/Berlin&${PERIOD}`],
  ],
  ['trends: moments by week and category, a year', ['/trends?measure=moments.count&by=week,category&tz=Europe/Berlin']],
  ['trends: objections by week, a year, marks', ['/trends?measure=moments.count&category=objection&marks=true']],
  ['trends: what followed offers, a year', ['/trends?measure=moments.count&category=cta_offered&by=outcome']],
  ['trends: tone by week, 8 weeks', [`/trends?measure=tone&${PERIOD}`]],
  ['trends: tone by week, a year', ['/trends?measure=tone']],
  ['trends: a person, by week', [4, 9].map((n) => `/trends?measure=talk_share&by=week&speaker=person_${n}`)],
  ['trends: pace by person and week, 8 weeks', [`/trends?measure=pace&by=person,week&${PERIOD}`]],
  ['trends: with words, by label', ['water', 'food'].map((word) => `/trends?measure=duration&by=label&${q(word)}`)],
];
const SHELF: [string, string[]][] = [
  ['moments: all', ['/moments']],
  ['moments: objections', ['/moments?category=objection', `/moments?category=objection&${PERIOD}`]],
  ['moments: by outcome', ['/moments?category=cta_offered&outcome=nothing', '/moments?outcome=cta_accepted']],
  ['moments: with a person, by a role', ['/moments?person=person_3', '/moments?role=agent&category=objection']],
  ['moments: with words and a label', [`/moments?${q('water')}&label=label%203`]],
  ['lines: one word', ['water', 'firewood', 'the', 'zyzzyva'].map((word) => `/lines?${q(word)}`)],
  ['lines: several, a phrase, a beginning', ['water food', '"thank you"', 'wat*'].map((words) => `/lines?${q(words)}`)],
  ['lines: by a person', [`/lines?${q('water')}&speaker=person_5`, `/lines?${q('need')}&role=agent&${PERIOD}`]],
];

const service = await startService({}, '', EXTENDED);
try {
  const begun = await service.post('/analyze', form('first.wav', 'a recording'));
  const [tenant = ''] = ((await begun.json()) as { artifact_dir: string }).artifact_dir.split('/');
  const { TENANT } = await service.harness.getWorker<Objects>().getEnv();
  const object = TENANT.get(TENANT.idFromName(tenant));
  const made = results();
  for (let n = 0; n < CONVERSATIONS; n += BATCH) {
    const size = Math.min(BATCH, CONVERSATIONS - n);
    await object.store(Array.from({ length: size }, (_, i) => conversation(n + i, made[(n + i) % made.length]!)));
    if (n % 1000 === 0) say(`${n} conversations`);
  }
  const ask = async (path: string, body?: object): Promise<string> => {
    const headers = { 'X-API-Key': KEY, ...(body && { 'Content-Type': 'application/json' }) };
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const answer = await fetch(new URL(path, service.url), { headers, ...init });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  };
  if (values.rules) report('patterns', [await ruleTrials(ask)]);
  else {
    await storeRecorded(service);
    report('patterns', await pages(ask, service.url.origin));
  }
} finally {
  await service.stop();
}

/** Stores conversations with a recording: a short call, repeated, as MP3 of 64 kbit/s. */
async function storeRecorded({ url, pipeline, post }: TestService): Promise<void> {
  const repeated = ['-af', 'aloop=loop=-1:size=2e9', '-t', String(RECORDED_S), '-b:a', '64k', '-f', 'mp3'];
  const recording = new Uint8Array(converted('call-stereo.wav', repeated));
  pipeline.answer = MADE['two-people']!.answer;
  for (let n = 0; n < RECORDED; n++) {
    const recorded_at = new Date(Date.now() - (RECORDED_AGE_DAYS + n) * 86_400_000).toISOString();
    const analysed = await post('/analyze', form(`recorded ${n}.mp3`, recording, { recorded_at }));
    if (!analysed.ok) throw new Error(await analysed.text());
    const { conversation_id: id } = (await analysed.json()) as AnalysisResponse;
    const patched = await fetch(new URL(`/conversations/${id}`, url), {
      method: 'PATCH',
      headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ labels: [RECORDED_LABEL] }),
    });
    if (!patched.ok) throw new Error(await patched.text());
  }
}

/** The requests of Patterns and of the shelf, and the page in Chromium. */
async function pages(ask: (path: string) => Promise<string>, origin: string): Promise<Table[]> {
  // Nothing of the tenant is in memory before the first request.
  const [first, again] = [await took(ask, PAGE[1]![1][0]!), await took(ask, PAGE[1]![1][0]!)];
  const { totals } = JSON.parse(await ask('/moments')) as { totals: { count: number; unsure: number } };
  const note = `${totals.count} moments, ${totals.unsure} of them unsure. As a client on the same machine sees them, one request after the other. The first request of all (a year by week and category) takes ${ms(first)} ms, the second ${ms(again)} ms; GET /health takes ${ms((await timed(ask, ['/health']))[0]!)} ms.`;
  return [
    { ...(await timings(ask, 'Requests of a page of patterns', PAGE, MOST_PAGE_MS)), note },
    await timings(ask, 'Requests of the shelf', SHELF, MOST_SHELF_MS),
    await reactions(origin, KEY, Math.min(TIMES, MOST_REACTIONS), RECORDED_LABEL),
  ];
}

/** Sorted times of the requests, in turn, ms. */
async function timed(ask: (path: string) => Promise<string>, paths: readonly string[]): Promise<number[]> {
  for (const path of paths) await ask(path);
  const all: number[] = [];
  for (let n = 0; n < TIMES; n++) all.push(await took(ask, paths[n % paths.length]!));
  return all.sort((a, b) => a - b);
}

async function took(ask: (path: string) => Promise<string>, path: string): Promise<number> {
  const begin = performance.now();
  await ask(path);
  return performance.now() - begin;
}

async function timings(
  ask: (path: string) => Promise<string>,
  title: string,
  kinds: readonly [string, string[]][],
  most: number,
): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const [name, paths] of kinds) {
    const times = await timed(ask, paths);
    const p95 = times[Math.floor(0.95 * times.length)]!;
    const bytes = Math.max(...(await Promise.all(paths.map(async (path) => (await ask(path)).length))));
    rows.push([name, ms(times[times.length >> 1]!), ms(p95), ms(times.at(-1)!), bytes, p95 <= most ? 'yes' : 'NO']);
  }
  return {
    title: `${title} over ${CONVERSATIONS} conversations, ${TIMES} each`,
    columns: ['request', 'p50, ms', 'p95, ms', 'longest, ms', 'bytes', `p95 <= ${most} ms`],
    rows,
  };
}

function ms(value: number): number {
  return Math.round(value * 10) / 10;
}
