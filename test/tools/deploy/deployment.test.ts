import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { CONFIGURATION_NAMES, costOf, describeConfigurations } from '../../../scripts/deploy/configurations.ts';
import { type DeployOptions, deploy, rollback } from '../../../scripts/deploy/deployment.ts';
import { environmentOf } from '../../../scripts/deploy/environments.ts';
import { missesBetween, OBJECTIVES, samplesOf } from '../../../scripts/deploy/objectives.ts';
import { CommandFault } from '../../../scripts/deploy/platform.ts';
import { workerConfig } from '../../../scripts/deploy/worker-config.ts';
import { HISTOGRAMS } from '../../../src/worker/metrics/histograms.ts';
import { settingsOf } from '../../../src/worker/settings/settings.ts';
import { FakeCloud } from './fake-cloud.ts';

const HOSTS = JSON.stringify({
  staging: { host: 'undertone-staging.acme.workers.dev', instances: 2 },
  production: { host: 'undertone.acme.org', instances: 5 },
});
const environment = environmentOf('production', HOSTS);
const run = (cloud: FakeCloud, more: Partial<DeployOptions> = {}) => deploy({ environment, ...more }, cloud.outside);

/** A cloud on which the commits were released one after another. */
async function released(...commits: string[]): Promise<FakeCloud> {
  const cloud = new FakeCloud(environment);
  for (const commit of commits) {
    cloud.commit = commit;
    await run(cloud);
  }
  cloud.calls.length = 0;
  return cloud;
}

const A = environment.applications.a;
const B = environment.applications.b;
const commitsOn = (cloud: FakeCloud) => [A, B].map((name) => cloud.images.get(name)?.split(':').at(-1));

describe('a deployment', () => {
  it('starts with application a, and sets the secrets once', async () => {
    const cloud = await released('one');
    expect(cloud.state).toMatchObject({
      vars: { PIPELINE_APPLICATION: 'a', PIPELINE_TRIAL_TENANT: 'none', POOL_MAX: '5' },
      secrets: { ADMIN_TOKEN: 'admin-token-of-the-test', KEY_PEPPER: 'pepper-of-the-test' },
      tenants: [],
      keys: 0,
      files: [],
    });
    cloud.commit = 'two';
    await run(cloud);
    expect(cloud.calls.filter((call) => call.includes('--secrets-file'))).toEqual([]);
  });

  it('puts each commit on the idle application, tries it there, and switches', async () => {
    const cloud = await released('one', 'two', 'three');
    expect(commitsOn(cloud)).toEqual(['three', 'two']);
    expect(cloud.state.vars).toMatchObject({ PIPELINE_APPLICATION: 'a', PIPELINE_TRIAL_TENANT: 'none' });
    const trials = [...cloud.versions.values()].map((vars) => [
      vars.PIPELINE_APPLICATION,
      !!vars.PIPELINE_TRIAL_TENANT,
    ]);
    expect(trials).toEqual([
      ['a', false],
      ['a', true],
      ['b', false],
      ['b', true],
      ['a', false],
    ]);
  });

  it('never changes the image of the application that works', async () => {
    const cloud = await released('one', 'two');
    cloud.commit = 'three';
    cloud.broken.add('three');
    await expect(run(cloud)).rejects.toThrow('The trial failed: batch');
    expect(commitsOn(cloud)).toEqual(['three', 'two']);
    expect(cloud.state).toMatchObject({
      vars: { PIPELINE_APPLICATION: 'b', PIPELINE_TRIAL_TENANT: 'none' },
      tenants: [],
    });
    cloud.broken.clear();
    await run(cloud);
    expect(cloud.state.vars).toMatchObject({ PIPELINE_APPLICATION: 'a' });
  });

  it('goes back when an objective is missed', async () => {
    const cloud = await released('one');
    cloud.commit = 'two';
    cloud.metrics = (seconds) =>
      `undertone_request_seconds_count{route="GET /conversations",status="2xx"} ${1000 + seconds}\n` +
      `undertone_request_seconds_count{route="GET /conversations",status="5xx"} ${seconds > 300 ? seconds : 0}\n`;
    await expect(run(cloud)).rejects.toThrow(/objective is missed: .* failed \(5xx.*\n.*earlier release serves again/s);
    expect(cloud.state.vars).toMatchObject({
      PIPELINE_APPLICATION: 'a',
      PIPELINE_IMAGE: expect.stringMatching(/:one$/),
    });
    expect(cloud.state.tenants).toEqual([]);
  });

  it('waits for the work of the idle application, and gives up without a change', async () => {
    const cloud = await released('one', 'two');
    cloud.commit = 'three';
    cloud.idleWork = 3;
    const before = cloud.state;
    await expect(run(cloud)).rejects.toThrow('still works on 3 analyses');
    expect(cloud.state).toEqual(before);
    cloud.idleWork = 0;
    await run(cloud);
  });

  it.each([
    ['changes in the tree', (cloud: FakeCloud) => (cloud.status = ' M README.md'), 'Commit them'],
    ['no bucket', (cloud: FakeCloud) => (cloud.hasBucket = false), 'r2 bucket create undertone-media'],
    ['no answer', (cloud: FakeCloud) => (cloud.answer = undefined), '--configuration'],
  ])('changes nothing with %s', async (_, spoil, reason) => {
    const cloud = new FakeCloud(environment);
    spoil(cloud);
    await expect(run(cloud)).rejects.toThrow(reason);
    expect(cloud.calls.filter((call) => /deploy |push|build|POST/.test(call))).toEqual([]);
  });

  it.each([
    'A request to the Cloudflare API failed. Authentication error [code: 10000]',
    'Could not route to /accounts/none/workers, the resource was not found [code: 7003]',
  ])('takes no other error for a Worker that does not exist: %s', async (output) => {
    const cloud = await released('one', 'two');
    cloud.commit = 'three';
    const before = cloud.state;
    const { run: known } = cloud.outside;
    const failing: typeof known = async (program, args) => {
      if (args[0] === 'deployments') throw new CommandFault(program, args, output);
      return known(program, args);
    };
    await expect(deploy({ environment }, { ...cloud.outside, run: failing })).rejects.toThrow(output.slice(0, 30));
    expect(cloud.state).toEqual(before);
  });

  it('keeps the configuration that was chosen, until another one is named', async () => {
    const cloud = new FakeCloud(environment);
    cloud.answer = 'recommended';
    await run(cloud);
    expect(cloud.said.join('\n')).toContain('An hour of audio costs');
    cloud.answer = undefined;
    cloud.commit = 'two';
    await run(cloud);
    expect(cloud.state.vars).toMatchObject({ RECOGNISER: 'endpoint', ASR_URL: 'http://ai.internal/v1' });
    await run(cloud, { configuration: 'built-in' });
    expect(cloud.state.vars).not.toHaveProperty('LLM_MODEL');
    expect(cloud.state.vars).toMatchObject({ PIPELINE_APPLICATION: 'a' });
  });
});

describe('a deployment that fails anywhere and is repeated', () => {
  // The first deployment, and one after two.
  it.each([[[]], [['one', 'two']]])('ends as if nothing had failed, after %j', async (earlier: string[]) => {
    const clean = await released(...earlier);
    clean.commit = 'last';
    await run(clean);
    const calls = clean.calls.length;
    expect(calls).toBeGreaterThan(15);
    for (const after of ['nothing', 'half', 'all'] as const)
      for (let at = 1; at <= calls; at++) {
        const cloud = await released(...earlier);
        cloud.commit = 'last';
        cloud.failure = { at, after };
        const failed = await run(cloud).then(
          () => false,
          () => true,
        );
        // Only a reading of the counters is repeated by itself.
        if (!failed) expect(cloud.calls[at - 1]).toBe('GET /metrics');
        cloud.failure = undefined;
        const hasReleased = cloud.state.vars?.PIPELINE_TRIAL_TENANT === 'none';
        if (earlier.length > 0) expect(hasReleased, `${cloud.calls[at - 1]}, ${at}`).toBe(true);
        await run(cloud);
        expect({ at, call: cloud.calls[at - 1], ...cloud.state }).toEqual({
          at,
          call: clean.calls[at - 1],
          ...clean.state,
        });
      }
  });
});

describe('a rollback', () => {
  it('goes to the release before, and not forward again', async () => {
    const cloud = await released('one', 'two', 'three');
    await rollback(environment, cloud.outside);
    expect(cloud.state.vars).toMatchObject({
      PIPELINE_APPLICATION: 'b',
      PIPELINE_IMAGE: expect.stringMatching(/:two$/),
    });
    // The image of the first release was replaced by the third.
    await expect(rollback(environment, cloud.outside)).rejects.toThrow('Deploy its commit');
    cloud.commit = 'four';
    await run(cloud);
    expect(commitsOn(cloud)).toEqual(['four', 'two']);
  });

  it('ends a trial', async () => {
    const cloud = await released('one', 'two');
    cloud.commit = 'three';
    // The command is killed while the trial runs.
    const smoke = () => new Promise<never>(() => undefined);
    void deploy({ environment }, { ...cloud.outside, smoke });
    await expect.poll(() => cloud.state.vars?.PIPELINE_TRIAL_TENANT).not.toBe('none');
    await rollback(environment, cloud.outside);
    expect(cloud.state.vars).toMatchObject({
      PIPELINE_TRIAL_TENANT: 'none',
      PIPELINE_IMAGE: expect.stringMatching(/:two$/),
    });
  });

  it('needs an earlier release', async () => {
    await expect(rollback(environment, new FakeCloud(environment).outside)).rejects.toThrow('was never deployed');
    await expect(rollback(environment, (await released('one')).outside)).rejects.toThrow('no earlier release');
  });
});

describe('the environments', () => {
  it('share no name', () => {
    const staging = environmentOf('staging', HOSTS);
    const namesOf = ({ worker, buckets, workflow, applications, host }: typeof staging) => [
      worker,
      ...Object.values(buckets),
      workflow,
      applications.a,
      applications.b,
      host,
    ];
    expect(new Set([...namesOf(staging), ...namesOf(environment)]).size).toBe(14);
  });

  it.each([
    [{ host: 'undertone.example.com', instances: 5 }, 'production.host is an example'],
    [{ host: 'other.acme.workers.dev', instances: 5 }, 'undertone.<your subdomain>.workers.dev'],
    [{ host: 'YOUR.workers.dev', instances: 5 }, 'production.host must be the host name'],
    [{ host: 'undertone.acme.org', instances: 400 }, '1500 vCPU'],
    [{ host: 'undertone.acme.org', instances: 5, region: 'eu' }, 'region'],
    [{ host: 'undertone.acme.org', instances: 5, regions: ['weur', 'mars'] }, 'regions'],
    [{ host: 'undertone.acme.org', instances: 5, regions: ['me', 'oc'] }, 'a region besides me, oc, afr'],
    [{ host: 'undertone.acme.org', instances: 5, regions: ['weur', 'enam'], jurisdiction: 'eu' }, 'enam'],
  ])('%j is refused', (production, reason) => {
    expect(() => environmentOf('production', JSON.stringify({ staging: {}, production }))).toThrow(reason);
  });

  it('are read by wrangler without a complaint, and their variables by the Worker', () => {
    const folder = mkdtempSync(join(tmpdir(), 'undertone-config-'));
    try {
      for (const name of ['staging', 'production'] as const)
        for (const configuration of CONFIGURATION_NAMES) {
          const image = 'registry.cloudflare.com/0123456789abcdef0123456789abcdef/undertone-pipeline:one';
          const images = { a: image, b: image };
          const version = { configuration, application: 'b', images, trialTenant: 't1' } as const;
          const path = join(folder, 'wrangler.json');
          writeFileSync(path, JSON.stringify(workerConfig(environmentOf(name, HOSTS), version)));
          const config = unstable_readConfig({ config: path });
          expect(
            (config.containers as { name: string; class_name: string; image: string }[]).map((one) => [
              one.name,
              one.class_name,
              one.image,
            ]),
          ).toEqual([
            [environmentOf(name, HOSTS).applications.a, 'PipelineContainer', image],
            [environmentOf(name, HOSTS).applications.b, 'PipelineContainerB', image],
          ]);
          expect(config.routes?.length ?? 0).toBe(name === 'production' ? 1 : 0);
          expect(config.ai?.binding).toBe(configuration === 'recommended' ? 'AI' : undefined);
          const dataset = name === 'production' ? 'undertone' : 'undertone_staging';
          expect(config.analytics_engine_datasets).toEqual([{ binding: 'POINTS', dataset }]);
          const { pipelineApplication, trialTenant, recogniser } = settingsOf(config.vars);
          expect({ pipelineApplication, trialTenant }).toEqual({ pipelineApplication: 'b', trialTenant: 't1' });
          expect(recogniser).toBe(configuration === 'recommended' ? 'endpoint' : 'moonshine-tiny');
        }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a jurisdiction', () => {
  const hosts = JSON.stringify({
    staging: {},
    production: { host: 'undertone.acme.org', instances: 5, regions: ['eeur', 'weur'], jurisdiction: 'eu' },
  });
  const image = 'registry.cloudflare.com/0123456789abcdef0123456789abcdef/undertone-pipeline:one';
  const version = { configuration: 'built-in', application: 'a', images: { a: image, b: image } } as const;

  it('holds buckets, workflow, containers and objects', () => {
    const folder = mkdtempSync(join(tmpdir(), 'undertone-config-'));
    try {
      const path = join(folder, 'wrangler.json');
      writeFileSync(path, JSON.stringify(workerConfig(environmentOf('production', hosts), version)));
      const config = unstable_readConfig({ config: path });
      const placed = [...config.r2_buckets, ...config.workflows] as { jurisdiction?: string }[];
      expect(placed.map(({ jurisdiction }) => jurisdiction)).toEqual(['eu', 'eu', 'eu']);
      for (const { constraints } of config.containers as { constraints?: object }[])
        expect(constraints).toEqual({ regions: ['EEUR', 'WEUR'], jurisdiction: 'eu' });
      expect(settingsOf(config.vars)).toMatchObject({ jurisdiction: 'eu', poolRegions: ['eeur', 'weur'] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the cost', () => {
  it('of an hour of audio is computed from list prices', () => {
    // 2 vCPU, 8 GiB and 16 GB for an hour, at 18 seconds of audio per second.
    expect(costOf('built-in').batch).toBeCloseTo((0.144 + 0.072 + 0.004032) / 18, 6);
    // An hour of speech at 46.63 neurons a minute, 40,000 tokens in, at most 14,800 out.
    const models = (60 * 46.63 * 0.011) / 1000 + 0.04 * 0.27 + 0.0148 * 0.85;
    expect(costOf('recommended').batch - costOf('built-in').batch).toBeCloseTo(models, 6);
    expect(costOf('recommended').live - costOf('built-in').live).toBeCloseTo(models, 6);
    expect(describeConfigurations().join('\n')).toContain(
      'https://developers.cloudflare.com/workers-ai/platform/pricing/',
    );
  });
});

describe('the objectives', () => {
  it('name metrics that the service exports, and bounds of their buckets', () => {
    for (const { bad, all } of OBJECTIVES)
      for (const { metric, isIn } of [bad, all]) {
        const [, name = ''] = /^undertone_(\w+)_(?:count|bucket)$/.exec(metric) ?? [];
        expect(Object.keys(HISTOGRAMS)).toContain(name);
        const { bounds } = HISTOGRAMS[name as keyof typeof HISTOGRAMS];
        if (metric.endsWith('_bucket')) expect(bounds.filter((le) => isIn?.({ le: String(le) }))).toHaveLength(1);
      }
  });

  it('are judged by what happened in between, if enough did', () => {
    const finals = (all: number, early: number) =>
      samplesOf(
        `undertone_live_final_seconds_bucket{le="2"} ${early}\nundertone_live_final_seconds_bucket{le="+Inf"} ${all}\nundertone_live_final_seconds_count ${all}\n`,
      );
    expect(missesBetween(finals(1000, 0), finals(1200, 190))).toEqual([]);
    expect(missesBetween(finals(1000, 0), finals(1200, 189))).toMatchObject([{ share: 0.055, of: 200 }]);
    expect(missesBetween(finals(1000, 0), finals(1050, 0))).toEqual([]);
  });
});
