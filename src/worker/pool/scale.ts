import { containerName } from '../pipeline/container-name.ts';
import { PACKED } from './choice.ts';
import { queueWaitS } from './expected-wait.ts';
import { type PoolDraft, starting } from './pool-state.ts';

/** Free live slots to keep, of those that are not kept for other work: this many, and this share of all. */
const FREE = { slots: 8, share: 0.2 };
/** The queue's expected wait above which another instance starts, s. */
const MOST_WAIT_S = 120;
/** Limit on the instances that start at the same time. */
const STARTING = 5;

/** Starts instances that are needed, and leaves out those that are not. */
export function scale(pool: PoolDraft): void {
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

/** Takes instances back that were left out, the fullest first. @returns their number */
function wake(pool: PoolDraft, wanted: number): number {
  const resting = pool.instances.filter(({ restsSince }) => restsSince !== null);
  const woken = resting.sort((a, b) => b.live - a.live).slice(0, wanted);
  for (const instance of woken) pool.set({ ...instance, state: 'ready', restsSince: null });
  return woken.length;
}

function start(pool: PoolDraft, count: number): void {
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
function rest(pool: PoolDraft, spare: number, most: number): void {
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
