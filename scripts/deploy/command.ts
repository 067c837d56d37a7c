import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../start/command.ts';
import type { Outside } from './deployment.ts';
import { ENVIRONMENT_NAMES, type Environment, EnvironmentFault, environmentOf } from './environments.ts';
import { CommandFault, DeployFault, type RunProgram } from './platform.ts';
import { smoke } from './smoke.ts';

const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
const BUILD = join(ROOT, 'build/deploy');

const run: RunProgram = (program, args) =>
  new Promise((resolve, reject) => {
    const [command, ...first] = program === 'wrangler' ? [process.execPath, WRANGLER] : [program];
    const child = spawn(command!, [...first, ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Without questions, and with JSON where it is asked for.
      env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' },
    });
    let stdout = '';
    let all = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
      all += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      all += chunk;
    });
    child.on('error', (error) => reject(new CommandFault(program, args, error.message)));
    child.on('close', (status) => (status === 0 ? resolve(stdout) : reject(new CommandFault(program, args, all))));
  });

async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

export const OUTSIDE: Outside = {
  run,
  fetch,
  smoke,
  write(name, text) {
    mkdirSync(BUILD, { recursive: true, mode: 0o700 });
    const path = join(BUILD, name);
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  },
  remove: (path) => rmSync(path, { force: true }),
  pause: (ms) => pause(ms),
  now: Date.now,
  say: (line) => console.log(`undertone | ${line}`),
  ask,
  env: process.env,
};

/** The environment that the command names first. Undefined if it names none. @throws EnvironmentFault */
export function namedEnvironment(name: string | undefined): Environment | undefined {
  const known = ENVIRONMENT_NAMES.find((one) => one === name);
  return known && environmentOf(known);
}

/** Runs a command. @returns its exit status */
export async function withStatus(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DeployFault || error instanceof CommandFault || error instanceof EnvironmentFault))
      throw error;
    console.error(`undertone | ${error.message}`);
    return 1;
  }
}
