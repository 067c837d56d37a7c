import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../identity/env.ts';
import { FairOrder, type WaitingAnalysis } from './fair-order.ts';

/** Time that a request is held open for a slot to become free, ms. */
const HOLD_MS = 10_000;
/** A waiter asks again at once and a holder renews; one that misses its renewal for this long loses its place, ms. */
export const LEASE_MS = 30_000;
/** Most attended analyses of one tenant that wait. */
const MAX_ATTENDED = 28;

export interface SlotRequest extends WaitingAnalysis {
  /** Analyses that may run at a time in total. */
  slots: number;
}

/**
 * `go`: the caller holds a slot for `LEASE_MS`, and longer if it renews; `wait`: ask again; `full`: come back later.
 */
export type QueueVerdict = 'go' | 'wait' | 'full';

declare module '../identity/env.ts' {
  interface Env {
    QUEUE: DurableObjectNamespace<AnalysisQueue>;
  }
}

/**
 * The one queue in front of the pipelines. It stores nothing: waiters keep asking and holders keep renewing, so an
 * object that was evicted from memory learns both again. Until then the pipelines' own admission limits protect them.
 */
export class AnalysisQueue extends DurableObject<Env> {
  readonly #order = new FairOrder();
  readonly #waiting = new Map<string, { entry: WaitingAnalysis; until: number; wake: () => void }>();
  /** The tenant of each slot that is held, and when its lease ends. */
  readonly #running = new Map<string, { tenant: string; until: number }>();
  #slots = 1;

  /** Requests a slot and waits a while for it. Call it again as long as the verdict is `wait`. */
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
   * Any tenant may take half of the slots. The others are reserved for tenants that hold none: running files share
   * their machine, so a newcomer that starts beside a flood of files is served sooner than one that waits for some to
   * end.
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
