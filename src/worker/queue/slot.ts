import { ServiceError } from '../../contract/errors.ts';
import type { MediaExtension } from '../../contract/media.ts';
import type { Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { LEASE_MS, type QueueVerdict } from './analysis-queue.ts';
import type { WaitingAnalysis } from './fair-order.ts';

/** How often the holder of a place says that it still works, ms. */
const RENEW_MS = LEASE_MS / 3;
/** Wait before a queue that cannot be reached is asked again, ms. */
const AGAIN_MS = 1_000;
/** Seconds a refused client is told to wait. */
const RETRY_AFTER_S = 15;

/** Bytes of a second of sound, as such files usually are: 16 kHz PCM, 128 kbit/s of sound, 1 Mbit/s of picture. */
const BYTES_PER_SECOND: Record<MediaExtension, number> = {
  '.wav': 32_000,
  '.pcm': 32_000,
  '.mp3': 16_000,
  '.m4a': 16_000,
  '.aac': 16_000,
  '.ogg': 16_000,
  '.opus': 16_000,
  '.mp4': 125_000,
  '.mov': 125_000,
  '.webm': 125_000,
};

/** About how long a file's sound is, seconds, before anybody decoded it. */
export const estimatedSeconds = (suffix: MediaExtension, bytes: number): number => bytes / BYTES_PER_SECOND[suffix];

/** A queue, by its name, and how many may go at a time. */
export interface Queue {
  name: string;
  places: number;
}

/** The one before the pipelines. */
export function analysisQueue(env: Env): Queue {
  const { runtimeUrls, pipelineInstances, analysesPerPipeline } = settingsOf(env);
  return { name: 'pipelines', places: (runtimeUrls.length || pipelineInstances) * analysesPerPipeline };
}

/** A place among those that work, or in the queue for one. */
export class AnalysisSlot {
  readonly #env: Env;
  readonly #queue: Queue;
  readonly #waiting: WaitingAnalysis;
  #turn: QueueVerdict;
  #renewal: ReturnType<typeof setInterval> | undefined;

  private constructor(env: Env, queue: Queue, waiting: WaitingAnalysis, turn: QueueVerdict) {
    this.#env = env;
    this.#queue = queue;
    this.#waiting = waiting;
    this.#turn = turn;
  }

  /**
   * Asks for a place. It is to be left in the end, whatever became of it.
   * @throws ServiceError OVERLOADED when so many of the tenant's wait already that nobody should stay on the line
   */
  static async ask(env: Env, queue: Queue, waiting: WaitingAnalysis): Promise<AnalysisSlot> {
    const turn = await ask(env, queue, waiting);
    if (turn === 'full') throw new ServiceError('OVERLOADED', undefined, { retryAfter: RETRY_AFTER_S });
    return new AnalysisSlot(env, queue, waiting, turn);
  }

  /** Whether nobody need wait. */
  get isOurs(): boolean {
    return this.#turn === 'go';
  }

  /** Resolves when it is the caller's turn. @throws the signal's reason when it is aborted before */
  async turn(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      signal.throwIfAborted();
      while (this.#turn !== 'go') {
        const asking = ask(this.#env, this.#queue, this.#waiting);
        this.#turn = await Promise.race([asking, aborted.promise]);
      }
    } finally {
      signal.removeEventListener('abort', abort);
    }
    this.#renewal ??= setInterval(() => void this.#renew(), RENEW_MS);
  }

  async #renew(): Promise<void> {
    const { id, tenant } = this.#waiting;
    await this.#object.renew(id, tenant).catch(noted);
  }

  async leave(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#object.leave(this.#waiting.id).catch(noted);
  }

  get #object() {
    return queueOf(this.#env, this.#queue);
  }
}

/** A queue that is away, as its object is while a new version is rolled out, is asked again. */
async function ask(env: Env, queue: Queue, waiting: WaitingAnalysis): Promise<QueueVerdict> {
  try {
    return await queueOf(env, queue).ask({ ...waiting, places: queue.places });
  } catch (cause) {
    noted(cause);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return 'wait';
  }
}

/** A place lapses by itself. */
function noted(cause: unknown): void {
  console.warn(JSON.stringify({ level: 'warn', task: 'queue', cause: String(cause) }));
}

/** A stub that met an exception may stay broken: each call has one of its own. */
const queueOf = (env: Env, { name }: Queue) => env.QUEUE.get(env.QUEUE.idFromName(name));
