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
