import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../src/worker/identity/env.ts';
import { AnalysisQueue, LEASE_MS, type QueueVerdict } from '../../../src/worker/queue/analysis-queue.ts';

// Time passes only when a test says so. What needs no time is tested in workerd.

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue, with one slot by default. */
function queue(slots = 1): {
  ask: (tenant: string, id: string, isAttended?: boolean) => Promise<QueueVerdict>;
  leave: (id: string) => void;
} {
  const queue = new AnalysisQueue({} as never, {} as Env);
  return {
    ask: (tenant, id, isAttended = false) => queue.request({ id, tenant, cost: 60, isAttended, slots }),
    leave: (id) => queue.leave(id),
  };
}

/** The answer of requests that are held open until the queue stops waiting. */
async function held<T>(asked: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
  return asked;
}

describe('the queue in front of the pipelines, as time passes', () => {
  it('answers wait when none becomes free, and keeps the turn of a waiter that asks again', async () => {
    const { ask, leave } = queue();
    expect(await ask('a', 'a1')).toBe('go');
    expect(await held(ask('a', 'a2'))).toBe('wait');
    const [third, second] = [ask('a', 'a3'), ask('a', 'a2')];
    leave('a1');
    expect(await second).toBe('go');
    leave('a2');
    expect(await third).toBe('go');
  });

  it('reserves half of its slots for tenants that hold none', async () => {
    const { ask, leave } = queue(4);
    expect(await Promise.all([ask('a', 'a1'), ask('a', 'a2')])).toEqual(['go', 'go']);
    const third = ask('a', 'a3');
    expect(await ask('b', 'b1')).toBe('go');
    expect(await ask('c', 'c1')).toBe('go');
    expect(await held(third)).toBe('wait');
    leave('b1');
    leave('c1');
    const again = ask('a', 'a3');
    leave('a1');
    expect(await again).toBe('go');
  });

  it('refuses a tenant with too many waiting requests, and no other', async () => {
    const { ask, leave } = queue();
    expect(await ask('a', 'a0')).toBe('go');
    const ids = Array.from({ length: 29 }, (_, i) => `a${i + 1}`);
    const line = ids.map((id) => ask('a', id, true));
    // The others are held open.
    expect(await Promise.race(line)).toBe('full');
    const others = Promise.all([ask('b', 'b1', true), ask('a', 'a30')]);
    for (const id of ['a0', ...ids, 'b1', 'a30']) leave(id);
    expect(await held(others)).not.toContain('full');
    expect((await Promise.all(line)).filter((turn) => turn === 'full')).toHaveLength(1);
  });

  it('forgets holders and waiters that died', async () => {
    const { ask } = queue();
    expect(await ask('a', 'dead')).toBe('go');
    const waiter = ask('a', 'dead too');
    let turn: QueueVerdict = 'wait';
    for (let polls = 0; turn === 'wait' && polls < 10; polls++) turn = await held(ask('b', 'b1'));
    expect(turn).toBe('go');
    expect(await waiter).toBe('wait');
  });
});
