import type { PoolWaiting } from './line.ts';
import type { PoolBeat, PoolDraft, PoolInstance, PoolKind, PoolLease } from './pool-state.ts';
import { valueAt } from './table.ts';

/** Time after which a lease that its instance never confirmed lapses, ms. */
const UNCONFIRMED_MS = 60_000;

/** Removes an instance. What it held goes before all other work. */
export function lose(pool: PoolDraft, instance: PoolInstance): void {
  for (const lease of instance.leases) {
    const { id, kind } = lease;
    pool.endLease(pool.named(instance.name)!, lease);
    pool.orphan(orphanOf(lease, instance.name, pool.now));
    pool.effects.push({ type: 'orphaned', id, kind, instance: instance.name });
  }
  pool.remove(instance.name);
}

/** Work that has lost its place. */
export const orphanOf = (lease: PoolLease, instance: string, now: number): PoolWaiting => ({
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
export function reconcile(pool: PoolDraft, beat: PoolBeat, held: readonly string[]): void {
  const ids = new Set(held);
  const { leases, state } = pool.named(beat.name)!;
  const kept = new Map<string, PoolLease>();
  for (const lease of leases) {
    const isHeld = ids.delete(lease.id);
    const isOver = !isHeld && (lease.isHeld ? lease.isMissed : pool.now - lease.at > UNCONFIRMED_MS);
    if (isOver) pool.endLease(pool.named(beat.name)!, lease);
    else if (isHeld !== lease.isHeld || lease.isMissed)
      kept.set(lease.id, { ...lease, isHeld: lease.isHeld || isHeld, isMissed: lease.isHeld && !isHeld });
  }
  if (kept.size > 0) {
    const instance = pool.named(beat.name)!;
    pool.set({ ...instance, leases: instance.leases.map((lease) => kept.get(lease.id) ?? lease) });
  }
  // The ids left are held without a lease.
  for (const id of ids) {
    const known = valueAt(pool.state.leases, id);
    // A session stays on an instance that ends until the one with its lease has caught up.
    if (known !== undefined) {
      if (state !== 'draining') pool.effects.push({ type: 'revoke', name: beat.name, id });
    } else adopt(pool, beat, id, beat.live.includes(id) ? 'live' : 'batch');
  }
}

/** Recognises work whose lease this object has forgotten. */
function adopt(pool: PoolDraft, { name, region }: PoolBeat, id: string, kind: PoolKind): void {
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
