import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../identity/env.ts';
import { FairOrder, type WaitingAnalysis } from './fair-order.ts';

/** How long an answer is held back for a turn that may come, ms. */
const HOLD_MS = 10_000;
/** Who waits asks again at once; who does not, or does not say that it still works, is gone after this, ms. */
export const LEASE_MS = 30_000;
/** Most analyses of one tenant for which somebody stays on the line while they wait. */
const MAX_ATTENDED = 28;

/** One who asks for a place. */
export interface SlotRequest extends WaitingAnalysis {
  /** How many analyses may run at a time in all. */
  places: number;
}

/** `go`: the place is the caller's for `LEASE_MS`, and longer when it says so; `wait`: ask again; `full`: come later. */
export type QueueVerdict = 'go' | 'wait' | 'full';

declare module '../identity/env.ts' {
  interface Env {
    QUEUE: DurableObjectNamespace<AnalysisQueue>;
  }
}

/**
 * The one queue before the pipelines. It stores nothing: who waits asks again and again, who works says so again and
 * again, and an object that was thrown out of memory learns from both what it forgot. While it knows less than there is,
 * the pipelines' own doors keep too much from them.
 */
export class AnalysisQueue extends DurableObject<Env> {
  readonly #order = new FairOrder();
  readonly #waiting = new Map<string, { entry: WaitingAnalysis; until: number; wake: () => void }>();
  /** Whose each place is, and when it is free again unless its holder says that it still works. */
  readonly #running = new Map<string, { tenant: string; until: number }>();
  #places = 1;

  /** Asks for a place, waiting a while for it. To be called again as long as the answer is `wait`. */
  async ask({ places, ...entry }: SlotRequest): Promise<QueueVerdict> {
    this.#places = places;
    const { id, tenant, isAttended } = entry;
    if (!this.#running.has(id) && !this.#waiting.has(id)) {
      if (isAttended && this.#order.waitingOf(tenant, true) >= MAX_ATTENDED) return 'full';
      this.#order.add(entry);
    }
    const turn = Promise.withResolvers<void>();
    if (!this.#running.has(id))
      this.#waiting.set(id, { entry, until: Date.now() + HOLD_MS + LEASE_MS, wake: turn.resolve });
    this.#grant();
    if (this.#running.has(id)) {
      this.renew(id, tenant);
      return 'go';
    }
    const late = setTimeout(turn.resolve, HOLD_MS);
    await turn.promise;
    clearTimeout(late);
    return this.#running.has(id) ? 'go' : 'wait';
  }

  /** Says that the work of a place goes on. */
  renew(id: string, tenant: string): void {
    this.#running.set(id, { tenant, until: Date.now() + LEASE_MS });
  }

  /** Gives back a place, or the wait for one. */
  leave(id: string): void {
    this.#running.delete(id);
    this.#forget(id);
    this.#grant();
  }

  #grant(): void {
    const now = Date.now();
    for (const [id, { until }] of this.#running) if (until < now) this.#running.delete(id);
    for (const [id, { until }] of this.#waiting) if (until < now) this.#forget(id);
    while (this.#running.size < this.#places) {
      const next = this.#order.next((tenant) => this.#mayTakePlace(tenant));
      if (!next) return;
      this.renew(next.id, next.tenant);
      this.#waiting.get(next.id)?.wake();
      this.#waiting.delete(next.id);
    }
  }

  /**
   * Half of the places are for everybody. The others are kept for tenants that have none: running files share their
   * machine, so who begins beside a flood is served sooner than who waits for a part of it to end.
   */
  #mayTakePlace(tenant: string): boolean {
    if (this.#running.size < Math.ceil(this.#places / 2)) return true;
    return ![...this.#running.values()].some((place) => place.tenant === tenant);
  }

  #forget(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting) this.#order.remove(waiting.entry);
    this.#waiting.delete(id);
  }
}
