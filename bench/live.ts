import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EVAL_DATA } from '../scripts/eval-data.ts';
import { LiveCapture, type LiveEvent, paced, type Service } from '../scripts/live-capture.ts';
import { freePort, pipelineProcess, workerProcess } from './processes.ts';
import { report, say } from './report.ts';

// Latency of live capture over the whole service: how long after the end-of-speech decision the final text is with the
// client, early and late in a session, and with how many sessions at once.

const KEY = 'live-bench-key';
const RATE_HZ = 16_000;
const BYTES_PER_SECOND = 2 * RATE_HZ;
/** A quarter of a second, as MediaRecorder is usually told. */
const CHUNK_BYTES = BYTES_PER_SECOND / 4;
/** Bulk chunks that bring a session to its late minutes. */
const BULK_BYTES = 262_144;
/** An utterance ends this long after its speech; the decision comes 0.6 s after speech (containers/pipeline/live/endpointer.ts). */
const PAD_S = 0.3;
const DECISION_S = 0.6;
/** Finals that come so close together belong to one speech segment; its end is the last one's. */
const SAME_SEGMENT_MS = 20;
/** An utterance that goes on without a gap was cut, not ended by silence: it has no end-of-speech decision. */
const NO_GAP_S = 0.02;
/** What 95 % of the finals must keep to for so many streams to count as carried. */
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

/** The call, over and over, as raw PCM. */
function speech(seconds: number): Uint8Array<ArrayBuffer> {
  const call = join(EVAL_DATA, 'diarization/audio/aws_call40_mono.flac');
  const source = existsSync(call) ? call : join(import.meta.dirname, '../test/fixtures/call.wav');
  const format = ['-t', String(seconds), '-ac', '1', '-ar', String(RATE_HZ), '-f', 's16le', '-'];
  const options = { maxBuffer: 2 ** 31 - 1 };
  return new Uint8Array(
    execFileSync('ffmpeg', ['-v', 'error', '-stream_loop', '-1', '-i', source, ...format], options),
  );
}

interface Sample {
  /** From the decision in the audio (as its bytes were sent) to the final's arrival. */
  finalMs: number;
  /** Seconds of the session. */
  at: number;
}

/** Streams `live` seconds at real time, after `before` as fast as it is taken. */
async function stream(service: Service, audio: Uint8Array<ArrayBuffer>, before: number): Promise<Sample[]> {
  const capture = await LiveCapture.start(service, { suffix: '.pcm', ttl_seconds: 3600 });
  const finals: LiveEvent[] = [];
  const stop = new AbortController();
  const reading = (async () => {
    for await (const event of capture.events(stop.signal)) if (event.event === 'final_transcript') finals.push(event);
  })().catch(() => undefined);
  const history = audio.subarray(0, before * BYTES_PER_SECOND);
  for await (const chunk of paced(history, BULK_BYTES, Number.POSITIVE_INFINITY)) await capture.chunk(chunk);
  if (before > 0) await caughtUp(finals);
  const begun = performance.now();
  for await (const chunk of paced(audio.subarray(history.length), CHUNK_BYTES, BYTES_PER_SECOND))
    await capture.chunk(chunk);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await capture.control({ action: 'cancel' });
  stop.abort();
  await reading;
  return samplesOf(finals, begun, before, audio.length / BYTES_PER_SECOND);
}

/** Waits until no final has come for some seconds. */
async function caughtUp(finals: LiveEvent[]): Promise<void> {
  for (let seen = -1; seen !== finals.length; ) {
    seen = finals.length;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
  }
}

function samplesOf(finals: LiveEvent[], begun: number, from: number, to: number): Sample[] {
  return finals.flatMap(({ at, data }, i): Sample[] => {
    const next = finals[i + 1];
    const decided = data.t_end - PAD_S + DECISION_S;
    if (data.t_start < from || decided > to) return [];
    if (next && next.at - at < SAME_SEGMENT_MS) return [];
    if (next && next.data.t_start - data.t_end < NO_GAP_S) return [];
    return [{ finalMs: at - (begun + (decided - from) * 1000), at: data.t_end }];
  });
}

const quantile = (values: number[], share: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? null;

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
const service = { url: `http://127.0.0.1:${workerPort}`, key: KEY };
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
        // Not in step, and each from another place of the call.
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

/** The same audio from another place on. */
function rotated(audio: Uint8Array<ArrayBuffer>, share: number): Uint8Array<ArrayBuffer> {
  const at = 2 * Math.floor((share * audio.length) / 2);
  const out = new Uint8Array(audio.length);
  out.set(audio.subarray(at));
  out.set(audio.subarray(0, at), audio.length - at);
  return out;
}
