import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Undertone } from '../src/sdk/index.ts';
import { quantile, rotated, type Sample, speech, stream } from './live-stream.ts';
import { freePort, pipelineProcess, workerProcess } from './processes.ts';
import { report, say } from './report.ts';

// Latency of live capture through the whole service: the time from the end-of-speech decision to the final text at the
// client, early and late in a session, and the number of concurrent sessions.

const KEY = 'live-bench-key';
/** Limit on the 95th percentile of the finals up to which a number of streams counts as sustained. */
const CARRIED_MS = 2000;

const { values } = parseArgs({
  strict: false,
  options: {
    minutes: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '120' },
    streams: { type: 'string', default: '1,4,8,12,16,20' },
  },
});
const SECONDS = Number(values.seconds);
const LATE_MINUTES = Number(values.minutes);
const STREAMS = String(values.streams).split(',').map(Number);

function row(name: string, samples: Sample[]): (string | number | null)[] {
  const ms = samples.map(({ finalMs }) => Math.round(finalMs));
  return [
    name,
    samples.length,
    quantile(ms, 0.5),
    quantile(ms, 0.95),
    quantile(ms, 1),
    Number(loadavg()[0]?.toFixed(1)),
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'undertone-live-bench-'));
const [pipelinePort, workerPort] = [await freePort(), await freePort()];
const pipeline = pipelineProcess(pipelinePort);
const worker = workerProcess(workerPort, folder, {
  RUNTIME_URL: `http://127.0.0.1:${pipelinePort}`,
  API_KEYS: KEY,
  MAX_SESSIONS_PER_KEY: '1000',
});
const service = new Undertone({ url: `http://127.0.0.1:${workerPort}`, key: KEY });
try {
  await pipeline.start();
  await worker.start();
  const columns = ['session', 'finals', 'p50 ms', 'p95 ms', 'max ms', 'load of the machine'];
  say('one stream, its first minutes');
  const early = await stream(service, speech(SECONDS), 0);
  say(`one stream after ${LATE_MINUTES - 1} minutes`);
  const before = (LATE_MINUTES - 1) * 60;
  const late = await stream(service, speech(before + SECONDS), before);
  const ratio =
    (quantile(
      late.map((s) => s.finalMs),
      0.5,
    ) ?? 0) /
    (quantile(
      early.map((s) => s.finalMs),
      0.5,
    ) ?? 1);
  const many: (string | number | null)[][] = [];
  const carried: number[] = [];
  for (const streams of STREAMS) {
    say(`${streams} streams at once`);
    const audio = speech(SECONDS);
    const all = await Promise.all(
      Array.from({ length: streams }, async (_, i) => {
        // The streams are out of step, and each starts at a different position in the call.
        await new Promise((resolve) => setTimeout(resolve, i * 370));
        return stream(service, rotated(audio, i / streams), 0);
      }),
    );
    const samples = all.flat();
    many.push(row(`${streams} at once`, samples));
    const slow = quantile(
      samples.map((s) => s.finalMs),
      0.95,
    );
    if (slow !== null && slow < CARRIED_MS) carried.push(streams);
  }
  const note =
    'Final text at the client after the end-of-speech decision, which is 0.6 s after speech; the time a chunk waits to be full (0.25 s) is in it. ' +
    'Client, Worker and pipeline share the machine.';
  report('live', [
    {
      title: 'Early and late in a session, one stream at real time',
      columns,
      rows: [
        row('minute 1', early),
        row(`minute ${LATE_MINUTES}`, late),
        ['ratio of medians', null, ratio, null, null, null],
      ],
      note,
    },
    {
      title: 'Streams at real time at once',
      columns,
      rows: many,
      note: `Largest tried with p95 under 2 s: ${Math.max(0, ...carried)}. ${note}`,
    },
  ]);
} finally {
  await worker.kill();
  await pipeline.kill();
  rmSync(folder, { recursive: true, force: true });
}
