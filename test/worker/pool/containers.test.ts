import { describe, expect, it } from 'vitest';
import type { Jurisdiction, PoolRegion } from '../../../src/contract/regions.ts';
import { containerName, containerNamed } from '../../../src/worker/pipeline/container-name.ts';
import { BEAT_MS } from '../../../src/worker/pool/plan.ts';
import { regionOfClient } from '../../../src/worker/pool/regions.ts';
import { placed, TestPool, waits } from './test-pool.ts';

type ClientPlace = Parameters<typeof regionOfClient>[0];

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
