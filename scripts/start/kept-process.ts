import { answers, CannotStart } from '../../tools/machine.ts';
import type { ProcessGroup } from './process-group.ts';

/**
 * Time limit for a start, ms. Loading models or bundling takes seconds, and minutes on a machine under heavy load, where
 * a start that is given up would only begin again. A process that exits is noticed at once.
 */
const START_MS = 600_000;
/**
 * Waits before a restart, ms. The wait doubles from `first` to `last`, and is reset once a process has run for
 * `longLife`.
 */
const AGAIN_MS = { first: 200, last: 5_000, longLife: 30_000 };
/** Consecutive exits without ever becoming ready after which the start has failed. */
const MAX_FAILED_STARTS = 3;
/** Interval between health checks, their time limit, and how many consecutive ones may fail. */
const WATCH = { everyMs: 10_000, withinMs: 10_000, owed: 3 };

export interface KeptProcessOptions {
  /** The name that messages use, such as `the pipeline`. */
  name: string;
  port: number;
  /** Path that returns 200 once the process is ready. */
  healthPath: string;
  launch: () => ProcessGroup;
  say: (line: string) => void;
  /** Awaited each time the process becomes ready. */
  onReady?: () => Promise<void>;
  watch?: typeof WATCH;
}

/** A process that serves a port of this machine. It is restarted when it exits or stops responding. */
export class KeptProcess {
  readonly #options: KeptProcessOptions;
  #group: ProcessGroup | undefined;
  #ready = Promise.withResolvers<void>();
  #stopping = false;

  constructor(options: KeptProcessOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the process first responds, and keeps it running from then on.
   * @throws CannotStart when it repeatedly exits before it is ready, or rejects its settings
   */
  async start(): Promise<void> {
    for (let attempt = 1; !(await this.#launch()); attempt++) {
      if (this.#stopping) return;
      if (attempt === MAX_FAILED_STARTS)
        throw new CannotStart(`${this.#options.name} does not start; see its output above. Has "npm ci" completed?`);
    }
    void this.#keep();
  }

  /** The port, once the process responds. */
  async port(): Promise<number> {
    await this.#ready.promise;
    return this.#options.port;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#group?.stop();
  }

  get #healthUrl(): string {
    return `http://127.0.0.1:${this.#options.port}${this.#options.healthPath}`;
  }

  async #launch(): Promise<boolean> {
    if (this.#stopping) return false;
    const group = this.#options.launch();
    this.#group = group;
    let isReady = false;
    try {
      isReady = await answers(this.#healthUrl, START_MS, group.ended);
    } finally {
      if (!isReady) await group.stop();
    }
    if (!isReady) return false;
    await this.#options.onReady?.();
    this.#ready.resolve();
    void this.#watch(group);
    return true;
  }

  async #keep(): Promise<void> {
    const { name, say } = this.#options;
    let wait = AGAIN_MS.first;
    for (;;) {
      const born = Date.now();
      const how = await this.#group?.ended;
      if (this.#stopping) return;
      this.#ready = Promise.withResolvers();
      // Child processes can outlive it and still occupy its port.
      await this.#group?.stop();
      if (Date.now() - born > AGAIN_MS.longLife) wait = AGAIN_MS.first;
      say(`${name} exited (${how}); restarting it`);
      do {
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(wait * 2, AGAIN_MS.last);
        if (this.#stopping) return;
      } while (!(await this.#launchAgain()));
      say(`${name} is ready again`);
    }
  }

  /** An error that prevents a restart does not end the command, because it can be corrected in the meantime. */
  async #launchAgain(): Promise<boolean> {
    try {
      return await this.#launch();
    } catch (error) {
      this.#options.say(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** Ends a process that still runs but no longer responds. */
  async #watch(group: ProcessGroup): Promise<void> {
    let isOver = false;
    void group.ended.then(() => {
      isOver = true;
    });
    const { watch = WATCH } = this.#options;
    for (let owed = 0; owed < watch.owed; ) {
      await new Promise((resolve) => setTimeout(resolve, watch.everyMs).unref());
      if (isOver || this.#stopping) return;
      const signal = AbortSignal.timeout(watch.withinMs);
      const answer = await fetch(this.#healthUrl, { signal }).catch(() => undefined);
      owed = answer?.ok ? 0 : owed + 1;
      await answer?.body?.cancel();
    }
    this.#options.say(`${this.#options.name} no longer responds`);
    await group.stop();
  }
}
