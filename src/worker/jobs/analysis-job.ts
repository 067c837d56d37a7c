import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { type ErrorCode, ServiceError } from '../../contract/errors.ts';
import { isEnded } from '../../contract/jobs.ts';
import { fetchRecording } from '../analysis/remote-file.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import type { Env } from '../identity/env.ts';
import { isStillValid } from '../keys/key-validity.ts';
import { Tally } from '../metrics/metrics.ts';
import { LostThrice } from '../pipeline/pipeline.ts';
import { estimatedSeconds, leavePool, requestTurn } from '../pool/place.ts';
import { TURN } from '../pool/turn.ts';
import { conversationOf } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { removeRun } from '../storage/run-objects.ts';
import { type JobRequest, jobRequestOf, recordingOf, type StoredJobRequest } from '../tenant/jobs/job.ts';
import type { AnalysisOutcome } from '../tenant/jobs/job-table.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { AnalysisRun, type StoredFile } from './analysis-run.ts';

const [SECOND, MINUTE] = [1_000, 60_000];
/** Waits after attempts that failed because of an infrastructure fault, ms. The last one repeats. */
const RETRY_MS = [10 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE];
/**
 * Numbers of retries. With the waits above, an analysis is retried for about three hours, and a download for a quarter
 * of an hour.
 */
const ANALYSIS_TRIES = 24;
const FETCH_TRIES = 6;
const RECORD_TRIES = 200;
/** Longer than any analysis takes, including its wait for a slot. */
const STEP_TIMEOUT_MS = 24 * 60 * MINUTE;
/**
 * How long a job waits for its turn before it asks again, ms, and how often: two days. With 10,000 waiting jobs of a
 * tenant, each call here is eleven a second of its object.
 */
const TURN_MS = 15 * MINUTE;
const MOST_TURNS = 192;
/** Errors with a status below 500 that another attempt may avoid. */
const TRANSIENT: readonly ErrorCode[] = ['SOURCE_FAILED', 'RATE_LIMITED'];

/** The value of a step, or the outcome that ends the job. */
type StepResult<T> = { value: T } | { outcome: AnalysisOutcome };

declare module '../identity/env.ts' {
  interface Env {
    ANALYSIS: Workflow<StoredJobRequest>;
  }
}

/** The workflow of a job that no client waits for, or whose request died. It retries until there is an outcome. */
export class AnalysisJob extends WorkflowEntrypoint<Env, StoredJobRequest> {
  override async run(
    { payload, instanceId }: Readonly<WorkflowEvent<StoredJobRequest>>,
    step: WorkflowStep,
  ): Promise<void> {
    const job = jobRequestOf(payload);
    const outcome = await this.#attempt(job, instanceId, step);
    await step.do('record', retried(RECORD_TRIES), async () => {
      const { tenant, runId } = job;
      // A job that ended before its turn may still have a place.
      if (outcome.status !== 'completed') await leavePool(this.env, { id: runId, kind: 'batch', tenant }, false);
      await tenantOf(this.env, tenant).jobs.end(runId, outcome);
      const row = await tenantOf(this.env, tenant).jobs.read(runId);
      const conversation = await tenantOf(this.env, tenant).conversations.find(conversationOf(runId));
      // Objects may have been stored before the cancellation or the removal was noticed.
      if (!row || row.status === 'cancelled' || !conversation) await removeRun(mediaStore(this.env), tenant, runId);
    });
  }

  async #attempt(job: JobRequest, workflow: string, step: WorkflowStep): Promise<AnalysisOutcome> {
    try {
      const file = await this.#file(job, step);
      if ('outcome' in file) return file.outcome;
      const asked = await this.#turn(job, file.value, workflow, step);
      if ('outcome' in asked) return asked.outcome;
      const analysed = await step.do<StepResult<null>>('analyse', retried(ANALYSIS_TRIES), ({ attempt }) =>
        resultOf(this.env, job, () => this.#analyse(job, file.value, attempt === 1 ? asked.value : undefined)),
      );
      return 'outcome' in analysed ? analysed.outcome : { status: 'completed' };
    } catch (error) {
      // Every attempt failed because of an infrastructure fault, which the log records.
      return { status: 'failed', code: 'ANALYSIS_FAILURE', message: messageOf(error) };
    }
  }

  async #file(job: JobRequest, step: WorkflowStep): Promise<StepResult<StoredFile>> {
    const { source } = job;
    if (source.type === 'upload') return { value: { suffix: source.suffix, bytes: source.bytes } };
    return step.do<StepResult<StoredFile>>('fetch', retried(FETCH_TRIES), () =>
      resultOf(this.env, job, async () => {
        const signal = new AbortController().signal;
        const { suffix, bytes } = await fetchRecording(source, job, this.env, signal);
        return { suffix, bytes };
      }),
    );
  }

  /**
   * Waits for a slot as an event, so that a job that waits neither runs nor asks. The first attempt then has its place;
   * a later one waits in its own step.
   * @returns when the slot was asked for, Unix time, ms
   */
  async #turn(job: JobRequest, file: StoredFile, workflow: string, step: WorkflowStep): Promise<StepResult<number>> {
    let askedAt: number | undefined;
    for (let n = 0; n < MOST_TURNS; n++) {
      const asked = await step.do<StepResult<{ isPlaced: boolean; at: number }>>(
        `place ${n}`,
        retried(ANALYSIS_TRIES),
        () => resultOf(this.env, job, () => this.#ask(job, file, workflow, n === 0)),
      );
      if ('outcome' in asked) return asked;
      askedAt ??= asked.value.at;
      if (asked.value.isPlaced) break;
      try {
        await step.waitForEvent(`turn ${n}`, { type: TURN, timeout: TURN_MS });
        break;
      } catch {
        // The event may be lost, so the pool is asked again.
      }
    }
    return { value: askedAt! };
  }

  async #ask(
    job: JobRequest,
    file: StoredFile,
    workflow: string,
    isFirst: boolean,
  ): Promise<{ isPlaced: boolean; at: number }> {
    const { tenant, runId } = job;
    const at = Date.now();
    const { jobs } = tenantOf(this.env, tenant);
    const status = await (isFirst ? jobs.renew(runId, null, 0) : jobs.wait(runId, TURN_MS));
    if (status === null || isEnded(status)) throw new ServiceError('CANCELLED');
    const seconds = estimatedSeconds(recordingOf(job, file.suffix).suffix, file.bytes);
    const isPlaced = await requestTurn(this.env, { id: runId, tenant, seconds }, workflow);
    // The pool has stored the request. Until then the short lease covers a restart, after which nothing else continues.
    if (isFirst && !isPlaced) await jobs.wait(runId, TURN_MS);
    return { isPlaced, at };
  }

  /**
   * @param askedAt when the slot was asked for, Unix time, ms; undefined if this attempt asks
   * @returns null, because the value of a step must be serialisable
   */
  async #analyse(job: JobRequest, file: StoredFile, askedAt?: number): Promise<null> {
    const { env } = this;
    const { keys } = recordingOf(job, file.suffix);
    const store = mediaStore(env);
    const status = await tenantOf(env, job.tenant).jobs.renew(job.runId, null, 0);
    if (status === null || isEnded(status)) throw new ServiceError('CANCELLED');
    // An earlier attempt died after storing the result but before recording the end.
    if (await store.head(keys.documents['result.json'])) return null;
    if (!(await store.head(keys.upload))) throw new ServiceError('NOT_FOUND', 'The upload no longer exists');
    const tally = new Tally();
    // When a client leaves, the pipeline stops the work for that request's id. The workflow therefore uses the run's
    // id.
    const run = AnalysisRun.ofJob({ env, requestId: job.runId, tally }, job, file, askedAt);
    const { caller } = job;
    try {
      if (!(await isStillValid(env, caller))) throw new ServiceError('CANCELLED');
      for await (const event of await run.run()) tally.event(event);
      await tenantOf(env, caller.tenant).admission.addAudio(caller.keyId, run.audioSeconds);
      return null;
    } finally {
      await run.close();
      this.ctx.waitUntil(tally.flush(env));
    }
  }
}

const retried = (limit: number) => ({
  timeout: STEP_TIMEOUT_MS,
  retries: {
    limit,
    // With any other backoff, the engine would multiply the delay that the function returns.
    backoff: 'constant' as const,
    delay: ({ ctx }: { ctx: { attempt: number } }) => RETRY_MS[ctx.attempt - 1] ?? RETRY_MS.at(-1)!,
  },
});

/**
 * A final error becomes the job's outcome, and the job's objects are removed. Any other error is thrown and retried.
 */
async function resultOf<T>(env: Env, job: JobRequest, work: () => Promise<T>): Promise<StepResult<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const known = asServiceError(error);
    const { requestId, runId } = job;
    logFault(known, { request_id: requestId, conversation_id: runId });
    // The operator sees it and can start it again. The end of the job keeps the upload.
    if (known instanceof LostThrice) return { outcome: { status: 'failed', code: known.code, message: known.detail } };
    if (known.code === 'CANCELLED') return { outcome: { status: 'cancelled' } };
    if (known.isFinal || (known.status < 500 && !TRANSIENT.includes(known.code))) {
      await removeRun(mediaStore(env), job.tenant, job.runId);
      return { outcome: { status: 'failed', code: known.code, message: known.detail } };
    }
    throw error;
  }
}

/** An error returned by the engine has lost its class. */
const messageOf = (error: unknown): string =>
  error instanceof ServiceError ? error.detail : 'Analysis failed: every attempt within three hours failed';
