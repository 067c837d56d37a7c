import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { type ErrorCode, ServiceError } from '../../contract/errors.ts';
import { isEnded } from '../../contract/jobs.ts';
import type { MediaExtension } from '../../contract/media.ts';
import { fetchRecording } from '../analysis/remote-file.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import type { Env } from '../identity/env.ts';
import { isStillValid, untilRevoked } from '../keys/key-validity.ts';
import { Tally } from '../metrics/metrics.ts';
import { conversationOf, removeRun } from '../storage/artifacts.ts';
import { mediaStore } from '../storage/media-store.ts';
import { type JobRequest, recordingOf } from '../tenant/jobs/job.ts';
import type { AnalysisOutcome } from '../tenant/jobs/job-table.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { runAnalysis } from './run-analysis.ts';

const [SECOND, MINUTE] = [1_000, 60_000];
/** Waits after attempts that a machine's fault ended; the last one is used again. */
const AGAIN_MS = [10 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE];
/** So an analysis is tried for some three hours, and an address for a quarter of one. */
const ANALYSIS_TRIES = 24;
const FETCH_TRIES = 6;
const RECORD_TRIES = 200;
/** Longer than any analysis with its wait for a turn. */
const STEP_TIMEOUT_MS = 24 * 60 * MINUTE;
/** What another try may mend, beside every fault of status 500 and more. */
const PASSING: readonly ErrorCode[] = ['SOURCE_FAILED', 'RATE_LIMITED'];

type File = { suffix: MediaExtension; bytes: number };
/** What a step came to: its value, or the end of the analysis. */
type Come<T> = { value: T } | { outcome: AnalysisOutcome };

declare module '../identity/env.ts' {
  interface Env {
    ANALYSIS: Workflow<JobRequest>;
  }
}

/** The analysis of one conversation that nobody waits for, or whose carrier died: it goes on whatever happens. */
export class AnalysisJob extends WorkflowEntrypoint<Env, JobRequest> {
  override async run({ payload: request }: Readonly<WorkflowEvent<JobRequest>>, step: WorkflowStep): Promise<void> {
    const outcome = await this.#make(request, step);
    await step.do('record', retried(RECORD_TRIES), async () => {
      const { tenant, runId } = request;
      await tenantOf(this.env, tenant).jobs.end(runId, outcome);
      const job = await tenantOf(this.env, tenant).jobs.read(runId);
      const conversation = await tenantOf(this.env, tenant).conversations.find(conversationOf(runId));
      // What was stored before this was heard of.
      if (!job || job.status === 'cancelled' || !conversation) await removeRun(mediaStore(this.env), tenant, runId);
    });
  }

  async #make(request: JobRequest, step: WorkflowStep): Promise<AnalysisOutcome> {
    try {
      const file = await this.#file(request, step);
      if ('outcome' in file) return file.outcome;
      const made = await step.do<Come<null>>('analyse', retried(ANALYSIS_TRIES), () =>
        verdictOf(this.env, request, () => this.#analyse(request, file.value)),
      );
      return 'outcome' in made ? made.outcome : { status: 'completed' };
    } catch (error) {
      // Every try met a machine's fault; which one, the log tells.
      return { status: 'failed', code: 'ANALYSIS_FAILURE', message: messageOf(error) };
    }
  }

  async #file(request: JobRequest, step: WorkflowStep): Promise<Come<File>> {
    const { source } = request;
    if (source.type === 'upload') return { value: { suffix: source.suffix, bytes: source.bytes } };
    return step.do<Come<File>>('fetch', retried(FETCH_TRIES), () =>
      verdictOf(this.env, request, async () => {
        const signal = new AbortController().signal;
        const { suffix, bytes } = await fetchRecording(source, request, this.env, signal);
        return { suffix, bytes };
      }),
    );
  }

  /** @returns null: a step's value must be one that can be kept */
  async #analyse(request: JobRequest, { suffix, bytes }: File): Promise<null> {
    const { env } = this;
    const tally = new Tally();
    const recording = recordingOf(request, suffix);
    const store = mediaStore(env);
    const status = await tenantOf(env, request.tenant).jobs.carry(request.runId, null, 0);
    if (status === null || isEnded(status)) throw new ServiceError('CANCELLED');
    // Whoever carried it before died between storing and saying so.
    if (await store.head(recording.keys.result)) return null;
    if (!(await store.head(recording.keys.upload))) throw new ServiceError('NOT_FOUND', 'The upload is gone');
    // Not the request's own id: by that name work is stopped when its client goes.
    const headers = { 'X-Request-Id': request.runId };
    const { caller } = request;
    const over = new AbortController();
    const revoked = untilRevoked(env, caller, over.signal);
    let seconds = 0;
    const heard = (so: number): void => {
      seconds = Math.max(seconds, so);
    };
    try {
      if (!(await isStillValid(env, caller))) throw new ServiceError('CANCELLED');
      const carried = { tenant: request.tenant, recording, bytes, isAttended: false };
      const events = await runAnalysis(carried, { env, tally, headers, heard, signal: revoked });
      for await (const event of events) tally.event(event);
      await tenantOf(env, caller.tenant).addAudio(caller.keyId, seconds);
      return null;
    } catch (error) {
      throw revoked.aborted ? new ServiceError('CANCELLED') : error;
    } finally {
      over.abort();
      this.ctx.waitUntil(tally.flush(env));
    }
  }
}

const retried = (limit: number) => ({
  timeout: STEP_TIMEOUT_MS,
  retries: {
    limit,
    // The engine would multiply what the function returns.
    backoff: 'constant' as const,
    delay: ({ ctx }: { ctx: { attempt: number } }) => AGAIN_MS[ctx.attempt - 1] ?? AGAIN_MS.at(-1)!,
  },
});

/** A verdict is a value, and nothing stays of what it is about; what is thrown is tried again. */
async function verdictOf<T>(env: Env, request: JobRequest, work: () => Promise<T>): Promise<Come<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const known = asServiceError(error);
    const { requestId, runId } = request;
    logFault(known, { request_id: requestId, conversation_id: runId });
    if (known.code === 'CANCELLED') return { outcome: { status: 'cancelled' } };
    if (known.status < 500 && !PASSING.includes(known.code)) {
      await removeRun(mediaStore(env), request.tenant, request.runId);
      return { outcome: { status: 'failed', code: known.code, message: known.detail } };
    }
    throw error;
  }
}

/** What the engine hands on has lost its class. */
const messageOf = (error: unknown): string =>
  error instanceof ServiceError ? error.detail : 'Analysis failed: it was tried for hours';
