import type { PoolRegion } from '../../contract/regions.ts';
import { nextInLine, type PoolWaiting, servedLine } from './line.ts';
import type { PoolDraft, PoolInstance, PoolKind } from './pool-state.ts';
import { regionsFrom } from './regions.ts';

/**
 * Live sessions fill an instance up to this share of its slots before they begin another one, so that others empty. It
 * is also their share of all slots while other work waits.
 */
export const PACKED = 0.75;
/** An instance whose sessions are further behind than this takes no more of them, ms. */
const MOST_LAG_MS = 2_000;
/** Share of an instance's live slots that may be catching up at the same time while other sessions are on time there. */
const REPLAYING = 0.4;
/** A session with less than this to analyse again does not count as catching up, s. */
const SHORT_BACKLOG_S = 5;
/** Seconds of a backlog that are analysed in a second at least. A session says when it has caught up. */
const REPLAY_SPEED = 4;
/** Slots that a session which is catching up counts as, when the place for another one is chosen: up to one thread. */
const REPLAY_SLOTS = 3;

const replaying = ({ leases, replayUntil }: PoolInstance, now: number): number =>
  replayUntil <= now ? 0 : leases.reduce((sum, lease) => sum + Number(lease.replayUntil > now), 0);

/**
 * The instance for a request; undefined when none has room. One that has not failed it goes before a near one, and a
 * near one before a better one further away.
 */
export function placeFor(pool: PoolDraft, entry: PoolWaiting): PoolInstance | undefined {
  const choose = entry.kind === 'live' ? placeForSession : placeForFile;
  const { avoid } = entry;
  const isNew = ({ name }: PoolInstance) => !avoid.includes(name);
  for (const mayTake of avoid.length === 0 ? [() => true] : [isNew, () => true])
    for (const isThere of areasFor(pool, entry.region)) {
      const found = choose(pool, entry, (instance) => isThere(instance) && mayTake(instance));
      if (found) return found;
    }
  return undefined;
}

type InstanceFilter = (instance: PoolInstance) => boolean;

const ANYWHERE: readonly InstanceFilter[] = [() => true];

/** The parts of the pool that are tried one after the other: its regions, the nearest first, then what is in none. */
function areasFor(pool: PoolDraft, wanted: PoolRegion | null): readonly InstanceFilter[] {
  if (wanted === null) return ANYWHERE;
  const regions = new Set(pool.instances.map(({ region }) => region));
  if (regions.size < 2) return ANYWHERE;
  const near: (PoolRegion | null)[] = regionsFrom(wanted).filter((region) => regions.has(region));
  return [...near, null].map((region) => (instance) => instance.region === region);
}

const takesWork = ({ state, isSilent }: PoolInstance): boolean => state === 'ready' && !isSilent;

type Choice = (pool: PoolDraft, entry: PoolWaiting, mayTake: InstanceFilter) => PoolInstance | undefined;

/**
 * The fullest instance that stays packed and on which nobody catches up, or else the one with the smallest share of its
 * slots in use.
 */
const placeForSession: Choice = (pool, { backlogS }, mayTake) => {
  const isReplay = backlogS > SHORT_BACKLOG_S;
  let best: PoolInstance | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const instance of pool.instances) {
    const { slots, live, lagMs } = instance;
    if (!takesWork(instance) || live >= slots.live || lagMs > MOST_LAG_MS) continue;
    const replays = replaying(instance, pool.now);
    const share = (live + 1) / slots.live;
    // Work to catch up with goes where most is left of the machine.
    const isPacked = !isReplay && replays === 0 && share <= PACKED;
    const score = isPacked ? share : -share - ((REPLAY_SLOTS - 1) * replays) / slots.live;
    if (score <= bestScore || !mayTake(instance)) continue;
    if (isReplay && live > replays && replays >= Math.ceil(REPLAYING * slots.live)) continue;
    best = instance;
    bestScore = score;
  }
  return best;
};

/**
 * The instance with the smallest load, counting the files that it does not report yet. Files take what live sessions
 * leave, in equal parts, so that another file slows one down more than sessions do. The processor time of an instance
 * that has files is mostly theirs, so that it does not count a second time.
 */
const placeForFile: Choice = (pool, _, mayTake) => {
  let best: PoolInstance | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const instance of pool.instances) {
    const { slots, live, batch, busy } = instance;
    if (!takesWork(instance) || batch >= slots.batch) continue;
    const beside = batch === 0 ? Math.max(busy, live / slots.live) : live / slots.live;
    const load = (2 * batch) / slots.batch + beside;
    if (load >= least || !mayTake(instance)) continue;
    best = instance;
    least = load;
  }
  return best;
};

export function grant(pool: PoolDraft, instance: PoolInstance, entry: PoolWaiting): void {
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
function mayTakeLiveSlot(pool: PoolDraft): boolean {
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
function tenantForFile(pool: PoolDraft): TenantFilter {
  const places = placesForFiles(pool);
  const { filesOf } = pool.state;
  let files = 0;
  for (const count of filesOf.values()) files += count;
  return (tenant) => files < Math.ceil(places / 2) || !filesOf.has(tenant);
}

const placesForFiles = (pool: PoolDraft): number =>
  pool.instances.reduce((sum, { state, slots }) => sum + (state === 'ready' ? slots.batch : 0), 0);

/** Gives free places to those who wait: orphans, then new sessions, conclusions and files. */
export function serve(pool: PoolDraft): void {
  const { orphans, live, conclude, batch } = pool.state;
  if (orphans.length + live.length + conclude.length + batch.length === 0) return;
  serveOrphans(pool);
  serveLine(pool, 'live', () => (mayTakeLiveSlot(pool) ? anyTenant : noTenant));
  serveLine(pool, 'conclude', () => anyTenant);
  serveLine(pool, 'batch', () => tenantForFile(pool));
}

function serveOrphans(pool: PoolDraft): void {
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
function serveLine(pool: PoolDraft, kind: PoolKind, filter: () => TenantFilter): void {
  while (pool.state[kind].length > 0) {
    const entry = nextInLine(pool.state[kind], filter());
    const instance = entry && placeFor(pool, entry);
    if (!instance) return;
    pool.patch({ [kind]: servedLine(pool.state[kind], entry) });
    grant(pool, instance, entry);
    pool.effects.push({ type: 'granted', id: entry.id, kind, instance: instance.name });
  }
}
