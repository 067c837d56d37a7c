import { type Announcement, AnnouncementAnswerSchema } from '../../src/contract/pool.ts';

/** Time limit of an announcement, and of the last one, which delays the end of the process, ms. */
const WITHIN_MS = 10_000;
const FAREWELL_MS = 2_000;
/** Waits after an announcement that failed, ms. Each wait is twice the previous one, and up to half as long again. */
const RETRY_MS = { first: 1_000, last: 30_000 };
/** Length limit of an answer that is logged, characters. */
const LOGGED_CHARS = 300;

export interface AnnouncerOptions {
  /** Address of the service (`POOL_URL`). */
  poolUrl: string;
  /** Address of this process (`ADVERTISE_URL`). */
  url: string;
  token: string;
  say?: (message: string) => void;
}

/**
 * Announces this process to a service, so that the pool there gives it work: at once, then as often as the service asks
 * for, and when it drains or ends. A service that cannot be reached is tried again without end.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #say: (message: string) => void;
  #status: Announcement['status'] = 'ok';
  #changed = Promise.withResolvers<void>();
  #failures = 0;
  #lastSaid = '';

  private constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#say = options.say ?? console.log;
  }

  static start(options: AnnouncerOptions): Announcer {
    const announcer = new Announcer(options);
    void announcer.#run();
    return announcer;
  }

  /** Announces at once that the process takes nothing new. Announcements go on until `end`. */
  drain(): void {
    this.#become('draining');
  }

  /** Leaves the pool. Never rejects. */
  async end(): Promise<void> {
    if (this.#status === 'ended') return;
    this.#become('ended');
    await this.#send('ended', FAREWELL_MS).catch((cause: unknown) => this.#complain(cause));
  }

  async #run(): Promise<void> {
    while (this.#status !== 'ended') {
      const changed = this.#changed.promise;
      const waitMs = await this.#announce();
      const { promise: waited, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, waitMs).unref();
      await Promise.race([waited, changed]);
      clearTimeout(timer);
    }
  }

  /** @returns the wait until the next announcement, ms */
  async #announce(): Promise<number> {
    try {
      const againInS = await this.#send(this.#status, WITHIN_MS);
      this.#failures = 0;
      this.#sayOnce(`member of the pool at ${this.#options.poolUrl} as ${this.#options.url}`);
      return againInS * 1000;
    } catch (cause) {
      this.#complain(cause);
      const wait = Math.min(RETRY_MS.last, RETRY_MS.first * 2 ** this.#failures++);
      return wait * (1 + Math.random() / 2);
    }
  }

  async #send(status: Announcement['status'], withinMs: number): Promise<number> {
    const { poolUrl, url, token } = this.#options;
    const response = await fetch(new URL('/pool', poolUrl), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url, status } satisfies Announcement),
      // The token is for this address alone.
      redirect: 'error',
      signal: AbortSignal.timeout(withinMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, LOGGED_CHARS)}`);
    return AnnouncementAnswerSchema.parse(JSON.parse(text)).again_in_s;
  }

  #become(status: Announcement['status']): void {
    this.#status = status;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #complain(cause: unknown): void {
    // `fetch` gives the reason only as the cause of its error.
    const { message, cause: inner } = cause as Error;
    const reason = inner instanceof Error ? `${message}: ${inner.message}` : message;
    this.#sayOnce(`cannot join the pool at ${this.#options.poolUrl}: ${reason}`);
  }

  #sayOnce(message: string): void {
    if (message !== this.#lastSaid) this.#say(message);
    this.#lastSaid = message;
  }
}
