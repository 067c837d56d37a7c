import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Undertone } from '../../src/sdk/index.ts';
import { rotated, speech, stream } from '../live-stream.ts';
import { freePort, pipelineProcess, workerProcess } from '../processes.ts';
import { say, type Table } from '../report.ts';
import { fittedTimes, type MeasuredLoad, modelledLatencies, PIPELINES, quantileOf } from './service-times.ts';

const KEY = 'fleet-real-key';
/** Largest difference between the model and a measurement, as a share of the measurement. */
const MOST_DIFFERENCE = 0.2;
/** Final texts of a load without which it says nothing. */
const LEAST_FINALS = 8;

/**
 * Measures two real pipelines of one thread each behind the real Worker, fits the service times to the lightest and the
 * heaviest load, and compares the loads between with what the model says of them.
 * @param loads sessions on each pipeline, from the fewest to the most
 */
export async function compareWithReal(loads: readonly number[], seconds: number): Promise<Table[]> {
  const folder = mkdtempSync(join(tmpdir(), 'undertone-fleet-'));
  const ports = [await freePort(), await freePort()];
  const pipelines = ports.map((port) =>
    pipelineProcess(port, { RECOGNITION_WORKERS: '1', MAX_LIVE_SESSIONS: String(Math.max(...loads)) }),
  );
  const workerPort = await freePort();
  const worker = workerProcess(workerPort, folder, {
    RUNTIME_URL: ports.map((port) => `http://127.0.0.1:${port}`).join(),
    API_KEYS: KEY,
    MAX_SESSIONS_PER_KEY: '1000',
  });
  const service = new Undertone({ url: `http://127.0.0.1:${workerPort}`, key: KEY });
  try {
    await Promise.all(pipelines.map((pipeline) => pipeline.start()));
    await worker.start();
    const audio = speech(seconds);
    say('a session on each pipeline, to warm up');
    await measured(service, audio.subarray(0, 320_000), 1);
    const measurements: (MeasuredLoad & { load: number })[] = [];
    for (const sessions of loads) {
      say(`${sessions} sessions on each of ${PIPELINES} pipelines for ${seconds} s`);
      const latencies = await measured(service, audio, sessions);
      say(`ms: ${latencies.map(Math.round).join(' ')}`);
      if (latencies.length < LEAST_FINALS)
        throw new Error(
          `Only ${latencies.length} final texts in ${seconds} s: this machine is too busy to be compared`,
        );
      measurements.push({ sessions, seconds, latencies, load: loadavg()[0]! });
    }
    return [comparison(measurements)];
  } finally {
    await worker.kill();
    await Promise.all(pipelines.map((pipeline) => pipeline.kill()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(service: Undertone, audio: Uint8Array<ArrayBuffer>, sessions: number): Promise<number[]> {
  const streams = sessions * PIPELINES;
  const samples = await Promise.all(
    Array.from({ length: streams }, async (_, i) => {
      // The streams are out of step, and each starts at a different position in the call.
      await new Promise((resolve) => setTimeout(resolve, i * 370));
      return stream(service, rotated(audio, i / streams), 0);
    }),
  );
  return samples.flat().map(({ finalMs }) => finalMs);
}

function comparison(measurements: readonly (MeasuredLoad & { load: number })[]): Table {
  const [alone, most] = [measurements[0]!, measurements.at(-1)!];
  const times = fittedTimes(alone, most);
  const rows = measurements.flatMap(({ sessions, latencies, load }) => {
    const model = modelledLatencies(times, sessions);
    const use = sessions === alone.sessions || sessions === most.sessions ? 'fitted' : 'compared';
    return [0.5, 0.95].map((share) => {
      const [real, modelled] = [quantileOf(latencies, share), quantileOf(model, share)];
      const difference = modelled / real - 1;
      return [
        `${sessions} on each, ${100 * share} %`,
        latencies.length,
        Math.round(real),
        Math.round(modelled),
        `${(100 * difference).toFixed(0)} %`,
        use,
        use === 'fitted' ? '' : Math.abs(difference) <= MOST_DIFFERENCE ? 'yes' : 'NO',
        Number(load.toFixed(1)),
      ];
    });
  });
  const { fixedMs, workMs, besideShare, everyMs } = times;
  const rounded = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => Math.round(quantileOf(workMs, share)));
  return {
    title:
      'Final texts after the end of speech: two real pipelines of one thread, and the model of their service times',
    columns: ['sessions', 'finals', 'real ms', 'model ms', 'difference', 'use', 'within 20 %', 'load of the machine'],
    rows,
    note:
      `Fitted: ${Math.round(fixedMs)} ms for every text, ${rounded.join(', ')} ms of recognition (1st to 9th decile), ` +
      `${Math.round(100 * besideShare)} % of a thread beside each session, a text of a session every ${Math.round(everyMs)} ms. ` +
      'Client, Worker and pipelines share the machine.',
  };
}
