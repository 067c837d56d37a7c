import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../src/contract/limits.ts';
import type { PipelineReport } from '../../../src/contract/pipeline.ts';
import type { Env } from '../../../src/worker/identity/env.ts';
import { BEAT_MS } from '../../../src/worker/pool/plan.ts';
import { HOLD_MS, PoolDirectory, type PoolVerdict } from '../../../src/worker/pool/pool-directory.ts';
import type { PoolKind } from '../../../src/worker/pool/pool-state.ts';
import type { PoolRequest } from '../../../src/worker/pool/waiters.ts';

// Time passes only when a test says so. `pool.worker.test.ts` runs the object in workerd.

const [A, B] = ['http://a.internal', 'http://b.internal'];
/** The reports of the pipelines by address. One without a report cannot be reached. */
let reports: Record<string, Partial<PipelineReport>>;
/** The requests that the pipelines received. */
let asked: string[];
let alarms: { at: number; directory: PoolDirectory }[];
/** The values that the object stores, by name. */
let stored: Map<string, unknown>;
/** The events that workflows got, and the workflows that have ended. */
let turns: string[];
let ended: Set<string>;

beforeEach(() => {
  vi.useFakeTimers();
  reports = { [A]: {}, [B]: {} };
  asked = [];
  alarms = [];
  stored = new Map();
  turns = [];
  ended = new Set();
  vi.stubGlobal('fetch', async (url: URL, init?: RequestInit) => {
    asked.push(`${init?.method ?? 'GET'} ${url}`);
    const report = reports[url.origin];
    if (!report) throw new Error('connection refused');
    return Response.json({ status: 'ok', slots: { live: 2 }, held: { live: [], batch: [] }, ...report });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The object of the pool, whose alarm goes off as time passes. */
function directory(vars: Record<string, string> = {}): PoolDirectory {
  const storage = {
    setAlarm: async (at: number) => void alarms.push({ at, directory: made }),
    kv: {
      get: (name: string) => stored.get(name),
      put: (name: string, value: unknown) => stored.set(name, structuredClone(value)),
      delete: (name: string) => stored.delete(name),
      list: ({ prefix }: { prefix: string }) => [...stored].filter(([name]) => name.startsWith(prefix)),
    },
  };
  const ANALYSIS = {
    get: async (workflow: string) => {
      if (ended.has(workflow)) throw new Error('instance.not_found');
      return { sendEvent: async ({ type }: { type: string }) => void turns.push(`${workflow} ${type}`) };
    },
  };
  const env = { RUNTIME_URL: `${A},${B}`, ANALYSES_PER_PIPELINE: '2', ANALYSIS, ...vars } as unknown as Env;
  // The runtime's own class keeps both.
  const made: PoolDirectory = Object.assign(new PoolDirectory({ storage } as never, env), {
    ctx: { storage, id: { name: 'a' } },
    env,
  });
  return made;
}

/** Lets time pass, with alarms on their time. */
async function pass(ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    await vi.advanceTimersByTimeAsync(Math.min(500, until - Date.now()));
    const due = alarms.filter(({ at }) => at <= Date.now());
    alarms = alarms.filter(({ at }) => at > Date.now());
    await Promise.all(
      due.map(async ({ directory }) => {
        const gone = directory.alarm();
        await vi.advanceTimersByTimeAsync(0);
        await gone;
      }),
    );
  }
}

async function settled<T>(promise: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(0);
  return promise;
}

let ids = 0;
const request = (kind: PoolKind, change: Partial<PoolRequest> = {}): PoolRequest => ({
  id: `${kind}-${ids++}`,
  kind,
  tenant: 'a',
  weight: kind === 'batch' ? 60 : 0,
  patienceMs: kind === 'live' ? 8_000 : null,
  ...change,
});
const placedOn = (verdict: PoolVerdict): string => (verdict.type === 'placed' ? verdict.instance : verdict.type);

it('asks the pipelines for their slots, and places no more sessions than they have', async () => {
  const pool = directory();
  const places = await Promise.all([1, 2, 3, 4].map(() => settled(pool.ask(request('live')))));
  expect(places.map(placedOn).sort()).toEqual([A, A, B, B]);
  const fifth = pool.ask(request('live'));
  await pass(8_500);
  expect(await fifth).toEqual({ type: 'refused', retryAfterS: expect.any(Number) });
});

it('gives a place to a waiting session as soon as one is free', async () => {
  const pool = directory({ RUNTIME_URL: A });
  for (const id of ['one', 'two']) await settled(pool.ask(request('live', { id })));
  reports[A] = { held: { live: ['one', 'two'], batch: [] } };
  const third = pool.ask(request('live'));
  await pass(1_000);
  pool.release('one', 'live', 'a', true);
  expect(placedOn(await settled(third))).toBe(A);
});

it('keeps the leases of a silent pipeline until two reports are missed, then gives its sessions to others', async () => {
  const pool = directory();
  const first = await settled(pool.ask(request('live', { id: 'one' })));
  const from = placedOn(first);
  const to = from === A ? B : A;
  reports[from] = { held: { live: ['one'], batch: [] } };
  await pass(BEAT_MS);
  delete reports[from];
  await pass(BEAT_MS);
  expect(placedOn(await settled(pool.ask(request('live', { id: 'one', lost: null }))))).toBe(from);
  await pass(2 * BEAT_MS);
  expect(placedOn(await settled(pool.ask(request('live', { id: 'one', lost: from }))))).toBe(to);
});

it('ends a session on a pipeline that holds it without a lease', async () => {
  const pool = directory();
  const from = placedOn(await settled(pool.ask(request('live', { id: 'one' }))));
  const to = placedOn(await settled(pool.ask(request('live', { id: 'one', lost: from }))));
  expect([from, to].sort()).toEqual([A, B]);
  reports[to] = { held: { live: ['one'], batch: [] } };
  reports[from] = { held: { live: ['one'], batch: [] } };
  await pass(BEAT_MS + 500);
  expect(asked).toContain(`DELETE ${from}/sessions/one`);
  expect(asked).not.toContain(`DELETE ${to}/sessions/one`);
});

it('knows what is held where after it lost its memory', async () => {
  reports[B] = { held: { live: ['one', 'two'], batch: [] } };
  const pool = directory();
  await settled(pool.ask(request('live')));
  expect(placedOn(await settled(pool.ask(request('live', { id: 'one', lost: null }))))).toBe(B);
  expect((await settled(pool.read())).members).toMatchObject([{ live: 1 }, { live: 2 }]);
});

it('says that a file has no pipeline when none responds, and where there should be one', async () => {
  reports = {};
  const pool = directory();
  expect(await settled(pool.ask(request('batch')))).toEqual({ type: 'absent', others: [A, B] });
});

it('holds a file that waits, repeats its turn, and forgets one that is not asked for again', async () => {
  const pool = directory({ RUNTIME_URL: A });
  const running = [request('batch', { tenant: 'b' }), request('batch', { tenant: 'c' })];
  for (const file of running) await settled(pool.ask(file));
  reports[A] = { held: { live: [], batch: running.map(({ id }) => id) } };
  const [left, kept] = [request('batch'), request('batch')];
  const answers = [left, kept].map((file) => pool.ask(file));
  await pass(HOLD_MS + 500);
  expect(await Promise.all(answers)).toMatchObject([
    { type: 'waits', position: 1 },
    { type: 'waits', position: 2 },
  ]);
  expect(pool.look(kept.id, 'batch', 'a')).toEqual({ position: 2, etaS: expect.any(Number) });
  expect(pool.look(running[0]!.id, 'batch', 'b')).toBeNull();
  let again = pool.ask(kept);
  for (let passed = 0; passed < 40_000; passed += HOLD_MS) {
    await pass(HOLD_MS + 500);
    await again;
    again = pool.ask(kept);
  }
  const { id, kind, tenant } = running[0]!;
  pool.release(id, kind, tenant, true);
  expect(placedOn(await settled(again))).toBe(A);
});

it('refuses a tenant with 28 attended files that wait, and no other', async () => {
  const pool = directory({ RUNTIME_URL: A });
  for (const tenant of ['b', 'c']) await settled(pool.ask(request('batch', { tenant })));
  const line = Array.from({ length: 28 }, () => pool.ask(request('batch', { isAttended: true })));
  await vi.advanceTimersByTimeAsync(0);
  expect(await settled(pool.ask(request('batch', { isAttended: true })))).toMatchObject({ type: 'refused' });
  const others = [pool.ask(request('batch')), pool.ask(request('batch', { tenant: 'b', isAttended: true }))];
  await pass(HOLD_MS + 500);
  for (const verdict of await Promise.all([...line, ...others])) expect(verdict.type).toBe('waits');
});

it('asks nothing while there is no work, and knows the load when it is read', async () => {
  const pool = directory({ RUNTIME_URL: A });
  const session = request('live');
  await settled(pool.ask(session));
  reports[A] = { held: { live: [session.id], batch: [] }, busy: 0.5, lag_ms: 120, rss_bytes: 1e9 };
  await pass(BEAT_MS + 500);
  expect((await pool.read()).members).toMatchObject([
    { name: A, state: 'ready', live: 1, busy: 0.5, lagMs: 120, rssBytes: 1e9 },
  ]);
  pool.release(session.id, 'live', 'a', true);
  reports[A] = {};
  await pass(3 * BEAT_MS);
  asked = [];
  await pass(60_000);
  expect(asked).toEqual([]);
});

describe('a jurisdiction', () => {
  it('keeps a pipeline out that is elsewhere or does not say where it is', async () => {
    const C = 'http://c.internal';
    const pool = directory({ RUNTIME_URL: '', JURISDICTION: 'eu' });
    for (const [report, verdict] of [
      [{ jurisdiction: 'us' }, 'elsewhere'],
      [{}, 'elsewhere'],
      [{ region: 'weur', jurisdiction: 'eu' }, 'member'],
    ] as const) {
      reports[C] = report;
      expect(await settled(pool.announce({ url: C, status: 'ok' }))).toBe(verdict);
      expect(pool.announced()).toEqual(verdict === 'member' ? [C] : []);
    }
  });

  it('gives no file to a listed pipeline of which nobody knows where it is', async () => {
    reports = { [A]: { jurisdiction: 'eu' } };
    const pool = directory({ JURISDICTION: 'eu' });
    const placed = await settled(pool.ask(request('batch')));
    expect(placed).toEqual({ type: 'placed', instance: A, others: [] });
    delete reports[A];
    const absent = directory({ JURISDICTION: 'eu' });
    const verdict = absent.ask(request('batch'));
    await pass(5_000);
    expect(await verdict).toEqual({ type: 'absent', others: [] });
  });
});

describe('a pipeline that joins the pool itself', () => {
  const C = 'http://c.internal';
  const announce = (pool: PoolDirectory, status: 'ok' | 'draining' | 'ended' = 'ok', url = C) =>
    settled(pool.announce({ url, status }));
  /** Lets time pass in which it goes on to announce itself. */
  async function announcing(pool: PoolDirectory, ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10_000) {
      await pass(Math.min(left, 10_000));
      await announce(pool);
    }
  }
  const memberOf = async (pool: PoolDirectory) => (await settled(pool.read())).members.find(({ name }) => name === C);

  it('gets the session that waits, and gives it back when it ends', async () => {
    reports[C] = {};
    const pool = directory({ RUNTIME_URL: A });
    for (const id of ['one', 'two']) await settled(pool.ask(request('live', { id })));
    reports[A] = { held: { live: ['one', 'two'], batch: [] } };
    const third = request('live', { patienceMs: null });
    const waits = pool.ask(third);
    await vi.advanceTimersByTimeAsync(0);
    expect(await announce(pool)).toBe('member');
    expect(placedOn(await settled(waits))).toBe(C);
    expect(pool.announced()).toEqual([C]);
    reports[C] = { held: { live: [third.id], batch: [] } };
    await announcing(pool, 20_000);
    expect(await announce(pool, 'ended')).toBe('left');
    expect([await memberOf(pool), pool.announced()]).toEqual([undefined, []]);
    const again = pool.ask({ ...third, lost: C });
    pool.release('one', 'live', 'a', true);
    expect(placedOn(await settled(again))).toBe(A);
  });

  it('is no member unless it answers', async () => {
    const pool = directory({ RUNTIME_URL: A });
    expect(await announce(pool)).toBe('unreachable');
    expect([pool.announced(), stored.size]).toEqual([[], 0]);
  });

  it('is refused by a pool that has reached its limit', async () => {
    const pool = directory({ RUNTIME_URL: A });
    for (let n = 0; n < LIMITS.poolMembers; n++) {
      reports[`http://m${n}.internal`] = {};
      expect(await announce(pool, 'ok', `http://m${n}.internal`)).toBe('member');
    }
    reports[C] = {};
    expect(await announce(pool)).toBe('full');
    expect(await announce(pool, 'ended', 'http://m0.internal')).toBe('left');
    expect(await announce(pool)).toBe('member');
  });

  it('takes nothing new once it no longer announces itself, and is forgotten when it is empty', async () => {
    reports[C] = {};
    const pool = directory({ RUNTIME_URL: 'http://none.internal' });
    await announce(pool);
    const [one, two] = [request('live'), request('live', { patienceMs: null })];
    expect(placedOn(await settled(pool.ask(one)))).toBe(C);
    reports[C] = { held: { live: [one.id], batch: [] } };
    await pass(30_000);
    expect(await memberOf(pool)).toMatchObject({ state: 'ready', live: 1 });
    await pass(10_000);
    expect(await memberOf(pool)).toMatchObject({ state: 'draining', live: 1 });
    const refused = pool.ask(two);
    await pass(HOLD_MS + 500);
    expect((await refused).type).toBe('waits');
    reports[C] = {};
    pool.release(one.id, 'live', 'a', true);
    await pass(2 * BEAT_MS);
    expect(await memberOf(pool)).toBeUndefined();
    asked = [];
    await pass(20_000);
    expect(asked.filter((request) => request.includes(C))).toEqual([]);
    expect(stored.get('announced')).toEqual([]);
  });

  it('takes work again when it announces itself again', async () => {
    reports[C] = {};
    const pool = directory({ RUNTIME_URL: 'http://none.internal' });
    await announce(pool);
    const one = request('live');
    await settled(pool.ask(one));
    reports[C] = { held: { live: [one.id], batch: [] } };
    await pass(45_000);
    expect(await memberOf(pool)).toMatchObject({ state: 'draining' });
    await announce(pool);
    await pass(BEAT_MS);
    expect(await memberOf(pool)).toMatchObject({ state: 'ready' });
  });

  it('is known to be draining as soon as it says so', async () => {
    reports[C] = {};
    const pool = directory({ RUNTIME_URL: 'http://none.internal' });
    await announce(pool);
    const one = request('live');
    await settled(pool.ask(one));
    reports[C] = { status: 'draining', held: { live: [one.id], batch: [] } };
    await announce(pool, 'draining');
    expect(await memberOf(pool)).toMatchObject({ state: 'draining', live: 1 });
  });

  it('is still a member after the object was reset', async () => {
    reports[C] = { held: { live: ['one'], batch: [] } };
    await announce(directory({ RUNTIME_URL: A }));
    const pool = directory({ RUNTIME_URL: A });
    expect(pool.announced()).toEqual([C]);
    await settled(pool.ask(request('live')));
    expect(placedOn(await settled(pool.ask(request('live', { id: 'one', lost: null }))))).toBe(C);
  });
});

describe('a workflow that waits for a slot', () => {
  /** A pool with two slots for files that are in use. */
  async function busy(): Promise<PoolDirectory> {
    const pool = directory({ RUNTIME_URL: A });
    for (const [id, tenant] of [
      ['one', 'b'],
      ['two', 'c'],
    ] as const)
      await settled(pool.ask(request('batch', { id, tenant })));
    reports[A] = { held: { live: [], batch: ['one', 'two'] } };
    return pool;
  }
  const ask = async (pool: PoolDirectory, id: string): Promise<PoolVerdict> => {
    const verdict = pool.ask(request('batch', { id, workflow: `${id}-0`, holdMs: 5_000 }));
    await pass(5_500);
    return verdict;
  };
  const turnsStored = () => [...stored.keys()].filter((name) => name.startsWith('turn:'));

  it('gets an event when it has one, however long that takes, without asking again', async () => {
    const pool = await busy();
    expect((await ask(pool, 'job')).type).toBe('waits');
    await pass(300_000);
    expect(pool.look('job', 'batch', 'a')).toMatchObject({ position: 1 });
    expect([turns, turnsStored()]).toEqual([[], ['turn:job']]);
    pool.release('one', 'batch', 'b', true);
    await pass(100);
    expect(turns).toEqual(['job-0 turn']);
    expect(placedOn(await settled(pool.ask(request('batch', { id: 'job' }))))).toBe(A);
    expect(turnsStored()).toEqual([]);
  });

  it('gets the event again from an object that was reset before the workflow went on', async () => {
    const before = await busy();
    await ask(before, 'job');
    reports[A] = { held: { live: [], batch: ['two'] } };
    before.release('one', 'batch', 'b', true);
    await pass(100);
    alarms = [];
    const pool = directory({ RUNTIME_URL: A });
    await pool.alarm();
    await pass(BEAT_MS);
    expect(turns).toEqual(['job-0 turn', 'job-0 turn']);
    expect(placedOn(await settled(pool.ask(request('batch', { id: 'job' }))))).toBe(A);
    expect(turnsStored()).toEqual([]);
  });

  it('gets no event for a place that it was given at once', async () => {
    const pool = directory({ RUNTIME_URL: A });
    expect(placedOn(await settled(pool.ask(request('batch', { id: 'job', workflow: 'job-0' }))))).toBe(A);
    await pass(1_000);
    expect([turns, turnsStored()]).toEqual([[], []]);
  });

  it('waits on after the object was reset, at its position', async () => {
    const before = await busy();
    for (const id of ['first', 'second']) expect((await ask(before, id)).type).toBe('waits');
    alarms = [];
    const pool = directory({ RUNTIME_URL: A });
    await pool.alarm();
    await pass(BEAT_MS);
    expect(pool.look('second', 'batch', 'a')).toMatchObject({ position: 2 });
    reports[A] = { held: { live: [], batch: ['two'] } };
    pool.release('one', 'batch', 'b', true);
    await pass(2 * BEAT_MS);
    expect(turns).toEqual(['first-0 turn']);
  });

  it('that has ended gives its place to the next one', async () => {
    const pool = await busy();
    for (const id of ['first', 'second']) await ask(pool, id);
    ended.add('first-0');
    pool.release('one', 'batch', 'b', true);
    await pass(1_000);
    expect([turns, turnsStored()]).toEqual([['second-0 turn'], ['turn:second']]);
  });

  it('that stops waiting is forgotten, also by an object that was reset', async () => {
    const pool = await busy();
    for (const id of ['first', 'second']) await ask(pool, id);
    pool.release('first', 'batch', 'a', false);
    expect(turnsStored()).toEqual(['turn:second']);
    directory({ RUNTIME_URL: A }).release('second', 'batch', 'a', false);
    expect(turnsStored()).toEqual([]);
  });
});
