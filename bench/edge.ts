/**
 * Cost of the edge: the Worker's bundle, its start-up, the first call of /segment/conversation in an isolate, and a
 * batch of 5,000 utterances through workerd, with CPU time per utterance and growth of memory. From this process, a
 * stand-in sends the pipeline's lines, which the real code made.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTestHarness } from 'wrangler';
import { AnalysisOutput } from '../containers/pipeline/analysis-output.ts';
import { optionsAndMedia } from '../containers/pipeline/request-body.ts';
import { buildDashboard } from '../scripts/start/dashboard.ts';
import { ndjsonLine } from '../src/contract/ndjson.ts';
import { echoEntry } from '../support/echo-pipeline.ts';
import { PIPELINE_HEADERS } from '../support/pipeline-server.ts';
import '../support/quiet-runtime.ts';
import { report, say } from './report.ts';
import { talkOf } from './segment-bodies.ts';
import { cpuMs, residentMb, TICK_MS, workerdPids, workerMs } from './workerd.ts';

const ROOT = join(import.meta.dirname, '..');

// The Worker does not start without its pages.
await buildDashboard();
const KEY = 'edge-key';
const UTTERANCES = 5000;
/** Measured at the commit before the conclusions moved into the container (f9bd04b). */
const BEFORE = { gzipKb: 3045, startMs: 83, growthMb: 136, cpuMs: 14 };
const BARS = { gzipKb: 1000, startMs: 40, firstCallMs: 250, growthMb: 25, cpuMs: 1 };
/**
 * Number of starts and first calls. Their median is reported, because other work on the machine slows down single ones.
 */
const STARTS = 5;
/**
 * Conversations of a few minutes, enough for the memory to level off, so that any further growth comes from the long
 * one.
 */
const SHORT_UTTERANCES = 60;
const SHORT_CONVERSATIONS = 60;

const wrangler = (...args: string[]): void => {
  execFileSync(process.execPath, ['node_modules/wrangler/bin/wrangler.js', ...args], { cwd: ROOT, stdio: 'ignore' });
};

const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Size of a deployment, compressed, KiB. */
function bundleKb(): number {
  const folder = mkdtempSync(join(tmpdir(), 'undertone-edge-'));
  try {
    wrangler('deploy', '--dry-run', '--containers-rollout=none', '--outdir', folder);
    const sent = readdirSync(folder).filter((name) => !/\.map$|\.md$/.test(name));
    return sent.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0) / 1024;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * CPU time until the Worker's modules are evaluated, ms. It is the part of the profile of `wrangler check startup` that
 * is not idle.
 */
function startMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'undertone-edge-'));
  const outfile = join(folder, 'startup.cpuprofile');
  try {
    wrangler('check', 'startup', '--args=--containers-rollout=none', '--outfile', outfile);
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(outfile, 'utf8')) as CpuProfile;
    const idle = new Set(nodes.flatMap(({ id, callFrame }) => (callFrame.functionName === '(idle)' ? [id] : [])));
    return samples.reduce((sum, id, i) => sum + (idle.has(id) ? 0 : timeDeltas[i]!), 0) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  /** Microseconds. */
  timeDeltas: number[];
}

const harnessOf = (vars: Record<string, string>) =>
  createTestHarness({
    workers: [{ configPath: new URL('../wrangler.toml', import.meta.url), vars: { API_KEYS: KEY, ...vars } }],
  });

/**
 * POST /segment/conversation in a workerd that has just started: the Worker's own CPU time, and the time from request
 * to answer, ms.
 */
async function firstCall(utterances: number): Promise<{ cpu: number; wall: number }> {
  const harness = harnessOf({});
  try {
    const { url } = await harness.listen();
    const pids = workerdPids();
    const body = JSON.stringify({ timeline: talkOf(utterances) });
    const cpu = workerMs(pids);
    const began = performance.now();
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': KEY };
    const answer = await fetch(new URL('/segment/conversation', url), { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    return { cpu: workerMs(pids) - cpu, wall: performance.now() - began };
  } finally {
    await harness.close();
  }
}

/** Sentences of a call, repeated. Each utterance is as large as a real one with its words. */
function entry(conversationId: string, n: number) {
  const text = `We talked about number ${n} of the plan, and the price of it is what we still have to agree on.`;
  const words = text
    .split(' ')
    .map((word, i) => ({ word, t_start: n + i / 30, t_end: n + (i + 1) / 30, confidence: 0.9 }));
  return { ...echoEntry(conversationId, n, text), words };
}

const pipeline = createServer(async (request, response) => {
  response.setHeaders(new Headers(PIPELINE_HEADERS));
  const { options, media } = await optionsAndMedia(request);
  for await (const _ of media);
  const telling = new AnalysisOutput({ ...options, live: false });
  const write = async (bytes: string | Buffer) => {
    if (!response.write(bytes)) await new Promise((resolve) => response.once('drain', resolve));
  };
  for (const line of telling.open()) await write(ndjsonLine(line));
  const utterances = Number(options.goal);
  for (let n = 0; n < utterances; n++) {
    const told = telling.take({ type: 'utterance', entry: entry(options.conversation_id, n), latency_ms: 1 });
    for (const line of told) await write(ndjsonLine(line));
  }
  const last = telling.take({
    type: 'end',
    utterances,
    media: { duration_s: utterances, channels: 1, speaker_per_channel: false },
    speakers: { count: 2, confidence: 1, source: 'estimated' },
    warnings: [],
  });
  for (const line of last) await write(ndjsonLine(line));
  for (const { parts } of telling.documents ?? []) for (const { bytes } of parts) await write(bytes);
  response.end();
});
await new Promise<void>((resolve) => pipeline.listen(0, '127.0.0.1', resolve));
const { port } = pipeline.address() as AddressInfo;
const starts: number[] = [];
const calls: { cpu: number; wall: number }[] = [];
for (let start = 0; start < STARTS; start++) {
  starts.push(startMs());
  calls.push(await firstCall(UTTERANCES));
  say(`start ${start + 1}: ${starts[start]!.toFixed(0)} ms, first call ${calls[start]!.cpu.toFixed(0)} ms`);
}
const harness = harnessOf({ RUNTIME_URL: `http://127.0.0.1:${port}` });
try {
  const { url } = await harness.listen();
  const ask = async (path: string, utterances: number): Promise<number> => {
    const body = new FormData();
    body.set('goal', String(utterances));
    body.set('file', new File(['media'], 'call.wav'));
    const answer = await fetch(new URL(path, url), { method: 'POST', headers: { 'X-API-Key': KEY }, body });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    let bytes = 0;
    for await (const chunk of answer.body!) bytes += chunk.length;
    return bytes;
  };
  const rows: (string | number)[][] = [];
  const pids = workerdPids();
  for (const path of ['/analyze', '/analyze/stream']) {
    for (let n = 0; n < SHORT_CONVERSATIONS; n++) await ask(path, SHORT_UTTERANCES);
    const [cpu, resident] = [cpuMs(pids), residentMb(pids, 'VmRSS')];
    let most = resident;
    const watch = setInterval(() => {
      most = Math.max(most, residentMb(pids, 'VmRSS'));
    }, 50);
    const bytes = await ask(path, UTTERANCES);
    clearInterval(watch);
    rows.push([path, bytes / 1024 / 1024, (cpuMs(pids) - cpu) / UTTERANCES, most - resident]);
    say(`${path} done`);
  }
  report('edge', [
    {
      title: 'The Worker, bundled',
      columns: ['', 'KiB gzip'],
      rows: [
        ['now', bundleKb()],
        ['before', BEFORE.gzipKb],
        ['bar', BARS.gzipKb],
      ],
    },
    {
      title: 'The first thing in a fresh isolate',
      columns: ['', 'middle ms', 'least ms', 'before', 'bar'],
      rows: [
        ['CPU of start-up (wrangler check startup)', middle(starts), Math.min(...starts), BEFORE.startMs, BARS.startMs],
        [
          `/segment of ${UTTERANCES} utterances, CPU of the Worker`,
          middle(calls.map(({ cpu }) => cpu)),
          Math.min(...calls.map(({ cpu }) => cpu)),
          null,
          BARS.firstCallMs,
        ],
        [
          'the same, request to answer',
          middle(calls.map(({ wall }) => wall)),
          Math.min(...calls.map(({ wall }) => wall)),
          null,
          null,
        ],
      ],
      note: `${STARTS} times each. Start-up: what is not idle in the profile.`,
    },
    {
      title: `${UTTERANCES} utterances through workerd`,
      columns: ['call', 'answer MB', 'CPU ms an utterance', 'growth MB'],
      rows: [...rows, ['before', '', BEFORE.cpuMs, BEFORE.growthMb], ['bar', '', BARS.cpuMs, BARS.growthMb]],
      note: `After ${SHORT_CONVERSATIONS} conversations of ${SHORT_UTTERANCES} utterances; CPU of all workerd processes, the proxy of wrangler dev among them, ticks of ${TICK_MS} ms.`,
    },
  ]);
} finally {
  await harness.close();
  pipeline.closeAllConnections();
  pipeline.close();
}
