import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { experimental_readRawConfig } from 'wrangler';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { FlyConfigSchema } from './fly-config.ts';

// Every member of the files in deploy/, against the schemas of the programs that read them. The schemas are in npm
// packages: kubernetes-models is generated from Kubernetes' OpenAPI document, dclint contains the schema of Compose.

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Path = (string | number)[];

/** Paths of all members of objects, without those below a member with names of one's own. */
function membersOf(value: Json, isFree: (path: Path) => boolean, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || isFree(path)) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const own = [...path, Array.isArray(value) ? Number(name) : name];
    return [...(Array.isArray(value) ? [] : [own]), ...membersOf(child, isFree, own)];
  });
}

/** The same value with the last letter of a member's name doubled. */
function misspelt(value: Json, [first, ...rest]: Path): Json {
  if (Array.isArray(value)) return value.map((child, i) => (i === first ? misspelt(child, rest) : child));
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([name, child]) => {
      if (name !== first) return [name, child];
      return rest.length === 0 ? [name + name.at(-1), child] : [name, misspelt(child, rest)];
    }),
  );
}

const isBelow =
  (...names: string[]) =>
  (path: Path): boolean =>
    names.includes(String(path.at(-1)));

describe('the Kubernetes manifest', () => {
  interface Manifest {
    apiVersion: string;
    kind: string;
    [name: string]: Json;
  }
  const objects = parseAllDocuments(read('deploy/kubernetes/pipeline.yaml')).map((one) => one.toJS() as Manifest);
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'build/manifest-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The compiler's errors by the number of the object, from 0. */
  function faultsOf(typed: { type: Manifest; value: Json }[]): Map<number, string> {
    const kinds = new Map(
      typed.map(({ type: { apiVersion, kind } }) => [kind, `kubernetes-models/${apiVersion}/${kind}`]),
    );
    const imports = [...kinds].map(([kind, module]) => `import type { I${kind} } from '${module}';`);
    const values = typed.map(({ type, value }) => `void (${JSON.stringify(value)} satisfies I${type.kind});`);
    writeFileSync(join(folder, 'objects.ts'), [imports.join(' '), ...values].join('\n'));
    const options = '--noEmit --ignoreConfig --strict --skipLibCheck --module nodenext --target esnext --types';
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, ...options.split(' '), '', 'objects.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const errors = [...stdout.matchAll(/^objects\.ts\((\d+),\d+\): (.+)$/gm)];
    expect(stdout.trim() === '' || errors.length > 0, stdout).toBe(true);
    return new Map(errors.map(([, line, message = '']) => [Number(line) - 2, message]));
  }

  it('has objects of Kubernetes, without an unknown member', () => {
    expect([...faultsOf(objects.map((value) => ({ type: value, value })))]).toEqual([]);
  });

  it('is refused with any member misspelt', () => {
    const free = ['labels', 'matchLabels', 'requests', 'limits'];
    const cases = objects.flatMap((type) =>
      membersOf(type, isBelow(...free, ...(type.kind === 'Service' ? ['selector'] : []))).map((path) => ({
        ...{ type, path, value: misspelt(type, path) },
      })),
    );
    expect(cases.length).toBeGreaterThan(100);
    const faults = faultsOf(cases);
    const accepted = cases.filter((_, i) => !faults.has(i)).map(({ type, path }) => `${type.kind}: ${path.join('.')}`);
    expect(accepted).toEqual([]);
  });

  it('has values that Kubernetes accepts', async () => {
    interface Model {
      validate(): void;
    }
    const modelOf = async (value: Manifest): Promise<Model> => {
      const { apiVersion, kind } = value;
      const path = `kubernetes-models/${apiVersion}/${kind}`;
      const models = (await import(/* @vite-ignore */ path)) as Record<string, new (_: object) => Model>;
      return new models[kind]!(value);
    };
    for (const one of objects) (await modelOf(one)).validate();
    const budget = objects.find(({ kind }) => kind === 'PodDisruptionBudget')!;
    const wrong = await modelOf({
      ...budget,
      spec: { ...(budget.spec as object), unhealthyPodEvictionPolicy: 'Never' },
    });
    expect(() => wrong.validate()).toThrow('unhealthyPodEvictionPolicy');
  });
});

describe('the Compose file', () => {
  const { $schema: _, ...schema } = JSON.parse(read('node_modules/dclint/schemas/compose.schema.json')) as object & {
    $schema: string;
  };
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  /** The file as Compose reads it: variables are replaced first. */
  const rendered = (env: Record<string, string>): Json =>
    parseYaml(
      read('deploy/compose/compose.yaml').replace(
        /\$\{(\w+)(?::-([^}]*))?\}/g,
        (_, name, fallback) => env[name] || (fallback ?? ''),
      ),
    );

  it.each<Record<string, string>>([{}, { PIPELINES: '3', POOL_MAX: '2', PIPELINE_TOKEN: 'x'.repeat(24) }])(
    'is one of Compose with %j',
    (env) => {
      isValid(rendered(env));
      expect(isValid.errors).toBeNull();
    },
  );

  it('is refused with any member misspelt', () => {
    const value = rendered({});
    const paths = membersOf(value, isBelow('services', 'volumes', 'environment'));
    const inServices = Object.entries((value as { services: Record<string, Json> }).services).flatMap(
      ([name, service]) => membersOf(service, isBelow('environment')).map((path) => ['services', name, ...path]),
    );
    const all = [...paths, ...inServices];
    expect(all.length).toBeGreaterThan(25);
    expect(all.filter((path) => isValid(misspelt(value, path)))).toEqual([]);
  });
});

describe('the file of Fly', () => {
  const value = experimental_readRawConfig({ config: join(ROOT, 'deploy/fly/fly.toml') }).rawConfig as unknown as Json;

  it('is one of Fly, and refused with any member misspelt', () => {
    expect(FlyConfigSchema.safeParse(value).error).toBeUndefined();
    const paths = membersOf(value, isBelow('env'));
    expect(paths.length).toBeGreaterThan(25);
    expect(paths.filter((path) => FlyConfigSchema.safeParse(misspelt(value, path)).success)).toEqual([]);
  });
});
