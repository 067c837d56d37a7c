import { ServiceError } from '../../contract/errors.ts';

const MINUTE_MS = 60_000;
/** Limit on the addresses remembered per minute. The oldest is dropped first. */
const MOST = 10_000;

/** Counts failed attempts per address and minute in this isolate, and refuses an address after too many. */
export class FailedAttempts {
  readonly #allowed: number;
  readonly #wrong = new Map<string, number>();
  #minute = 0;

  /** @param allowed failed attempts a minute */
  constructor(allowed: number) {
    this.#allowed = allowed;
  }

  /** @throws ServiceError RATE_LIMITED */
  requireLeft(address: string, now: number): void {
    this.#turn(now);
    if ((this.#wrong.get(address) ?? 0) < this.#allowed) return;
    const retryAfter = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000);
    throw new ServiceError('RATE_LIMITED', 'Too many wrong tokens; try again later', { retryAfter });
  }

  count(address: string, now: number): void {
    this.#turn(now);
    const [first] = this.#wrong.keys();
    if (this.#wrong.size >= MOST && first !== undefined) this.#wrong.delete(first);
    this.#wrong.set(address, (this.#wrong.get(address) ?? 0) + 1);
  }

  #turn(now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) this.#wrong.clear();
    this.#minute = minute;
  }
}
