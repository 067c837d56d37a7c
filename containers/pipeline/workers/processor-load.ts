import { availableParallelism } from 'node:os';

/** Shortest time that is measured, ms. */
const WINDOW_MS = 4_000;

/** How busy this process and its threads keep the processor. ffmpeg's processes, which take little, are not counted. */
export class ProcessorLoad {
  readonly #cores: number;
  #since = performance.now();
  #used = process.cpuUsage();
  #share = 0;

  constructor(cores = availableParallelism()) {
    this.#cores = cores;
  }

  /** Share of the cores in use, 0 to 1, between the last calls that were at least 4 s apart. */
  share(now = performance.now()): number {
    const passedMs = now - this.#since;
    if (passedMs < WINDOW_MS) return this.#share;
    const { user, system } = process.cpuUsage(this.#used);
    this.#share = Math.min(1, (user + system) / 1000 / (passedMs * this.#cores));
    this.#since = now;
    this.#used = process.cpuUsage();
    return this.#share;
  }
}
