import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Time that a process has to exit before it is killed, ms. */
const GRACE_MS = 5_000;

/**
 * A key or token in a query must not appear in a log (decisions: query key), and an issued key must not appear
 * anywhere.
 */
export const redact = (line: string): string =>
  line
    .replace(/\b(api_key=|token=)[^&\s"'\\]+/gi, '$1[hidden]')
    .replace(/\b(ut_[a-z0-9-]{2,32}_[0-9A-Za-z]{12}_)[0-9A-Za-z]{43}/g, '$1[hidden]');

/** A child process and all its descendants, as one group. */
export class ProcessGroup {
  readonly #child: ChildProcess;
  /** How the process ended: `code 1` or `SIGKILL`. */
  readonly ended: Promise<string>;

  /** Runs a script with this Node. Each line that it prints is prefixed with `name`. */
  constructor(name: string, args: string[], env: Record<string, string>) {
    this.#child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      detached: true,
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    this.#child.once('error', (error) => resolve(error.message));
    this.#child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream)
        createInterface({ input: stream }).on('line', (line) => line && console.log(`${name} | ${redact(line)}`));
  }

  /** Ends the whole group, trying SIGTERM first. Resolves when no process is left. */
  async stop(): Promise<void> {
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
    await this.ended;
    clearTimeout(timer);
    // Processes that outlived the leader.
    const until = Date.now() + GRACE_MS;
    while (this.#signal('SIGKILL') && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Sends a signal. False when no process of the group is left. */
  #signal(signal: NodeJS.Signals): boolean {
    if (this.#child.pid === undefined) return false;
    try {
      return process.kill(-this.#child.pid, signal);
    } catch {
      return false;
    }
  }
}
