/**
 * What the edge costs: the Worker's bundle, and a batch of 5,000 utterances carried through workerd - CPU an utterance and
 * growth of memory. A stand-in tells the pipeline's side of it, with the real telling, in this process.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTestHarness } from 'wrangler';
import { optionsAndMedia } from '../containers/pipeline/request-body.ts';
import { Telling } from '../containers/pipeline/telling.ts';
import { ndjsonLine } from '../src/contract/ndjson.ts';
import { echoEntry } from './echo-pipeline.ts';
import { SPOKEN } from './pipeline-server.ts';
import { report, say } from './report.ts';
import { cpuMs, residentMb, TICK_MS, workerdPids } from './workerd.ts';

const KEY = 'edge-key';
const UTTERANCES = 5000;
/** The commit before the container concluded (f9bd04b), by the reading in the design of the house. */
const BEFORE = { gzipKb: 3045, growthMb: 136, cpuMs: 14 };
/** What issue 18 asks for. */
const BARS = { gzipKb: 1000, growthMb: 25, cpuMs: 1 };

/** What a deployment sends, compressed, KiB. */
function bundleKb(): number {
  const folder = mkdtempSync(join(tmpdir(), 'undertone-edge-'));
  try {
    const args = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run', '--containers-rollout=none'];
    execFileSync(process.execPath, [...args, '--outdir', folder], { stdio: 'ignore' });
    const sent = readdirSync(folder).filter((name) => !/\.map$|\.md$/.test(name));
    return sent.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0) / 1024;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sentences of a call, over and over, each utterance as large as a real one with its words. */
function entry(conversationId: string, n: number) {
  const text = `We talked about number ${n} of the plan, and the price of it is what we still have to agree on.`;
  const words = text
    .split(' ')
    .map((word, i) => ({ word, t_start: n + i / 30, t_end: n + (i + 1) / 30, confidence: 0.9 }));
  return { ...echoEntry(conversationId, n, text), words };
}

const pipeline = createServer(async (request, response) => {
  response.setHeaders(new Headers(SPOKEN));
  const { options, media } = await optionsAndMedia(request);
  for await (const _ of media);
  const telling = new Telling({ ...options, live: false });
  const write = async (bytes: string | Buffer) => {
    if (!response.write(bytes)) await new Promise((resolve) => response.once('drain', resolve));
  };
  for (const line of telling.open()) await write(ndjsonLine(line));
  for (let n = 0; n < UTTERANCES; n++) {
    const told = telling.take({ type: 'utterance', entry: entry(options.conversation_id, n), latency_ms: 1 });
    for (const line of told) await write(ndjsonLine(line));
  }
  const last = telling.take({
    type: 'end',
    utterances: UTTERANCES,
    media: { duration_s: UTTERANCES, channels: 1, speaker_per_channel: false },
    speakers: { count: 2, confidence: 1, source: 'estimated' },
    warnings: [],
  });
  for (const line of last) await write(ndjsonLine(line));
  for (const { parts } of telling.documents ?? []) for (const { bytes } of parts) await write(bytes);
  response.end();
});
await new Promise<void>((resolve) => pipeline.listen(0, '127.0.0.1', resolve));
const { port } = pipeline.address() as AddressInfo;
const harness = createTestHarness({
  workers: [
    {
      configPath: new URL('../wrangler.toml', import.meta.url),
      vars: { RUNTIME_URL: `http://127.0.0.1:${port}`, API_KEYS: KEY },
    },
  ],
});
try {
  const { url } = await harness.listen();
  const ask = async (path: string): Promise<number> => {
    const body = new FormData();
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
    await ask(path);
    const [cpu, resident] = [cpuMs(pids), residentMb(pids, 'VmRSS')];
    let most = resident;
    const watch = setInterval(() => {
      most = Math.max(most, residentMb(pids, 'VmRSS'));
    }, 50);
    const bytes = await ask(path);
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
      title: `${UTTERANCES} utterances through workerd`,
      columns: ['call', 'answer MB', 'CPU ms an utterance', 'growth MB'],
      rows: [...rows, ['before', '', BEFORE.cpuMs, BEFORE.growthMb], ['bar', '', BARS.cpuMs, BARS.growthMb]],
      note: `The second call of each; CPU of all workerd processes, the proxy of wrangler dev among them, ticks of ${TICK_MS} ms.`,
    },
  ]);
} finally {
  await harness.close();
  pipeline.closeAllConnections();
  pipeline.close();
}
