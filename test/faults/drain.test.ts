import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, pipelineProcess, type RestartableProcess } from '../../bench/processes.ts';
import { paced } from '../../scripts/recording-chunks.ts';
import { type StreamEvent, Undertone } from '../../src/sdk/index.ts';
import { KEY, type LiveStack, startLiveStack } from '../live/live-stack.ts';

// SIGTERM to one of two pipelines under load, as a rollout sends it: files are finished or go elsewhere, live sessions
// move, and nothing shows in what is told.

const ROUNDS = [0, 1, 2];
const SESSIONS = 3;
/** Longer than the files take, shorter than a moved session is kept for in case nobody took it. */
const DRAIN_SECONDS = '40';
const CALL = new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/call.wav')));
const CALL_S = 37;
const CHUNK_BYTES = 8_192;
/** Times real time. */
const SPEED = 4;

const urls: string[] = [];
let pipelines: RestartableProcess[];
let stack: LiveStack;
let undertone: Undertone;
let reference: { live: unknown; file: unknown };

beforeAll(async () => {
  const ports = [await freePort(), await freePort()];
  urls.push(...ports.map((port) => `http://127.0.0.1:${port}`));
  pipelines = ports.map((port) => pipelineProcess(port, { DRAIN_SECONDS }));
  for (const pipeline of pipelines) await pipeline.start();
  stack = await startLiveStack({ RUNTIME_URL: urls.join() });
  undertone = new Undertone({ url: stack.url, key: KEY });
  reference = { live: await live(), file: await file() };
}, 300_000);
afterAll(async () => {
  await stack?.stop();
  for (const pipeline of pipelines ?? []) await pipeline.kill();
});

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const healthOf = async (n: number) => (await fetch(`${urls[n]}/healthz`)).json();

/** Without what is a run's own. */
const told = (value: unknown, conversation: string): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(conversation, 'c')
      .replaceAll(/"[a-z_]*latency_ms":[^,}]*/g, '"ms":0'),
  );

async function live(): Promise<unknown> {
  const capture = await undertone.live.start({ suffix: '.wav' });
  const events: StreamEvent[] = [];
  const reading = (async () => {
    for await (const event of capture) events.push(event);
  })();
  for await (const chunk of paced(CALL, CHUNK_BYTES, (CALL.length / CALL_S) * SPEED)) await capture.send(chunk);
  await capture.finalize();
  await reading;
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i));
  const lasting = events.filter(({ event }) => event !== 'partial_transcript' && event !== 'status');
  const heard = lasting.map(({ event, data }) => ({ event, data: { ...data, partial_id: undefined } }));
  return told(heard, capture.session.conversation_id);
}

async function file(): Promise<unknown> {
  const { conversation_id, timeline, summary, segmentation } = await undertone.analyze(new File([CALL], 'call.wav'));
  return told({ timeline, summary, segmentation }, conversation_id);
}

it.each(ROUNDS)('SIGTERM under load, %i', async (round) => {
  const ending = round % 2;
  const before = [...Array.from({ length: SESSIONS }, live), file(), file()];
  await wait(1000 + Math.random() * ((CALL_S / SPEED) * 1000 - 1000));
  const ended = pipelines[ending]!.kill('SIGTERM');
  const after = [live(), file()];
  const [first, second, third, ...files] = await Promise.all([...before, after[1]!]);
  expect([first, second, third, await after[0]]).toEqual(Array(SESSIONS + 1).fill(reference.live));
  expect(files).toEqual(Array(3).fill(reference.file));
  await ended;
  await expect(healthOf(ending)).rejects.toThrow();
  await pipelines[ending]!.start();
  expect(await healthOf(ending)).toMatchObject({ status: 'ok' });
});
