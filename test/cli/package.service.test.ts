import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SERVICE_VERSION } from '../../src/contract/version.ts';

// The command as users get it: packed, and installed in an empty folder.

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
let files: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-command-'));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const packed = run('npm', 'pack', '--silent', '--pack-destination', folder, '-w', 'src/cli');
  const tarball = join(folder, packed);
  files = run('tar', '-tzf', tarball).split('\n');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, tarball);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('contains one file, its README and its package.json', () => {
  expect(files.sort()).toEqual(['package/README.md', 'package/dist/undertone.js', 'package/package.json']);
});

/** This Node, and the one that runs npm, which may be older. */
const nodes = [
  process.execPath,
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'))
    .map((path) => join(path, 'node'))
    .filter(isNewEnough)
    .slice(0, 1),
];

function isNewEnough(node: string): boolean {
  try {
    const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8', stdio: 'pipe' });
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return major > 20 || (major === 20 && minor >= 12);
  } catch {
    return false;
  }
}

it.each(nodes)('runs in %s', (node) => {
  const command = join(folder, 'node_modules/.bin/undertone');
  const options = { cwd: folder, encoding: 'utf8', env: { HOME: folder, NODE_OPTIONS: '' } } as const;
  expect(execFileSync(node, [command, '--version'], options).trim()).toBe(SERVICE_VERSION);
  expect(execFileSync(node, [command, 'completions', 'bash'], options)).toContain('complete -o default');
});
