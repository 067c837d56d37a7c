import { expect } from 'vitest';
import { type PoolAnswers, type PoolCommand, type PoolCommandName, plan } from '../../../src/worker/pool/plan.ts';
import {
  emptyPool,
  type PoolBeat,
  type PoolEffect,
  type PoolKind,
  type PoolSettings,
  type PoolState,
} from '../../../src/worker/pool/pool-state.ts';

export const SLOTS = { live: 12, batch: 4 };

/** A pool whose time passes only when a test says so. */
export class TestPool {
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

/** The answer to a request that has a place. */
export const placed = (instance: string) => ({ type: 'placed', instance });
/** The answer to a request that waits. @param position in the queue, from 1 */
export const waits = (position: number) => expect.objectContaining({ type: 'waits', position });
