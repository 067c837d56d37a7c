import { ServiceError } from '../../contract/errors.ts';
import type { Env } from '../identity/env.ts';
import { objectNamed } from '../settings/jurisdiction.ts';
import { LEASE_MS, type QueueVerdict } from './analysis-queue.ts';
import type { WaitingAnalysis } from './fair-order.ts';

/** Interval of renewals, ms. */
const RENEW_MS = LEASE_MS / 3;
/** Wait before asking an unreachable queue again, ms. */
const RETRY_MS = 1_000;
/** `Retry-After` of a refusal, seconds. */
const RETRY_AFTER_S = 15;

export interface Queue {
  name: string;
  /** Number of its slots. */
  slots: number;
}

/** A slot of a queue, or the wait for one. */
export class AnalysisSlot {
  readonly #env: Env;
  readonly #queue: Queue;
  readonly #entry: WaitingAnalysis;
  #verdict: QueueVerdict;
  #renewal: ReturnType<typeof setInterval> | undefined;

  private constructor(env: Env, queue: Queue, entry: WaitingAnalysis, verdict: QueueVerdict) {
    this.#env = env;
    this.#queue = queue;
    this.#entry = entry;
    this.#verdict = verdict;
  }

  /**
   * Requests a slot. The caller must eventually `leave` it.
   * @throws ServiceError OVERLOADED when too many analyses of the tenant are already waiting with a client attached
   */
  static async request(env: Env, queue: Queue, entry: WaitingAnalysis): Promise<AnalysisSlot> {
    const verdict = await requestSlot(env, queue, entry);
    if (verdict === 'full') throw new ServiceError('OVERLOADED', undefined, { retryAfter: RETRY_AFTER_S });
    return new AnalysisSlot(env, queue, entry, verdict);
  }

  /** Whether the caller has been granted the slot. */
  get isGranted(): boolean {
    return this.#verdict === 'go';
  }

  /** Resolves when the caller has been granted the slot. @throws the signal's reason when it aborts first */
  async granted(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      signal.throwIfAborted();
      while (!this.isGranted) {
        const requested = requestSlot(this.#env, this.#queue, this.#entry);
        this.#verdict = await Promise.race([requested, aborted.promise]);
      }
    } finally {
      signal.removeEventListener('abort', abort);
    }
    this.#renewal ??= setInterval(() => void this.#renew(), RENEW_MS);
  }

  async #renew(): Promise<void> {
    const { id, tenant } = this.#entry;
    await this.#object.renew(id, tenant).catch(logFault);
  }

  async leave(): Promise<void> {
    clearInterval(this.#renewal ?? null);
    await this.#object.leave(this.#entry.id).catch(logFault);
  }

  get #object() {
    return queueOf(this.#env, this.#queue);
  }
}

/** A queue that cannot be reached, for instance during a deployment, counts as `wait`. */
async function requestSlot(env: Env, queue: Queue, entry: WaitingAnalysis): Promise<QueueVerdict> {
  try {
    return await queueOf(env, queue).request({ ...entry, slots: queue.slots });
  } catch (cause) {
    logFault(cause);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return 'wait';
  }
}

/** A failed renewal or release needs no handling, because the lease expires. */
function logFault(cause: unknown): void {
  console.warn(JSON.stringify({ level: 'warn', task: 'queue', cause: String(cause) }));
}

const queueOf = (env: Env, { name }: Queue) => objectNamed(env, env.QUEUE, name);
