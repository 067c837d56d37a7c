import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// The image installs from its own package file, whose versions must be those that the project is tested with.

const ROOT = join(import.meta.dirname, '../..');
const PIPELINE = 'containers/pipeline';

interface Package {
  version: string;
  type?: string;
  engines: { node: string };
  dependencies: Record<string, string>;
}
interface Lock {
  packages: Record<string, Partial<Package> & { integrity?: string; name?: string }>;
}
const read = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;
const root = read<Package>('package.json');
const image = read<Package>(`${PIPELINE}/package.json`);
const lock = read<Lock>(`${PIPELINE}/package-lock.json`);
const rootLock = read<Lock>('package-lock.json');
const dockerfile = readFileSync(join(ROOT, PIPELINE, 'Dockerfile'), 'utf8');

/** The packages that a folder's code imports or takes files from. */
function packagesOf(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'));
  const text = files.map((file) => readFileSync(join(ROOT, folder, file), 'utf8')).join('\n');
  const named = [
    ...text.matchAll(/^(?:import|export)(?! type)[^'";]* from '([^'.][^']*)'/gm),
    ...text.matchAll(/import\('([^'.][^']*)'\)/g),
    ...text.matchAll(/packagedModel\('([^']+)', [`']([^`']+)/g),
    ...text.matchAll(/^const PACKAGE = '([^']+)'/gm),
  ];
  return named
    .flatMap(([, ...paths]) => paths)
    .filter((path) => path && !path.startsWith('node:'))
    .map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)![0]);
}

it('contains exactly the packages that the pipeline uses, without the WebAssembly runtime', () => {
  const used = new Set([PIPELINE, 'src/contract', 'src/conversation'].flatMap(packagesOf));
  used.delete('onnxruntime-web');
  expect(Object.keys(image.dependencies)).toEqual([...used].sort());
});

it('has the versions of the project, including indirect dependencies', () => {
  expect(image.version).toBe(root.version);
  expect(image.type).toBe(root.type);
  for (const [name, version] of Object.entries(image.dependencies))
    expect([name, version]).toEqual([name, root.dependencies[name]]);
  expect(lock.packages['']).toMatchObject({ version: image.version, dependencies: image.dependencies });
  for (const [path, { version, name }] of Object.entries(lock.packages)) {
    if (path === '' || name === '@favware/skip-dependency') continue;
    expect([path, version]).toEqual([path, rootLock.packages[path]?.version]);
  }
});

it('is based on the exact Node version that the project runs under', () => {
  const bases = [...dockerfile.matchAll(/^FROM (?:--\S+ )?(\S+:\S+)/gm)].map(([, base]) => base!.split('@'));
  expect(bases).toEqual([
    [`node:${root.dependencies.node}-bookworm-slim`, expect.stringMatching(/^sha256:[\da-f]{64}$/)],
  ]);
});
