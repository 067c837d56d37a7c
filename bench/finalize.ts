import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Undertone } from '../src/sdk/index.ts';
import { paced } from '../support/recording-chunks.ts';
import { BYTES_PER_SECOND, speech, wav } from './live-stream.ts';
import { freePort, pipelineProcess, workerProcess } from './processes.ts';
import { report, say } from './report.ts';

// Time from `finalize` to `done` of live sessions in real time, compared with the time that the same bytes take as a
// file, which is what a final analysis does if nothing has been prepared. It covers the whole service.

const KEY = 'finalize-bench-key';
/** Bytes in a quarter of a second. */
const CHUNK_BYTES = BYTES_PER_SECOND / 4;
/** Limit on the time to `done` on two idle cores. */
const limitOf = (seconds: number): number => 0.5 + 0.06 * seconds;

const { values } = parseArgs({ strict: false, options: { seconds: { type: 'string', default: '16,60,600' } } });
const LENGTHS = String(values.seconds).split(',').map(Number);

const folder = mkdtempSync(join(tmpdir(), 'undertone-finalize-bench-'));
const [pipelinePort, workerPort] = [await freePort(), await freePort()];
const pipeline = pipelineProcess(pipelinePort);
const worker = workerProcess(workerPort, folder, { RUNTIME_URL: `http://127.0.0.1:${pipelinePort}`, API_KEYS: KEY });
const undertone = new Undertone({ url: `http://127.0.0.1:${workerPort}`, key: KEY });

/**
 * Silence with which a recording typically ends, s: somebody has finished speaking before somebody else ends the
 * recording.
 */
const SILENCE_S = 1.5;

/** A recording that ends in silence, or in the middle of a sentence. */
function recording(seconds: number, isCut: boolean): Uint8Array<ArrayBuffer> {
  const pcm = speech(seconds);
  if (!isCut) pcm.fill(0, pcm.length - SILENCE_S * BYTES_PER_SECOND);
  return wav(pcm);
}

const secondsSince = (begun: number): number => (performance.now() - begun) / 1000;

/** Seconds from `finalize` to `done` of a session in real time. */
async function finalized(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const capture = await undertone.live.start({ suffix: '.wav' });
  const reading = (async () => {
    for await (const _ of capture);
  })();
  for await (const chunk of paced(bytes, CHUNK_BYTES, BYTES_PER_SECOND)) await capture.send(chunk);
  await capture.flush();
  const begun = performance.now();
  await capture.finalize();
  await reading;
  return secondsSince(begun);
}

async function asFile(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const begun = performance.now();
  await undertone.analyze(bytes, { filename: 'call.wav' });
  return secondsSince(begun);
}

try {
  await pipeline.start();
  await worker.start();
  // Both ways are run once, so that everything is loaded.
  await finalized(wav(speech(5)));
  await asFile(wav(speech(5)));
  const rows: (string | number | null)[][] = [];
  for (const [seconds, isCut] of [[LENGTHS[0]!, true] as const, ...LENGTHS.map((length) => [length, false] as const)]) {
    say(`a session of ${seconds} s`);
    const bytes = recording(seconds, isCut);
    const live = await finalized(bytes);
    const ends = isCut ? 'mid-sentence' : 'silence';
    rows.push([seconds, ends, live, limitOf(seconds), await asFile(bytes), Number(loadavg()[0]?.toFixed(1))]);
  }
  report('finalize', [
    {
      title: 'From `finalize` to `done`',
      columns: ['session s', 'ends in', 'to done, s', 'limit, s', 'as a file, s', 'load of the machine'],
      rows,
      note: 'A telephone call at real time, with the default qualities. The limit, 0.5 s and 6 % of the length, holds for two idle cores. Before its segments were prepared, a session took as long as the file.',
    },
  ]);
} finally {
  await worker.kill();
  await pipeline.kill();
  rmSync(folder, { recursive: true, force: true });
}
