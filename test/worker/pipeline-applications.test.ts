import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ROOT } from '../../scripts/start/command.ts';
import type { Env } from '../../src/worker/identity/env.ts';
import { containerName, containerNamed } from '../../src/worker/pipeline/container-name.ts';
import { applicationOf, pipelineHost } from '../../src/worker/pipeline/hosts.ts';
import { idleApplication, respondingPipelines } from '../../src/worker/pipeline/offered-recognisers.ts';

/** An application whose containers answer with its name, and which works on so much. */
const application = (name: string, work: number) => ({
  idFromName: (instance: string) => instance,
  get: (instance: string) => ({
    isHere: async () => true,
    fetch: async () => new Response(`${name} ${instance}`),
    health: async () => (instance === 'pipeline-0' ? JSON.stringify({ running: work, waiting: 1, live: 2 }) : null),
  }),
});
const env = (vars: Record<string, string>) =>
  ({
    PIPELINE: application('a', 4),
    PIPELINE_B: application('b', 0),
    POOL_MAX: '2',
    ...vars,
  }) as unknown as Env;

/** The answer of the second container for a tenant. */
async function answerTo(vars: Record<string, string>, tenant: string): Promise<string> {
  const name = containerName(applicationOf(env(vars), tenant), 1);
  return (await pipelineHost(env(vars), name).fetch('/analyses')).text();
}

it('new work goes to the application of the setting, and that of the trial to the other one', async () => {
  const [a, b] = ['a pipeline-1', 'b pipeline-1'];
  expect(await answerTo({}, 'acme')).toEqual(a);
  expect(await answerTo({ PIPELINE_APPLICATION: 'b' }, 'acme')).toEqual(b);
  expect(await answerTo({ PIPELINE_TRIAL_TENANT: 'trial' }, 'acme')).toEqual(a);
  expect(await answerTo({ PIPELINE_TRIAL_TENANT: 'trial' }, 'trial')).toEqual(b);
  expect(await answerTo({ PIPELINE_APPLICATION: 'b', PIPELINE_TRIAL_TENANT: 'trial' }, 'trial')).toEqual(a);
});

it('objects are asked for in the jurisdiction of the deployment, and those of containers in their region', async () => {
  const asked: unknown[] = [];
  const namespace = (jurisdiction: string | null): object => ({
    jurisdiction: namespace,
    idFromName: (name: string) => `${jurisdiction} ${name}`,
    get: (id: string, options?: object) => ({ fetch: async () => new Response(asked.push([id, options]).toString()) }),
  });
  const PIPELINE = namespace(null);
  for (const vars of [{}, { JURISDICTION: 'eu' }])
    for (const name of ['a-1', 'a-weur-1'])
      await pipelineHost(env({ ...vars, PIPELINE } as never), name).fetch('/healthz');
  expect(asked).toEqual([
    ['null pipeline-1', undefined],
    ['null pipeline-weur-1', { locationHint: 'weur' }],
    ['eu pipeline-1', undefined],
    ['eu pipeline-weur-1', { locationHint: 'weur' }],
  ]);
});

it('no other code makes an id of an object, which would be in no jurisdiction', () => {
  const makes = /\benv\.[A-Z_]+\.(?:idFromName|idFromString|newUniqueId|getByName)\(/;
  const files = globSync('src/worker/**/*.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => makes.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

it.each([
  ['a-3', { application: 'a', region: null, number: 3 }],
  ['b-weur-0', { application: 'b', region: 'weur', number: 0 }],
  ['a-mars-0', undefined],
  ['http://a-3', undefined],
])('%s is the name of %j', (name, container) => {
  expect(containerNamed(name)).toEqual(container);
});

it('the operator sees what each application still works on', async () => {
  expect(await respondingPipelines(env({}), [])).toEqual({ total: 2, ready: 1, work: 7 });
  expect(await idleApplication(env({}))).toEqual({ total: 2, ready: 1, work: 3 });
  expect(await idleApplication(env({ PIPELINE_APPLICATION: 'b' }))).toEqual({ total: 2, ready: 1, work: 7 });
  expect(await idleApplication(env({ RUNTIME_URL: 'http://pipeline.internal' }))).toBeUndefined();
});

it('a process gets the token, and a container does not', async () => {
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: URL, { headers }: { headers: Headers }) => {
    asked.push(headers.get('Authorization'));
    return new Response('{}');
  });
  const url = 'http://pipeline.internal';
  const token = { RUNTIME_URL: url, PIPELINE_TOKEN: 'a-token-of-the-test' };
  await pipelineHost(env(token), url).fetch('/analyses', { headers: { 'X-Request-Id': 'r' } });
  await pipelineHost(env({ ...token, PIPELINE_TOKEN: '' }), url).fetch('/analyses');
  await respondingPipelines(env(token), [url, 'http://joined.internal']);
  vi.unstubAllGlobals();
  expect(asked).toEqual(['Bearer a-token-of-the-test', null, ...Array(2).fill('Bearer a-token-of-the-test')]);
});
