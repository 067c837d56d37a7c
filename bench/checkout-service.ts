import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../tools/machine.ts';

const KEY = 'checkout-service-key';
/** The first start in a checkout builds its dashboard and docs. */
const START_WITHIN_MS = 300_000;
const LOOK_MS = 250;
/** Consecutive refusals after which a request is given up. */
const MOST_REFUSALS = 30;

/**
 * The service of a checkout with installed packages. It is started the way `npm start` starts it, and reached only over
 * HTTP.
 */
export class CheckoutService {
  readonly #child: ChildProcess;
  readonly #url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  /**
   * @param state a separate folder for the data of the service
   * @param settings environment variables of the service
   */
  static async start(root: string, state: string, settings: Record<string, string>): Promise<CheckoutService> {
    const port = await freePort();
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [, ...command] = scripts.start.split(' ');
    const node = join(root, 'node_modules/.bin/node');
    const env = { ...process.env, PORT: String(port), STATE_DIR: state, DEMO_API_KEY: KEY, ...settings };
    const child = spawn(node, command, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
    const service = new CheckoutService(child, `http://127.0.0.1:${port}`);
    const stop = () => child.kill('SIGTERM');
    process.once('exit', stop);
    child.once('exit', () => process.off('exit', stop));
    await service.#ready(root);
    return service;
  }

  async #ready(root: string): Promise<void> {
    const until = performance.now() + START_WITHIN_MS;
    while (performance.now() < until && this.#child.exitCode === null) {
      const answer = await fetch(`${this.#url}/health`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok) return;
      await pause(LOOK_MS);
    }
    await this.stop();
    throw new Error(`the service of ${root} did not start`);
  }

  /** Sends a request. If the service refuses it temporarily (429, 503), it is sent again. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, 'X-API-Key': KEY };
    for (let refusals = 0; ; refusals++) {
      const answer = await fetch(`${this.#url}${path}`, { ...init, headers });
      if ((answer.status !== 429 && answer.status !== 503) || refusals === MOST_REFUSALS) return answer;
      await answer.body?.cancel();
      await pause(1000 * (Number(answer.headers.get('Retry-After')) || 1));
    }
  }

  postJson(path: string, body: unknown, method = 'POST'): Promise<Response> {
    return this.send(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

/** The commit of a checkout without local changes. Undefined for any other folder. */
export function commitOf(root: string): string | undefined {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : undefined;
  } catch {
    return undefined;
  }
}
