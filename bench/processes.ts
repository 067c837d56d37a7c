import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { buildDashboard } from '../scripts/start/dashboard.ts';

export { freePort } from '../tools/machine.ts';

const ROOT = join(import.meta.dirname, '..');

// The Worker does not start without its pages.
await buildDashboard();

/** Waits until a URL answers with 2xx. */
export async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}

/** A child process that can be killed and started again on the same port. */
export class RestartableProcess {
  readonly #begin: () => ChildProcess;
  readonly #healthUrl: string;
  #child: ChildProcess | null = null;

  constructor(begin: () => ChildProcess, healthUrl: string) {
    this.#begin = begin;
    this.#healthUrl = healthUrl;
  }

  /** @throws when it is not running */
  get pid(): number {
    if (!this.#child?.pid) throw new Error('the process does not run');
    return this.#child.pid;
  }

  async start(): Promise<void> {
    this.#child = this.#begin();
    await answers(this.#healthUrl);
  }

  /**
   * Tells only the process itself to end, as a rollout signals a container's first process, and waits until it has
   * ended.
   */
  async end(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  /** Ends the process and its children, immediately by default. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    process.kill(-child.pid, signal);
    await exited;
  }
}

/** The real pipeline or its stand-in. @param root folder of another checkout */
export function pipelineProcess(
  port: number,
  variables: Record<string, string> = {},
  entry = 'containers/pipeline/server.ts',
  root = ROOT,
): RestartableProcess {
  const begin = () =>
    spawn(process.execPath, [entry], {
      cwd: root,
      env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), ...variables },
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    });
  return new RestartableProcess(begin, `http://127.0.0.1:${port}/healthz`);
}

/**
 * The Worker under `wrangler dev`, with storage that outlives it. `config`: that of another Worker; `root`: folder of
 * another checkout.
 */
export function workerProcess(
  port: number,
  folder: string,
  vars: Record<string, string>,
  config = 'wrangler.toml',
  root = ROOT,
): RestartableProcess {
  const options = [
    '--config',
    config,
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--inspector-port',
    '0',
    '--persist-to',
    folder,
  ];
  const settings = Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}:${value}`]);
  const begin = () =>
    spawn(
      process.execPath,
      ['node_modules/wrangler/bin/wrangler.js', 'dev', ...options, '--show-interactive-dev-session=false', ...settings],
      {
        cwd: root,
        env: {
          ...process.env,
          WRANGLER_SEND_METRICS: 'false',
          WRANGLER_HIDE_BANNER: 'true',
          WRANGLER_WRITE_LOGS: 'false',
          WRANGLER_LOG: 'error',
          CLOUDFLARE_CF_FETCH_ENABLED: 'false',
          X_LOCAL_OBSERVABILITY: 'false',
          X_LOCAL_EXPLORER: 'false',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
        detached: true,
      },
    );
  return new RestartableProcess(begin, `http://127.0.0.1:${port}/health`);
}
