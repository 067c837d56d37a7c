import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEY, startService, type TestService } from '../../../support/service-under-test.ts';

// Clients that third-party generators make from the document, each in a separate project.

const ROOT = join(import.meta.dirname, '../../..');
const OUTSIDER = join(import.meta.dirname, 'outsider');
const HEY_API = join(ROOT, 'node_modules/@hey-api/openapi-ts/dist/run.mjs');
const run = promisify(execFile);

let service: TestService;
let folder: string;
let project: string;
beforeAll(async () => {
  service = await startService();
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'build/outsider-'));
  project = await projectOf('openapi-typescript', ['package.json', 'tsconfig.json', 'main.ts']);
});
afterAll(async () => {
  await service?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** A project with some of the outsider's files, and the document of the running service. */
async function projectOf(name: string, files: readonly string[]): Promise<string> {
  const path = join(folder, name);
  mkdirSync(path);
  for (const file of files) cpSync(join(OUTSIDER, file), join(path, basename(file)));
  symlinkSync(join(OUTSIDER, 'node_modules'), join(path, 'node_modules'));
  writeFileSync(join(path, 'openapi.json'), await (await fetch(new URL('/openapi.json', service.url))).text());
  return path;
}

const tool = (name: string): string => join(OUTSIDER, 'node_modules/.bin', name);
/** Compiles a project; the compiler prints its findings on standard output. */
const compile = async (cwd: string): Promise<string> =>
  (await run(tool('tsc'), ['-p', 'tsconfig.json'], { cwd }).catch((fault) => fault)).stdout;
const given = () => ({
  baseUrl: service.url.origin,
  key: KEY,
  recording: readFileSync(join(ROOT, 'test/fixtures/call.wav')).toString('base64'),
});

interface Found {
  utterances: string[];
  overview: string;
  isListed: boolean;
  lastEvent: string;
  events: number;
  /** State of the live session that it opened. */
  status: string;
  refusal: [number, string];
}

function expectWhole(found: Found): void {
  const refusal = [404, 'NOT_FOUND'];
  expect(found).toMatchObject({ isListed: true, lastEvent: 'done', status: 'waiting_media', refusal });
  expect(found.utterances).toHaveLength(3);
  expect(found.overview).not.toBe('');
  expect(found.events).toBeGreaterThan(8);
}

it('the client of openapi-typescript compiles strictly, lists, analyses and streams', async () => {
  await run(tool('openapi-typescript'), ['openapi.json', '-o', 'schema.d.ts'], { cwd: project });
  expect(await compile(project)).toBe('');
  const { run: use } = await import(pathToFileURL(join(project, 'main.ts')).href);
  expectWhole(await use(given()));
});

it('the client of hey-api compiles strictly, uploads a file, streams, reads and lists', async () => {
  const files = ['main.ts', 'tsconfig.json', 'openapi-ts.config.mjs'].map((file) => `hey-api/${file}`);
  const path = await projectOf('hey-api', files);
  const hook = join(OUTSIDER, 'own-typescript.mjs');
  await run(process.execPath, ['--import', hook, HEY_API, '--no-log-file'], { cwd: path });
  expect(await compile(path)).toBe('');
  const { run: use } = await import(pathToFileURL(join(path, 'main.ts')).href);
  expectWhole(await use(given()));
});

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;

it.skipIf(!hasPython)('a Python client by the rules of generators uploads, streams, reads and lists', async () => {
  const path = await projectOf('python', ['python/main.py']);
  const running = run('python3', ['main.py'], { cwd: path });
  running.child.stdin?.end(JSON.stringify(given()));
  expectWhole(JSON.parse((await running).stdout));
});

it('its compiler refuses what the document does not have', async () => {
  const wrong =
    "import createClient from 'openapi-fetch';\nimport type { paths } from './schema.d.ts';\nvoid createClient<paths>({}).GET('/nothing');\n";
  writeFileSync(join(project, 'wrong.ts'), wrong);
  const faults = await compile(project);
  rmSync(join(project, 'wrong.ts'));
  expect(faults).toContain('wrong.ts');
});
