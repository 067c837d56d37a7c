import { ServiceError } from '../../contract/errors.ts';
import { within } from '../deadline.ts';
import type { Env } from '../identity/env.ts';
import { objectNamed } from '../settings/jurisdiction.ts';
import { type PipelineApplication, settingsOf } from '../settings/settings.ts';
import { containerNamed, containerNames, type NamedContainer } from './container-name.ts';
import { NO_CONTAINERS, type PipelineContainer } from './pipeline-container.ts';
import { fetchProcess } from './process.ts';

/** A process or a container that runs the pipeline. */
export interface PipelineHost {
  /** Rejects when the host cannot be reached. @param path absolute, including the query */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** The pipelines of one application: processes by their addresses, and the number of containers that may run. */
export interface PipelineNames {
  addresses: readonly string[];
  containers: number;
}

/**
 * The application that gets a tenant's work. The tenant of a trial gets the one that is idle otherwise. Processes are
 * one application.
 */
export function applicationOf(env: Env, tenant: string): PipelineApplication {
  const { runtimeUrls, pipelineApplication, trialTenant } = settingsOf(env);
  const isTrial = runtimeUrls.length === 0 && tenant === trialTenant;
  return isTrial ? otherApplication(pipelineApplication) : pipelineApplication;
}

/** The pipelines of an application. In development without containers, there is the one of `npm run pipeline`. */
export async function pipelineNames(env: Env): Promise<PipelineNames> {
  const { runtimeUrls, poolMax } = settingsOf(env);
  if (runtimeUrls.length > 0) return { addresses: [...new Set(runtimeUrls)], containers: 0 };
  if (await hasContainers(env)) return { addresses: [], containers: poolMax };
  return { addresses: [developmentUrl(env)], containers: 0 };
}

/**
 * The pipeline with a name, which is the address of a process or a `containerName`. A request to a container that does
 * not run starts it.
 */
export function pipelineHost(env: Env, name: string): PipelineHost {
  const container = containerNamed(name);
  if (!container) return { fetch: (path, init) => fetchProcess(env, name, path, init) };
  return {
    fetch: (path, init) => objectOf(env, container).fetch(new Request(new URL(path, 'http://pipeline'), init)),
  };
}

/**
 * The response to a pipeline's health check. It starts no container.
 * @throws Error when the pipeline sleeps or cannot be reached
 */
export async function pipelineHealth(env: Env, name: string, signal: AbortSignal): Promise<Response> {
  const container = containerNamed(name);
  if (!container) return fetchProcess(env, name, '/healthz', { signal });
  const body = await objectOf(env, container).health();
  if (body === null) throw new Error('the container sleeps');
  return new Response(body);
}

/** A pipeline whose health can be checked. */
export interface WatchedHost {
  health(signal: AbortSignal): Promise<Response>;
}

/**
 * Health checks of all pipelines that get new work. They do not start containers. A check rejects when its pipeline
 * sleeps or cannot be reached.
 * @param announced addresses of those that joined the pool themselves
 */
export function watchedHosts(env: Env, announced: readonly string[]): WatchedHost[] {
  const { runtimeUrls, pipelineApplication, poolMax, poolRegions } = settingsOf(env);
  const checkOf = (name: string): WatchedHost => ({ health: (signal) => pipelineHealth(env, name, signal) });
  const processes = [...new Set([...announced, ...runtimeUrls])].map(checkOf);
  if (runtimeUrls.length > 0) return processes;
  const containers = containerNames(pipelineApplication, poolMax, poolRegions).map((name) => ({
    async health(signal: AbortSignal) {
      return checkOf((await hasContainers(env)) ? name : developmentUrl(env)).health(signal);
    },
  }));
  return [...processes, ...containers];
}

/**
 * The same for the application that gets no new work. Empty where there are no containers.
 */
export async function idleHosts(env: Env): Promise<WatchedHost[]> {
  const { runtimeUrls, pipelineApplication, poolMax, poolRegions } = settingsOf(env);
  if (runtimeUrls.length > 0 || !(await hasContainers(env))) return [];
  const idle = otherApplication(pipelineApplication);
  return containerNames(idle, poolMax, poolRegions).map((name) => ({
    health: (signal) => pipelineHealth(env, name, signal),
  }));
}

const otherApplication = (application: PipelineApplication): PipelineApplication => (application === 'a' ? 'b' : 'a');

/**
 * The object of a container. The first call creates it in its region, if it has one, and the platform starts a container
 * near its object.
 */
function objectOf(env: Env, { application, region, number }: NamedContainer): DurableObjectStub<PipelineContainer> {
  const containers = application === 'a' ? env.PIPELINE : env.PIPELINE_B;
  return region === null
    ? objectNamed(env, containers, `pipeline-${number}`)
    : objectNamed(env, containers, `pipeline-${region}-${number}`, { locationHint: region });
}

/**
 * In development, checks that the pipeline runs at the address where `npm run pipeline` starts it, or that another one
 * has joined the pool.
 * @param announced addresses of those that joined the pool themselves
 * @throws ServiceError MISCONFIGURED with the command that starts it
 */
export async function checkPipeline(env: Env, announced: () => Promise<readonly string[]>): Promise<void> {
  if (settingsOf(env).runtimeUrls.length > 0 || (await hasContainers(env))) return;
  const url = developmentUrl(env);
  const response = await fetchProcess(env, url, '/healthz').catch(() => undefined);
  await response?.body?.cancel();
  if (!response?.ok && (await announced()).length === 0)
    throw new ServiceError(
      'MISCONFIGURED',
      `No pipeline runs at ${url}. Start one in another terminal: npm run pipeline`,
    );
}

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
  const [region = null] = settingsOf(env).poolRegions;
  const container = objectOf(env, { application: 'a', region, number: 0 });
  const checked = container
    .isHere()
    .catch((error: unknown) => (String(error).includes(NO_CONTAINERS) ? false : 'late'));
  const result = await within(checked, CHECK_MS);
  if (result === 'late') return true;
  known = result;
  return known;
}
