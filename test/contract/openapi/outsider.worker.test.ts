import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEY, startService, type TestService } from '../../../support/service-under-test.ts';

// A client that a third-party generator makes from the document, in a project of its own.

const ROOT = join(import.meta.dirname, '../../..');
const OUTSIDER = join(import.meta.dirname, 'outsider');
const run = promisify(execFile);

let service: TestService;
let project: string;
beforeAll(async () => {
  service = await startService();
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  project = mkdtempSync(join(ROOT, 'build/outsider-'));
  for (const file of ['package.json', 'tsconfig.json', 'main.ts']) cpSync(join(OUTSIDER, file), join(project, file));
  symlinkSync(join(OUTSIDER, 'node_modules'), join(project, 'node_modules'));
  const document = await (await fetch(new URL('/openapi.json', service.url))).text();
  writeFileSync(join(project, 'openapi.json'), document);
});
afterAll(async () => {
  await service?.stop();
  if (project) rmSync(project, { recursive: true, force: true });
});

const tool = (name: string): string => join(OUTSIDER, 'node_modules/.bin', name);

it('a generated client compiles strictly, lists, analyses and streams', async () => {
  await run(tool('openapi-typescript'), ['openapi.json', '-o', 'schema.d.ts'], { cwd: project });
  // The program prints its findings on standard output.
  const compiled = await run(tool('tsc'), ['-p', 'tsconfig.json'], { cwd: project }).catch((fault) => fault);
  expect(compiled.stdout).toBe('');
  const { run: use } = await import(pathToFileURL(join(project, 'main.ts')).href);
  const recording = readFileSync(join(ROOT, 'test/fixtures/call.wav')).toString('base64');
  const found = await use({ baseUrl: service.url.origin, key: KEY, recording });
  expect(found).toMatchObject({ isListed: true, lastEvent: 'done', refusal: [404, 'NOT_FOUND'] });
  expect(found.utterances).toHaveLength(3);
  expect(found.overview).not.toBe('');
  expect(found.events).toBeGreaterThan(8);
});

it('its compiler refuses what the document does not have', async () => {
  const wrong =
    "import createClient from 'openapi-fetch';\nimport type { paths } from './schema.d.ts';\nvoid createClient<paths>({}).GET('/nothing');\n";
  writeFileSync(join(project, 'wrong.ts'), wrong);
  const compiled = await run(tool('tsc'), ['-p', 'tsconfig.json'], { cwd: project }).catch((fault) => fault);
  rmSync(join(project, 'wrong.ts'));
  expect(compiled.stdout).toContain('wrong.ts');
});
