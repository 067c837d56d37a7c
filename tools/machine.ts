import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { ErrorBodySchema } from '../src/contract/analysis.ts';

/** A reason why the service cannot start, and what to do about it. */
export class CannotStart extends Error {}

/**
 * @param setting the setting that chooses the port of `command`
 * @throws CannotStart when another program listens there
 */
export async function requireFreePort(port: number, setting = 'PORT', command = 'npm start'): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CannotStart(`${setting} must be a number from 1 to 65535, not "${process.env[setting]}".`);
  for (const host of ['127.0.0.1', '::1']) {
    const code = await listenOnce(port, host);
    if (code === 'EADDRINUSE')
      throw new CannotStart(
        `Port ${port} is in use. Stop the program that uses it, or choose another port: ${setting}=${port + 1} ${command}`,
      );
    if (code === 'EACCES') throw new CannotStart(`Port ${port} needs more rights. Choose one above 1023.`);
  }
}

/** The error code of an attempt to listen there. Undefined on success. A machine without IPv6 answers EADDRNOTAVAIL. */
async function listenOnce(port: number, host: string): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/**
 * Below the range for outgoing connections (Linux from 32,768), so that none of those takes the port in the meantime.
 */
const FREE_PORTS = { from: 20_000, to: 32_000 };

/** A port that is free now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FREE_PORTS.from + Math.floor(Math.random() * (FREE_PORTS.to - FREE_PORTS.from));
    if ((await listenOnce(port, '127.0.0.1')) === undefined) return port;
  }
}

/**
 * Makes sure that ffmpeg runs; as root on Debian it is installed, with a message.
 * @throws CannotStart when it is missing and cannot be installed
 */
export function requireFfmpeg(say: (line: string) => void): void {
  if (runs('ffmpeg', ['-version'])) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !runs('apt-get', ['--version']))
    throw new CannotStart('ffmpeg is missing. Install it (Debian: sudo apt-get install ffmpeg) and start again.');
  say('ffmpeg is missing: installing it with apt-get (once, may take a minute)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'ffmpeg'], { stdio: 'ignore', env });
  if (!runs('ffmpeg', ['-version']))
    throw new CannotStart('ffmpeg could not be installed. Install it (apt-get install ffmpeg) and start again.');
}

const runs = (command: string, args: string[]): boolean => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** The process that started this one (npm's shell) and, on Linux, its parent (npm). */
export function parentPids(): number[] {
  try {
    // "pid (name) state ppid …"; the name may contain anything, so count from its closing bracket.
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    return [process.ppid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])];
  } catch {
    return [process.ppid];
  }
}

/**
 * Polls until the address answers with 200, the time is up or `stopped` settles.
 * @throws CannotStart when the answer says that the settings are invalid, which waiting cannot fix
 */
export async function answers(url: string, milliseconds: number, stopped: Promise<unknown>): Promise<boolean> {
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
  });
  const until = Date.now() + milliseconds;
  while (!isStopped && Date.now() < until) {
    const answer = await asked(url);
    if (answer?.ok) return true;
    if (answer?.error?.code === 'MISCONFIGURED') throw new CannotStart(`${answer.error.detail}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/** One answer with its error. Undefined when there is none yet. */
async function asked(
  url: string,
): Promise<{ ok: boolean; error?: { code: string; detail: string } | undefined } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    return { ok: response.ok, error: response.ok ? undefined : ErrorBodySchema.safeParse(JSON.parse(text)).data };
  } catch {
    return undefined;
  }
}
