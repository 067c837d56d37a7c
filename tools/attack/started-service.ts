import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
/** Bundling, models and workerd take seconds. A machine under load may take many. */
const START_MS = 240_000;
/** Grace period for it to end, and for its remaining processes after that. */
const STOP_MS = 20_000;
const REMAINS_MS = 2_000;

/**
 * `worker`: the runtime that runs the service. `proxy`: wrangler's own runtime in front of it, which runs no code of
 * the service.
 */
export const ROLES = ['front door', 'wrangler', 'proxy', 'worker', 'pipeline'] as const;
export type Role = (typeof ROLES)[number];

interface Row {
  pid: number;
  parent: number;
  name: string;
  command: string;
}

/** The command line of a process, with spaces between its arguments; '' if it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Every process below one, from Linux's process table. */
export function descendants(pid: number): Row[] {
  const rows: Row[] = [];
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(stat) ?? [];
      const pid = Number(entry);
      rows.push({ pid, parent: Number(rest.split(' ')[1]), name, command: commandOf(pid) });
    } catch {
      // It ended in the meantime.
    }
  }
  const below = (parent: number): Row[] =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...below(row.pid)]);
  return below(pid);
}

export function roleOf({ name, command, parent }: Row): Role | undefined {
  // Only the proxy listens on the port that wrangler was given. A runtime that is started again keeps its own port.
  if (name.startsWith('workerd')) {
    const port = /\bworker-process\.ts (\d+) /.exec(commandOf(parent))?.[1];
    return command.includes(`--socket-addr=entry=127.0.0.1:${port} `) ? 'proxy' : 'worker';
  }
  if (name.startsWith('undertone-pipe')) return 'pipeline';
  if (/\bscripts\/start\.ts/.test(command) && /^\S*node /.test(command)) return 'front door';
  if (/\bscripts\/start\/worker-process\.ts/.test(command) && /^\S*node /.test(command)) return 'wrangler';
  return undefined;
}

/** Resident bytes by role. */
export function residentBytes(pid: number): Record<Role, number> {
  const bytes = { 'front door': 0, wrangler: 0, proxy: 0, worker: 0, pipeline: 0 };
  for (const row of descendants(pid)) {
    const role = roleOf(row);
    if (role === undefined) continue;
    try {
      const kilobytes = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${row.pid}/status`, 'utf8'))?.[1];
      bytes[role] += Number(kilobytes ?? 0) * 1024;
    } catch {
      // It ended in the meantime.
    }
  }
  return bytes;
}

/**
 * Every process that was started with this temporary folder, which belongs to one run. A child whose parent crashed is
 * no longer a descendant, but keeps its environment.
 */
function startedWith(scratch: string): number[] {
  const mark = `TMPDIR=${scratch}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return isAlive(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
      } catch {
        // The process has ended or belongs to another user.
        return false;
      }
    });
}

/** A line the service printed after it was ready. */
export interface PrintedLine {
  text: string;
  at: number;
}

/** `npm start`, with its own data, temporary folder and keys. */
export class Service {
  readonly pid: number;
  readonly lines: PrintedLine[] = [];
  readonly ended: Promise<string>;
  hasEnded = false;
  readonly #child: ChildProcess;
  readonly #scratch: string;
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;

  /** @param env contains `TMPDIR`, a folder of this run alone, which identifies its processes */
  constructor(port: number, env: Record<string, string> & { TMPDIR: string }) {
    this.#scratch = env.TMPDIR;
    process.once('exit', this.#killAll);
    this.#child = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      env: { ...process.env, ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.pid = this.#child.pid ?? 0;
    this.ended = once(this.#child, 'exit').then(([code, signal]) => {
      this.hasEnded = true;
      return signal ? String(signal) : `code ${code}`;
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (text) => this.#onLine(stripVTControlCharacters(text)));
  }

  /** @throws Error with its output, when it does not get ready */
  async ready(): Promise<void> {
    const late = sleep(START_MS, undefined, { ref: false }).then(() => 'nothing for long');
    const how = await Promise.race([this.#ready.promise, this.ended, late]);
    if (how === undefined) return;
    await this.stop();
    throw new Error(`npm start did not get ready (${how}):\n${this.lines.map(({ text }) => text).join('\n')}`);
  }

  /**
   * Ends it with all its processes, with SIGTERM first. @returns how many processes outlived it and had to be killed
   */
  async stop(): Promise<number> {
    const patience = this.hasEnded ? REMAINS_MS : STOP_MS;
    // npm passes a signal on to what it runs; the service does the rest.
    this.#signal(-this.pid, 'SIGTERM');
    const until = Date.now() + patience;
    await Promise.race([this.ended, sleep(patience, undefined, { ref: false })]);
    while (Date.now() < until && startedWith(this.#scratch).length > 0) await sleep(100);
    const outlived = startedWith(this.#scratch).length;
    for (let round = 0; round < 20 && this.#killAll() > 0; round++) await sleep(100);
    process.off('exit', this.#killAll);
    return outlived;
  }

  /** Kills its remaining processes, one after the other. @returns their number */
  readonly #killAll = (): number => {
    const pids = startedWith(this.#scratch);
    for (const pid of pids) this.#signal(pid, 'SIGKILL');
    return pids.length;
  };

  #onLine(text: string): void {
    // Output before it is ready, and the curl line, may contain file names and the demo key.
    if (!this.#isReady || text.startsWith('curl ')) this.lines.push({ text: `(start) ${text}`, at: 0 });
    else if (text.trim() !== '') this.lines.push({ text, at: Date.now() });
    if (text.startsWith('curl ')) {
      this.#isReady = true;
      this.#ready.resolve();
    }
  }

  #signal(pid: number, signal: NodeJS.Signals): void {
    try {
      process.kill(pid, signal);
    } catch {
      // It has already ended.
    }
  }
}

/** A process that ended but has not yet been reaped by its parent counts as dead. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
