import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** One text file of the repository. `path` is relative to its root. */
export interface SourceFile {
  path: string;
  text: string;
}

const GENERATED = ['src/sdk/wire.ts'];

/**
 * Reads the files that git tracks or would add, except generated files and fixtures.
 * @param extensions with their dot
 */
export function sources(...extensions: string[]): SourceFile[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => extensions.some((extension) => path.endsWith(extension)))
    .filter((path) => !GENERATED.includes(path) && !path.includes('/fixtures/') && existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** Line number of the character at `index`, from 1. */
export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
