import { describe, expect, it } from 'vitest';
import { BEAT_MS, restoredPool } from '../../../src/worker/pool/plan.ts';
import { placed, TestPool, waits } from './test-pool.ts';

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

  it('takes any number that catch up while nobody is on time there, and otherwise two fifths, until one has caught up', () => {
    const pool = new TestPool();
    pool.beat('a');
    const behind = (id: string) => pool.ask('live', { id, lost: null, backlogS: 600 });
    for (let i = 0; i < 6; i++) expect(behind(`early ${i}`)).toEqual(placed('a'));
    expect(pool.ask('live', { id: 'early 0', lost: null, backlogS: 0 })).toEqual(placed('a'));
    expect(behind('late')).toEqual(waits(1));
    expect(pool.ask('live', { id: 'early 0', lost: null })).toEqual(placed('a'));
    expect(pool.effectsOf('granted')).toEqual([]);
    pool.ask('live', { id: 'early 1', lost: null, backlogS: 0 });
    expect(pool.effectsOf('granted').map(({ id }) => id)).toEqual(['late']);
  });

  it('is looked for every second where an instance does not answer and work waits', () => {
    const pool = new TestPool();
    pool.beat('a');
    pool.do({ type: 'unanswered', name: 'a' });
    pool.do({ type: 'tick' });
    expect(pool.effectsOf('probe')).toEqual([]);
    pool.ask('live', { id: 'lost', lost: null });
    pool.do({ type: 'tick' });
    expect(pool.effectsOf('probe').map(({ name }) => name)).toContain('a');
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
    expect(pool.ask('conclude')).toEqual(placed('a'));
  });

  it('weighs a file like half of the live slots', () => {
    const pool = new TestPool();
    pool.do({ type: 'beats', beats: [pool.report('a')] });
    pool.ask('batch');
    pool.do({ type: 'beats', beats: [pool.report('a', { busy: 1 })] });
    pool.fill('b', 11);
    pool.fill('c', 12);
    expect(pool.ask('conclude')).toEqual(placed('a'));
    expect(pool.ask('conclude')).toEqual(placed('b'));
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

  it('is expected without regard to running files of unknown length', () => {
    const pool = new TestPool();
    pool.do({ type: 'beats', beats: [pool.report('one', { slots: { live: 0, batch: 2 }, batch: ['forgotten'] })] });
    pool.ask('batch', { weight: 600 });
    const waits = pool.ask('batch', { id: 'last', weight: 600 });
    pool.now += 60_000;
    // Two files run, each at 4 s of audio in a second: the known one has 360 s left.
    expect(waits).toEqual({ type: 'waits', position: 1, etaS: 38 });
    expect(pool.do({ type: 'look', id: 'last', kind: 'batch', tenant: 'a' })).toMatchObject({ etaS: 23 });
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
    pool.fill('b', 1);
    pool.fill('c', 1);
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
