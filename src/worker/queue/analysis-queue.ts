import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../identity/env.ts';
import { FairOrder, type WaitingAnalysis } from './fair-order.ts';

/** How long a request waits for a free slot before it gets a response, ms. */
const HOLD_MS = 10_000;
/** A waiter must ask again, and a holder must renew, within this time, ms. Otherwise it loses its place. */
export const LEASE_MS = 30_000;
/** Limit on a tenant's analyses that wait with a client attached. */
const MAX_ATTENDED = 28;

export interface SlotRequest extends WaitingAnalysis {
  /** Number of analyses that may run concurrently. */
  slots: number;
}

/**
 * `go`: the caller holds a slot for `LEASE_MS`, and for longer if it renews. `wait`: ask again. `full`: come back
 * later.
 */
export type QueueVerdict = 'go' | 'wait' | 'full';

declare module '../identity/env.ts' {
  interface Env {
    QUEUE: DurableObjectNamespace<AnalysisQueue>;
  }
}

/**
 * The only queue in front of the pipelines. It stores nothing. Waiters keep asking and holders keep renewing, so an
 * object that was evicted from memory rediscovers both. Until then, the pipelines' own admission limits protect them.
 */
export class AnalysisQueue extends DurableObject<Env> {
  readonly #order = new FairOrder();
  readonly #waiting = new Map<string, { entry: WaitingAnalysis; until: number; wake: () => void }>();
  /** The tenant and the lease end of each slot in use. */
  readonly #running = new Map<string, { tenant: string; until: number }>();
  #slots = 1;

  /** Requests a slot and waits for it for a while. Call it again as long as the verdict is `wait`. */
  async request({ slots, ...entry }: SlotRequest): Promise<QueueVerdict> {
    this.#slots = slots;
    const { id, tenant, isAttended } = entry;
    if (!this.#running.has(id) && !this.#waiting.has(id)) {
      if (isAttended && this.#order.waitingOf(tenant, true) >= MAX_ATTENDED) return 'full';
      this.#order.add(entry);
    }
    const granted = Promise.withResolvers<void>();
    if (!this.#running.has(id))
      this.#waiting.set(id, { entry, until: Date.now() + HOLD_MS + LEASE_MS, wake: granted.resolve });
    this.#grant();
    if (this.#running.has(id)) {
      this.renew(id, tenant);
      return 'go';
    }
    const timeout = setTimeout(granted.resolve, HOLD_MS);
    await granted.promise;
    clearTimeout(timeout);
    return this.#running.has(id) ? 'go' : 'wait';
  }

  /** Extends the lease of a slot. */
  renew(id: string, tenant: string): void {
    this.#running.set(id, { tenant, until: Date.now() + LEASE_MS });
  }

  /** Releases a slot, or stops waiting for one. */
  leave(id: string): void {
    this.#running.delete(id);
    this.#forget(id);
    this.#grant();
  }

  #grant(): void {
    const now = Date.now();
    for (const [id, { until }] of this.#running) if (until < now) this.#running.delete(id);
    for (const [id, { until }] of this.#waiting) if (until < now) this.#forget(id);
    while (this.#running.size < this.#slots) {
      const next = this.#order.next((tenant) => this.#mayTakeSlot(tenant));
      if (!next) return;
      this.renew(next.id, next.tenant);
      this.#waiting.get(next.id)?.wake();
      this.#waiting.delete(next.id);
    }
  }

  /**
   * Any tenant can take half of the slots. The others are reserved for tenants that hold none. A newcomer that starts
   * next to another tenant's many files shares their machine, yet finishes sooner than if it had waited for one of
   * them.
   */
  #mayTakeSlot(tenant: string): boolean {
    if (this.#running.size < Math.ceil(this.#slots / 2)) return true;
    return ![...this.#running.values()].some((slot) => slot.tenant === tenant);
  }

  #forget(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting) this.#order.remove(waiting.entry);
    this.#waiting.delete(id);
  }
}
