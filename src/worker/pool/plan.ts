import { containerName, type NamedContainer } from '../pipeline/container-name.ts';
import {
  aheadInLine,
  emptyLine,
  type FairLine,
  lineWith,
  lineWithout,
  nextInLine,
  type PoolWaiting,
  servedLine,
  waitingIn,
} from './line.ts';
import { emptyTable, type PersistentTable, valueAt, withValue } from './table.ts';

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
/** Time after which a lease that its instance never confirmed lapses, ms. */
const UNCONFIRMED_MS = 60_000;
/**
 * Live sessions fill an instance up to this share of its slots before they begin another one, so that others empty. It
 * is also their share of all slots while other work waits.
 */
const PACKED = 0.75;
/** An instance whose sessions are further behind than this takes no more of them, ms. */
const MOST_LAG_MS = 2_000;
/** Share of an instance's live slots that may be catching up at the same time. */
const REPLAYING = 0.4;
/** A session with less than this to analyse again does not count as catching up, s. */
const SHORT_BACKLOG_S = 5;
/** Seconds of a backlog that are analysed in a second. */
const REPLAY_SPEED = 4;
/** Free live slots to keep, of those that are not kept for other work: this many, and this share of all. */
const FREE = { slots: 8, share: 0.2 };
/** The queue's expected wait above which another instance starts, s. */
const MOST_WAIT_S = 120;
/** Limit on the instances that start at the same time. */
const STARTING = 5;
/** How long an instance that is not needed is left out before it stops, ms. */
const REST_MS = 600_000;
/** Waits before another start after the platform has refused one, ms. Each wait is twice the previous one. */
const BACKOFF_MS = { first: 1_000, last: 60_000 };
/** Weight of the newest measurement in a running mean. */
const NEWEST = 0.02;
/** Seconds of audio that one place for files analyses in a second, until it has been measured. */
const FIRST_PACE = 4;
/** Bounds of `Retry-After`, s, and its value while nothing has been measured. */
const RETRY_AFTER_S = { least: 2, most: 60, first: 15 };

export type PoolKind = PoolWaiting['kind'];

export interface PoolSlots {
  live: number;
  /** Conclusions of live sessions, and files. */
  batch: number;
}

export interface PoolLease {
  id: string;
  kind: PoolKind;
  tenant: string;
  /** Seconds of audio that the work is expected to take. */
  weight: number;
  region: string | null;
  /** When it was granted, and when the work began on its first instance, Unix time, ms. */
  at: number;
  begunAt: number;
  /** Until when it is expected to catch up, Unix time, ms. */
  replayUntil: number;
  /** Whether the instance has reported it. */
  isHeld: boolean;
  /** Whether the latest beat lacked it. */
  isMissed: boolean;
}

export interface PoolInstance {
  name: string;
  /** The pool starts and stops containers. An address runs by itself. */
  kind: 'container' | 'address';
  region: string | null;
  state: 'starting' | 'ready' | 'draining';
  /** Since when the pool leaves it out because it is not needed, Unix time, ms; null otherwise. */
  restsSince: number | null;
  /** Whether a command takes it out of service. One that drains by itself takes work again once it reports that it does. */
  isRetired: boolean;
  slots: PoolSlots;
  /** Share of its processors that was in use lately. */
  busy: number;
  lagMs: number;
  /** When it began to start or reported last, Unix time, ms. */
  beatAt: number;
  /** The ids of its latest beat. */
  held: readonly string[];
  /** Whether it did not answer when it was asked. It takes no new work until it reports. */
  isSilent: boolean;
  leases: readonly PoolLease[];
  live: number;
  batch: number;
}

/** The report of an instance. */
export interface PoolBeat {
  name: string;
  kind: PoolInstance['kind'];
  region: string | null;
  isDraining: boolean;
  slots: PoolSlots;
  busy: number;
  lagMs: number;
  /** The ids of its live sessions and of its files. */
  live: readonly string[];
  batch: readonly string[];
}

export interface PoolSettings {
  /** The application of its containers. */
  application: NamedContainer['application'];
  /** Numbers of containers. */
  min: number;
  max: number;
  /** The slots that are expected of an instance before it reports them. */
  slots: PoolSlots;
  /** The region of containers. */
  region: string | null;
}

export interface PoolState {
  settings: PoolSettings;
  instances: readonly PoolInstance[];
  /** The position of each instance. */
  index: ReadonlyMap<string, number>;
  /** The instance of each lease. */
  leases: PersistentTable<string>;
  /** Work that had a place and lost it. It goes before all other work. */
  orphans: readonly PoolWaiting[];
  live: FairLine;
  conclude: FairLine;
  batch: FairLine;
  /** The number of each tenant's leases for files. */
  filesOf: ReadonlyMap<string, number>;
  /** Running means of finished files: their seconds of audio, and how long they took, s. */
  finished: { audioS: number; tookS: number };
  /** Measured time between two live sessions that end, ms; null until it is known. */
  liveGapMs: number | null;
  liveEndedAt: number | null;
  /** No instance starts before this, Unix time, ms. */
  startAfter: number;
  backoffMs: number;
}

/** The commands of the pool, with their parameters. */
interface PoolCommands {
  /** Asks for a place. An id that has one, or that waits, gets the same answer again. */
  ask: {
    id: string;
    kind: PoolKind;
    tenant: string;
    weight: number;
    region: string | null;
    /** How long it waits before it is refused, ms; null if it waits however long it takes. */
    patienceMs: number | null;
    /**
     * The instance that it lost, whose lease ends, or null if it had a place that has lapsed. It goes before all other
     * work.
     */
    lost?: string | null | undefined;
    /** The instance that asked it to move. It stays there if there is no other place. */
    leaving?: string | null | undefined;
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

export type PoolPlace =
  | { type: 'placed'; instance: string }
  | { type: 'waits'; position: number; etaS: number }
  /** It has no place and does not wait for one. */
  | { type: 'none' };

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

export type PoolEffect =
  /** A waiting request has a place. */
  | { type: 'granted'; id: string; kind: PoolKind; instance: string }
  /** A request has waited for as long as it wanted. */
  | { type: 'refused'; id: string; retryAfterS: number }
  /** The work has lost its place and waits for another one. */
  | { type: 'orphaned'; id: string; kind: PoolKind; instance: string }
  | { type: 'start'; name: string }
  | { type: 'stop'; name: string }
  /** Asks an instance whether it is there. */
  | { type: 'probe'; name: string }
  /** The instance holds work whose lease is elsewhere. */
  | { type: 'revoke'; name: string; id: string };

export interface PoolStep<T> {
  answer: T;
  state: PoolState;
  effects: PoolEffect[];
}

/** A pool in which nothing runs. */
export const emptyPool = (settings: PoolSettings): PoolState => ({
  settings,
  instances: [],
  index: new Map(),
  leases: emptyTable(),
  orphans: [],
  live: emptyLine,
  conclude: emptyLine,
  batch: emptyLine,
  filesOf: new Map(),
  finished: { audioS: FIRST_PACE, tookS: 1 },
  liveGapMs: null,
  liveEndedAt: null,
  startAfter: 0,
  backoffMs: BACKOFF_MS.first,
});

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
  const pool = new Draft(emptyPool(settings), now);
  for (const instance of known) pool.add(starting(instance, settings, now));
  for (const entry of waiting) pool.enqueue(entry);
  return pool.state;
}

const starting = (
  { name, kind, region }: Pick<PoolInstance, 'name' | 'kind' | 'region'>,
  { slots }: PoolSettings,
  now: number,
): PoolInstance => ({
  name,
  kind,
  region,
  state: 'starting',
  restsSince: null,
  isRetired: false,
  slots,
  busy: 0,
  lagMs: 0,
  beatAt: now,
  held: [],
  isSilent: false,
  leases: [],
  live: 0,
  batch: 0,
});

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, i) => id === b[i]);
const byBacklog = (a: PoolWaiting, b: PoolWaiting): number =>
  Number(a.kind !== 'live') - Number(b.kind !== 'live') || a.backlogS - b.backlogS || a.since - b.since;
const clamped = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
const mean = (before: number, sample: number): number => before + NEWEST * (sample - before);
const replaying = ({ leases }: PoolInstance, now: number): number =>
  leases.reduce((sum, lease) => sum + Number(lease.replayUntil > now), 0);

/** A step in progress. It changes copies, each made once, and never the state that it began with. */
class Draft {
  readonly effects: PoolEffect[] = [];
  readonly now: number;
  #state: PoolState;
  #instances: PoolInstance[] | null = null;

  constructor(state: PoolState, now: number) {
    this.#state = state;
    this.now = now;
  }

  get state(): PoolState {
    if (this.#instances) this.#state = { ...this.#state, instances: this.#instances };
    this.#instances = null;
    return this.#state;
  }

  get instances(): readonly PoolInstance[] {
    return this.#instances ?? this.#state.instances;
  }

  patch(patch: Partial<Omit<PoolState, 'instances' | 'index'>>): void {
    this.#state = { ...this.#state, ...patch };
  }

  named(name: string): PoolInstance | undefined {
    const at = this.#state.index.get(name);
    return at === undefined ? undefined : this.instances[at];
  }

  set(instance: PoolInstance): void {
    this.#instances ??= [...this.#state.instances];
    this.#instances[this.#state.index.get(instance.name)!] = instance;
  }

  add(instance: PoolInstance): void {
    this.#replace([...this.instances, instance]);
  }

  remove(name: string): void {
    this.#replace(this.instances.filter((instance) => instance.name !== name));
  }

  #replace(instances: PoolInstance[]): void {
    this.#instances = null;
    this.#state = { ...this.#state, instances, index: new Map(instances.map(({ name }, at) => [name, at])) };
  }

  leaseOf(id: string): { instance: PoolInstance; lease: PoolLease } | undefined {
    const instance = this.named(valueAt(this.#state.leases, id) ?? '');
    const lease = instance?.leases.find((held) => held.id === id);
    return instance && lease && { instance, lease };
  }

  addLease(instance: PoolInstance, lease: PoolLease): void {
    this.set({
      ...instance,
      leases: [...instance.leases, lease],
      live: instance.live + Number(lease.kind === 'live'),
      batch: instance.batch + Number(lease.kind !== 'live'),
    });
    this.patch({ leases: withValue(this.#state.leases, lease.id, instance.name) });
    if (lease.kind === 'batch') this.#countFile(lease.tenant, 1);
  }

  endLease(instance: PoolInstance, { id, kind, tenant }: PoolLease): void {
    this.set({
      ...instance,
      leases: instance.leases.filter((lease) => lease.id !== id),
      live: instance.live - Number(kind === 'live'),
      batch: instance.batch - Number(kind !== 'live'),
    });
    this.patch({ leases: withValue(this.#state.leases, id, undefined) });
    if (kind === 'batch') this.#countFile(tenant, -1);
  }

  #countFile(tenant: string, change: number): void {
    const filesOf = new Map(this.#state.filesOf);
    const files = (filesOf.get(tenant) ?? 0) + change;
    if (files > 0) filesOf.set(tenant, files);
    else filesOf.delete(tenant);
    this.patch({ filesOf });
  }

  enqueue(entry: PoolWaiting): void {
    this.patch({ [entry.kind]: lineWith(this.#state[entry.kind], entry) });
  }

  orphan(entry: PoolWaiting): void {
    const others = this.#state.orphans.filter(({ id }) => id !== entry.id);
    this.patch({ orphans: [...others, entry].sort(byBacklog) });
  }

  waiting({ id, kind, tenant }: { id: string; kind: PoolKind; tenant: string }): PoolWaiting | undefined {
    return this.#state.orphans.find((orphan) => orphan.id === id) ?? waitingIn(this.#state[kind], tenant, id);
  }

  forget({ id, kind, tenant }: { id: string; kind: PoolKind; tenant: string }): void {
    const { orphans } = this.#state;
    if (orphans.some((orphan) => orphan.id === id))
      this.patch({ orphans: orphans.filter((orphan) => orphan.id !== id) });
    this.patch({ [kind]: lineWithout(this.#state[kind], tenant, id) });
  }
}

/** The instance for a request; undefined when none has room. */
function placeFor(pool: Draft, entry: PoolWaiting): PoolInstance | undefined {
  const choose = entry.kind === 'live' ? placeForSession : placeForFile;
  const { region, avoid } = entry;
  const isNear = (instance: PoolInstance) => region === null || instance.region === region;
  const isNew = ({ name }: PoolInstance) => !avoid.includes(name);
  return (
    choose(pool, entry, (instance) => isNear(instance) && isNew(instance)) ??
    (region === null ? undefined : choose(pool, entry, isNew)) ??
    (avoid.length === 0 ? undefined : choose(pool, entry, () => true))
  );
}

const takesWork = ({ state, isSilent }: PoolInstance): boolean => state === 'ready' && !isSilent;

type Choice = (
  pool: Draft,
  entry: PoolWaiting,
  mayTake: (instance: PoolInstance) => boolean,
) => PoolInstance | undefined;

/** The fullest instance that stays packed, or else the one with the smallest share of its slots in use. */
const placeForSession: Choice = (pool, { backlogS }, mayTake) => {
  const isReplay = backlogS > SHORT_BACKLOG_S;
  let best: PoolInstance | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const instance of pool.instances) {
    const { slots, live, lagMs } = instance;
    if (!takesWork(instance) || live >= slots.live || lagMs > MOST_LAG_MS) continue;
    const share = (live + 1) / slots.live;
    // Work to catch up with goes where most is left of the machine.
    const score = share <= PACKED && !isReplay ? share : -share;
    if (score <= bestScore || !mayTake(instance)) continue;
    if (isReplay && replaying(instance, pool.now) >= Math.ceil(REPLAYING * slots.live)) continue;
    best = instance;
    bestScore = score;
  }
  return best;
};

/** The instance that is least busy, counting the files that it does not report yet. */
const placeForFile: Choice = (pool, _, mayTake) => {
  let best: PoolInstance | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const instance of pool.instances) {
    const { slots, live, batch, busy } = instance;
    if (!takesWork(instance) || batch >= slots.batch) continue;
    const load = Math.max(busy, live / slots.live) + batch / slots.batch;
    if (load >= least || !mayTake(instance)) continue;
    best = instance;
    least = load;
  }
  return best;
};

function grant(pool: Draft, instance: PoolInstance, entry: PoolWaiting): void {
  const { id, kind, tenant, weight, region, backlogS } = entry;
  const { now } = pool;
  pool.addLease(instance, {
    id,
    kind,
    tenant,
    weight,
    region,
    at: now,
    begunAt: now - backlogS * 1000,
    replayUntil: kind === 'live' && backlogS > SHORT_BACKLOG_S ? now + (backlogS / REPLAY_SPEED) * 1000 : 0,
    isHeld: false,
    isMissed: false,
  });
}

/** Whether a new session may take a slot. While conclusions or files wait, sessions leave them a quarter of the pool. */
function mayTakeLiveSlot(pool: Draft): boolean {
  const { conclude, batch } = pool.state;
  if (conclude.length + batch.length === 0) return true;
  let [live, slots] = [0, 0];
  for (const instance of pool.instances) {
    if (instance.state !== 'ready') continue;
    live += instance.live;
    slots += instance.slots.live;
  }
  return live < PACKED * slots;
}

/** Any tenant can take half of the places for files. The others are for tenants that have none. */
function tenantForFile(pool: Draft): TenantFilter {
  const places = placesForFiles(pool);
  const { filesOf } = pool.state;
  let files = 0;
  for (const count of filesOf.values()) files += count;
  return (tenant) => files < Math.ceil(places / 2) || !filesOf.has(tenant);
}

const placesForFiles = (pool: Draft): number =>
  pool.instances.reduce((sum, { state, slots }) => sum + (state === 'ready' ? slots.batch : 0), 0);

/** Gives free places to those who wait: orphans, then new sessions, conclusions and files. */
function serve(pool: Draft): void {
  const { orphans, live, conclude, batch } = pool.state;
  if (orphans.length + live.length + conclude.length + batch.length === 0) return;
  serveOrphans(pool);
  serveLine(pool, 'live', () => (mayTakeLiveSlot(pool) ? anyTenant : noTenant));
  serveLine(pool, 'conclude', () => anyTenant);
  serveLine(pool, 'batch', () => tenantForFile(pool));
}

function serveOrphans(pool: Draft): void {
  const full = new Set<string>();
  for (const entry of pool.state.orphans) {
    // Those behind one that found no place would find none either, unless they have less to catch up.
    const room = entry.kind === 'live' ? `live ${entry.backlogS > SHORT_BACKLOG_S}` : 'batch';
    const instance = full.has(room) ? undefined : placeFor(pool, entry);
    if (!instance) full.add(room);
    else {
      pool.forget(entry);
      grant(pool, instance, entry);
      pool.effects.push({ type: 'granted', id: entry.id, kind: entry.kind, instance: instance.name });
    }
  }
}

type TenantFilter = (tenant: string) => boolean;
const anyTenant: TenantFilter = () => true;
const noTenant: TenantFilter = () => false;

/** @param filter makes the test of who may go next; it is called before each turn */
function serveLine(pool: Draft, kind: PoolKind, filter: () => TenantFilter): void {
  while (pool.state[kind].length > 0) {
    const entry = nextInLine(pool.state[kind], filter());
    const instance = entry && placeFor(pool, entry);
    if (!instance) return;
    pool.patch({ [kind]: servedLine(pool.state[kind], entry) });
    grant(pool, instance, entry);
    pool.effects.push({ type: 'granted', id: entry.id, kind, instance: instance.name });
  }
}

/** How long a waiting request is expected to wait. */
function expected(pool: Draft, entry: PoolWaiting): Extract<PoolPlace, { type: 'waits' }> {
  const { orphans, live, conclude, liveGapMs } = pool.state;
  const isOrphan = orphans.some(({ id }) => id === entry.id);
  const line = pool.state[entry.kind];
  const ahead = isOrphan ? { position: orphans.indexOf(entry) + 1, seconds: 0 } : aheadInLine(line, entry);
  if (entry.kind === 'live') {
    const position = isOrphan ? ahead.position : orphans.length + ahead.position;
    const isStarting = pool.instances.some(({ state }) => state === 'starting');
    const gapS = liveGapMs === null || isStarting ? RETRY_AFTER_S.first / (live.length + 1) : liveGapMs / 1000;
    return {
      type: 'waits',
      position,
      etaS: Math.ceil(clamped(position * gapS, RETRY_AFTER_S.least, RETRY_AFTER_S.most)),
    };
  }
  let { position, seconds } = ahead;
  position += isOrphan ? 0 : orphans.length;
  if (entry.kind === 'batch' && !isOrphan) {
    position += conclude.length;
    for (const account of conclude.tenants.values()) seconds += account.seconds;
  }
  const running = runningFiles(pool);
  seconds += remainingSeconds(pool) / running;
  return { type: 'waits', position, etaS: Math.ceil(seconds / (paceOf(pool) * running)) };
}

/** Measured seconds of audio that one place for files analyses in a second. */
const paceOf = ({ state: { finished } }: Draft): number => finished.audioS / finished.tookS;

/** The files and conclusions that run while others wait, at least 1. Not all places are for everybody. */
const runningFiles = (pool: Draft): number =>
  Math.max(
    1,
    pool.instances.reduce((sum, { batch }) => sum + batch, 0),
  );

/** Seconds of audio that the running files and conclusions still have to analyse. */
function remainingSeconds(pool: Draft): number {
  const pace = paceOf(pool);
  let seconds = 0;
  for (const { leases } of pool.instances)
    for (const { kind, weight, at } of leases)
      if (kind !== 'live') seconds += Math.max(0, weight - (pace * (pool.now - at)) / 1000);
  return seconds;
}

/** Starts instances that are needed, and leaves out those that are not. */
function scale(pool: Draft): void {
  const { settings, orphans, live, conclude, batch, startAfter } = pool.state;
  const containers = pool.instances.filter(({ kind }) => kind === 'container');
  const active = containers.filter(({ state }) => state !== 'draining');
  let [slots, held, isIdle] = [0, 0, true];
  for (const instance of pool.instances) {
    if (instance.leases.length > 0) isIdle = false;
    if (instance.state === 'draining') continue;
    slots += Math.ceil(PACKED * instance.slots.live);
    held += instance.live;
  }
  const liveOrphans = orphans.filter(({ kind }) => kind === 'live').length;
  const waitingLive = live.length + liveOrphans;
  const waitingFiles = conclude.length + batch.length + orphans.length - liveOrphans;
  isIdle &&= waitingLive + waitingFiles === 0;
  const free = slots - held - waitingLive;
  const needed = isIdle ? 0 : Math.max(FREE.slots, FREE.share * slots);
  const isQueueLong = waitingFiles > 0 && (slots === 0 || queueWaitS(pool) > MOST_WAIT_S);
  const wanted = Math.max(
    settings.min - active.length,
    Math.ceil((needed - free) / Math.max(Math.ceil(PACKED * settings.slots.live), 1)),
    isQueueLong ? STARTING : 0,
  );
  if (wanted > 0) {
    const woken = wake(pool, wanted);
    const room = STARTING - active.filter(({ state }) => state === 'starting').length;
    if (pool.now >= startAfter) start(pool, Math.min(wanted - woken, room));
  } else if (!active.some(({ state }) => state === 'starting')) {
    const spare = isIdle ? Number.POSITIVE_INFINITY : free - 1.5 * needed;
    if (waitingFiles === 0) rest(pool, spare, active.length - settings.min);
  }
}

function queueWaitS(pool: Draft): number {
  const { conclude, batch } = pool.state;
  let seconds = 0;
  for (const line of [conclude, batch]) for (const account of line.tenants.values()) seconds += account.seconds;
  return seconds / (paceOf(pool) * runningFiles(pool));
}

/** Takes instances back that were left out, the fullest first. @returns their number */
function wake(pool: Draft, wanted: number): number {
  const resting = pool.instances.filter(({ restsSince }) => restsSince !== null);
  const woken = resting.sort((a, b) => b.live - a.live).slice(0, wanted);
  for (const instance of woken) pool.set({ ...instance, state: 'ready', restsSince: null });
  return woken.length;
}

function start(pool: Draft, count: number): void {
  const { settings } = pool.state;
  for (let number = 0, left = count; number < settings.max && left > 0; number++) {
    const name = containerName(settings.application, number);
    if (pool.named(name)) continue;
    const instance = { name, kind: 'container', region: settings.region } as const;
    pool.add(starting(instance, settings, pool.now));
    pool.effects.push({ type: 'start', name });
    left--;
  }
}

/** Leaves out the emptiest containers that together have at most `spare` slots. */
function rest(pool: Draft, spare: number, most: number): void {
  if (spare <= 0 || most <= 0) return;
  const emptiest = pool.instances
    .filter(({ kind, state }) => kind === 'container' && state === 'ready')
    .sort((a, b) => a.live + a.batch - (b.live + b.batch));
  let left = spare;
  for (const instance of emptiest.slice(0, Math.min(most, STARTING))) {
    left -= Math.ceil(PACKED * instance.slots.live);
    if (left < 0) return;
    pool.set({ ...instance, state: 'draining', restsSince: pool.now });
  }
}

/** Removes an instance. What it held goes before all other work. */
function lose(pool: Draft, instance: PoolInstance): void {
  for (const lease of instance.leases) {
    const { id, kind } = lease;
    pool.endLease(pool.named(instance.name)!, lease);
    pool.orphan(orphanOf(lease, instance.name, pool.now));
    pool.effects.push({ type: 'orphaned', id, kind, instance: instance.name });
  }
  pool.remove(instance.name);
}

const orphanOf = (lease: PoolLease, instance: string, now: number): PoolWaiting => ({
  id: lease.id,
  kind: lease.kind,
  tenant: lease.tenant,
  weight: lease.weight,
  region: lease.region,
  since: now,
  until: null,
  avoid: [instance],
  backlogS: lease.kind === 'live' ? (now - lease.begunAt) / 1000 : 0,
});

/** Compares what an instance holds with its leases. */
function reconcile(pool: Draft, beat: PoolBeat, held: readonly string[]): void {
  const ids = new Set(held);
  const { leases } = pool.named(beat.name)!;
  const kept = new Map<string, PoolLease>();
  for (const lease of leases) {
    const isHeld = ids.has(lease.id);
    const isOver = !isHeld && (lease.isHeld ? lease.isMissed : pool.now - lease.at > UNCONFIRMED_MS);
    if (isOver) pool.endLease(pool.named(beat.name)!, lease);
    else if (isHeld !== lease.isHeld || lease.isMissed)
      kept.set(lease.id, { ...lease, isHeld: lease.isHeld || isHeld, isMissed: lease.isHeld && !isHeld });
  }
  if (kept.size > 0) {
    const instance = pool.named(beat.name)!;
    pool.set({ ...instance, leases: instance.leases.map((lease) => kept.get(lease.id) ?? lease) });
  }
  for (const [i, id] of held.entries()) {
    const known = valueAt(pool.state.leases, id);
    if (known === beat.name) continue;
    if (known !== undefined) pool.effects.push({ type: 'revoke', name: beat.name, id });
    else adopt(pool, beat, id, i < beat.live.length ? 'live' : 'batch');
  }
}

/** Recognises work whose lease this object has forgotten. */
function adopt(pool: Draft, { name, region }: PoolBeat, id: string, kind: PoolKind): void {
  const waiting = pool.state.orphans.find((orphan) => orphan.id === id);
  if (waiting) {
    pool.forget(waiting);
    pool.effects.push({ type: 'granted', id, kind: waiting.kind, instance: name });
  }
  const { tenant, weight } = waiting ?? { tenant: '', weight: 0 };
  pool.addLease(pool.named(name)!, {
    id,
    kind: waiting?.kind ?? kind,
    tenant,
    weight,
    region,
    at: pool.now,
    begunAt: pool.now,
    replayUntil: 0,
    isHeld: true,
    isMissed: false,
  });
}

type PoolMove<T extends PoolCommandName> = (pool: Draft, command: PoolCommand<T>) => PoolAnswers[T];

const ask: PoolMove<'ask'> = (pool, command) => {
  const { id, kind, tenant, weight, region, patienceMs, lost, leaving, backlogS = 0, avoid = [], isAttended } = command;
  const { now } = pool;
  const held = pool.leaseOf(id);
  if (held && held.instance.name === leaving) {
    const other = { ...orphanOf(held.lease, leaving, now), backlogS };
    const instance = placeFor(pool, other);
    if (!instance || instance.name === leaving) return { type: 'placed', instance: leaving };
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
    region,
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
    const { name, kind, region, slots, busy, lagMs, isDraining } = beat;
    let instance = pool.named(name);
    if (!instance) {
      instance = starting({ name, kind, region }, pool.state.settings, pool.now);
      pool.add(instance);
    }
    if (instance.state === 'starting') pool.patch({ backoffMs: BACKOFF_MS.first });
    const held = beat.batch.length === 0 ? beat.live : [...beat.live, ...beat.batch];
    const isKnown = isSame(held, instance.held) && instance.leases.every(({ isHeld, isMissed }) => isHeld && !isMissed);
    const isLeftOut = instance.isRetired || instance.restsSince !== null;
    const state = isDraining || isLeftOut ? 'draining' : 'ready';
    const hasNews = !isKnown || state !== instance.state || slots.live !== instance.slots.live;
    isChanged ||= hasNews || instance.isSilent || slots.batch !== instance.slots.batch;
    const restsSince = isDraining ? null : instance.restsSince;
    pool.set({ ...instance, state, restsSince, region, slots, busy, lagMs, held, isSilent: false, beatAt: pool.now });
    if (!isKnown) reconcile(pool, beat, held);
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
    backoffMs: isRateLimited ? Math.min(2 * backoffMs, BACKOFF_MS.last) : backoffMs,
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
  for (const instance of pool.state.instances) {
    const { name, state, beatAt, restsSince, kind } = instance;
    const age = now - beatAt;
    if (age > (state === 'starting' ? START_MS : GONE_MS)) lose(pool, instance);
    else if (state !== 'starting' && age > SUSPECT_MS) pool.effects.push({ type: 'probe', name });
    else if (kind === 'container' && state === 'draining' && instance.leases.length === 0) {
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
  const pool = new Draft(state, now);
  const answer = POOL_MOVES[command.type](pool, command);
  return { answer, state: pool.state, effects: pool.effects };
}
