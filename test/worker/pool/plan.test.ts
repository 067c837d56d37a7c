import { describe, expect, it } from 'vitest';
import type { Jurisdiction, PoolRegion } from '../../../src/contract/regions.ts';
import { containerName, containerNamed } from '../../../src/worker/pipeline/container-name.ts';
import {
  BEAT_MS,
  type PoolAnswers,
  type PoolCommand,
  type PoolCommandName,
  plan,
  restoredPool,
} from '../../../src/worker/pool/plan.ts';
import {
  emptyPool,
  type PoolBeat,
  type PoolEffect,
  type PoolKind,
  type PoolSettings,
  type PoolState,
} from '../../../src/worker/pool/pool-state.ts';
import { regionOfClient } from '../../../src/worker/pool/regions.ts';

type ClientPlace = Parameters<typeof regionOfClient>[0];

const SLOTS = { live: 12, batch: 4 };

/** A pool whose time passes only when a test says so. */
class TestPool {
  state: PoolState;
  now = 1_000_000;
  effects: PoolEffect[] = [];
  #ids = 0;

  constructor(settings: Partial<PoolSettings> = {}) {
    this.state = emptyPool({
      application: 'a',
      min: 0,
      max: 0,
      slots: SLOTS,
      regions: [],
      jurisdiction: null,
      ...settings,
    });
  }

  do<T extends PoolCommandName>(command: PoolCommand<T>): PoolAnswers[T] {
    const before = structuredClone(this.state);
    const step = plan(this.state, command, this.now);
    expect(this.state).toEqual(before);
    this.state = step.state;
    this.effects.push(...step.effects);
    return step.answer;
  }

  /** Reports instances that hold exactly what was leased to them. */
  beat(...names: string[]): void {
    this.do({ type: 'beats', beats: names.map((name) => this.report(name)) });
  }

  report(name: string, change: Partial<PoolBeat> = {}): PoolBeat {
    const leases = this.instance(name)?.leases ?? [];
    const idsOf = (isLive: boolean) => leases.filter(({ kind }) => (kind === 'live') === isLive).map(({ id }) => id);
    return {
      name,
      kind: 'address',
      region: null,
      jurisdiction: null,
      isDraining: false,
      slots: SLOTS,
      busy: 0,
      lagMs: 0,
      live: idsOf(true),
      batch: idsOf(false),
      ...change,
    };
  }

  instance(name: string) {
    return this.state.instances.find((instance) => instance.name === name);
  }

  ask(kind: PoolKind = 'live', change: Partial<PoolCommand<'ask'>> = {}) {
    const id = `${kind}-${this.#ids++}`;
    const weight = kind === 'live' ? 0 : 60;
    const patienceMs = kind === 'live' ? 8_000 : null;
    return this.do({ type: 'ask', id, kind, tenant: 'a', weight, region: null, patienceMs, ...change });
  }

  /** Fills an instance with live sessions. */
  fill(name: string, live: number, batch = 0): void {
    const ids = (kind: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${kind}-${i}`);
    const report = this.report(name, { live: ids('live', live), batch: ids('batch', batch) });
    this.do({ type: 'beats', beats: [report] });
  }

  pass(ms: number): PoolEffect[] {
    this.now += ms;
    this.effects = [];
    this.do({ type: 'tick' });
    return this.effects;
  }

  effectsOf<T extends PoolEffect['type']>(type: T): Extract<PoolEffect, { type: T }>[] {
    return this.effects.filter((effect): effect is Extract<PoolEffect, { type: T }> => effect.type === type);
  }
}

const placed = (instance: string) => ({ type: 'placed', instance });
const waits = (position: number) => expect.objectContaining({ type: 'waits', position });

describe('the place of a live session', () => {
  it.each([
    ['the fullest instance that stays under three quarters', { a: 3, b: 8, c: 5 }, 'b'],
    ['not an instance at three quarters', { a: 3, b: 9, c: 5 }, 'c'],
    ['the instance with the smallest share when all are at three quarters', { a: 11, b: 9, c: 10 }, 'b'],
    ['the only one with a free slot', { a: 12, b: 12, c: 11 }, 'c'],
  ])('is %s', (_, held, expected) => {
    const pool = new TestPool();
    for (const [name, live] of Object.entries(held)) pool.fill(name, live);
    expect(pool.ask()).toEqual(placed(expected));
  });

  it.each([
    ['drains', { isDraining: true }],
    ['is more than 2 s behind', { lagMs: 2_001 }],
    ['has no slots for sessions', { slots: { live: 0, batch: 4 } }],
  ])('is never an instance that %s', (_, change) => {
    const pool = new TestPool();
    pool.do({ type: 'beats', beats: [pool.report('a', change)] });
    expect(pool.ask()).toEqual(waits(1));
    pool.beat('b');
    expect(pool.effectsOf('granted')).toEqual([expect.objectContaining({ instance: 'b' })]);
  });

  it('stays where it is when the session asks again', () => {
    const pool = new TestPool();
    pool.beat('a', 'b');
    expect(pool.ask('live', { id: 'one' })).toEqual(placed('a'));
    pool.fill('b', 5);
    expect(pool.ask('live', { id: 'one' })).toEqual(placed('a'));
    expect(pool.instance('a')?.live).toBe(1);
  });

  it('is kept when the session is finalized, and then counts as one for files', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    pool.now += 600_000;
    expect(pool.ask('conclude', { id: 'one', weight: 600 })).toEqual(placed('a'));
    expect(pool.instance('a')).toMatchObject({ live: 0, batch: 1 });
    expect(pool.instance('a')?.leases).toMatchObject([{ kind: 'conclude', weight: 600, at: pool.now }]);
  });

  it('is given before all new ones to a session whose reservation has lapsed', () => {
    const pool = new TestPool();
    pool.fill('a', 12);
    pool.ask('live', { id: 'new' });
    expect(pool.ask('live', { id: 'started before', lost: null })).toEqual(waits(1));
    pool.do({ type: 'release', id: 'a-live-0', kind: 'live', tenant: '', isDone: true });
    expect(pool.effectsOf('granted').map(({ id }) => id)).toEqual(['started before']);
  });

  it('is where nobody catches up, for a new session and for one that must catch up as well', () => {
    const pool = new TestPool();
    pool.beat('a', 'b', 'c');
    expect(pool.ask('live', { id: 'behind', lost: null, backlogS: 600 })).toEqual(placed('a'));
    expect(pool.ask('live', { id: 'new' })).toEqual(placed('b'));
    // One slot is in use on both.
    expect(pool.ask('live', { id: 'another', lost: null, backlogS: 600 })).toEqual(placed('c'));
    expect(pool.ask('live', { id: 'a third', lost: null, backlogS: 600 })).toEqual(placed('b'));
    pool.now += 200_000;
    pool.beat('a', 'b', 'c');
    expect(pool.ask('live', { id: 'later' })).toEqual(placed('b'));
  });

  it('changes for a session that should move only when there is another', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    pool.do({ type: 'beats', beats: [pool.report('a', { isDraining: true })] });
    expect(pool.ask('live', { id: 'one', leaving: 'a' })).toEqual(placed('a'));
    pool.beat('b');
    expect(pool.ask('live', { id: 'one', leaving: 'a' })).toEqual(placed('b'));
    expect([pool.instance('a')?.live, pool.instance('b')?.live]).toEqual([0, 1]);
  });

  it('changes again for a session that should move when the other instance drains, too', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    pool.do({ type: 'beats', beats: [pool.report('a', { isDraining: true }), pool.report('b')] });
    expect(pool.ask('live', { id: 'one', leaving: 'a' })).toEqual(placed('b'));
    expect(pool.ask('live', { id: 'one', leaving: 'a' })).toEqual(placed('b'));
    pool.do({ type: 'beats', beats: [pool.report('b', { isDraining: true })] });
    expect(pool.ask('live', { id: 'one', leaving: 'a' })).toEqual(placed('b'));
    pool.beat('c');
    expect(pool.ask('live', { id: 'one', leaving: 'a' })).toEqual(placed('c'));
  });

  it('lets a session stay where it drains until it has caught up on the other', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    pool.do({ type: 'beats', beats: [pool.report('a', { isDraining: true }), pool.report('b')] });
    expect(pool.ask('live', { id: 'one', leaving: 'a' })).toEqual(placed('b'));
    pool.do({ type: 'beats', beats: [pool.report('a', { isDraining: true, live: ['one'] })] });
    expect(pool.effectsOf('revoke')).toEqual([]);
    pool.do({ type: 'beats', beats: [pool.report('a', { live: ['one'] })] });
    expect(pool.effectsOf('revoke')).toEqual([{ type: 'revoke', name: 'a', id: 'one' }]);
  });

  it('is in its own region while that has room, then in another', () => {
    const pool = new TestPool();
    pool.do({
      type: 'beats',
      beats: [pool.report('near', { region: 'weur' }), pool.report('far', { region: 'enam' })],
    });
    for (let i = 0; i < 12; i++) expect(pool.ask('live', { region: 'weur' })).toEqual(placed('near'));
    expect(pool.ask('live', { region: 'weur' })).toEqual(placed('far'));
  });

  it('leaves a quarter of all slots to conclusions and files while any wait', () => {
    const pool = new TestPool();
    pool.fill('a', 8, 4);
    expect(pool.ask('conclude')).toEqual(waits(1));
    expect(pool.ask()).toEqual(placed('a'));
    expect(pool.ask()).toEqual(waits(1));
    pool.do({ type: 'release', id: 'a-batch-0', kind: 'batch', tenant: '', isDone: true });
    expect(pool.effectsOf('granted').map(({ kind }) => kind)).toEqual(['conclude']);
    pool.do({ type: 'release', id: 'a-live-0', kind: 'live', tenant: '', isDone: true });
    expect(pool.effectsOf('granted').map(({ kind }) => kind)).toEqual(['conclude', 'live']);
  });
});

describe('a request without a place', () => {
  it('is refused after 8 s, with a time to come back', () => {
    const pool = new TestPool();
    pool.fill('a', 12);
    expect(pool.ask('live', { id: 'one' })).toEqual(waits(1));
    expect(pool.ask('live', { id: 'two', patienceMs: null })).toEqual(waits(2));
    pool.now += 4_000;
    pool.beat('a');
    expect(pool.pass(3_999)).toEqual([]);
    pool.beat('a');
    expect(pool.pass(1)).toEqual([{ type: 'refused', id: 'one', retryAfterS: expect.any(Number) }]);
    expect(pool.do({ type: 'look', id: 'one', kind: 'live', tenant: 'a' })).toEqual({ type: 'none' });
    expect(pool.do({ type: 'look', id: 'two', kind: 'live', tenant: 'a' })).toEqual(waits(1));
  });

  it('takes the place of one that ends', () => {
    const pool = new TestPool();
    pool.fill('a', 12);
    pool.ask('live', { id: 'one' });
    pool.do({ type: 'release', id: 'a-live-3', kind: 'live', tenant: '', isDone: true });
    expect(pool.effects).toContainEqual({ type: 'granted', id: 'one', kind: 'live', instance: 'a' });
  });

  it('stops waiting when it is released', () => {
    const pool = new TestPool();
    pool.fill('a', 12);
    pool.ask('live', { id: 'one', tenant: 'b' });
    pool.do({ type: 'release', id: 'one', kind: 'live', tenant: 'b', isDone: false });
    pool.do({ type: 'release', id: 'a-live-3', kind: 'live', tenant: '', isDone: true });
    expect(pool.effectsOf('granted')).toEqual([]);
  });
});

describe('the place of a file', () => {
  it('is the instance that is least busy', () => {
    const pool = new TestPool();
    pool.do({ type: 'beats', beats: [pool.report('a', { busy: 0.9 }), pool.report('b', { busy: 0.2 })] });
    expect(pool.ask('batch')).toEqual(placed('b'));
    expect(pool.ask('conclude')).toEqual(placed('b'));
    expect(pool.ask('conclude')).toEqual(placed('b'));
    expect(pool.ask('conclude')).toEqual(placed('a'));
  });

  it('goes to a file with a client before the same tenant’s others', () => {
    const pool = new TestPool();
    pool.fill('a', 0, 4);
    for (const id of ['first', 'second']) pool.ask('batch', { id });
    for (const id of ['attended', 'attended too']) pool.ask('batch', { id, isAttended: true });
    for (let i = 0; i < 4; i++)
      pool.do({ type: 'release', id: `a-batch-${i}`, kind: 'batch', tenant: '', isDone: true });
    expect(pool.effectsOf('granted').map(({ id }) => id)).toEqual(['attended', 'attended too']);
    pool.do({ type: 'release', id: 'attended', kind: 'batch', tenant: 'a', isDone: true });
    expect(pool.effectsOf('granted').at(-1)?.id).toBe('first');
  });

  it('goes to a conclusion before a file', () => {
    const pool = new TestPool();
    pool.fill('a', 0, 4);
    pool.ask('batch', { id: 'file' });
    pool.ask('conclude', { id: 'conclusion' });
    expect(pool.do({ type: 'look', id: 'file', kind: 'batch', tenant: 'a' })).toEqual(waits(2));
    pool.do({ type: 'release', id: 'a-batch-0', kind: 'batch', tenant: '', isDone: true });
    expect(pool.effectsOf('granted').map(({ id }) => id)).toEqual(['conclusion']);
  });

  it('leaves half of the places to tenants that have none', () => {
    const pool = new TestPool();
    pool.beat('one');
    expect([1, 2, 3].map(() => pool.ask('batch'))).toEqual([placed('one'), placed('one'), waits(1)]);
    expect(pool.ask('batch', { tenant: 'b' })).toEqual(placed('one'));
    expect(pool.ask('batch', { tenant: 'c' })).toEqual(placed('one'));
    expect(pool.ask('batch', { tenant: 'd' })).toEqual(waits(1));
  });

  it('serves tenants in turn by seconds of audio, regardless of how many files each has', () => {
    const pool = new TestPool();
    pool.do({ type: 'beats', beats: [pool.report('one', { slots: { live: 0, batch: 1 } })] });
    pool.ask('batch', { id: 'first', tenant: 'z' });
    for (let i = 0; i < 6; i++) pool.ask('batch', { id: `a${i}`, tenant: 'a' });
    pool.ask('batch', { id: 'b0', tenant: 'b', weight: 120 });
    pool.ask('batch', { id: 'b1', tenant: 'b', weight: 120 });
    pool.ask('batch', { id: 'c0', tenant: 'c' });
    const order: string[] = [];
    for (let last = 'first'; order.length < 9; ) {
      pool.effects = [];
      pool.do({ type: 'release', id: last, kind: 'batch', tenant: last.slice(0, 1), isDone: false });
      last = pool.effectsOf('granted')[0]!.id;
      order.push(last);
    }
    expect(order).toEqual(['a0', 'b0', 'c0', 'a1', 'a2', 'b1', 'a3', 'a4', 'a5']);
  });

  it('is expected after the seconds of audio before it, at the measured pace', () => {
    const pool = new TestPool();
    pool.do({ type: 'beats', beats: [pool.report('one', { slots: { live: 0, batch: 1 } })] });
    for (let i = 0; i < 40; i++) {
      pool.ask('batch', { id: `file-${i}`, tenant: `t${i}`, weight: 600 });
      pool.now += 60_000;
      pool.do({ type: 'release', id: `file-${i}`, kind: 'batch', tenant: `t${i}`, isDone: true });
    }
    pool.ask('batch', { id: 'running', tenant: 'x', weight: 600 });
    const etaOf = (tenant: string, id: string) => {
      const place = pool.ask('batch', { id, tenant, weight: 600 });
      return place.type === 'waits' ? [place.position, Math.round(place.etaS / 10) * 10] : place.type;
    };
    expect(etaOf('a', 'a0')).toEqual([1, 60]);
    expect(etaOf('a', 'a1')).toEqual([2, 120]);
    expect(etaOf('a', 'a2')).toEqual([3, 180]);
    // A newcomer goes right after the first file of the other tenant.
    expect(etaOf('b', 'b0')).toEqual([1, 60]);
    expect(etaOf('b', 'b1')).toEqual([3, 180]);
  });

  it('is preferably not on an instance that has failed it', () => {
    const pool = new TestPool();
    pool.beat('a', 'b');
    expect(pool.ask('batch', { avoid: ['a'] })).toEqual(placed('b'));
    expect(pool.ask('batch', { avoid: ['a', 'b'] })).toEqual(placed('a'));
  });
});

describe('an instance that disappears', () => {
  it('is asked when a beat is missed, and is gone when two are', () => {
    const pool = new TestPool();
    pool.beat('a');
    expect(pool.pass(BEAT_MS + 2_000)).toEqual([]);
    expect(pool.pass(1_000)).toEqual([{ type: 'probe', name: 'a' }]);
    pool.beat('a');
    expect(pool.pass(BEAT_MS)).toEqual([]);
    pool.pass(BEAT_MS + 1_500);
    expect(pool.instance('a')).toBeDefined();
    pool.pass(1);
    expect(pool.instance('a')).toBeUndefined();
  });

  it('takes no new work from a question that it does not answer until its next beat', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    pool.do({ type: 'unanswered', name: 'a' });
    expect(pool.ask()).toEqual(waits(1));
    expect(pool.instance('a')?.live).toBe(1);
    pool.beat('a');
    expect(pool.effectsOf('granted')).toHaveLength(1);
  });

  it('takes work again when one that drained by itself does not any more', () => {
    const pool = new TestPool();
    pool.do({ type: 'beats', beats: [pool.report('a', { isDraining: true })] });
    expect(pool.ask()).toEqual(waits(1));
    pool.beat('a');
    expect(pool.effectsOf('granted')).toHaveLength(1);
  });

  it('gives what it held to others at once, before new work, the shortest backlog first', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'long' });
    pool.now += 4_000;
    pool.beat('a');
    pool.ask('live', { id: 'short' });
    pool.fill('b', 12);
    pool.do({ type: 'beats', beats: [pool.report('a'), pool.report('b')] });
    pool.now += 9_000;
    pool.beat('b');
    pool.ask('live', { id: 'b-extra', patienceMs: null });
    const effects = pool.pass(4_000);
    expect(effects.filter(({ type }) => type === 'orphaned').length).toBe(3);
    // One of them was new on the instance that is gone.
    expect(pool.state.orphans.map(({ id }) => id)).toEqual(['b-extra', 'short', 'long']);
    pool.ask('live', { id: 'new' });
    pool.do({ type: 'release', id: 'b-live-0', kind: 'live', tenant: '', isDone: true });
    pool.do({ type: 'release', id: 'b-live-1', kind: 'live', tenant: '', isDone: true });
    expect(pool.effectsOf('granted').map(({ id }) => id)).toEqual(['b-extra', 'short']);
    expect(pool.do({ type: 'look', id: 'new', kind: 'live', tenant: 'a' })).toEqual(waits(2));
  });

  it('spreads its sessions over the others, at most two fifths of each catching up', () => {
    const pool = new TestPool();
    pool.fill('a', 12);
    pool.beat('b', 'c');
    pool.now += 60_000;
    pool.beat('b', 'c');
    const effects = pool.pass(0);
    const places = effects.flatMap((effect) => (effect.type === 'granted' ? effect.instance : []));
    expect(places.filter((name) => name === 'b').length).toBe(5);
    expect(places.filter((name) => name === 'c').length).toBe(5);
    expect(pool.state.orphans.length).toBe(2);
    pool.now += 16_000;
    pool.beat('b', 'c');
    expect(pool.state.orphans.length).toBe(0);
  });

  it('is left by a session that reports it before two beats are missed', () => {
    const pool = new TestPool();
    pool.beat('a', 'b');
    pool.ask('live', { id: 'one' });
    expect(pool.ask('live', { id: 'one', lost: 'a', backlogS: 60 })).toEqual(placed('b'));
    expect(pool.effects).toContainEqual({ type: 'probe', name: 'a' });
    expect(pool.instance('a')?.live).toBe(0);
  });

  it('takes a session back when there is no other', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    expect(pool.ask('live', { id: 'one', lost: 'a', backlogS: 60 })).toEqual(placed('a'));
  });

  it('must forget what has moved when it comes back', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    const late = pool.report('a');
    pool.now += 10_000;
    pool.beat('b');
    pool.pass(4_000);
    expect(pool.effectsOf('granted')).toEqual([{ type: 'granted', id: 'one', kind: 'live', instance: 'b' }]);
    pool.do({ type: 'beats', beats: [late] });
    expect(pool.effects).toContainEqual({ type: 'revoke', name: 'a', id: 'one' });
    expect(pool.instance('b')?.live).toBe(1);
  });

  it('keeps what it holds when it comes back before that found another place', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    const late = pool.report('a');
    pool.pass(14_000);
    expect(pool.state.orphans.length).toBe(1);
    pool.do({ type: 'beats', beats: [late] });
    expect(pool.instance('a')?.leases).toEqual([expect.objectContaining({ id: 'one', tenant: 'a' })]);
    expect(pool.state.orphans).toEqual([]);
  });
});

describe('a lease', () => {
  it('ends when its instance has confirmed it and then lacks it in two beats', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    pool.beat('a');
    const without = { type: 'beats', beats: [pool.report('a', { live: [] })] } as const;
    pool.do(without);
    expect(pool.instance('a')?.live).toBe(1);
    pool.do(without);
    expect(pool.instance('a')?.live).toBe(0);
  });

  it('lapses when its instance does not confirm it within a minute', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one' });
    const without = { type: 'beats', beats: [pool.report('a', { live: [] })] } as const;
    for (let i = 0; i < 12; i++) {
      pool.now += BEAT_MS;
      pool.do(without);
      expect(pool.instance('a')?.live).toBe(1);
    }
    pool.now += BEAT_MS;
    pool.do(without);
    expect(pool.instance('a')?.live).toBe(0);
  });

  it('is recognised by its instance after the object was reset, before new work', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.ask('live', { id: 'one', tenant: 'b' });
    pool.ask('batch', { id: 'file', tenant: 'b' });
    const report = pool.report('a', { slots: { live: 1, batch: 4 } });
    pool.state = restoredPool(pool.state.settings, pool.state.instances, [], pool.now);
    expect(pool.ask('live', { id: 'new' })).toEqual(waits(1));
    pool.do({ type: 'beats', beats: [report] });
    expect(pool.effectsOf('granted')).toEqual([]);
    expect(pool.ask('live', { id: 'one', tenant: 'b' })).toEqual(placed('a'));
    expect(pool.ask('batch', { id: 'file', tenant: 'b' })).toEqual(placed('a'));
    expect(pool.state.filesOf).toEqual(new Map([['b', 1]]));
  });
});

describe('the number of containers', () => {
  const beatAll = (pool: TestPool) => pool.beat(...pool.state.instances.map(({ name }) => name));
  const container = (pool: TestPool, name: string) =>
    pool.do({ type: 'beats', beats: [pool.report(name, { kind: 'container' })] });

  it('is the minimum without work', () => {
    const pool = new TestPool({ min: 2, max: 9 });
    expect(pool.pass(0)).toEqual([
      { type: 'start', name: containerName('a', 0) },
      { type: 'start', name: containerName('a', 1) },
    ]);
    expect(pool.pass(1_000)).toEqual([]);
  });

  it('grows at the first request, which gets the first place', () => {
    const pool = new TestPool({ max: 9 });
    expect(pool.pass(0)).toEqual([]);
    expect(pool.ask('live', { id: 'one' })).toEqual(waits(1));
    expect(pool.effectsOf('start').map(({ name }) => name)).toEqual([containerName('a', 0)]);
    container(pool, containerName('a', 0));
    expect(pool.effects).toContainEqual({ type: 'granted', id: 'one', kind: 'live', instance: containerName('a', 0) });
  });

  it('keeps eight slots or a fifth free, with at most five starts at a time and the maximum', () => {
    const pool = new TestPool({ max: 7 });
    for (let i = 0; i < 100; i++) pool.ask('live', { patienceMs: null });
    expect(pool.effectsOf('start').length).toBe(5);
    expect(pool.pass(1_000)).toEqual([]);
    for (let i = 0; i < 5; i++) container(pool, containerName('a', i));
    expect(pool.pass(1_000).filter(({ type }) => type === 'start').length).toBe(2);
    for (let i = 5; i < 7; i++) container(pool, containerName('a', i));
    expect(pool.pass(1_000)).toEqual([]);
    expect(pool.state.live.length).toBe(16);
  });

  it('waits longer each time the platform refuses a start', () => {
    const pool = new TestPool({ max: 9 });
    const refused = () => pool.do({ type: 'start_failed', name: containerName('a', 0), isRateLimited: true });
    pool.ask('live', { patienceMs: null });
    refused();
    expect(pool.pass(999)).toEqual([]);
    expect(pool.pass(1)).toEqual([{ type: 'start', name: containerName('a', 0) }]);
    refused();
    expect(pool.pass(1_999)).toEqual([]);
    expect(pool.pass(1)).toEqual([{ type: 'start', name: containerName('a', 0) }]);
  });

  it('grows when the queue waits longer than two minutes', () => {
    const pool = new TestPool({ max: 9 });
    container(pool, containerName('a', 0));
    for (let i = 0; i < 6; i++) pool.ask('batch', { tenant: `t${i}`, weight: 500 });
    expect(pool.pass(0)).toEqual([]);
    for (let i = 6; i < 10; i++) pool.ask('batch', { tenant: `t${i}`, weight: 500 });
    expect(pool.effectsOf('start').length).toBe(5);
  });

  it('leaves out the emptiest, takes it back when it is needed, and stops it after ten minutes', () => {
    const pool = new TestPool({ max: 9 });
    for (let i = 0; i < 4; i++) container(pool, containerName('a', i));
    const report = (name: string, live: number) =>
      pool.report(name, { kind: 'container', live: Array.from({ length: live }, (_, i) => `${name}-${i}`) });
    const all = [0, 1, 2, 3].map((i) => report(containerName('a', i), i));
    pool.do({ type: 'beats', beats: all });
    expect(pool.pass(0)).toEqual([]);
    const resting = () => pool.state.instances.filter(({ restsSince }) => restsSince !== null).map(({ name }) => name);
    expect(resting()).toEqual([containerName('a', 0), containerName('a', 1)]);
    for (let i = 0; i < 13; i++) expect(pool.ask('live', { patienceMs: null }).type).toBe('placed');
    pool.pass(0);
    // The fuller one is back.
    expect(resting()).toEqual([containerName('a', 0)]);
    for (let i = 0; i < 119; i++) {
      pool.now += BEAT_MS;
      beatAll(pool);
    }
    expect(pool.pass(0)).toEqual([]);
    pool.now += BEAT_MS;
    beatAll(pool);
    expect(pool.pass(0)).toEqual([{ type: 'stop', name: containerName('a', 0) }]);
    expect(pool.instance(containerName('a', 0))).toBeUndefined();
  });

  it('is replaced when instances are drained, and those stop when they are empty', () => {
    const pool = new TestPool({ max: 9 });
    container(pool, containerName('a', 0));
    pool.ask('live', { id: 'one' });
    pool.do({ type: 'drain', names: [containerName('a', 0)] });
    expect(pool.effectsOf('start')).toEqual([{ type: 'start', name: containerName('a', 1) }]);
    expect(pool.ask('live', { id: 'two' })).toEqual(waits(1));
    expect(pool.pass(1_000)).toEqual([]);
    pool.do({ type: 'release', id: 'one', kind: 'live', tenant: 'a', isDone: true });
    expect(pool.pass(1_000)).toEqual([{ type: 'stop', name: containerName('a', 0) }]);
  });
});

describe('an instance that leaves', () => {
  it('is removed at once, and what it held goes before all other work', () => {
    const pool = new TestPool();
    for (const name of ['a', 'b'])
      pool.do({ type: 'beats', beats: [pool.report(name, { slots: { live: 1, batch: 1 } })] });
    const [one, two] = [pool.ask('live', { id: 'one' }), pool.ask('live', { id: 'two' })];
    expect([one, two].map((place) => place.type)).toEqual(['placed', 'placed']);
    pool.ask('live', { id: 'new' });
    const left = one.type === 'placed' ? one.instance : '';
    pool.effects = [];
    pool.do({ type: 'leave', name: left });
    expect(pool.instance(left)).toBeUndefined();
    expect(pool.effects).toEqual([{ type: 'orphaned', id: 'one', kind: 'live', instance: left }]);
    pool.do({ type: 'release', id: 'two', kind: 'live', tenant: 'a', isDone: true });
    expect(pool.effectsOf('granted')).toMatchObject([{ id: 'one' }]);
  });

  it('may be unknown', () => {
    const pool = new TestPool();
    pool.do({ type: 'leave', name: 'nobody' });
    expect(pool.effects).toEqual([]);
  });
});

describe('regions', () => {
  const at = (pool: TestPool, name: string, region: PoolRegion | null, live = 0) => {
    const ids = Array.from({ length: live }, (_, i) => `${name}-${i}`);
    pool.do({ type: 'beats', beats: [pool.report(name, { region, live: ids })] });
  };

  it.each<[string, PoolRegion | null, Record<string, [PoolRegion | null, number]>, string]>([
    ['its own region', 'weur', { a: ['enam', 3], b: ['weur', 0], c: [null, 5] }, 'b'],
    ['the fullest packed instance of its region', 'weur', { a: ['weur', 1], b: ['weur', 3], c: ['enam', 5] }, 'b'],
    ['its region up to the last slot', 'weur', { a: ['enam', 0], b: ['weur', 11] }, 'b'],
    ['the next region when its own is full', 'weur', { a: ['enam', 3], b: ['weur', 12], c: ['eeur', 0] }, 'c'],
    ['the nearest region when its own has none', 'oc', { a: ['weur', 3], b: ['enam', 3], c: ['apac', 0] }, 'c'],
    ['an instance without a region last', 'sam', { a: [null, 3], b: ['me', 0] }, 'b'],
    ['an instance without a region when all others are full', 'sam', { a: [null, 3], b: ['me', 12] }, 'a'],
    ['anywhere for a client whose region is unknown', null, { a: ['apac', 3], b: ['weur', 5] }, 'b'],
  ])('a session goes to %s', (_, region, instances, expected) => {
    const pool = new TestPool();
    for (const [name, [where, live]] of Object.entries(instances)) at(pool, name, where, live);
    expect(pool.ask('live', { region })).toEqual(placed(expected));
  });

  it('a file goes to the least busy instance, wherever it is', () => {
    const pool = new TestPool();
    pool.do({
      type: 'beats',
      beats: [pool.report('a', { region: 'weur', busy: 0.5 }), pool.report('b', { region: 'oc' })],
    });
    expect(pool.ask('batch')).toEqual(placed('b'));
  });

  it('a session that loses its instance stays near its client', () => {
    const pool = new TestPool();
    for (const [name, region] of [
      ['a', 'weur'],
      ['b', 'enam'],
      ['c', 'weur'],
    ] as const)
      at(pool, name, region);
    const place = pool.ask('live', { id: 'one', region: 'weur' });
    const first = place.type === 'placed' ? place.instance : '';
    pool.do({ type: 'leave', name: first });
    expect(pool.ask('live', { id: 'one', lost: first })).toEqual(placed(first === 'a' ? 'c' : 'a'));
  });

  it.each<[string, Jurisdiction | null, Jurisdiction | null, boolean]>([
    ['inside', 'eu', 'eu', true],
    ['in another one', 'eu', 'us', false],
    ['that does not say where it is', 'eu', null, false],
    ['that says so without need', null, 'eu', true],
  ])('an instance %s, with the jurisdiction %s: %s gets work: %s', (_, jurisdiction, own, isPlaced) => {
    const pool = new TestPool({ jurisdiction });
    pool.do({ type: 'beats', beats: [pool.report('a', { region: 'weur', jurisdiction: own })] });
    expect(pool.ask('live', { region: 'weur' })).toEqual(isPlaced ? placed('a') : waits(1));
    expect(pool.ask('batch')).toEqual(isPlaced ? placed('a') : waits(1));
  });

  it('containers start where sessions wait, at most the maximum in all', () => {
    const pool = new TestPool({ max: 3, regions: ['weur', 'enam'] });
    expect(pool.pass(0)).toEqual([]);
    pool.ask('live', { region: 'enam', patienceMs: null });
    expect(pool.effectsOf('start')).toEqual([{ type: 'start', name: 'a-enam-0' }]);
    pool.effects = [];
    for (let i = 0; i < 30; i++) pool.ask('live', { region: 'weur', patienceMs: null });
    expect(pool.effectsOf('start').map(({ name }) => name)).toEqual(['a-weur-0', 'a-weur-1']);
  });

  it('a region whose sessions had to go elsewhere gets a container, and one without any loses its own', () => {
    const pool = new TestPool({ max: 9, regions: ['weur', 'enam'] });
    const beat = (...names: string[]) =>
      pool.do({
        type: 'beats',
        beats: names.map((name) => pool.report(name, { kind: 'container', region: containerNamed(name)!.region })),
      });
    beat('a-weur-0');
    expect(pool.ask('live', { id: 'one', region: 'enam' })).toEqual(placed('a-weur-0'));
    expect(pool.pass(0)).toContainEqual({ type: 'start', name: 'a-enam-0' });
    beat('a-weur-0', 'a-enam-0');
    pool.do({ type: 'release', id: 'one', kind: 'live', tenant: 'a', isDone: true });
    pool.pass(0);
    expect(pool.state.instances.map(({ state }) => state)).toEqual(['draining', 'draining']);
  });

  it('the minimum runs in the first region', () => {
    const pool = new TestPool({ min: 2, max: 9, regions: ['apac', 'weur'] });
    expect(pool.pass(0).map((effect) => effect.type === 'start' && effect.name)).toEqual(['a-apac-0', 'a-apac-1']);
  });

  it.each<[string, ClientPlace, PoolRegion | null]>([
    ['Lisbon', { continent: 'EU', latitude: '38.7', longitude: '-9.1' }, 'weur'],
    ['Warsaw', { continent: 'EU', latitude: '52.2', longitude: '21.0' }, 'eeur'],
    ['Seattle', { continent: 'NA', latitude: '47.6', longitude: '-122.3' }, 'wnam'],
    ['Sydney', { continent: 'OC', latitude: '-33.9', longitude: '151.2' }, 'oc'],
    ['Tokyo', { continent: 'AS', latitude: '35.7', longitude: '139.7' }, 'apac'],
    ['a client with only a continent', { continent: 'SA' }, 'sam'],
    ['a client that is nowhere', {}, null],
    ['a runtime that does not say', undefined, null],
  ])('the region of %s is known', (_, client, region) => {
    expect(regionOfClient(client)).toBe(region);
  });
});
