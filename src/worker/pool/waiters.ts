import type { PoolRegion } from '../../contract/regions.ts';
import type { PoolWaiting } from './line.ts';
import type { PoolCommand } from './plan.ts';

/** A request that waits must be repeated within this time after its last answer, ms. Otherwise it is forgotten. */
const REPEAT_MS = 30_000;
/** Prefix of the names under which the requests of workflows are stored. */
const TURNS = 'turn:';

/** A request for a place. */
export interface PoolRequest extends Omit<PoolCommand<'ask'>, 'type' | 'region'> {
  /** The region of the client. */
  region?: PoolRegion | null | undefined;
  /** How long the pool holds the call open until there is a place, ms; 10 s by default. */
  holdMs?: number | undefined;
  /**
   * The workflow that gets an event when there is a place after the call has returned. The request is stored, and need
   * not be repeated.
   */
  workflow?: string | undefined;
}

/** A request that waits, and the calls that are held open for it. */
export interface Waiter {
  request: PoolRequest;
  /** Until when it is remembered, Unix time, ms. */
  until: number;
  calls: Set<() => void>;
  retryAfterS: number | null;
}

/** A request whose workflow waits for an event, as it is stored. */
interface StoredTurn {
  request: PoolRequest & { workflow: string };
  /** When it began to wait, Unix time, ms. */
  since: number;
}

/**
 * The requests that wait for a place, and the calls that are held open for them. Only those of workflows are stored,
 * because they are not repeated.
 */
export class PoolWaiters {
  readonly #kv: SyncKvStorage;
  readonly #waiters = new Map<string, Waiter>();
  /** The ids of the stored requests. */
  readonly #turns = new Set<string>();

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  get size(): number {
    return this.#waiters.size;
  }

  get(id: string): Waiter | undefined {
    return this.#waiters.get(id);
  }

  /** The waiter of a request, which is new unless it is known. */
  add(request: PoolRequest): Waiter {
    const waiter = this.#waiters.get(request.id) ?? { request, until: 0, calls: new Set(), retryAfterS: null };
    this.#waiters.set(request.id, waiter);
    return waiter;
  }

  /** Forgets a request. Its workflow, if it has one, is told again after a reset. */
  forget(id: string): void {
    this.#waiters.delete(id);
  }

  /** Forgets a request, whose workflow needs to be told nothing. */
  end(id: string): void {
    if (this.#turns.delete(id)) this.#kv.delete(TURNS + id);
    this.forget(id);
  }

  /** The same for an object that has not read what is stored. */
  endUnread(id: string): void {
    this.#kv.delete(TURNS + id);
    this.end(id);
  }

  attendedOf(tenant: string): number {
    let count = 0;
    for (const { request } of this.#waiters.values()) count += Number(request.tenant === tenant && request.isAttended);
    return count;
  }

  /** The requests that were not repeated in time. */
  overdue(now: number): PoolRequest[] {
    return [...this.#waiters.values()].flatMap(({ request, until, calls }) =>
      calls.size === 0 && until < now ? [request] : [],
    );
  }

  /** Resolves when something changes for a waiting request, or after a time. */
  async hold(waiter: Waiter, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (waiter.until !== Number.POSITIVE_INFINITY) waiter.until = Date.now() + ms + REPEAT_MS;
    waiter.calls.add(resolve);
    const timeout = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timeout);
    waiter.calls.delete(resolve);
  }

  wake(id: string): void {
    for (const wake of this.#waiters.get(id)?.calls ?? []) wake();
  }

  wakeAll(isMeant: (request: PoolRequest) => boolean): void {
    for (const { request, calls } of this.#waiters.values()) if (isMeant(request)) for (const wake of calls) wake();
  }

  /** Stores the request of a workflow, which does not repeat it. */
  keepTurn(waiter: Waiter): void {
    const { request } = waiter;
    const { workflow, id } = request;
    if (workflow === undefined || waiter.until === Number.POSITIVE_INFINITY) return;
    waiter.until = Number.POSITIVE_INFINITY;
    this.#turns.add(id);
    this.#kv.put(TURNS + id, { request: { ...request, workflow }, since: Date.now() } satisfies StoredTurn);
  }

  /** The stored requests, which wait again. */
  storedTurns(): PoolWaiting[] {
    const stored = [...this.#kv.list<StoredTurn>({ prefix: TURNS })].map(([, turn]) => turn);
    return stored
      .sort((a, b) => a.since - b.since)
      .map(({ request, since }) => {
        const { id, kind, tenant, weight } = request;
        this.#turns.add(id);
        this.#waiters.set(id, { request, until: Number.POSITIVE_INFINITY, calls: new Set(), retryAfterS: null });
        return { id, kind, tenant, weight, since, until: null, region: null, avoid: [], backlogS: 0 };
      });
  }
}
