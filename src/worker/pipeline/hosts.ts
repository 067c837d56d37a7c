import { ServiceError } from '../../contract/errors.ts';
import { within } from '../deadline.ts';
import type { Env } from '../identity/env.ts';
import { type PipelineApplication, settingsOf } from '../settings/settings.ts';
import { NO_CONTAINERS, type PipelineContainer } from './pipeline-container.ts';
import { fetchProcess } from './process.ts';

/** A process or a container that runs the pipeline. */
export interface PipelineHost {
  /** Rejects when the host cannot be reached. @param path absolute, including the query */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** A piece of work for a pipeline. The key is its conversation or session. */
export interface PipelineWork {
  tenant: string;
  key: string;
}

/**
 * All pipelines, starting with the one that the key maps to, so that a live session stays on its first pipeline. The
 * tenant of a trial gets the application that is idle otherwise.
 */
export function pipelineHosts(env: Env, { tenant, key }: PipelineWork): PipelineHost[] {
  const { runtimeUrls, pipelineInstances, pipelineApplication, trialTenant } = settingsOf(env);
  const containers = tenant === trialTenant ? otherContainers(env) : containersOf(env, pipelineApplication);
  const hosts =
    runtimeUrls.length > 0
      ? runtimeUrls.map((url) => processAt(env, url))
      : Array.from({ length: pipelineInstances }, (_, instance) => containerHost(env, containers, instance));
  const first = spread(key) % hosts.length;
  return [...hosts.slice(first), ...hosts.slice(0, first)];
}

/** A pipeline whose health can be checked. */
export interface WatchedHost {
  health(signal: AbortSignal): Promise<Response>;
}

/**
 * Health checks of all pipelines that get new work. They do not start containers. A check rejects when its pipeline
 * sleeps or cannot be reached.
 */
export function watchedHosts(env: Env): WatchedHost[] {
  const { runtimeUrls, pipelineInstances, pipelineApplication } = settingsOf(env);
  const processHealth = (url: string) => ({
    health: (signal: AbortSignal) => fetchProcess(env, url, '/healthz', { signal }),
  });
  if (runtimeUrls.length > 0) return runtimeUrls.map(processHealth);
  const containers = containersOf(env, pipelineApplication);
  return Array.from({ length: pipelineInstances }, (_, instance) => ({
    async health(signal: AbortSignal) {
      if (!(await hasContainers(env))) return processHealth(developmentUrl(env)).health(signal);
      return containerHealth(containers, instance);
    },
  }));
}

/**
 * The same for the application that gets no new work. Empty where there are no containers.
 */
export async function idleHosts(env: Env): Promise<WatchedHost[]> {
  const { runtimeUrls, pipelineInstances } = settingsOf(env);
  if (runtimeUrls.length > 0 || !(await hasContainers(env))) return [];
  const containers = otherContainers(env);
  return Array.from({ length: pipelineInstances }, (_, instance) => ({
    health: () => containerHealth(containers, instance),
  }));
}

type Containers = DurableObjectNamespace<PipelineContainer>;

const containersOf = (env: Env, application: PipelineApplication): Containers =>
  application === 'a' ? env.PIPELINE : env.PIPELINE_B;

const otherContainers = (env: Env): Containers =>
  containersOf(env, settingsOf(env).pipelineApplication === 'a' ? 'b' : 'a');

async function containerHealth(containers: Containers, instance: number): Promise<Response> {
  const body = await containers.get(containers.idFromName(containerName(instance))).health();
  if (body === null) throw new Error('the container sleeps');
  return new Response(body);
}

/**
 * In development, checks that the pipeline runs at the address where `npm run pipeline` starts it.
 * @throws ServiceError MISCONFIGURED with the command that starts it
 */
export async function requirePipeline(env: Env): Promise<void> {
  if (settingsOf(env).runtimeUrls.length > 0 || (await hasContainers(env))) return;
  const url = developmentUrl(env);
  const response = await fetchProcess(env, url, '/healthz').catch(() => undefined);
  await response?.body?.cancel();
  if (!response?.ok)
    throw new ServiceError(
      'MISCONFIGURED',
      `No pipeline runs at ${url}. Start one in another terminal: npm run pipeline`,
    );
}

const processAt = (env: Env, url: string): PipelineHost => ({
  fetch: (path, init) => fetchProcess(env, url, path, init),
});

const containerName = (instance: number): string => `pipeline-${instance}`;

const containerHost = (env: Env, containers: Containers, instance: number): PipelineHost => ({
  async fetch(path, init) {
    if (!(await hasContainers(env))) return fetchProcess(env, developmentUrl(env), path, init);
    // Each call uses a new stub, because a stub that threw an exception may stay broken.
    const container = containers.get(containers.idFromName(containerName(instance)));
    return container.fetch(new Request(new URL(path, 'http://pipeline'), init));
  },
});

const developmentUrl = (env: Env): string => `http://127.0.0.1:${settingsOf(env).pipelinePort}`;

/** Time without a response after which an object is assumed to have a container, ms. */
const CHECK_MS = 5_000;
/**
 * Undefined until it is known. The value is cached rather than a promise, because a request must not await another
 * request's promise.
 */
let known: boolean | undefined;

/** Whether this runtime has containers, as production and `wrangler dev` with Docker do. Each isolate checks once. */
async function hasContainers(env: Env): Promise<boolean> {
  if (known !== undefined) return known;
  const container = env.PIPELINE.get(env.PIPELINE.idFromName(containerName(0)));
  const checked = container
    .isHere()
    .catch((error: unknown) => (String(error).includes(NO_CONTAINERS) ? false : 'late'));
  const result = await within(checked, CHECK_MS);
  if (result === 'late') return true;
  known = result;
  return known;
}

/** FNV-1a, which spreads keys evenly over the containers. */
function spread(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
