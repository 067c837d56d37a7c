import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '..');

/** A process that a developer starts in a terminal. */
export interface StartedProcess {
  process: ChildProcess;
  /** All its output so far, by line. */
  lines: string[];
  /** Resolves with the first line that matches, past or future. */
  line(pattern: RegExp): Promise<string>;
  ended: Promise<number | null>;
}

/** Runs a script with this Node, from the project's root. */
export function startProcess(args: string[], environment: Record<string, string> = {}): StartedProcess {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, npm_lifecycle_event: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const waiting: { pattern: RegExp; resolve: (line: string) => void }[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const { pattern, resolve } of waiting) if (pattern.test(line)) resolve(line);
    });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const line = (pattern: RegExp): Promise<string> => {
    const known = lines.find((said) => pattern.test(said));
    if (known) return Promise.resolve(known);
    return Promise.race([
      new Promise<string>((resolve) => waiting.push({ pattern, resolve })),
      ended.then(() => Promise.reject(new Error(`ended before ${pattern}:\n${lines.join('\n')}`))),
    ]);
  };
  return { process: child, lines, line, ended };
}
