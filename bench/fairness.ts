import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type FileEcho, startFileEcho } from './echo-files.ts';
import { freePort, type RestartableProcess, workerProcess } from './processes.ts';
import { report, say, type Table } from './report.ts';

// Whether one tenant's flood delays another tenant's file. The real Worker runs under `wrangler dev` with real uploads,
// jobs and queue. A stand-in for the pipeline recognises nothing and works on each file for a time proportional to its
// bytes, on one machine that all files share.

const { values } = parseArgs({
  strict: false,
  options: { files: { type: 'string', default: '200' }, seconds: { type: 'string', default: '2' } },
});
/** Number of files in the flood, and how long one of them takes alone. */
const FILES = Number(values.files);
const ALONE_MS = Number(values.seconds) * 1000;
/** One minute of 16 kHz PCM. The cost of a file depends on its bytes. */
const FILE_BYTES = 60 * 32_000;
const TENANTS = ['one', 'two', 'three', 'four', 'five'];
const MOST_WAIT = 1.5;
const LEAST_JAIN = 0.9;
const POLL_MS = 20;
/** Concurrent uploads of a client. A key may have ten. */
const UPLOADS_AT_ONCE = 4;

const keyOf = (tenant: string): string => `fairness-${tenant}`;

interface Service {
  url: string;
  echo: FileEcho;
  worker: RestartableProcess;
  folder: string;
}

async function startService(): Promise<Service> {
  const echo = await startFileEcho({ aloneMs: (bytes) => (bytes / FILE_BYTES) * ALONE_MS });
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'undertone-fairness-'))];
  const keys = TENANTS.map((tenant) => `tenant-${tenant}:${keyOf(tenant)}`).join(' ');
  const worker = workerProcess(port, folder, { RUNTIME_URL: echo.url, API_KEYS: keys });
  await worker.start();
  return { url: `http://127.0.0.1:${port}`, echo, worker, folder };
}

/** Queues a file. @returns its conversation id */
async function queue({ url }: Service, tenant: string, bytes = FILE_BYTES): Promise<string> {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(bytes)], 'call.wav'));
  const headers = { 'X-API-Key': keyOf(tenant), Prefer: 'respond-async' };
  const response = await fetch(`${url}/analyze`, { method: 'POST', headers, body: form });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { conversation_id: string }).conversation_id;
}

async function queueMany(service: Service, tenant: string, count: number): Promise<void> {
  let left = count;
  const sender = async (): Promise<void> => {
    while (left-- > 0) await queue(service, tenant);
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, sender));
}

/** @returns the time from the request to the stored result, ms */
async function timed(service: Service, tenant: string): Promise<number> {
  const begin = performance.now();
  const id = await queue(service, tenant);
  for (;;) {
    const headers = { 'X-API-Key': keyOf(tenant) };
    const response = await fetch(`${service.url}/conversations/${id}`, { headers });
    const body = (await response.json()) as { status?: string };
    if (response.ok && !['queued', 'running'].includes(body.status ?? '')) return performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const seconds = (ms: number): number => Math.round(ms / 10) / 100;

/** One tenant queues a flood. Meanwhile another tenant sends a file, three times in a row. */
async function flood(service: Service): Promise<Table> {
  say('the other file alone');
  const alone = median([await timed(service, 'two'), await timed(service, 'two'), await timed(service, 'two')]);
  say(`${FILES} files of one tenant`);
  const flooded = queueMany(service, 'one', FILES);
  while (service.echo.asked.length < 10) await new Promise((resolve) => setTimeout(resolve, 100));
  const rows: Table['rows'] = [];
  for (const name of ['first', 'second', 'third']) {
    if (name === 'third') await flooded;
    const took = await timed(service, 'two');
    const running = median(finished(service).map(({ startedAt, endedAt }) => endedAt - startedAt));
    const most = MOST_WAIT * alone + running;
    const waiting = FILES + 6 - service.echo.asked.length;
    rows.push([
      name,
      waiting,
      seconds(alone),
      seconds(running),
      seconds(took),
      seconds(most),
      took <= most ? 'yes' : 'NO',
    ]);
  }
  return {
    title: `One tenant queues ${FILES} files, another sends one`,
    columns: ['file', 'about waiting', 'alone, s', 'a running file, s', 'took, s', 'at most, s', 'holds'],
    rows,
    note: `At most 1.5 x the time alone + one running file. A file takes ${ALONE_MS / 1000} s of a machine that all running files share.`,
  };
}

const finished = ({ echo }: Service) =>
  echo.asked.flatMap(({ startedAt, endedAt, bytes }) => (endedAt === undefined ? [] : [{ startedAt, endedAt, bytes }]));

/** Jain's index of the shares. It is 1 when all are equal, and 1/n when one has everything. */
const jain = (given: number[]): number =>
  given.reduce((sum, x) => sum + x) ** 2 / (given.length * given.reduce((sum, x) => sum + x * x, 0));

/**
 * Five tenants with different numbers of files of different lengths, and the share of each while all of them had files
 * waiting.
 */
async function shares(service: Service): Promise<Table> {
  say('five tenants');
  const lengths = [0.25, 0.5, 1, 1.5, 2];
  const owners = new Map<string, number>();
  const begun = service.echo.asked.length;
  // Each has the same amount of work waiting, in many short files or a few long ones.
  const work = 12;
  const order = TENANTS.flatMap((tenant, i) =>
    Array.from({ length: Math.round(work / lengths[i]!) }, () => ({ tenant, i })),
  );
  await Promise.all(
    TENANTS.map(async (_, i) => {
      for (const { tenant } of order.filter((entry) => entry.i === i))
        owners.set(await queue(service, tenant, lengths[i]! * FILE_BYTES), i);
    }),
  );
  const ofEach = (at: number): number[] => {
    const given = TENANTS.map(() => 0);
    for (const { conversationId, bytes, startedAt } of service.echo.asked.slice(begun))
      if (startedAt <= at) given[owners.get(conversationId)!]! += bytes / FILE_BYTES;
    return given;
  };
  const isDone = (): boolean => ofEach(performance.now()).some((given) => given >= work);
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 200));
  const given = ofEach(performance.now());
  const index = jain(given);
  return {
    title: 'Five tenants, each with the same work waiting, in files of different lengths',
    columns: ['tenant', 'length of a file', 'given, lengths of one'],
    rows: [
      ...TENANTS.map((tenant, i) => [tenant, lengths[i]!, given[i]!]),
      ["Jain's index", null, index],
      [`at least ${LEAST_JAIN}`, null, index >= LEAST_JAIN ? 'yes' : 'NO'],
    ],
    note: 'Up to when the first of them had all its files begun.',
  };
}

const service = await startService();
try {
  const tables = [await flood(service)];
  // Waits for the rest of the flood, because its tenant would otherwise keep its share of the next measurement.
  while (finished(service).length < service.echo.asked.length || service.echo.asked.length < FILES + 6)
    await new Promise((resolve) => setTimeout(resolve, 500));
  tables.push(await shares(service));
  report('fairness', tables);
} finally {
  await service.worker.kill();
  await service.echo.close();
  rmSync(service.folder, { recursive: true, force: true });
}
process.exit(0);
