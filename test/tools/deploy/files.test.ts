import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser as promql } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import { experimental_readRawConfig } from 'wrangler';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { advertisedUrl, PIPELINE_SETTINGS, pipelineSettings } from '../../../containers/pipeline/settings.ts';
import { CONFIGURATION_NAMES } from '../../../scripts/deploy/configurations.ts';
import { ENVIRONMENT_NAMES } from '../../../scripts/deploy/environments.ts';
import { OBJECTIVES } from '../../../scripts/deploy/objectives.ts';
import { ACCESS } from '../../../src/contract/access.ts';
import { HISTOGRAMS, type HistogramName } from '../../../src/worker/metrics/histograms.ts';
import { prometheusText } from '../../../src/worker/metrics/prometheus.ts';
import { settingsOf } from '../../../src/worker/settings/settings.ts';
import { faultOfPipelineUrl } from '../../../src/worker/targets/public-address.ts';
import { FlyConfigSchema } from './fly-config.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const yaml = <T>(path: string): T => parseYaml(read(path), { strict: true }) as T;
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

const PIPELINE_TOKEN = 'a-token-of-the-test-0123456789';
/** The settings of a pipeline whose secrets have a value. */
const settingsOfContainer = (env: { name: string; value?: string }[]) =>
  pipelineSettings(Object.fromEntries(env.map(({ name, value = PIPELINE_TOKEN }) => [name, value])));

/** Every series of the service with a value, by its name without labels, and the values of its labels. */
function exportedSeries(): Map<string, Map<string, Set<string>>> {
  const observed = (Object.keys(HISTOGRAMS) as HistogramName[]).map((name) => ({
    name,
    labels: HISTOGRAMS[name].labels.map(() => '*'),
    counts: Array(HISTOGRAMS[name].bounds.length + 1).fill(1),
    sum: 1,
  }));
  const gauges = {
    queue_slots: 1,
    queue_running: 1,
    queue_waiting: 1,
    live_slots: 1,
    live_running: 1,
    live_waiting: 1,
    live_lag_seconds_most: 1,
    pipelines_starting: 1,
    pipelines_draining: 1,
    pipelines: 1,
    pipelines_ready: 1,
    pipeline_work: 1,
  };
  const text = prometheusText('1', { events: {}, latency: {}, observed }, gauges);
  const series = new Map<string, Map<string, Set<string>>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(undertone_\w+)(?:\{([^}]*)\})? /gm)) {
    const known = series.get(name) ?? new Map<string, Set<string>>();
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
    series.set(name, known);
  }
  return series;
}

const SERIES = exportedSeries();
const STATUSES = ['2xx', '3xx', '4xx', '5xx', '503'];

/** The faults of an expression: its syntax, or a series, label or value that the service never exports. */
function faultsOf(expression: string): string[] {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const faults: string[] = [];
  promql.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) faults.push(`syntax at ${text.slice(from, to + 10)}`);
      if (type.name !== 'VectorSelector') return;
      const name = text.slice(from, node.firstChild?.to);
      const labels = SERIES.get(name);
      if (!labels) faults.push(`no series ${name}`);
      for (const [, label = '', value = ''] of text.slice(from, to).matchAll(/(\w+)="([^"]*)"/g)) {
        const isKnown =
          label === 'status'
            ? STATUSES.includes(value)
            : label === 'route'
              ? value in ACCESS
              : labels?.get(label)?.has(value);
        if (!labels?.has(label) || !isKnown) faults.push(`${name} has no ${label}="${value}"`);
      }
    },
  });
  return faults;
}

it('the check of expressions finds what the service does not export', () => {
  expect(faultsOf('rate(undertone_queue_seconds_bucket{le="900"}[5m])')).toEqual([]);
  expect(faultsOf('rate(undertone_queue_seconds_bucket{le="901"}[5m])')).toHaveLength(1);
  expect(faultsOf('undertone_queue_waiting + undertone_made_up')).toEqual(['no series undertone_made_up']);
  expect(faultsOf('undertone_request_seconds_count{route="GET /nowhere"}')).toHaveLength(1);
  expect(faultsOf('sum(rate(undertone_queue_waiting[5m])')).not.toEqual([]);
});

describe('the alert rules', () => {
  interface Rule {
    alert: string;
    expr: string;
    for: string;
    labels: { severity: string };
    annotations: { summary: string; runbook: string };
  }
  const [{ rules }] = yaml<{ groups: [{ rules: Rule[] }] }>('deploy/prometheus/alerts.yml').groups;

  it('use what the service exports, and lead to a section of the incidents', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    const headings = new Set(
      [...read('docs/operations/incidents.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
        title.toLowerCase().replaceAll(' ', '-'),
      ),
    );
    for (const { alert, expr, labels, annotations } of rules) {
      expect({ alert, faults: faultsOf(expr) }).toEqual({ alert, faults: [] });
      expect(['page', 'ticket']).toContain(labels.severity);
      expect([...headings]).toContain(annotations.runbook.split('#')[1]);
    }
  });

  it('cover every objective that a deployment watches', () => {
    const text = rules.map(({ expr }) => expr).join('\n');
    for (const { bad, all } of OBJECTIVES) for (const { metric } of [bad, all]) expect(text).toContain(metric);
  });

  it('are read by the scrape, which asks the right route', () => {
    const config = yaml<{ rule_files: string[]; scrape_configs: { metrics_path: string }[] }>(
      'deploy/prometheus/prometheus.yml',
    );
    expect(config.rule_files).toEqual(['alerts.yml']);
    expect(ACCESS).toHaveProperty(`GET ${config.scrape_configs[0]?.metrics_path}`);
  });
});

it('the dashboard shows what the service exports, without overlapping panels', () => {
  interface Panel {
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets: { expr: string }[];
  }
  const { panels } = JSON.parse(read('deploy/grafana/undertone.json')) as { panels: Panel[] };
  const taken = new Set<string>();
  for (const { title, gridPos, targets } of panels) {
    for (const { expr } of targets) expect({ title, faults: faultsOf(expr) }).toEqual({ title, faults: [] });
    const { x, y, w, h } = gridPos;
    expect(x + w).toBeLessThanOrEqual(24);
    for (let row = y; row < y + h; row++)
      for (let column = x; column < x + w; column++) {
        expect(taken.has(`${row}/${column}`), title).toBe(false);
        taken.add(`${row}/${column}`);
      }
  }
});

describe('the pipelines on Kubernetes', () => {
  // biome-ignore lint/suspicious/noExplicitAny: objects of several kinds
  const objects = parseAllDocuments(read('deploy/kubernetes/pipeline.yaml')).map((one): any => {
    expect(one.errors).toEqual([]);
    return one.toJS();
  });
  const of = (kind: string) => objects.find((one) => one.kind === kind);
  const { spec } = of('StatefulSet');
  const pod = spec.template.spec;
  const [container] = pod.containers;
  const settingOf = (name: string): string => container.env.find((one: { name: string }) => one.name === name)?.value;

  it('are four kinds of objects that name each other', () => {
    expect(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'v1 Service',
      'apps/v1 StatefulSet',
      'policy/v1 PodDisruptionBudget',
      'autoscaling/v2 HorizontalPodAutoscaler',
    ]);
    const labels = spec.template.metadata.labels;
    expect(of('Service').spec.selector).toEqual(labels);
    expect(of('Service').spec.clusterIP).toBe('None');
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(of('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(spec.serviceName).toBe(of('Service').metadata.name);
    const { kind, name, apiVersion } = of('HorizontalPodAutoscaler').spec.scaleTargetRef;
    expect({ kind, name, apiVersion }).toMatchObject({ kind: 'StatefulSet', name: of('StatefulSet').metadata.name });
    expect(apiVersion).toBe(of('StatefulSet').apiVersion);
  });

  it('have settings of the pipeline, time to drain, and a probe that the server answers', () => {
    const names = Object.values(PIPELINE_SETTINGS).map(({ name }) => name);
    for (const { name } of container.env) expect([...names, 'POD_NAME']).toContain(name);
    const pods = spec.template.metadata.labels.app;
    const address = settingOf('ADVERTISE_URL').replace('$(POD_NAME)', `${pods}-0`);
    expect(faultOfPipelineUrl(new URL(address))).toBeUndefined();
    expect(settingsOfContainer(container.env)).toMatchObject({ poolUrl: 'https://YOUR-SERVICE', drainMs: 840_000 });
    expect(pod.terminationGracePeriodSeconds).toBe(Number(settingOf('DRAIN_SECONDS')) + 60);
    expect(read('containers/pipeline/server.ts')).toContain(`'${container.readinessProbe.httpGet.path}'`);
    expect(container.ports[0].containerPort).toBe(Number(PIPELINE_SETTINGS.port.fallback));
    // A liveness probe on /readyz would kill a draining pipeline.
    expect(container.livenessProbe.httpGet).toBeUndefined();
  });

  it('scale by a metric that the service exports', () => {
    const [{ external }] = of('HorizontalPodAutoscaler').spec.metrics;
    expect([...SERIES.keys()]).toContain(external.metric.name);
  });

  it('keep a pipeline while another one is evicted', () => {
    const { minReplicas, maxReplicas } = of('HorizontalPodAutoscaler').spec;
    expect(of('PodDisruptionBudget').spec.maxUnavailable).toBeLessThan(minReplicas);
    expect(minReplicas).toBeLessThan(maxReplicas);
  });
});

it('a pipeline on Fly drains before it is killed', () => {
  const { rawConfig } = experimental_readRawConfig({ config: join(ROOT, 'deploy/fly/fly.toml') });
  // Fly's file, read by a parser for another one.
  const fly = FlyConfigSchema.parse(rawConfig);
  expect(fly.env.ADVERTISE_URL).toBe(`https://${fly.app}.fly.dev`);
  expect(faultOfPipelineUrl(new URL(fly.env.ADVERTISE_URL!))).toBeUndefined();
  expect(pipelineSettings({ ...fly.env, PIPELINE_TOKEN }).poolUrl).toBeDefined();
  expect(fly.kill_timeout).toBe(Number(fly.env.DRAIN_SECONDS) + 30);
  expect(fly.http_service.internal_port).toBe(Number(PIPELINE_SETTINGS.port.fallback));
  expect(read('containers/pipeline/server.ts')).toContain(`'${fly.http_service.checks[0]?.path}'`);
  expect(read(join('deploy/fly', fly.build.dockerfile))).toContain('server.ts');
});

it('the service on one machine has the base of the image, a volume for its state, and known settings', () => {
  const { services, volumes } = yaml<{
    // biome-ignore lint/suspicious/noExplicitAny: a service of Compose
    services: Record<string, any>;
    volumes: object;
  }>('deploy/compose/compose.yaml');
  const { undertone, pipeline } = services;
  expect(new URL(pipeline.environment.POOL_URL).host).toBe(
    `${undertone.hostname}:${undertone.ports[0].split(':').at(-1)}`,
  );
  expect(Object.keys(services)).toContain(undertone.hostname);
  const joining = pipelineSettings({ ...pipeline.environment, PIPELINE_TOKEN });
  expect(faultOfPipelineUrl(new URL(advertisedUrl(joining, joining.port)))).toBeUndefined();
  expect(read(join('deploy/compose', pipeline.build.context, pipeline.build.dockerfile))).toContain('server.ts');
  expect(Number.parseInt(pipeline.stop_grace_period, 10)).toBe(joining.drainMs / 1000 + 30);
  const dockerfile = read(join('deploy/compose', undertone.build.context, undertone.build.dockerfile));
  const base = /node:\S+@sha256:\w+/;
  expect(base.exec(dockerfile)?.[0]).toBe(base.exec(read('containers/pipeline/Dockerfile'))?.[0]);
  const [volume, path] = undertone.volumes[0].split(':');
  expect(Object.keys(volumes)).toEqual([volume]);
  expect(dockerfile).toContain(`STATE_DIR=${path}`);
  expect(dockerfile).toContain(`PORT=${undertone.ports[0].split(':').at(-1)}`);
  expect(() =>
    settingsOf(Object.fromEntries(Object.keys(undertone.environment).map((name) => [name, '']))),
  ).not.toThrow();
  expect(scripts.start).toBe('node scripts/start.ts');
  expect(ACCESS).toHaveProperty('GET /ready');
});

describe('the workflows', () => {
  interface Workflow {
    on: Record<string, { workflows?: string[]; inputs?: { environment: { options: string[] } } } | null>;
    name: string;
    jobs: Record<string, { steps: { run?: string; uses?: string; env?: Record<string, string> }[] }>;
  }
  const [test, deploy, backup] = ['test', 'deploy', 'backup'].map((name) =>
    yaml<Workflow>(`.github/workflows/${name}.yml`),
  ) as [Workflow, Workflow, Workflow];

  it('run scripts of the project', () => {
    for (const { jobs } of [test, deploy, backup])
      for (const { run = '' } of Object.values(jobs).flatMap(({ steps }) => steps))
        for (const [, script = ''] of run.matchAll(/npm run (\S+)/g)) expect(Object.keys(scripts)).toContain(script);
  });

  it('deploy the environments that exist, after the tests', () => {
    expect(deploy.on.workflow_run?.workflows).toEqual([test.name]);
    expect(deploy.on.workflow_dispatch?.inputs?.environment.options.toSorted()).toEqual(ENVIRONMENT_NAMES.toSorted());
    const { env } = deploy.jobs.deploy!.steps.at(-1)!;
    expect(CONFIGURATION_NAMES.some((name) => env?.CONFIGURATION?.includes(`'${name}'`))).toBe(true);
    expect(Object.keys(env ?? {})).toEqual(
      expect.arrayContaining(['ADMIN_TOKEN', 'KEY_PEPPER', 'CLOUDFLARE_API_TOKEN']),
    );
  });
});

it('the lifecycle rule only aborts uploads that the service has given up', () => {
  const { rules } = JSON.parse(read('deploy/r2/lifecycle.json')) as { rules: Record<string, unknown>[] };
  expect(rules).toHaveLength(1);
  expect(Object.keys(rules[0]!).sort()).toEqual(['abortMultipartUploadsTransition', 'conditions', 'enabled', 'id']);
  // The tenant's alarm gives an upload up after a day.
  expect(rules[0]).toMatchObject({
    abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: 2 * 86_400 } },
  });
});
