import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEY, startService, type TestService } from '../../support/service-under-test.ts';

// The package as users get it: packed, and installed in another project.

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
/** A user's code: every entry point, every method, every narrowed type. */
const CONSUMER = join(import.meta.dirname, 'package/consumer.ts');

let folder: string;
let tarball: string;
let service: TestService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-package-'));
  const pack = (...args: string[]) =>
    join(folder, String(run('npm', ['pack', '--silent', '--pack-destination', folder, ...args], ROOT)).trim());
  tarball = pack('-w', 'src/sdk');
  // With its dependencies beside it, so that no registry is needed.
  const parser = pack('./node_modules/eventsource-parser');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', type: 'module', private: true }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball, parser], folder);
  cpSync(CONSUMER, join(folder, 'consumer.ts'));
  service = await startService();
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (program: string, args: string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

it('contains the files it needs and no others', () => {
  const files = run('tar', ['-tzf', tarball], folder).trim().split('\n');
  expect(files.filter((file) => !/^package\/(dist\/[\w-]+\.(js|d\.ts)|package\.json|README\.md)$/.test(file))).toEqual(
    [],
  );
  expect(files).toContain('package/dist/pcm-worklet.js');
});

it('passes publint', async () => {
  const pkg = JSON.parse(readFileSync(join(ROOT, 'src/sdk/package.json'), 'utf8'));
  const { messages } = await publint({ pkgDir: join(ROOT, 'src/sdk'), strict: true });
  expect(messages.map((message) => formatMessage(message, pkg) ?? message.code)).toEqual([]);
});

it('has types that resolve in every module system', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  // The package is for ESM: `node10` and `require` are not supported.
  const promised = ['node16-esm', 'bundler'];
  const problems = 'problems' in analysis ? analysis.problems : [{ kind: 'no types' }];
  expect(problems.filter((p) => !('resolutionKind' in p) || promised.includes(String(p.resolutionKind)))).toEqual([]);
});

it.each(['nodenext', 'bundler'])('compiles in a strict project with the resolution "%s"', (resolution) => {
  const config = {
    compilerOptions: {
      ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [], strict: true },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, outDir: resolution },
      ...{ module: resolution === 'nodenext' ? 'nodenext' : 'esnext', moduleResolution: resolution },
    },
    files: ['consumer.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  run(process.execPath, [TSC, '-p', '.'], folder);
});

/** This Node, and the one that runs npm, which may be older. */
const others = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .map((path) => join(path, 'node'));
const nodes = [process.execPath, ...others.filter(exists).slice(0, 1)];

function exists(node: string): boolean {
  try {
    const major = Number(execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }));
    return major >= 20;
  } catch {
    return false;
  }
}

it.each(nodes)('runs in %s', async (node) => {
  const env = { ...process.env, UNDERTONE_URL: service.url.href, UNDERTONE_KEY: KEY, NODE_OPTIONS: '' };
  // This process serves the requests.
  const { stdout } = await promisify(execFile)(node, ['nodenext/consumer.js'], { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual({
    utterances: 3,
    last: 'done',
    phases: expect.any(Number),
    code: 'INVALID_KEY',
    live: 'object',
  });
});
