import type { PoolRegion } from '../../contract/regions.ts';
import { grant, placeFor, serve } from './choice.ts';
import { expected } from './expected-wait.ts';
import { lose, orphanOf, reconcile } from './holdings.ts';
import type { PoolWaiting } from './line.ts';
import {
  emptyPool,
  FIRST_BACKOFF_MS,
  type PoolBeat,
  PoolDraft,
  type PoolEffect,
  type PoolInstance,
  type PoolKind,
  type PoolPlace,
  type PoolSettings,
  type PoolState,
  starting,
} from './pool-state.ts';
import { scale } from './scale.ts';
import { valueAt } from './table.ts';

/**
 * Which pipeline works on what: one pure function, (state, command, now) -> answer, next state, effects. The simulator
 * of `npm run bench -- simulate` runs the same function.
 *
 * An instance is a process or a container that runs the pipeline. It reports itself every `BEAT_MS`. A lease is the
 * permission of one live session, conclusion or file to run on an instance.
 *
 *   starting --beat--> ready --told to, or left out--> draining --empty--> gone
 *        any state --two beats missed, or it says that it leaves--> gone
 */
export const BEAT_MS = 5_000;
/** Age of the last beat at which an instance is asked directly, and at which it is gone, ms: two beats are missed. */
const SUSPECT_MS = 1.5 * BEAT_MS;
const GONE_MS = 2.3 * BEAT_MS;
/** How long an instance may start before it is given up, ms. A container may take 28 s. */
const START_MS = 60_000;
/** How long an instance that is not needed is left out before it stops, ms. */
const REST_MS = 600_000;
/** Longest wait before another start, ms. Each wait is twice the previous one. */
const LAST_BACKOFF_MS = 60_000;
/** Weight of the newest measurement in a running mean. */
const NEWEST = 0.02;

/** The commands of the pool, with their parameters. */
interface PoolCommands {
  /** Asks for a place. An id that has one, or that waits, gets the same answer again. */
  ask: {
    id: string;
    kind: PoolKind;
    tenant: string;
    weight: number;
    /** The region where it should run, or else near it; null for that of its lease, if it has one. */
    region: PoolRegion | null;
    /** How long it waits before it is refused, ms; null if it waits however long it takes. */
    patienceMs: number | null;
    /**
     * The instance that it lost, whose lease ends, or null if it had a place that has lapsed. It goes before all other
     * work.
     */
    lost?: string | null | undefined;
    /** The instance that asked it to move. Its lease stays there if there is no other place. */
    leaving?: string | null | undefined;
    /** Seconds of audio that it must catch up with. 0 says that it has caught up where it is. */
    backlogS?: number | undefined;
    isAttended?: boolean | undefined;
    /** Instances that have failed it. Another one is preferred. */
    avoid?: readonly string[] | undefined;
  };
  /** Ends a lease, or the wait for one. `isDone`: the work is complete, so its duration counts. */
  release: { id: string; kind: PoolKind; tenant: string; isDone: boolean };
  /** Position and expected wait of a waiting request. */
  look: { id: string; kind: PoolKind; tenant: string };
  beats: { beats: readonly PoolBeat[] };
  /** An instance did not answer when it was asked. */
  unanswered: { name: string };
  /** An instance could not be started. */
  start_failed: { name: string; isRateLimited: boolean };
  /** Takes instances out of service. What they hold stays until it ends or moves. */
  drain: { names: readonly string[] };
  /** An instance has ended. What it held goes before all other work. */
  leave: { name: string };
  /** Time has passed. */
  tick: object;
}
export type PoolCommandName = keyof PoolCommands;
export type PoolCommand<T extends PoolCommandName = PoolCommandName> = {
  [N in T]: { type: N } & PoolCommands[N];
}[T];

export interface PoolAnswers {
  ask: PoolPlace;
  release: null;
  look: PoolPlace;
  beats: null;
  unanswered: null;
  start_failed: null;
  drain: null;
  leave: null;
  tick: null;
}

export interface PoolStep<T> {
  answer: T;
  state: PoolState;
  effects: PoolEffect[];
}

/**
 * A pool after its object was reset. The instances count as starting, so each takes new work only after the beat that
 * says what it holds.
 */
export function restoredPool(
  settings: PoolSettings,
  known: readonly Pick<PoolInstance, 'name' | 'kind' | 'region'>[],
  waiting: readonly PoolWaiting[],
  now: number,
): PoolState {
  const pool = new PoolDraft(emptyPool(settings), now);
  for (const instance of known) pool.add(starting(instance, settings, now));
  for (const entry of waiting) pool.enqueue(entry);
  return pool.result;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, i) => id === b[i]);
const mean = (before: number, sample: number): number => before + NEWEST * (sample - before);

type PoolMove<T extends PoolCommandName> = (pool: PoolDraft, command: PoolCommand<T>) => PoolAnswers[T];

const ask: PoolMove<'ask'> = (pool, command) => {
  const { id, kind, tenant, weight, region, patienceMs, lost, leaving, backlogS = 0, avoid = [], isAttended } = command;
  const { now } = pool;
  const held = pool.leaseOf(id);
  // The instance that it was to move to may have to end as well.
  if (held && leaving && (held.instance.name === leaving || held.instance.state === 'draining')) {
    const { name } = held.instance;
    const other = { ...orphanOf(held.lease, name, now), avoid: [name, leaving], backlogS };
    const instance = placeFor(pool, other);
    if (!instance || other.avoid.includes(instance.name)) return { type: 'placed', instance: name };
    pool.endLease(held.instance, held.lease);
    grant(pool, pool.named(instance.name)!, other);
    return { type: 'placed', instance: instance.name };
  }
  if (held && held.instance.name !== lost) {
    // The work became of another kind, or a pool that was reset knows the lease only from the instance.
    const { lease } = held;
    if (lease.tenant !== tenant || lease.kind !== kind) {
      pool.endLease(held.instance, lease);
      const at = lease.kind === kind ? lease.at : now;
      pool.addLease(pool.named(held.instance.name)!, { ...lease, tenant, kind, weight, at });
      serve(pool);
    } else if (command.backlogS === 0 && lease.replayUntil > now) {
      pool.endReplay(held.instance, lease);
      serve(pool);
    }
    return { type: 'placed', instance: held.instance.name };
  }
  if (held) {
    pool.endLease(held.instance, held.lease);
    // Its connection broke, so perhaps the instance is gone.
    pool.effects.push({ type: 'probe', name: held.instance.name });
  }
  const already = pool.waiting(command);
  if (already) return expected(pool, already);
  const isOrphan = lost !== undefined;
  const entry: PoolWaiting = {
    id,
    kind,
    tenant,
    weight,
    region: region ?? held?.lease.region ?? null,
    backlogS,
    since: now,
    until: patienceMs === null || isOrphan ? null : now + patienceMs,
    avoid: lost ? [...avoid, lost] : avoid,
    isAttended,
  };
  if (isOrphan) pool.orphan(entry);
  else pool.enqueue(entry);
  serve(pool);
  const placed = valueAt(pool.state.leases, id);
  if (placed !== undefined) {
    pool.effects.splice(
      pool.effects.findIndex((effect) => effect.type === 'granted' && effect.id === id),
      1,
    );
    return { type: 'placed', instance: placed };
  }
  scale(pool);
  return expected(pool, entry);
};

const release: PoolMove<'release'> = (pool, command) => {
  const { now } = pool;
  const held = pool.leaseOf(command.id);
  if (!held) pool.forget(command);
  else {
    const { kind, weight, at } = held.lease;
    const { audioS, tookS } = pool.state.finished;
    pool.endLease(held.instance, held.lease);
    if (kind === 'live') {
      const { liveEndedAt, liveGapMs } = pool.state;
      const gapMs = liveEndedAt === null ? null : now - liveEndedAt;
      pool.patch({ liveEndedAt: now, ...(gapMs !== null && { liveGapMs: mean(liveGapMs ?? gapMs, gapMs) }) });
    } else if (command.isDone && weight > 0 && now > at)
      pool.patch({
        finished: { audioS: mean(audioS, weight), tookS: mean(tookS, (now - at) / 1000) },
      });
  }
  serve(pool);
  return null;
};

const look: PoolMove<'look'> = (pool, command) => {
  const held = pool.leaseOf(command.id);
  if (held) return { type: 'placed', instance: held.instance.name };
  const entry = pool.waiting(command);
  return entry ? expected(pool, entry) : { type: 'none' };
};

const beats: PoolMove<'beats'> = (pool, command) => {
  let isChanged = false;
  for (const beat of command.beats) {
    const { name, kind, region, slots, busy, lagMs } = beat;
    const { jurisdiction } = pool.state.settings;
    // Work that it holds outside the jurisdiction came there before the setting, and ends there.
    const isDraining = beat.isDraining || (jurisdiction !== null && beat.jurisdiction !== jurisdiction);
    let instance = pool.named(name);
    if (!instance) {
      instance = starting({ name, kind, region }, pool.state.settings, pool.now);
      pool.add(instance);
    }
    if (instance.state === 'starting') pool.patch({ backoffMs: FIRST_BACKOFF_MS });
    const held = beat.batch.length === 0 ? beat.live : [...beat.live, ...beat.batch];
    const isKnown = isSame(held, instance.held) && instance.leases.every(({ isHeld, isMissed }) => isHeld && !isMissed);
    const isLeftOut = instance.isRetired || instance.restsSince !== null;
    const state = isDraining || isLeftOut ? 'draining' : 'ready';
    const hasNews = !isKnown || state !== instance.state || slots.live !== instance.slots.live;
    isChanged ||= hasNews || instance.isSilent || slots.batch !== instance.slots.batch;
    const restsSince = isDraining ? null : instance.restsSince;
    pool.set({ ...instance, state, restsSince, region, slots, busy, lagMs, held, isSilent: false, beatAt: pool.now });
    if (!isKnown || state !== instance.state) reconcile(pool, beat, held);
  }
  if (isChanged) serve(pool);
  return null;
};

const unanswered: PoolMove<'unanswered'> = (pool, { name }) => {
  const instance = pool.named(name);
  if (instance?.state === 'starting') lose(pool, instance);
  else if (instance) pool.set({ ...instance, isSilent: true });
  return null;
};

const startFailed: PoolMove<'start_failed'> = (pool, { name, isRateLimited }) => {
  if (pool.named(name)?.state !== 'starting') return null;
  pool.remove(name);
  const { backoffMs } = pool.state;
  // One name that fails must not be asked again at once either.
  pool.patch({
    startAfter: pool.now + backoffMs,
    backoffMs: isRateLimited ? Math.min(2 * backoffMs, LAST_BACKOFF_MS) : backoffMs,
  });
  return null;
};

const drain: PoolMove<'drain'> = (pool, { names }) => {
  for (const name of names) {
    const instance = pool.named(name);
    if (instance) pool.set({ ...instance, state: 'draining', restsSince: null, isRetired: true });
  }
  scale(pool);
  return null;
};

const leave: PoolMove<'leave'> = (pool, { name }) => {
  const instance = pool.named(name);
  if (!instance) return null;
  lose(pool, instance);
  serve(pool);
  scale(pool);
  return null;
};

const tick: PoolMove<'tick'> = (pool) => {
  const { now } = pool;
  for (const instance of pool.instances) {
    const { name, state, beatAt, restsSince, kind, isSilent } = instance;
    const age = now - beatAt;
    // Perhaps it is there again, and work waits.
    const isSought = isSilent && pool.state.orphans.length > 0;
    if (age > (state === 'starting' ? START_MS : GONE_MS)) lose(pool, instance);
    else if (state !== 'starting' && (age > SUSPECT_MS || isSought)) pool.effects.push({ type: 'probe', name });
    else if (kind === 'container' && state === 'draining' && instance.leases.length + instance.held.length === 0) {
      if (restsSince !== null && now - restsSince < REST_MS) continue;
      pool.remove(name);
      pool.effects.push({ type: 'stop', name });
    }
  }
  serve(pool);
  for (const { waiting } of pool.state.live.tenants.values())
    for (const entry of waiting) {
      if (entry.until === null || entry.until > now) continue;
      const { etaS: retryAfterS } = expected(pool, entry);
      pool.forget(entry);
      pool.effects.push({ type: 'refused', id: entry.id, retryAfterS });
    }
  scale(pool);
  return null;
};

const POOL_MOVES: { [T in PoolCommandName]: PoolMove<T> } = {
  ask,
  release,
  look,
  beats,
  unanswered,
  start_failed: startFailed,
  drain,
  leave,
  tick,
};

/** Performs one step. */
export function plan<T extends PoolCommandName>(
  state: PoolState,
  command: PoolCommand<T>,
  now: number,
): PoolStep<PoolAnswers[T]> {
  const pool = new PoolDraft(state, now);
  const answer = POOL_MOVES[command.type](pool, command);
  return { answer, state: pool.result, effects: pool.effects };
}
