import { ServiceError } from '../../contract/errors.ts';
import type { JobBody } from '../../contract/jobs.ts';
import type { MediaExtension } from '../../contract/media.ts';
import type { Announcement } from '../../contract/pool.ts';
import type { PoolRegion } from '../../contract/regions.ts';
import type { Env } from '../identity/env.ts';
import { containerNamed } from '../pipeline/container-name.ts';
import { applicationOf, checkPipeline, type PipelineHost, pipelineHost } from '../pipeline/hosts.ts';
import { objectNamed } from '../settings/jurisdiction.ts';
import { type PipelineApplication, settingsOf } from '../settings/settings.ts';
import type { AnnouncementVerdict, CheckVerdict, PoolOverview, PoolVerdict } from './pool-directory.ts';
import type { PoolKind } from './pool-state.ts';
import { TURN_HOLD_MS } from './turn.ts';
import type { PoolRequest } from './waiters.ts';

/** Wait before an unreachable pool is asked again, ms. */
const RETRY_MS = 1_000;
/** How long the start of a live session waits for a place, ms (decisions). */
const START_PATIENCE_MS = 8_000;

/**
 * Typical bytes per second of audio: 16 kHz PCM, which is also assumed for lossless compression; 128 kbit/s for
 * compressed audio; 1 Mbit/s for video.
 */
const BYTES_PER_SECOND: Record<MediaExtension, number> = {
  '.wav': 32_000,
  '.pcm': 32_000,
  '.flac': 32_000,
  '.mp3': 16_000,
  '.m4a': 16_000,
  '.aac': 16_000,
  '.ogg': 16_000,
  '.opus': 16_000,
  '.mp4': 125_000,
  '.mov': 125_000,
  '.webm': 125_000,
};

/** Estimated length of a file's audio before it is decoded, seconds. */
export const estimatedSeconds = (suffix: MediaExtension, bytes: number): number => bytes / BYTES_PER_SECOND[suffix];

/** The pool of an application. */
const poolOf = (env: Env, application: PipelineApplication) => objectNamed(env, env.POOL, application);

/** Asks the pool for a place. @throws Error when the pool cannot be reached */
export const askPool = (env: Env, request: PoolRequest): Promise<PoolVerdict> =>
  poolOf(env, applicationOf(env, request.tenant)).ask(request);

/**
 * Has the pool ask an instance now whether it is there, for a tenant's work that hears nothing from it.
 * @throws Error when the pool cannot be reached
 */
export const checkInstance = (env: Env, tenant: string, instance: string): Promise<CheckVerdict> =>
  poolOf(env, containerNamed(instance)?.application ?? applicationOf(env, tenant)).check(instance);

/** The instances of the pool that gets new work, and their load. */
export const poolOverview = (env: Env): Promise<PoolOverview> =>
  poolOf(env, settingsOf(env).pipelineApplication).read();

/** Tells the pool that gets new work of a pipeline that announces itself. */
export const announcePipeline = (env: Env, announcement: Announcement): Promise<AnnouncementVerdict> =>
  poolOf(env, settingsOf(env).pipelineApplication).announce(announcement);

/** Addresses of the pipelines that joined that pool themselves. Never rejects. */
export async function announcedPipelines(env: Env): Promise<readonly string[]> {
  try {
    return await poolOf(env, settingsOf(env).pipelineApplication).announced();
  } catch {
    return [];
  }
}

/** In development, checks that there is a pipeline. @throws ServiceError MISCONFIGURED with the command that starts one */
export const requirePipeline = (env: Env): Promise<void> => checkPipeline(env, () => announcedPipelines(env));

/** The part of a job's status that says how long its file waits. Empty when it does not wait. */
export async function queueOf(env: Env, id: string, tenant: string): Promise<Pick<JobBody, 'queue'>> {
  const place = await poolOf(env, applicationOf(env, tenant))
    .look(id, 'batch', tenant)
    .catch(() => null);
  return place ? { queue: { position: place.position, eta_seconds: place.etaS } } : {};
}

/**
 * Ends a lease, or the wait for one. A failure is only logged, because the lease ends without it, as does one of the
 * application that had the work before a deployment.
 */
export async function leavePool(
  env: Env,
  { id, kind, tenant }: { id: string; kind: PoolKind; tenant: string },
  isDone: boolean,
): Promise<void> {
  await poolOf(env, applicationOf(env, tenant)).release(id, kind, tenant, isDone).catch(logFault);
}

/**
 * Waits for a place for a new live session.
 * @param region that of the client
 * @throws ServiceError OVERLOADED when there is none within 8 s, or when the pool cannot be reached
 */
export async function placeForStart(env: Env, id: string, tenant: string, region: PoolRegion | null): Promise<void> {
  const request = { id, kind: 'live', tenant, region, weight: 0, patienceMs: START_PATIENCE_MS } as const;
  const verdict = await askPool(env, request).catch((cause: unknown) => {
    throw new ServiceError('OVERLOADED', undefined, { retryAfter: 1, cause });
  });
  if (verdict.type !== 'refused') return;
  const { retryAfterS: retryAfter } = verdict;
  throw new ServiceError('OVERLOADED', 'Every pipeline has as many live sessions as it can carry', { retryAfter });
}

/**
 * Requests a place for a file that a workflow analyses. If it waits, the pool sends the workflow the event `TURN` once it
 * has a place.
 * @returns whether it can be tried now: it has a place, or no pipeline responds
 * @throws Error when the pool cannot be reached
 */
export async function requestTurn(
  env: Env,
  { id, tenant, seconds: weight }: Omit<FileRequest, 'isAttended'>,
  workflow: string,
): Promise<boolean> {
  const request = { id, kind: 'batch', tenant, weight, patienceMs: null, holdMs: TURN_HOLD_MS, workflow } as const;
  return (await askPool(env, request)).type !== 'waits';
}

/** A file that needs a place. */
export interface FileRequest {
  id: string;
  tenant: string;
  /** Estimated length of the audio, seconds. The tenant is charged for it. */
  seconds: number;
  /** Whether a client stays connected for it. Within a tenant, these files go first. */
  isAttended: boolean;
}

type FileVerdict = Exclude<PoolVerdict, { type: 'refused' }>;

/** The place of a file, or the wait for one. */
export class FilePlace {
  readonly #env: Env;
  readonly #file: FileRequest;
  #verdict: FileVerdict;
  /** Whether the analysis has been tried where it is placed. */
  #isTried = false;

  private constructor(env: Env, file: FileRequest, verdict: FileVerdict) {
    this.#env = env;
    this.#file = file;
    this.#verdict = verdict;
  }

  /**
   * Requests a place. The caller must eventually `leave` it.
   * @throws ServiceError OVERLOADED when too many files of the tenant are already waiting with a client attached
   */
  static async request(env: Env, file: FileRequest): Promise<FilePlace> {
    return new FilePlace(env, file, await requested(env, file));
  }

  /** Whether the file can be analysed now. Without any pipeline it can be tried, so that the error is reported. */
  get isGranted(): boolean {
    return this.#verdict.type !== 'waits';
  }

  /** Resolves when the file can be analysed. @throws the signal's reason when it aborts first */
  async granted(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      signal.throwIfAborted();
      while (!this.isGranted) this.#verdict = await Promise.race([requested(this.#env, this.#file), aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** The pipelines to try, in this order. From the second call on, the file has lost the first one. */
  async hosts(signal: AbortSignal): Promise<PipelineHost[]> {
    if (this.#isTried && this.#verdict.type === 'placed') {
      this.#verdict = await requested(this.#env, this.#file, this.#verdict.instance);
      await this.granted(signal);
    }
    this.#isTried = true;
    const verdict = this.#verdict;
    if (verdict.type === 'waits') throw new Error('the file has no place yet');
    const names = verdict.type === 'placed' ? [verdict.instance, ...verdict.others] : verdict.others;
    return names.map((name) => pipelineHost(this.#env, name));
  }

  /** @param isDone whether the analysis is complete */
  async leave(isDone: boolean): Promise<void> {
    const { id, tenant } = this.#file;
    await leavePool(this.#env, { id, kind: 'batch', tenant }, isDone);
  }
}

/** A pool that cannot be reached, for instance during a deployment, counts as `waits`. */
async function requested(env: Env, file: FileRequest, lost?: string): Promise<FileVerdict> {
  const { id, tenant, seconds: weight, isAttended } = file;
  let verdict: PoolVerdict;
  try {
    verdict = await askPool(env, { id, kind: 'batch', tenant, weight, patienceMs: null, isAttended, lost });
  } catch (cause) {
    logFault(cause);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return { type: 'waits', position: 1, etaS: 0 };
  }
  if (verdict.type !== 'refused') return verdict;
  throw new ServiceError('OVERLOADED', undefined, { retryAfter: verdict.retryAfterS });
}

function logFault(cause: unknown): void {
  console.warn(JSON.stringify({ level: 'warn', task: 'pool', cause: String(cause) }));
}
