import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { isHealthy } from './healthy.ts';

/** Interval of the health requests. */
const EVERY_MS = 250;
/** A later answer counts as missing. */
const GIVE_UP_MS = 60_000;

/** One request and its answer. */
export interface Pulse {
  at: number;
  milliseconds: number;
  /** `ok`, or a description of the other answer. */
  answer: string;
  /** Delay of the request itself, because this thread also waits for a core. */
  lateness: number;
}

/** Requests `/health` all the time, in a separate thread, so that the attack's computations do not delay it. */
export class HealthWatch {
  readonly pulses: Pulse[] = [];
  /** Time of the oldest request without an answer. */
  waitingSince: number | undefined;
  readonly #worker: Worker;

  constructor(port: number) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: { port } });
    this.#worker.on('message', (pulse: Pulse | { asked: number }) => {
      if ('asked' in pulse) this.waitingSince = pulse.asked;
      else {
        this.pulses.push(pulse);
        this.waitingSince = undefined;
      }
    });
    this.#worker.unref();
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

const ask = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/health', agent: false, timeout: GIVE_UP_MS }, (response) => {
      let body = '';
      response.on('data', (bytes) => {
        body += bytes;
      });
      response.on('close', () => resolve(isHealthy(body) ? 'ok' : `${response.statusCode} ${body.slice(0, 200)}`));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });

if (!isMainThread) {
  const { port } = workerData as { port: number };
  for (let due = Date.now(); ; due = Math.max(due + EVERY_MS, Date.now())) {
    await sleep(Math.max(0, due - Date.now()));
    const asked = Date.now();
    parentPort?.postMessage({ asked });
    const begun = performance.now();
    const answer = await ask(port);
    const pulse: Pulse = { at: asked, milliseconds: performance.now() - begun, answer, lateness: asked - due };
    parentPort?.postMessage(pulse);
  }
}
