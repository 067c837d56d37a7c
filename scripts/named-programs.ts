import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** A program that `npm run <script> -- <name>` runs. */
export interface NamedProgram {
  /** A one-line description of the program. */
  does: string;
  /** Files relative to the project's root, run one after another until one fails. Python files run with python3. */
  files: readonly string[];
}

export type NamedPrograms = Readonly<Record<string, NamedProgram>>;

/** Lists programs, one per line. */
export function listOf(script: string, programs: NamedPrograms): string {
  const width = Math.max(...Object.keys(programs).map((name) => name.length));
  const lines = Object.entries(programs).map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`);
  return [`npm run ${script} -- <name> [options]`, '', ...lines].join('\n');
}

/** Runs a file with the terminal of this process and returns its exit status. */
function run(file: string, options: readonly string[]): Promise<number> {
  const program = file.endsWith('.py') ? 'python3' : process.execPath;
  const child = spawn(program, [join(ROOT, file), ...options], { stdio: 'inherit' });
  // The terminal sends an interrupt to both processes, so the child decides when to end.
  const ignore = (): void => {};
  const end = (): void => void child.kill('SIGTERM');
  process.on('SIGINT', ignore).on('SIGTERM', end);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('exit', (status) => {
      process.off('SIGINT', ignore).off('SIGTERM', end);
      resolve(status ?? 1);
    });
  });
}

/**
 * Runs the program named on the command line, or lists all programs if none is named.
 * @returns the exit status: that of the program, or 2 for an unknown name
 */
export async function runNamed(
  script: string,
  programs: NamedPrograms,
  [name, ...options] = process.argv.slice(2),
): Promise<number> {
  if (name === undefined || name === '--help') {
    console.log(listOf(script, programs));
    return 0;
  }
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (!program) {
    console.error(`There is no "${name}".\n\n${listOf(script, programs)}`);
    return 2;
  }
  for (const file of program.files) {
    const status = await run(file, options);
    if (status !== 0) return status;
  }
  return 0;
}
