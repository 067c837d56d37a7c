import type { Jurisdiction, PoolRegion } from '../../contract/regions.ts';
import type { NamedContainer } from '../pipeline/container-name.ts';
import { emptyLine, type FairLine, lineWith, lineWithout, type PoolWaiting, waitingIn } from './line.ts';
import { emptyTable, type PersistentTable, valueAt, withValue } from './table.ts';

/** First wait before another start after the platform has refused one, ms. */
export const FIRST_BACKOFF_MS = 1_000;
/** Seconds of audio that one place for files analyses in a second, until it has been measured. */
const FIRST_PACE = 4;

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
  /** The region where it should run. */
  region: PoolRegion | null;
  /** When it was granted, and when the work began on its first instance, Unix time, ms. */
  at: number;
  begunAt: number;
  /** Until when it is expected to catch up, Unix time, ms, unless it says earlier that it has. */
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
  region: PoolRegion | null;
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
  /** No lease that it has, or had, catches up after this, Unix time, ms. */
  replayUntil: number;
}

/** The report of an instance. */
export interface PoolBeat {
  name: string;
  kind: PoolInstance['kind'];
  region: PoolRegion | null;
  /** The jurisdiction in which it certainly is. */
  jurisdiction: Jurisdiction | null;
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
  /** Regions of containers; none if the platform chooses. Those of `POOL_MIN` run in the first one. */
  regions: readonly PoolRegion[];
  /** Work never leaves it. */
  jurisdiction: Jurisdiction | null;
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
  /**
   * Sums over the leases of files and conclusions: their number, and of those with a weight the weights, s, and the
   * times at which they were granted, Unix time, whole seconds, whose sum is exact.
   */
  running: { files: number; weighed: number; weightS: number; grantedS: number };
  /** Running means of finished files: their seconds of audio, and how long they took, s. */
  finished: { audioS: number; tookS: number };
  /** Measured time between two live sessions that end, ms; null until it is known. */
  liveGapMs: number | null;
  liveEndedAt: number | null;
  /** No instance starts before this, Unix time, ms. */
  startAfter: number;
  backoffMs: number;
}

export type PoolPlace =
  | { type: 'placed'; instance: string }
  | { type: 'waits'; position: number; etaS: number }
  /** It has no place and does not wait for one. */
  | { type: 'none' };

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
  running: { files: 0, weighed: 0, weightS: 0, grantedS: 0 },
  finished: { audioS: FIRST_PACE, tookS: 1 },
  liveGapMs: null,
  liveEndedAt: null,
  startAfter: 0,
  backoffMs: FIRST_BACKOFF_MS,
});
export const starting = (
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
  replayUntil: 0,
});

const byBacklog = (a: PoolWaiting, b: PoolWaiting): number =>
  Number(a.kind !== 'live') - Number(b.kind !== 'live') || a.backlogS - b.backlogS || a.since - b.since;

/** A step in progress. It changes copies, each made once, and never the state that it began with. */
export class PoolDraft {
  readonly effects: PoolEffect[] = [];
  readonly now: number;
  #state: PoolState;
  #instances: PoolInstance[] | null = null;

  constructor(state: PoolState, now: number) {
    this.#state = state;
    this.now = now;
  }

  get state(): Omit<PoolState, 'instances'> {
    return this.#state;
  }

  /** The state that the step ends with. */
  get result(): PoolState {
    return this.#instances ? { ...this.#state, instances: this.#instances } : this.#state;
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
      replayUntil: Math.max(instance.replayUntil, lease.replayUntil),
    });
    this.patch({ leases: withValue(this.#state.leases, lease.id, instance.name) });
    this.#count(lease, 1);
  }

  endLease(instance: PoolInstance, lease: PoolLease): void {
    const { id, kind } = lease;
    this.set({
      ...instance,
      leases: instance.leases.filter((other) => other.id !== id),
      live: instance.live - Number(kind === 'live'),
      batch: instance.batch - Number(kind !== 'live'),
    });
    this.patch({ leases: withValue(this.#state.leases, id, undefined) });
    this.#count(lease, -1);
  }

  endReplay(instance: PoolInstance, { id }: PoolLease): void {
    const leases = instance.leases.map((lease) => (lease.id === id ? { ...lease, replayUntil: 0 } : lease));
    this.set({ ...instance, leases });
  }

  /** @param change 1 for a lease that begins, -1 for one that ends */
  #count({ kind, tenant, weight, at }: PoolLease, change: 1 | -1): void {
    if (kind === 'live') return;
    const { files, weighed, weightS, grantedS } = this.#state.running;
    const changeWeighed = weight > 0 ? change : 0;
    this.patch({
      running: {
        files: files + change,
        weighed: weighed + changeWeighed,
        weightS: weightS + changeWeighed * weight,
        grantedS: grantedS + changeWeighed * Math.floor(at / 1000),
      },
    });
    if (kind === 'batch') this.#countFile(tenant, change);
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
