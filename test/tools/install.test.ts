import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it('npm knows every setting of .npmrc', async () => {
  const { stderr } = await promisify(execFile)('npm', ['pkg', 'get', 'name'], {
    cwd: join(import.meta.dirname, '../..'),
  });
  expect(stderr).not.toContain('Unknown project config');
});

it('the install script of onnxruntime-node, which fetches libraries for graphics cards, does not run under any npm', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const entry = lock.packages['node_modules/onnxruntime-node'];
  expect(entry).toHaveProperty('version');
  expect(entry).not.toHaveProperty('hasInstallScript');
});

it.each(['package-lock.json', 'containers/pipeline/package-lock.json'])(
  '%s has the digest of every package',
  (path) => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as {
      packages: Record<string, { link?: boolean; integrity?: string }>;
    };
    const bare = Object.entries(packages)
      .filter(([name, { link, integrity }]) => name.includes('node_modules/') && !link && !integrity)
      .map(([name]) => name);
    expect(bare).toEqual([]);
  },
);

it('only packages that need their install script may run it', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  const { packages } = read('package-lock.json') as { packages: Record<string, { hasInstallScript?: boolean }> };
  const scripted = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript);
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  expect(scripted.map((name) => name.replace(/^.*node_modules\//, ''))).toEqual(expect.arrayContaining(allowed));
  // An undecided script ends the installation.
  expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toContain('strict-allow-scripts=true');
});
