import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Undertone } from '../src/sdk/index.ts';
import { type Distance, startDistance } from './distance.ts';
import { BYTES_PER_SECOND, quantile, type Sample, speech, stream } from './live-stream.ts';
import { freePort, pipelineProcess, workerProcess } from './processes.ts';
import { report, say } from './report.ts';

// Delay of final texts when the pipeline is far from the Worker: the same session in real time, in chunks of 100 ms,
// compared utterance by utterance with a session without distance. Sessions run one after the other. Concurrent
// sessions would recognise the same utterance at the same time and wait for each other, and not for the network.

const KEY = 'distance-bench-key';
/** Bytes in a tenth of a second. */
const CHUNK_BYTES = BYTES_PER_SECOND / 10;
/** Finals may be later by one round trip plus this, ms. */
const ALLOWED_MS = 300;

const { values } = parseArgs({
  strict: false,
  options: { rtt: { type: 'string', default: '20,120,250' }, seconds: { type: 'string', default: '120' } },
});
const ROUND_TRIPS_MS = [0, ...String(values.rtt).split(',').map(Number)];

const folder = mkdtempSync(join(tmpdir(), 'undertone-distance-'));
const pipelinePort = await freePort();
const pipeline = pipelineProcess(pipelinePort);
const ends: (() => Promise<void>)[] = [() => pipeline.kill()];

/** A Worker at this distance from the pipeline. @returns its URL */
async function workerAt(roundTripMs: number): Promise<string> {
  const way: Distance = await startDistance(`http://127.0.0.1:${pipelinePort}`, roundTripMs);
  const port = await freePort();
  const worker = workerProcess(port, join(folder, String(roundTripMs)), { RUNTIME_URL: way.url, API_KEYS: KEY });
  ends.push(
    () => worker.kill(),
    () => way.close(),
  );
  await worker.start();
  return `http://127.0.0.1:${port}`;
}

/** Delay of each final compared with the session without distance, ms, for finals that both have. */
function later(samples: Sample[], near: Sample[]): number[] {
  const before = new Map(near.map(({ at, finalMs }) => [at, finalMs]));
  return samples.flatMap(({ at, finalMs }) => (before.has(at) ? [finalMs - before.get(at)!] : []));
}

try {
  await pipeline.start();
  const urls: string[] = [];
  for (const roundTripMs of ROUND_TRIPS_MS) urls.push(await workerAt(roundTripMs));
  const audio = speech(Number(values.seconds));
  const all: Sample[][] = [];
  for (const [i, url] of urls.entries()) {
    say(`${values.seconds} s at ${ROUND_TRIPS_MS[i]} ms`);
    all.push(await stream(new Undertone({ url, key: KEY }), audio, 0, CHUNK_BYTES));
  }
  const [near = []] = all;
  const rows = ROUND_TRIPS_MS.map((roundTripMs, i) => {
    const lags = all[i]!.map(({ finalMs }) => Math.round(finalMs));
    const growth = later(all[i]!, near).map(Math.round);
    const bar = roundTripMs + ALLOWED_MS;
    const isNear = roundTripMs === 0;
    return [
      roundTripMs,
      lags.length,
      quantile(lags, 0.5),
      quantile(lags, 0.95),
      isNear ? null : quantile(growth, 0.5),
      isNear ? null : quantile(growth, 0.95),
      isNear ? null : bar,
      isNear ? null : growth.filter((ms) => ms > bar).length,
    ];
  });
  report('live-distance', [
    {
      title: 'Final text at the client after the end-of-speech decision, by the way between Worker and pipeline',
      columns: [
        'round trip ms',
        'finals',
        'p50 ms',
        'p95 ms',
        'later p50 ms',
        'later p95 ms',
        'bar ms',
        'finals beyond it',
      ],
      rows,
      note: `Chunks of 100 ms at real time. later: than the same utterance without a way. Load of the machine: ${loadavg()[0]?.toFixed(1)}.`,
    },
  ]);
} finally {
  for (const end of ends) await end();
  rmSync(folder, { recursive: true, force: true });
}
