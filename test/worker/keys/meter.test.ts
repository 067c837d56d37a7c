import { expect, it } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { type Counted, Meter, type TenantCounts } from '../../../src/worker/tenant/keys/meter.ts';
import { Minutes } from '../../../src/worker/tenant/minutes.ts';

const KEY: Counted = { tenant: 'acme', keyId: 'a', kind: 'issued' };
const OTHER: Counted = { tenant: 'acme', keyId: 'b', kind: 'issued' };
const MANY = { key: 1000, tenant: 1000 };
/** The fourth second of a minute. */
const NOW = 600_000 + 4_000;

/** A tenant's answer when no other isolate reports to it. */
const heard = (counts: TenantCounts, more = 0) => {
  const keys = Object.fromEntries(Object.entries(counts.keys).map(([id, { inMinute }]) => [id, inMinute + more]));
  return { keys, tenant: Object.values(keys).reduce((a, b) => a + b, 0), limits: {} };
};
const take = (meter: Meter, counted = KEY, allowed = MANY, now = NOW): number | undefined => {
  try {
    return meter.take(counted, allowed, now)[0]?.remaining;
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    return undefined;
  }
};

it('admits requests of a key up to its limit a minute, and again in the next minute', () => {
  const meter = new Meter();
  const allowed = { key: 3, tenant: 100 };
  expect([1, 2, 3, 4].map(() => take(meter, KEY, allowed))).toEqual([2, 1, 0, undefined]);
  expect(take(meter, OTHER, allowed)).toBe(2);
  expect(take(meter, KEY, allowed, NOW + 56_000)).toBe(2);
});

it('admits requests of all keys of a tenant together up to its limit', () => {
  const meter = new Meter();
  const allowed = { key: 100, tenant: 3 };
  expect([KEY, OTHER, KEY, OTHER].map((key) => take(meter, key, allowed))).toEqual([99, 99, 98, undefined]);
  expect(take(meter, { ...KEY, tenant: 'other' }, allowed)).toBe(99);
});

it('reports the remainder, its limit, and the reset time', () => {
  const meter = new Meter();
  expect(meter.take(KEY, { key: 2, tenant: 9 }, NOW)).toEqual([
    { name: 'key', limit: 2, remaining: 1, windowSeconds: 60, resetSeconds: 56 },
    { name: 'tenant', limit: 9, remaining: 8, windowSeconds: 60, resetSeconds: 56 },
  ]);
  meter.take(KEY, { key: 2, tenant: 9 }, NOW);
  try {
    meter.take(KEY, { key: 2, tenant: 9 }, NOW + 1500);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 55, quotas: [{ name: 'key', remaining: 0 }] });
  }
});

it('reports its counts once, refusals included', () => {
  const meter = new Meter();
  for (let i = 0; i < 4; i++) take(meter, KEY, { key: 3, tenant: 9 });
  meter.refuse(OTHER, NOW);
  const [counts] = meter.drain(NOW + 10);
  expect(counts).toEqual({
    tenant: 'acme',
    kind: 'issued',
    minute: 10,
    keys: {
      a: { requests: 3, refusals: 1, inMinute: 3, lastAt: NOW },
      b: { requests: 0, refusals: 1, inMinute: 0, lastAt: NOW },
    },
  });
  expect(meter.drain(NOW + 20)).toEqual([]);
});

it('includes the counts of other isolates as soon as the tenant reports them', () => {
  const meter = new Meter();
  const allowed = { key: 10, tenant: 100 };
  take(meter, KEY, allowed);
  const [counts] = meter.drain(NOW);
  // No count is lost in transit.
  expect(take(meter, KEY, allowed)).toBe(8);
  meter.acknowledge(counts!, heard(counts!, 7));
  expect(take(meter, KEY, allowed)).toBe(0);
  expect(take(meter, KEY, allowed)).toBeUndefined();
});

it('keeps counts that a tenant did not accept, and reports them again', () => {
  const meter = new Meter();
  take(meter);
  take(meter);
  const [lost] = meter.drain(NOW);
  meter.giveBack(lost!);
  take(meter);
  expect(meter.drain(NOW)[0]?.keys.a).toMatchObject({ requests: 3, inMinute: 3 });
});

it('counts a minute’s requests only in that minute', () => {
  const meter = new Meter();
  take(meter);
  take(meter, KEY, MANY, NOW + 60_000);
  expect(meter.drain(NOW + 60_000)[0]?.keys.a).toMatchObject({ requests: 2, inMinute: 1 });
});

it('many isolates together admit little more than one would', () => {
  const tenant = new Minutes();
  const isolates = Array.from({ length: 4 }, () => new Meter());
  let passed = 0;
  // Ten requests a second in each, reported every five seconds.
  for (let second = 0; second < 30; second++)
    for (const meter of isolates) {
      for (let i = 0; i < 10; i++)
        if (take(meter, KEY, { key: 400, tenant: 9999 }, 600_000 + second * 1000) !== undefined) passed++;
      if (second % 5 !== 4) continue;
      for (const counts of meter.drain(600_000 + second * 1000)) {
        for (const [key, { inMinute }] of Object.entries(counts.keys)) tenant.add(counts.minute, key, inMinute);
        meter.acknowledge(counts, {
          keys: { a: tenant.of(counts.minute, 'a') },
          tenant: tenant.all(counts.minute),
          limits: {},
        });
      }
    }
  expect(passed).toBeGreaterThanOrEqual(400);
  expect(passed).toBeLessThanOrEqual(400 + 4 * 50);
});

it('forgets keys without recent requests', () => {
  const meter = new Meter();
  for (let i = 0; i < 50; i++) take(meter, { ...KEY, tenant: `t${i}` });
  for (const counts of meter.drain(NOW)) meter.acknowledge(counts, { ...heard(counts), limits: { live_sessions: 1 } });
  expect(meter.limitsOf('t1')).toEqual({ live_sessions: 1 });
  meter.drain(NOW + 10 * 60_000);
  expect(meter.limitsOf('t1')).toEqual({});
});

it('a tenant remembers this minute and the one before', () => {
  const minutes = new Minutes();
  minutes.add(5, 'a', 3);
  minutes.add(6, 'a', 4);
  minutes.add(6, 'b', 1);
  expect([minutes.of(5, 'a'), minutes.of(6, 'a'), minutes.all(6)]).toEqual([3, 4, 5]);
  minutes.add(7, 'a', 1);
  expect([minutes.of(5, 'a'), minutes.of(6, 'a')]).toEqual([0, 4]);
});
