import { ServiceError } from '../../src/contract/errors.ts';

/** Number of analyses that run concurrently. Enough for one to decode while another waits. */
const RUNNING = 4;
/** Number of analyses that can wait for a slot with their bodies unread. Further ones are refused. */
const WAITING = 28;
/** Seconds before a refused client should retry. */
const RETRY_AFTER_S = 15;

/** A fixed number of slots, with a queue of limited length. */
export class BoundedQueue {
  readonly #limits: { running: number; waiting: number };
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(limits = { running: RUNNING, waiting: WAITING }) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** @throws ServiceError OVERLOADED, with the seconds to wait, when the queue is full. */
  check(): void {
    if (this.#running >= this.#limits.running && this.#queue.length >= this.#limits.waiting)
      throw new ServiceError('OVERLOADED', undefined, { retryAfter: RETRY_AFTER_S });
  }

  /**
   * Resolves when the caller has a slot.
   * @returns a function that releases the slot; call it once. @throws ServiceError OVERLOADED; the signal's reason when
   * aborted.
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    this.check();
    return this.enterAccepted(signal);
  }

  /** Like `enter`, for work that has already been accepted. It waits however long the queue is. */
  async enterAccepted(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#running < this.#limits.running) this.#running++;
    else {
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          this.#queue.splice(this.#queue.indexOf(turn), 1);
          reject(signal.reason);
        };
        const turn = () => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        signal.addEventListener('abort', leave, { once: true });
        this.#queue.push(turn);
      });
    }
    return () => {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running--;
    };
  }
}
