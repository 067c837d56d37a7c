import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ChunkProgress, Undertone } from '../src/sdk/index.ts';
import { startEchoPipeline } from '../support/echo-pipeline.ts';
import { paced } from '../support/recording-chunks.ts';
import { answers, freePort, workerProcess } from './processes.ts';
import { report, say } from './report.ts';

// Live capture without recognition: many concurrent sessions, with their chunk POSTs timed and compared with a bare
// route that stores the same bytes, and the memory of workerd during the run.

const ROOT = join(import.meta.dirname, '..');
const KEY = 'load-bench-key';
const CHUNK_BYTES = 65_536;
/** Bytes per second of 16-bit mono PCM at 16 kHz. */
const BYTES_PER_SECOND = 32_000;
const CHUNKS_PER_SESSION = 30;

const { values } = parseArgs({
  strict: false,
  options: { sessions: { type: 'string', default: '200' }, minutes: { type: 'string', default: '2' } },
});
const SESSIONS = Number(values.sessions);
const MINUTES = Number(values.minutes);

interface Run {
  /** Duration of each acknowledged POST, ms. */
  waits: number[];
  /** Resident bytes of all workerd processes, sampled every 5 s. */
  memory: number[];
  sessions: number;
  faults: string[];
}

const folder = mkdtempSync(join(tmpdir(), 'undertone-load-'));
/** Every chunk differs, so that an echo shows which bytes arrived. */
const chunkOf = (session: number, seq: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(CHUNK_BYTES).fill(session % 251);
  new DataView(bytes.buffer).setUint32(0, seq);
  return bytes;
};

/** Resident bytes of the workerd processes below a process. */
function residentBytes(pid: number): number {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' }).trim().split('\n');
  const processes = rows.map((row) => row.trim().split(/\s+/));
  const children = (parent: string): string[][] =>
    processes.filter(([, ppid]) => ppid === parent).flatMap((row) => [row, ...children(row[0]!)]);
  const mine = children(String(pid)).filter((row) => row[3]?.startsWith('workerd'));
  return mine.reduce((sum, row) => sum + Number(row[2]) * 1024, 0);
}

/** Runs one sender after another in each slot, each in real time, until the time is up. */
async function load(pid: number, until: number, send: (place: number, run: Run) => Promise<void>): Promise<Run> {
  const run: Run = { waits: [], memory: [], sessions: 0, faults: [] };
  const sampler = setInterval(() => run.memory.push(residentBytes(pid)), 5_000);
  await Promise.all(
    Array.from({ length: SESSIONS }, async (_, place) => {
      // Real clients are not in step.
      await new Promise((resolve) => setTimeout(resolve, (place / SESSIONS) * (CHUNK_BYTES / BYTES_PER_SECOND) * 1000));
      while (performance.now() < until) {
        await send(place, run).catch((cause: unknown) => run.faults.push(String(cause)));
        run.sessions++;
      }
    }),
  );
  clearInterval(sampler);
  return run;
}

async function liveSession(url: string, place: number, run: Run): Promise<void> {
  const onProgress = ({ latency_ms }: ChunkProgress) => run.waits.push(latency_ms);
  const capture = await new Undertone({ url, key: KEY }).live.start({ suffix: '.pcm', onProgress });
  const finals: string[] = [];
  const reading = (async () => {
    for await (const { event, data } of capture)
      if (event === 'final_transcript') finals.push(data.text.split(' is ')[0] ?? '');
  })();
  const all = new Uint8Array(CHUNKS_PER_SESSION);
  let seq = 0;
  for await (const _ of paced(all, 1, BYTES_PER_SECOND / CHUNK_BYTES)) {
    await capture.send(chunkOf(place, seq));
    await capture.flush();
    const { next_chunk_seq } = capture.position;
    if (next_chunk_seq !== ++seq) run.faults.push(`after chunk ${seq - 1} comes ${next_chunk_seq}`);
  }
  await capture.finalize();
  await reading;
  const expected = Array.from({ length: CHUNKS_PER_SESSION }, (_, n) => `chunk ${n}`).join();
  if (finals.join() !== expected) run.faults.push(`finals were ${finals.join()}`);
}

async function bareSession(url: string, place: number, run: Run): Promise<void> {
  const all = new Uint8Array(CHUNKS_PER_SESSION);
  let seq = 0;
  const id = crypto.randomUUID();
  for await (const _ of paced(all, 1, BYTES_PER_SECOND / CHUNK_BYTES)) {
    const begun = performance.now();
    const response = await fetch(`${url}/${id}/${seq}`, { method: 'POST', body: chunkOf(place, seq) });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(String(response.status));
    run.waits.push(performance.now() - begun);
    seq++;
  }
  await fetch(`${url}/${id}`, { method: 'DELETE' });
}

async function liveRun(): Promise<Run> {
  const echo = await startEchoPipeline();
  const port = await freePort();
  const vars = {
    RUNTIME_URL: echo.url,
    API_KEYS: KEY,
    MAX_SESSIONS_PER_KEY: String(2 * SESSIONS),
    LIVE_GRACE_SECONDS: '5',
  };
  const worker = workerProcess(port, join(folder, 'live'), vars);
  try {
    await worker.start();
    const url = `http://127.0.0.1:${port}`;
    return await load(worker.pid, performance.now() + MINUTES * 60_000, (place, run) => liveSession(url, place, run));
  } finally {
    await worker.kill();
    await echo.close();
  }
}

async function bareRun(): Promise<Run> {
  const config = join(ROOT, 'build/bench-load/wrangler.toml');
  mkdirSync(join(ROOT, 'build/bench-load'), { recursive: true });
  const toml = readFileSync(join(ROOT, 'bench/bare-worker.toml'), 'utf8');
  writeFileSync(config, toml.replace('bare-worker.ts', join(ROOT, 'bench/bare-worker.ts')));
  const port = await freePort();
  const worker = workerProcess(port, join(folder, 'bare'), {}, config);
  try {
    await worker.start();
    const url = `http://127.0.0.1:${port}`;
    await answers(`${url}/health`);
    const until = performance.now() + Math.min(MINUTES, 1) * 60_000;
    return await load(worker.pid, until, (place, run) => bareSession(url, place, run));
  } finally {
    await worker.kill();
  }
}

const quantile = (sorted: number[], share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
const megabytes = (samples: number[]): number | null =>
  samples.length === 0 ? null : samples.reduce((sum, bytes) => sum + bytes, 0) / samples.length / 2 ** 20;

const tenths = (samples: number[]): number[][] =>
  Array.from({ length: 10 }, (_, i) => samples.slice((i * samples.length) / 10, ((i + 1) * samples.length) / 10));

function row(name: string, { waits, memory, sessions, faults }: Run): (string | number | null)[] {
  const sorted = waits.toSorted((a, b) => a - b);
  const third = Math.ceil(memory.length / 3);
  return [
    name,
    sessions,
    waits.length,
    quantile(sorted, 0.5),
    quantile(sorted, 0.95),
    quantile(sorted, 0.99),
    megabytes(memory.slice(third, 2 * third)),
    megabytes(memory.slice(2 * third)),
    faults.length,
  ];
}

try {
  say(`bare route: ${SESSIONS} senders`);
  const bare = await bareRun();
  say(`live capture: ${SESSIONS} sessions at once for ${MINUTES} minutes`);
  const live = await liveRun();
  for (const fault of [...bare.faults, ...live.faults].slice(0, 5)) say(`fault: ${fault}`);
  report('load', [
    {
      title: `${SESSIONS} senders at real time, chunks of 64 kB, no recognition`,
      columns: ['route', 'sessions', 'chunks', 'p50 ms', 'p95 ms', 'p99 ms', 'MB 2nd third', 'MB last third', 'faults'],
      rows: [row('bare', bare), row('live', live)],
      note: 'bare: a Worker route that stores the same bytes in a Durable Object and answers. Memory: all workerd processes. The senders share the machine.',
    },
    {
      title: 'Memory of live capture over the run',
      columns: ['part of the run', 'MB'],
      rows: tenths(live.memory).map((samples, i) => [`${i + 1} of 10`, megabytes(samples)]),
    },
  ]);
  process.exitCode = live.faults.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
