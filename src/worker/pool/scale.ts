import type { PoolRegion } from '../../contract/regions.ts';
import { containerName } from '../pipeline/container-name.ts';
import { PACKED } from './choice.ts';
import { queueWaitS } from './expected-wait.ts';
import { type PoolDraft, type PoolInstance, starting } from './pool-state.ts';

/** Free live slots to keep, of those that are not kept for other work: this many, and this share of all. */
const FREE = { slots: 8, share: 0.2 };
/** The queue's expected wait above which another instance starts, s. */
const MOST_WAIT_S = 120;
/** Limit on the instances that start at the same time. */
const STARTING = 5;

/** Starts instances that are needed, and leaves out those that are not, in each region by its own work. */
export function scale(pool: PoolDraft): void {
  const { regions } = pool.state.settings;
  for (const region of regions.length === 0 ? [null] : regions) scaleRegion(pool, region);
}

/** Files, which run anywhere, and all that belongs to no region of the containers count in the first one. */
function scaleRegion(pool: PoolDraft, region: PoolRegion | null): void {
  const { settings, orphans, live, conclude, batch, startAfter } = pool.state;
  const [home = null] = settings.regions;
  const isHere = (other: PoolRegion | null): boolean =>
    (other !== null && settings.regions.includes(other) ? other : home) === region;
  const isAll = settings.regions.length === 0;
  const instances = isAll ? pool.instances : pool.instances.filter((instance) => isHere(instance.region));
  const active = instances.filter(({ kind, state }) => kind === 'container' && state !== 'draining');
  let [slots, held, isIdle] = [0, 0, true];
  for (const instance of instances) {
    if (instance.leases.length > 0) isIdle = false;
    if (instance.state === 'draining') continue;
    slots += Math.ceil(PACKED * instance.slots.live);
    held += instance.live;
  }
  const liveOrphans = orphans.filter(({ kind }) => kind === 'live');
  const waitingFiles = conclude.length + batch.length + orphans.length - liveOrphans.length;
  const waitingFilesHere = region === home ? waitingFiles : 0;
  let waitingLive = liveOrphans.filter((orphan) => isHere(orphan.region)).length;
  if (isAll) waitingLive += live.length;
  else {
    for (const { waiting } of live.tenants.values())
      for (const entry of waiting) waitingLive += Number(isHere(entry.region));
    // A region whose sessions had to go to others is not idle either.
    isIdle &&= !pool.instances.some((instance) => !isHere(instance.region) && hasWorkOf(instance, isHere));
  }
  isIdle &&= waitingLive + waitingFilesHere === 0;
  const free = slots - held - waitingLive;
  const needed = isIdle ? 0 : Math.max(FREE.slots, FREE.share * slots);
  const isQueueLong = waitingFilesHere > 0 && (slots === 0 || queueWaitS(pool) > MOST_WAIT_S);
  const least = region === home ? settings.min : 0;
  const wanted = Math.max(
    least - active.length,
    Math.ceil((needed - free) / Math.max(Math.ceil(PACKED * settings.slots.live), 1)),
    isQueueLong ? STARTING : 0,
  );
  if (wanted > 0) {
    const woken = wake(pool, instances, wanted);
    const room =
      STARTING - pool.instances.filter(({ kind, state }) => kind === 'container' && state === 'starting').length;
    if (pool.now >= startAfter) start(pool, region, Math.min(wanted - woken, room));
  } else if (!active.some(({ state }) => state === 'starting')) {
    const spare = isIdle ? Number.POSITIVE_INFINITY : free - 1.5 * needed;
    if (waitingFiles === 0) rest(pool, instances, spare, active.length - least);
  }
}

const hasWorkOf = ({ leases }: PoolInstance, isMeant: (region: PoolRegion | null) => boolean): boolean =>
  leases.some(({ kind, region }) => kind === 'live' && isMeant(region));

/** Takes instances back that were left out, the fullest first. @returns their number */
function wake(pool: PoolDraft, instances: readonly PoolInstance[], wanted: number): number {
  const resting = instances.filter(({ restsSince }) => restsSince !== null);
  const woken = resting.sort((a, b) => b.live - a.live).slice(0, wanted);
  for (const instance of woken) pool.set({ ...instance, state: 'ready', restsSince: null });
  return woken.length;
}

/** The maximum is that of all regions together. */
function start(pool: PoolDraft, region: PoolRegion | null, count: number): void {
  const { settings } = pool.state;
  const containers = pool.instances.filter(({ kind }) => kind === 'container').length;
  let left = Math.min(count, settings.max - containers);
  for (let number = 0; left > 0; number++) {
    const name = containerName(settings.application, number, region);
    if (pool.named(name)) continue;
    pool.add(starting({ name, kind: 'container', region }, settings, pool.now));
    pool.effects.push({ type: 'start', name });
    left--;
  }
}

/** Leaves out the emptiest containers that together have at most `spare` slots. */
function rest(pool: PoolDraft, instances: readonly PoolInstance[], spare: number, most: number): void {
  if (spare <= 0 || most <= 0) return;
  const emptiest = instances
    .filter(({ kind, state }) => kind === 'container' && state === 'ready')
    .sort((a, b) => a.live + a.batch - (b.live + b.batch));
  let left = spare;
  for (const instance of emptiest.slice(0, Math.min(most, STARTING))) {
    left -= Math.ceil(PACKED * instance.slots.live);
    if (left < 0) return;
    pool.set({ ...instance, state: 'draining', restsSince: pool.now });
  }
}
