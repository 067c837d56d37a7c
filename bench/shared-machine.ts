/**
 * A machine that several tasks share. Each runs at an equal part of its speed, like analyses that keep all processors
 * of a container busy. `aloneMs` is how long a task takes when no other runs.
 */
export class SharedMachine {
  readonly #works = new Map<symbol, { left: number; done: () => void }>();
  #since = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get running(): number {
    return this.#works.size;
  }

  /** Resolves when the task is done or was aborted. @param aloneMs how long it takes when alone */
  async work(aloneMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const id = Symbol();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settle();
    this.#works.set(id, { left: aloneMs, done: resolve });
    this.#arm();
    signal.addEventListener('abort', () => {
      this.#settle();
      this.#works.delete(id);
      this.#arm();
      resolve();
    });
    await promise;
  }

  /** Subtracts from each task its share since the last call. */
  #settle(): void {
    const now = performance.now();
    const each = (now - this.#since) / Math.max(1, this.#works.size);
    this.#since = now;
    for (const [id, work] of this.#works) {
      work.left -= each;
      if (work.left > 0.5) continue;
      this.#works.delete(id);
      work.done();
    }
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#works.size === 0) return;
    const next = Math.min(...[...this.#works.values()].map(({ left }) => left)) * this.#works.size;
    this.#timer = setTimeout(() => {
      this.#settle();
      this.#arm();
    }, next);
  }
}
