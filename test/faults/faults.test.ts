import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, pipelineProcess, type RestartableProcess, workerProcess } from '../../bench/processes.ts';
import { type LiveCapture, type StreamEvent, Undertone } from '../../src/sdk/index.ts';
import { KEY, type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { paced } from '../../support/recording-chunks.ts';

// Faults at random moments of real sessions, ten of each kind. The final event log equals that of a session without
// faults.

const TIMES = 10;
const CALL = new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/call.wav')));
const CALL_S = 37;
const CHUNK_BYTES = 32_768;
/** Speed as a multiple of real time. */
const SPEED = 6;
/** Approximate length of the session. */
const LASTS_MS = (CALL_S / SPEED) * 1000;

let folder: string;
let pipeline: RestartableProcess;
let worker: RestartableProcess;
let service: Undertone;
let serviceUrl: string;
/** The same Worker in the test harness, which can evict an object from memory. */
let stack: LiveStack;
let reference: StreamEvent[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-faults-'));
  const [pipelinePort, workerPort] = [await freePort(), await freePort()];
  const vars = { RUNTIME_URL: `http://127.0.0.1:${pipelinePort}`, API_KEYS: KEY, MAX_SESSIONS_PER_KEY: '1000' };
  pipeline = pipelineProcess(pipelinePort);
  worker = workerProcess(workerPort, folder, vars);
  await pipeline.start();
  await worker.start();
  stack = await startLiveStack(vars);
  serviceUrl = `http://127.0.0.1:${workerPort}`;
  service = new Undertone({ url: serviceUrl, key: KEY });
  reference = await session(service, async () => undefined);
}, 300_000);
afterAll(async () => {
  await stack?.stop();
  await worker?.kill();
  await pipeline?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const randomMoment = (): Promise<void> => wait(Math.random() * LASTS_MS);

/** The parts of a session that a fault replaces. */
interface Faulty {
  read?(capture: LiveCapture): Promise<StreamEvent[]>;
  beforeChunk?(capture: LiveCapture, seq: number, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

const readAll = async (capture: LiveCapture): Promise<StreamEvent[]> => {
  const events: StreamEvent[] = [];
  for await (const event of capture) events.push(event);
  return events;
};

/** A whole session during which something happens. @returns its events as its consumer received them */
async function session(
  to: Undertone,
  happens: (capture: LiveCapture) => Promise<void>,
  faulty: Faulty = {},
): Promise<StreamEvent[]> {
  const capture = await to.live.start({ suffix: '.wav' });
  const sending = (async () => {
    let seq = 0;
    for await (const chunk of paced(CALL, CHUNK_BYTES, (CALL.length / CALL_S) * SPEED)) {
      await faulty.beforeChunk?.(capture, seq++, chunk);
      await capture.send(chunk);
      await capture.flush();
    }
    await capture.finalize();
  })();
  const [events] = await Promise.all([(faulty.read ?? readAll)(capture), sending, happens(capture)]);
  return events;
}

/** The part that faults must not change: everything that was recognised, in order, without the session's own id. */
function understood(events: StreamEvent[]): unknown[] {
  const last = events.at(-1);
  const conversation = last?.event === 'done' ? last.data.conversation_id : 'none';
  const kept = events.filter(({ event }) => event !== 'partial_transcript' && event !== 'status');
  const lasting = (name: string, value: unknown) => (name === 'partial_id' ? undefined : value);
  return kept.map(({ event, data }) => [
    event,
    JSON.parse(JSON.stringify(data, lasting).replaceAll(conversation, 'c')),
  ]);
}

function expectNothingLostOrDoubled(events: StreamEvent[]): void {
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i));
  expect(events.filter(({ event }) => event === 'done')).toHaveLength(1);
  expect(understood(events)).toEqual(understood(reference));
}

const rounds = Array.from({ length: TIMES }, (_, round) => round + 1);

it('the session without faults has the spoken text', () => {
  expect(reference.filter(({ event }) => event === 'final_transcript').length).toBeGreaterThan(3);
  expect(reference.at(-1)?.event).toBe('done');
});

it.each(rounds)('SIGKILL of the pipeline, %i', async () => {
  const events = await session(service, async () => {
    await randomMoment();
    await pipeline.kill();
    await pipeline.start();
  });
  expectNothingLostOrDoubled(events);
});

it.each(rounds)('eviction of the Durable Object, %i', async () => {
  const events = await session(new Undertone({ url: stack.url, key: KEY }), async (capture) => {
    await randomMoment();
    await stack.crash(capture.session.session_id);
  });
  expectNothingLostOrDoubled(events);
});

it.each(rounds)('restart of wrangler dev, %i', async () => {
  const events = await session(service, async () => {
    await randomMoment();
    await worker.kill();
    await worker.start();
  });
  expectNothingLostOrDoubled(events);
});

it('consumers killed and resumed with Last-Event-ID', async () => {
  const killed = async (capture: LiveCapture): Promise<StreamEvent[]> => {
    const leaveAt = performance.now() + Math.random() * LASTS_MS;
    const events: StreamEvent[] = [];
    // Leaving the loop closes the connection.
    for await (const event of capture) {
      events.push(event);
      if (performance.now() > leaveAt) break;
    }
    return [...events, ...(events.at(-1)?.event === 'done' ? [] : await readAll(capture))];
  };
  const all = await Promise.all(rounds.map(() => session(service, async () => undefined, { read: killed })));
  for (const events of all) expectNothingLostOrDoubled(events);
});

it('consumers that stop reading for 60 s', async () => {
  const stalled = async (capture: LiveCapture): Promise<StreamEvent[]> => {
    const stallAt = Math.floor(Math.random() * 10);
    const events: StreamEvent[] = [];
    for await (const event of capture) {
      if (events.push(event) === stallAt + 1) await wait(60_000);
    }
    return events;
  };
  const all = await Promise.all(rounds.map(() => session(service, async () => undefined, { read: stalled })));
  for (const events of all) expectNothingLostOrDoubled(events);
});

it('chunk POSTs aborted half-way and sent again', async () => {
  const chunks = Math.ceil(CALL.length / CHUNK_BYTES);
  const all = await Promise.all(
    rounds.map(() => {
      const aborted = Math.floor(Math.random() * chunks);
      const beforeChunk = async (capture: LiveCapture, seq: number, bytes: Uint8Array<ArrayBuffer>) => {
        if (seq === aborted) await abortedPost(capture, seq, bytes);
      };
      return session(service, async () => undefined, { beforeChunk });
    }),
  );
  for (const events of all) expectNothingLostOrDoubled(events);
});

/** Begins a chunk's POST and breaks the connection in the middle of its bytes. */
async function abortedPost(capture: LiveCapture, seq: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const form = new FormData();
  form.set('chunk_seq', String(seq));
  form.set('chunk', new File([bytes], 'chunk'));
  const whole = new Request('http://form', { method: 'POST', body: form });
  const body = new Uint8Array(await whole.arrayBuffer());
  await new Promise<void>((resolve) => {
    const post = request(new URL(capture.session.chunk_endpoint, serviceUrl), {
      method: 'POST',
      headers: {
        'X-API-Key': KEY,
        'Content-Type': whole.headers.get('Content-Type') ?? '',
        'Content-Length': body.length,
      },
    });
    post.on('error', () => undefined);
    post.on('close', () => resolve());
    post.write(body.subarray(0, body.length >> 1), () => setTimeout(() => post.destroy(), 20));
  });
}
