import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ndjsonLine } from '../../../src/contract/ndjson.ts';
import {
  LIVE_ALIVE_MS,
  PIPELINE_PROTOCOL,
  PROTOCOL_HEADER,
  SILENCE_MS,
  WEIGHTS_HEADER,
} from '../../../src/contract/pipeline.ts';
import { WEIGHTS_ID } from '../../../src/conversation/weights-id.ts';
import type { Env } from '../../../src/worker/identity/env.ts';
import { PipelineFeed } from '../../../src/worker/live/feed.ts';
import { SessionPlace } from '../../../src/worker/live/session-place.ts';
import type { PipelineReader } from '../../../src/worker/pipeline/reader.ts';
import { BEAT_MS } from '../../../src/worker/pool/plan.ts';
import { PoolDirectory } from '../../../src/worker/pool/pool-directory.ts';

// A session, the pool and two pipelines, of which one answers nothing for a while. Time passes only when a test says so.

const [A, B] = ['http://a.internal', 'http://b.internal'];
const HEADERS = { [PROTOCOL_HEADER]: String(PIPELINE_PROTOCOL), [WEIGHTS_HEADER]: WEIGHTS_ID };
/** Pipelines that answer nothing, without refusing a connection. */
let stalled: Set<string>;
/** Lets a stalled pipeline answer the requests that it has received. */
let recover: () => void;
let recovered: Promise<void>;
/** The sessions by the address of their pipeline. */
let held: Map<string, Set<string>>;
let saysInterval: boolean;
let alarms: { at: number; directory: PoolDirectory }[];

beforeEach(() => {
  vi.useFakeTimers();
  stalled = new Set();
  ({ promise: recovered, resolve: recover } = Promise.withResolvers<void>());
  held = new Map([A, B].map((url) => [url, new Set()]));
  saysInterval = true;
  alarms = [];
  vi.stubGlobal('scheduler', { wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) });
  vi.stubGlobal('fetch', answer);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function answer(url: URL, init: RequestInit = {}): Promise<Response> {
  const { origin, pathname } = url;
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  init.signal?.addEventListener('abort', () => aborted.reject(new Error('aborted')));
  while (stalled.has(origin)) await Promise.race([recovered, aborted.promise]);
  const sessions = held.get(origin)!;
  const [, , id = '', part] = pathname.split('/');
  if (pathname === '/healthz')
    return Response.json({ status: 'ok', slots: { live: 4 }, held: { live: [...sessions], batch: [] } });
  if (init.method === 'PUT') sessions.add(id);
  if (init.method === 'DELETE') sessions.delete(id);
  if (part === 'lines') return new Response(signsOfLife(origin, init.signal!), { headers: HEADERS });
  return Response.json({ next_chunk_seq: 0 }, { headers: HEADERS });
}

function signsOfLife(origin: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  const line = { type: 'alive', behind_s: 0, ...(saysInterval && { next_s: LIVE_ALIVE_MS / 1000 }) } as const;
  let timer: ReturnType<typeof setInterval>;
  return new ReadableStream({
    start(controller) {
      timer = setInterval(() => {
        if (!stalled.has(origin)) controller.enqueue(new TextEncoder().encode(ndjsonLine(line)));
      }, LIVE_ALIVE_MS);
      signal.addEventListener('abort', () => {
        clearInterval(timer);
        controller.error(new Error('aborted'));
      });
    },
    cancel: () => clearInterval(timer),
  });
}

/** Lets time pass, with alarms on their time. */
async function pass(ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    await vi.advanceTimersByTimeAsync(Math.min(100, until - Date.now()));
    const due = alarms.filter(({ at }) => at <= Date.now());
    alarms = alarms.filter(({ at }) => at > Date.now());
    for (const { directory } of due) void directory.alarm();
  }
}

/** The reports of a session, with the time since `from`, ms. */
interface Reported {
  phases: { phase: 'waits' | 'placed'; at: number }[];
  from: number;
  feed: PipelineFeed;
}

async function session(urls: readonly string[]): Promise<Reported> {
  const storage = {
    setAlarm: async (at: number) => void alarms.push({ at, directory }),
    kv: { get: () => undefined, list: () => [] },
  };
  const env = { RUNTIME_URL: urls.join() } as unknown as Env;
  const directory: PoolDirectory = Object.assign(new PoolDirectory({ storage } as never, env), {
    ctx: { storage, id: { name: 'a' } },
    env,
  });
  Object.assign(env, { POOL: { idFromName: (name: string) => name, get: () => directory } });
  const report = (phase: 'waits' | 'placed') => () => {
    reported.phases.push({ phase, at: Date.now() - reported.from });
  };
  const place = new SessionPlace(env, {
    region: undefined,
    id: 's',
    tenant: 't',
    kind: () => 'live',
    weight: () => 0,
    backlogS: () => 0,
    onWait: report('waits'),
    onPlaced: report('placed'),
  });
  const feed = new PipelineFeed(place, { sessionId: 's' }, {} as never, {
    chunk: () => null,
    acceptedAt: () => null,
    isFinalized: () => false,
    transcriptionsAfter: () => null,
  });
  const reported: Reported = { phases: [], from: Date.now(), feed };
  void feed.run(async (reader: PipelineReader) => {
    for await (const _ of reader.lines());
  });
  await pass(3 * BEAT_MS);
  return reported;
}

const instanceOf = (): string[] => [...held].flatMap(([url, ids]) => (ids.has('s') ? [url] : []));

/** @param offsetMs time since the last sign of life and the last report */
it.each([0, 300, 700, 950, 2_500, 4_900])(
  'hears within 5 s that its pipeline has vanished, and goes on elsewhere within 15 s (after %i ms)',
  async (offsetMs) => {
    const reported = await session([A, B]);
    await pass(offsetMs);
    const [lost] = instanceOf();
    stalled.add(lost!);
    reported.from = Date.now();
    await pass(5_000);
    expect(reported.phases).toEqual([{ phase: 'waits', at: expect.any(Number) }]);
    await pass(10_000);
    expect(reported.phases.map(({ phase }) => phase)).toEqual(['waits', 'placed']);
    expect(held.get(lost === A ? B : A)).toEqual(new Set(['s']));
    await reported.feed.stop();
  },
);

it('hears it as well when there is no other pipeline, and goes on when there is one again', async () => {
  const reported = await session([A]);
  stalled.add(A);
  reported.from = Date.now();
  await pass(60_000);
  expect(reported.phases).toMatchObject([{ phase: 'waits' }]);
  expect(reported.phases[0]!.at).toBeLessThan(5_000);
  stalled.clear();
  recover();
  await pass(BEAT_MS + 1_000);
  expect(reported.phases.map(({ phase }) => phase)).toEqual(['waits', 'placed']);
  await reported.feed.stop();
});

it.each([
  { busyMs: 2_500, phases: [] },
  { busyMs: 4_000, phases: [] },
  { busyMs: 8_000, phases: ['waits', 'placed'] },
])('stays with a pipeline that is busy for $busyMs ms', async ({ busyMs, phases }) => {
  const reported = await session([A, B]);
  const [own] = instanceOf();
  await pass(300);
  stalled.add(own!);
  await pass(busyMs);
  stalled.clear();
  recover();
  await pass(10_000);
  expect(reported.phases.map(({ phase }) => phase)).toEqual(phases);
  expect(instanceOf()).toEqual([own]);
  await reported.feed.stop();
});

it('waits longer for an older pipeline, which does not say how often it gives a sign of life', async () => {
  saysInterval = false;
  const reported = await session([A, B]);
  const [lost] = instanceOf();
  stalled.add(lost!);
  await pass(SILENCE_MS - 2 * LIVE_ALIVE_MS);
  expect(reported.phases).toEqual([]);
  await pass(4 * LIVE_ALIVE_MS);
  expect(held.get(lost === A ? B : A)).toEqual(new Set(['s']));
  await reported.feed.stop();
});
