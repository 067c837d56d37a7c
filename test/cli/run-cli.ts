import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../../src/cli/undertone.ts');

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface StartedCommand {
  child: ChildProcess;
  /** Output so far. */
  so: { out: string; err: string };
  ended: Promise<Ended>;
}

/** Runs the command as a process, without the environment variables that it reads. */
export function start(args: readonly string[], env: Record<string, string> = {}): StartedCommand {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const own = { PATH, HOME, NODE_COMPILE_CACHE };
  const child = spawn(process.execPath, [CLI, ...args], { env: { ...own, ...env }, stdio: 'pipe' });
  const so = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    so.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    so.err += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, ...so }));
  return { child, so, ended };
}

/** @param input standard input */
export function run(args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Ended> {
  const { child, ended } = start(args, env);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return ended;
}
