import { ServiceError } from '../../contract/errors.ts';
import { within } from '../http/deadline.ts';
import type { Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { NO_CONTAINERS } from './pipeline-container.ts';

/** One running pipeline: a plain process, or a container. */
export interface PipelineHost {
  /** `path` is absolute, with its query. Rejects when the host cannot be reached. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** Every pipeline that may be asked, the one that keeps to the key first: a live session stays where it began. */
export function pipelineHosts(env: Env, key: string): PipelineHost[] {
  const { runtimeUrls, pipelineInstances } = settingsOf(env);
  const hosts =
    runtimeUrls.length > 0
      ? runtimeUrls.map(processAt)
      : Array.from({ length: pipelineInstances }, (_, instance) => containerHost(env, instance));
  const first = spread(key) % hosts.length;
  return [...hosts.slice(first), ...hosts.slice(0, first)];
}

/** Every pipeline of which it can be asked how it is without starting a machine. Rejects where one cannot be reached or sleeps. */
export function watchedHosts(env: Env): { health(signal: AbortSignal): Promise<Response> }[] {
  const { runtimeUrls, pipelineInstances } = settingsOf(env);
  const processHealth = (url: string) => ({
    health: (signal: AbortSignal) => fetch(new URL('/healthz', url), { signal }),
  });
  if (runtimeUrls.length > 0) return runtimeUrls.map(processHealth);
  return Array.from({ length: pipelineInstances }, (_, instance) => ({
    async health(signal: AbortSignal) {
      if (!(await hasContainers(env))) return processHealth(developmentUrl(env)).health(signal);
      const said = await env.PIPELINE.get(env.PIPELINE.idFromName(containerName(instance))).health();
      if (said === null) throw new Error('the container sleeps');
      return new Response(said);
    },
  }));
}

/**
 * Outside production, where nobody said where a pipeline is: that one runs where `npm run pipeline` starts it.
 * @throws ServiceError MISCONFIGURED with the command that is missing
 */
export async function requirePipeline(env: Env): Promise<void> {
  if (settingsOf(env).runtimeUrls.length > 0 || (await hasContainers(env))) return;
  const url = developmentUrl(env);
  const answer = await fetch(new URL('/healthz', url)).catch(() => undefined);
  await answer?.body?.cancel();
  if (!answer?.ok)
    throw new ServiceError(
      'MISCONFIGURED',
      `No pipeline runs at ${url}. Start one in another terminal: npm run pipeline`,
    );
}

const processAt = (url: string): PipelineHost => ({ fetch: (path, init) => fetch(new URL(path, url), init) });

const containerName = (instance: number): string => `pipeline-${instance}`;

const containerHost = (env: Env, instance: number): PipelineHost => ({
  async fetch(path, init) {
    if (!(await hasContainers(env))) return processAt(developmentUrl(env)).fetch(path, init);
    // A stub that met an exception may stay broken: each call has one of its own.
    const container = env.PIPELINE.get(env.PIPELINE.idFromName(containerName(instance)));
    return container.fetch(new Request(new URL(path, 'http://pipeline'), init));
  },
});

const developmentUrl = (env: Env): string => `http://127.0.0.1:${settingsOf(env).pipelinePort}`;

/** An object that does not say for so long whether it has a container has one. */
const ASK_MS = 5_000;
/** A value, not a promise; undefined until it is known. */
let known: boolean | undefined;

/** Whether this runtime has containers: production has, and `wrangler dev` with Docker. An isolate asks once. */
async function hasContainers(env: Env): Promise<boolean> {
  if (known !== undefined) return known;
  const container = env.PIPELINE.get(env.PIPELINE.idFromName(containerName(0)));
  const asked = container.isHere().catch((error: unknown) => (String(error).includes(NO_CONTAINERS) ? false : 'late'));
  const answer = await within(asked, ASK_MS);
  if (answer === 'late') return true;
  known = answer;
  return known;
}

/** FNV-1a: spreads keys evenly over the containers, the same one for the same key. */
function spread(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
