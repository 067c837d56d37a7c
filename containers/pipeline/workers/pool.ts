import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../src/contract/errors.ts';
import '../models/no-telemetry.ts';
import { pipelineSettings } from '../settings.ts';
import type { TaskName, TaskRequest, WorkerReply, WorkerTasks } from './tasks.ts';

/** Time after which a task counts as hung, ms. A task has at most some 20 s of audio, or is one diarization. */
const TASK_LIMIT_MS = 120_000;
/** Delay before restarting a worker that ended, ms. */
const RESTART_MS = 200;
/**
 * Live work comes before interim text, and that before batch work. Idle work runs when a worker has nothing else to do.
 */
export type Priority = 'live' | 'interim' | 'batch' | 'idle';

/** The owner of a set of tasks. Jobs of the same priority take turns, however many tasks they have. */
export interface Job {
  priority: Priority;
  /** Whether its tasks complete work that other tasks of the same priority began. They then run before those. */
  completes?: boolean;
  /** Aborting it drops the waiting tasks. A running task finishes, but its result is discarded. */
  signal?: AbortSignal;
}

/** The order of tasks. */
const TURNS = (['live', 'interim', 'batch', 'idle'] as const).flatMap((priority) => [
  { priority, completes: true },
  { priority, completes: false },
]);

interface Waiting {
  request: TaskRequest;
  job: Job;
  /** The only worker that can run the task. */
  pinned: Slot | null;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/** One worker thread. When it ends, a new slot replaces it, and the state that was pinned to the old one is lost. */
class Slot {
  readonly worker: Worker;
  task: Waiting | null = null;
  ready = false;
  ended = false;
  limit: NodeJS.Timeout | undefined;
  /** Resolves when the running task has finished. */
  idle: Promise<void> = Promise.resolve();
  finished = () => {};

  constructor() {
    this.worker = new Worker(new URL('./task-worker.ts', import.meta.url), { name: 'pipeline-worker' });
  }
}

/** A few worker threads that all work shares fairly: by priority, and jobs of the same priority in turn. */
export class WorkerPool {
  readonly #slots: Slot[] = [];
  /** Waiting tasks by job, with the next job first. */
  readonly #queues = new Map<Job, Waiting[]>();
  /** Jobs whose waiting tasks are dropped when their signal aborts. */
  readonly #dropped = new WeakSet<Job>();
  #closed = false;
  #next = 0;

  private constructor() {}

  /**
   * Resolves when all workers have loaded their models. Each core has one thread with one session. On two cores this
   * processes 87 s of audio per second, compared with 41 for two threads in one session (measured before the pool was
   * written).
   * @throws when one cannot be started
   */
  static async start(workers = pipelineSettings().recognitionWorkers): Promise<WorkerPool> {
    const pool = new WorkerPool();
    await Promise.all(Array.from({ length: workers }, () => pool.#open()));
    return pool;
  }

  /** Number of waiting tasks. */
  get waiting(): number {
    return this.#queues.values().reduce((sum, queue) => sum + queue.length, 0);
  }

  /** Whether live work has to wait for its turn. */
  get liveWaiting(): boolean {
    return this.#queues.entries().some(([job, queue]) => job.priority === 'live' && queue.length > 0);
  }

  /** A worker that keeps a recording's state. Workers are assigned round-robin. */
  pin(): WorkerPin {
    return { slot: this.#slots[this.#next++ % this.#slots.length]! } as WorkerPin;
  }

  /**
   * @throws ServiceError ANALYSIS_FAILURE when the task failed or its worker ended; the signal's reason when aborted
   */
  async run<K extends TaskName>(
    job: Job,
    name: K,
    input: WorkerTasks[K]['input'],
    pin?: WorkerPin,
  ): Promise<WorkerTasks[K]['output']> {
    job.signal?.throwIfAborted();
    if (this.#closed) throw new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the pipeline is shutting down');
    if (pin?.slot.ended) throw lost('its worker ended');
    return new Promise<WorkerTasks[K]['output']>((resolve, reject) => {
      const pinned = pin?.slot ?? null;
      const task: Waiting = { request: { name, input }, job, pinned, resolve: resolve as Waiting['resolve'], reject };
      const queue = this.#queues.get(job);
      if (queue) queue.push(task);
      else {
        this.#queues.set(job, [task]);
        if (!this.#dropped.has(job)) job.signal?.addEventListener('abort', () => this.#drop(job), { once: true });
        this.#dropped.add(job);
      }
      this.#assign();
    });
  }

  /**
   * Drops waiting tasks, lets running ones finish, and then ends the workers. Ending a worker while it runs a model
   * would end the process.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of [...this.#queues.keys()]) this.#drop(job, lost('the pipeline is shutting down'));
    await Promise.all(this.#slots.map((slot) => slot.idle));
    await Promise.all(this.#slots.map((slot) => slot.worker.terminate()));
  }

  /** One worker always stays free for live work, which would otherwise wait behind an idle task. */
  get #hasRoomForIdle(): boolean {
    const usable = this.#slots.filter(({ ready, ended }) => ready && !ended);
    return usable.length > 1 && usable.filter(({ task }) => task?.job.priority === 'idle').length < usable.length - 1;
  }

  #drop(job: Job, reason: unknown = job.signal?.reason): void {
    const queue = this.#queues.get(job) ?? [];
    this.#queues.delete(job);
    for (const task of queue) task.reject(reason);
  }

  async #open(replaced?: Slot): Promise<void> {
    const slot = new Slot();
    const at = replaced ? this.#slots.indexOf(replaced) : -1;
    if (at < 0) this.#slots.push(slot);
    else this.#slots[at] = slot;
    await new Promise<void>((resolve, reject) => {
      slot.worker.on('message', (reply: WorkerReply) => {
        if (reply.type === 'ready') {
          slot.ready = true;
          resolve();
        } else this.#finish(slot, reply);
        // Tasks that follow from a result are submitted in this turn of the event loop, and can precede waiting ones.
        setImmediate(() => this.#assign());
      });
      slot.worker.on('error', (cause) => {
        console.error('a pipeline worker failed:', cause);
        reject(cause);
      });
      slot.worker.on('exit', () => {
        reject(new Error('the worker ended before it was ready'));
        this.#replace(slot);
      });
    });
  }

  #finish(slot: Slot, reply: Exclude<WorkerReply, { type: 'ready' }>): void {
    const { task } = slot;
    slot.task = null;
    slot.finished();
    clearTimeout(slot.limit);
    if (reply.type === 'done') task?.resolve(reply.output);
    else task?.reject(lost('a stage failed', new Error(reply.message)));
  }

  #replace(slot: Slot): void {
    if (slot.ended) return;
    slot.ended = true;
    slot.finished();
    clearTimeout(slot.limit);
    slot.task?.reject(lost('its worker ended'));
    slot.task = null;
    for (const queue of this.#queues.values()) {
      for (const task of queue.filter(({ pinned }) => pinned === slot)) {
        queue.splice(queue.indexOf(task), 1);
        task.reject(lost('its worker ended'));
      }
    }
    if (!this.#closed && slot.ready) setTimeout(() => void this.#open(slot).catch(() => undefined), RESTART_MS);
  }

  #assign(): void {
    for (const slot of this.#slots) {
      if (!slot.ready || slot.ended || slot.task) continue;
      const task = this.#take(slot);
      if (!task) continue;
      slot.task = task;
      const { promise, resolve } = Promise.withResolvers<void>();
      slot.idle = promise;
      slot.finished = resolve;
      // A thread that hangs in a model cannot be ended without ending the process, so it is left alone.
      slot.limit = setTimeout(() => this.#replace(slot), TASK_LIMIT_MS);
      slot.worker.postMessage(task.request);
    }
  }

  /**
   * The next task that this worker can do. Live tasks come first and, within each priority, the tasks that complete
   * work. The job that provided the task moves to the end of the queue.
   */
  #take(slot: Slot): Waiting | undefined {
    for (const { priority, completes } of TURNS) {
      if (priority === 'idle' && !this.#hasRoomForIdle) continue;
      for (const [job, queue] of this.#queues) {
        if (job.priority !== priority || (job.completes ?? false) !== completes) continue;
        const at = queue.findIndex(({ pinned }) => pinned === null || pinned === slot);
        if (at < 0) continue;
        const [task] = queue.splice(at, 1);
        this.#queues.delete(job);
        if (queue.length > 0) this.#queues.set(job, queue);
        return task;
      }
    }
    return undefined;
  }
}

/** Identifies one worker for as long as it lives. */
export interface WorkerPin {
  /** @internal */
  readonly slot: Slot;
}

const lost = (reason: string, cause?: unknown) =>
  new ServiceError('ANALYSIS_FAILURE', `Analysis failed: ${reason}`, { cause });
