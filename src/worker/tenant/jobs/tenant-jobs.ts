import { RpcTarget } from 'cloudflare:workers';
import type { ErrorCode } from '../../../contract/errors.ts';
import { isEnded, type JobBody, type JobStatus } from '../../../contract/jobs.ts';
import { fail, ok, type Refusal, type Result } from '../../../contract/result.ts';
import type { CallerName } from '../../identity/caller.ts';
import type { Env } from '../../identity/env.ts';
import type { BegunConversation } from '../../results/record.ts';
import { settingsOf } from '../../settings/settings.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Migrations, Sql } from '../../sqlite/migrations.ts';
import { conversationOf } from '../../storage/keys.ts';
import { mediaStore } from '../../storage/media-store.ts';
import { removeRun } from '../../storage/run-objects.ts';
import { UPLOAD_TABLES } from '../upload-table.ts';
import type { TenantWebhooks } from '../webhooks/tenant-webhooks.ts';
import { CLAIM_TABLES, type IdempotencyClaim, IdempotencyClaims } from './idempotency-claims.ts';
import { type JobRequest, redacts } from './job.ts';
import { type AnalysisOutcome, JOB_TABLES, JobTable } from './job-table.ts';
import { JobWorkflows, LEASE_MS, WORKFLOW_ENDS_MS } from './job-workflows.ts';
import { isMachineFault } from './retained-upload.ts';
import { TenantUploads } from './tenant-uploads.ts';
import { endWorkflow } from './workflows.ts';

/** The tables of jobs, claims and uploads in the tenant's object. */
export const JOB_MIGRATIONS: Migrations = {
  jobs: JOB_TABLES,
  claims: CLAIM_TABLES,
  uploads: UPLOAD_TABLES,
};

/** Interval at which the holder of a lease renews it, ms. */
export const RENEW_MS = LEASE_MS / 4;
/** Time within which the holder of a lease notices that its job has ended, ms. */
const NOTICED_MS = RENEW_MS + 1_000;
/** How long a request that waits for a job's end is held open, ms. */
const HOLD_MS = 20_000;
/** Limit on a tenant's open jobs. */
const MAX_OPEN_JOBS = 10_000;
/** `Retry-After` of a refusal, seconds. */
const RETRY_AFTER_S = 60;
/** When an upload on hold is looked at again, ms. */
const HELD_AGAIN_MS = 24 * 3_600_000;
/** How long the outcome of a job is remembered, ms. The catalogue lists it for longer. */
const OUTCOME_MS = 30 * 24 * 3_600_000;

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown conversation');
const TOO_MANY: Refusal = {
  ...fail('RATE_LIMITED', `This tenant already has ${MAX_OPEN_JOBS} analyses queued or running, its limit`),
  retryAfter: RETRY_AFTER_S,
};

/** The parts of the tenant's object that jobs use. */
export interface JobsHost {
  sql: Sql;
  due: DueTimes;
  env: Env;
  tenant: string;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: (caller?: CallerName) => Promise<boolean>;
  conversations: ListedConversations;
  /** Whether a hold keeps a conversation from being deleted or replaced. */
  isHeld: (conversation: string) => boolean;
  webhooks: Pick<TenantWebhooks, 'send' | 'forget'>;
}

/** The catalogue, which lists each analysis from its beginning. */
export interface ListedConversations {
  noteBegin(begun: BegunConversation): void;
  noteEnd(run: string, outcome: AnalysisOutcome): boolean;
  settle(id: string): Promise<void>;
  drop(id: string): Promise<void>;
}

/**
 * The jobs of one tenant, with their idempotency keys and multipart uploads. A call checks and writes without awaiting
 * in between, so that its changes are stored completely or not at all. A job's end and its webhook messages are written
 * together.
 */
export class TenantJobs extends RpcTarget {
  readonly #host: JobsHost;
  readonly #jobs: JobTable;
  readonly #claims: IdempotencyClaims;
  readonly #uploads: TenantUploads;
  readonly #workflows: JobWorkflows;
  /** Callbacks of the requests that wait for the end of a job, by job. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(host: JobsHost) {
    super();
    this.#host = host;
    this.#jobs = new JobTable(host.sql);
    this.#claims = new IdempotencyClaims(host.sql);
    this.#uploads = new TenantUploads({ ...host, hasJob: (id) => this.#jobs.read(id) !== null });
    this.#workflows = new JobWorkflows(host.env, this.#jobs);
  }

  /** The tasks that the tenant's alarm runs. */
  get tasks(): DueTasks {
    return {
      jobs: (now) => this.#workflows.takeOver(now),
      workflows: (now) => this.#workflows.removeEnded(now),
      uploads: (now) => this.#uploads.removeExpired(now),
      kept: (now) => this.#removeRetained(now),
    };
  }

  /** Multipart uploads, called as `tenantOf(env, id).jobs.uploads.read(...)`. */
  get uploads(): TenantUploads {
    return this.#uploads;
  }

  /** Forgets expired claims and old outcomes. */
  forget(now: number): void {
    this.#claims.forgetExpired(now);
    this.#jobs.forget(now - OUTCOME_MS);
  }

  /**
   * Records a job. A multipart upload with the same id becomes its recording.
   * @param isAttended whether the caller runs the job and renews its lease; otherwise a workflow does
   * @param claim use of an `Idempotency-Key`
   * @returns the valid claim, either this job's or an earlier one's; RATE_LIMITED when too many jobs are open
   */
  async begin(
    request: JobRequest,
    isAttended: boolean,
    claim?: { key: string; fingerprint: string },
  ): Promise<Result<IdempotencyClaim | null>> {
    if (!(await this.#host.ready(request.caller))) return fail('INVALID_KEY');
    const now = Date.now();
    const id = request.runId;
    const earlier = claim ? this.#claims.find(claim.key, now) : null;
    if (earlier && earlier.id !== id) return ok(earlier);
    if (!isAttended && this.#jobs.openCount() >= MAX_OPEN_JOBS) return TOO_MANY;
    const held = claim ? this.#claims.claim(claim.key, claim.fingerprint, id, now) : null;
    this.#jobs.add(request, now + LEASE_MS, now);
    this.#uploads.close(id);
    await this.#list(request, now);
    if (!isAttended) await this.#workflows.handOver(id);
    return ok(held);
  }

  /**
   * Extends the lease of a job and records its progress.
   * @returns the job's status, since a cancellation or another holder may have ended it; null when it is unknown
   */
  async renew(id: string, phase: string | null, progress: number): Promise<JobStatus | null> {
    if (!this.#host.exists()) return null;
    const now = Date.now();
    const leaseEnd = now + LEASE_MS;
    const isShorter = (this.#jobs.leaseEnd(id) ?? 0) > leaseEnd;
    const status = this.#jobs.renew(id, phase, progress, leaseEnd, now);
    // The alarm was set for the longer lease of a job that waited.
    if (isShorter) await this.#host.due.within('jobs', leaseEnd);
    return status;
  }

  /**
   * Extends the lease of a job whose workflow waits for an event.
   * @param forMs how long it waits at most, ms
   * @returns the job's status; null when it is unknown
   */
  async wait(id: string, forMs: number): Promise<JobStatus | null> {
    if (!this.#host.exists()) return null;
    const now = Date.now();
    return this.#jobs.renew(id, null, 0, now + forMs + LEASE_MS, now);
  }

  /** @returns false when the job had already ended */
  async end(id: string, outcome: AnalysisOutcome): Promise<boolean> {
    if (!this.#host.exists()) return false;
    const now = Date.now();
    if (!this.#jobs.end(id, outcome, now)) return false;
    const error = outcome.status === 'failed' ? { code: outcome.code, message: outcome.message } : undefined;
    this.#host.conversations.noteEnd(id, outcome);
    const conversation = conversationOf(id);
    // Both calls write before they await anything.
    await Promise.all([
      error && isMachineFault(error.code) ? this.#retainOrRemove(id, now) : undefined,
      this.#host.webhooks.send(
        `analysis.${outcome.status}`,
        { conversation_id: conversation, ...(error && { error }) },
        now,
      ),
    ]);
    await this.#host.conversations.settle(conversation);
    if (this.#jobs.workflowOf(id) !== null) await this.#host.due.within('workflows', now + WORKFLOW_ENDS_MS);
    this.#wake(id);
    return true;
  }

  async read(id: string): Promise<JobBody | null> {
    return this.#host.exists() ? this.#jobs.read(id) : null;
  }

  async isOpen(id: string): Promise<boolean> {
    const job = await this.read(id);
    return job !== null && !isEnded(job.status);
  }

  /**
   * Restarts, with a workflow, a job that failed because of an infrastructure fault. Any other job is left alone.
   * @returns NOT_FOUND when there is no job with this id, ON_HOLD for a conversation on hold
   */
  async retry(id: string): Promise<Result<null>> {
    if (!this.#host.exists()) return UNKNOWN;
    const now = Date.now();
    const request = this.#jobs.request(id);
    if (!request) return UNKNOWN;
    // A repeated analysis that finds the recording at fault removes it.
    if (this.#host.isHeld(conversationOf(id))) return fail('ON_HOLD');
    if (this.#jobs.reopen(id, now + LEASE_MS, now)) {
      await this.#list(request, now);
      await this.#workflows.handOver(id);
    }
    return ok(null);
  }

  /**
   * Records the media of a live session that failed because of an infrastructure fault. From now on it can be analysed
   * again as a file.
   * @returns false when the tenant does not exist
   */
  async addFailed(request: JobRequest, error: { code: ErrorCode; message: string }): Promise<boolean> {
    if (!this.#host.exists()) return false;
    const now = Date.now();
    if (!this.#jobs.add(request, now, now)) return true;
    this.#jobs.end(request.runId, { status: 'failed', ...error }, now);
    await this.#retain(request.runId, now);
    return true;
  }

  /** Waits for a job's end for a while. Call it again as long as the job is open. */
  async waitForEnd(id: string): Promise<JobBody | null> {
    if (!this.#host.exists()) return null;
    const job = this.#jobs.read(id);
    if (!job || isEnded(job.status)) return job;
    const ended = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(ended.resolve));
    const timeout = setTimeout(ended.resolve, HOLD_MS);
    await ended.promise;
    clearTimeout(timeout);
    waiting.delete(ended.resolve);
    if (waiting.size === 0) this.#waiting.delete(id);
    return this.read(id);
  }

  /**
   * Cancels an open job and removes its objects. The holder of its lease notices this within seconds and stops the
   * pipeline.
   * @returns the job, unchanged if it had already ended
   */
  async cancel(id: string): Promise<Result<JobBody>> {
    if (!this.#host.exists()) return UNKNOWN;
    const request = this.#jobs.request(id);
    if (!request) return UNKNOWN;
    if (await this.end(id, { status: 'cancelled' })) {
      await this.#workflows.stopWaiting(id);
      await this.#removeMedia(id);
    }
    const job = this.#jobs.read(id);
    return job ? ok(job) : UNKNOWN;
  }

  /** Removes a job, its workflow and its conversation, for which nothing is stored. */
  async remove(id: string): Promise<void> {
    if (!this.#host.exists()) return;
    await this.forgetAll([id]);
    await this.#host.conversations.drop(id);
  }

  /**
   * Removes every trace of jobs: rows, workflows, webhook messages and claims. The holders of their leases are notified
   * first, so that nothing is stored afterwards.
   * @returns whether any of them existed
   */
  async forgetAll(ids: readonly string[]): Promise<boolean> {
    const known = ids.filter((id) => this.#jobs.read(id) !== null);
    const workflows = known.flatMap((id) => this.#jobs.workflowOf(id) ?? []);
    const now = Date.now();
    // Uses `map`, because `some` would stop at the first.
    const ended = known.map((id) => this.#jobs.end(id, { status: 'cancelled' }, now));
    if (ended.includes(true) && workflows.length > 0) await scheduler.wait(NOTICED_MS);
    for (const id of ids) {
      this.#jobs.remove(id);
      this.#claims.forgetId(id);
      this.#host.webhooks.forget(conversationOf(id));
      this.#wake(id);
    }
    for (const workflow of workflows) await endWorkflow(this.#host.env.ANALYSIS, workflow);
    return known.length > 0;
  }

  /** Empties what people wrote in the requests of runs, which have ended. */
  forgetTexts(ids: readonly string[]): void {
    for (const id of ids) this.#jobs.forgetTexts(id);
  }

  /** Removes every job, workflow and open upload. */
  async endAll(): Promise<void> {
    await this.forgetAll(this.#jobs.ids());
    await this.#uploads.removeExpired(Number.MAX_SAFE_INTEGER);
  }

  async findClaim(key: string): Promise<IdempotencyClaim | null> {
    if (!this.#host.exists()) return null;
    return this.#claims.find(key, Date.now());
  }

  /** @returns the valid claim: this one, or an earlier request's */
  async claim(key: string, fingerprint: string, id: string): Promise<Result<IdempotencyClaim>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    return ok(this.#claims.claim(key, fingerprint, id, Date.now()));
  }

  async setAnswer(key: string, id: string, answer: string): Promise<void> {
    if (!this.#host.exists()) return;
    this.#claims.setAnswer(key, id, answer);
  }

  /** Lists the conversation of an open job, and schedules the end of its lease. */
  async #list(request: JobRequest, now: number): Promise<void> {
    this.#host.conversations.noteBegin(conversationOfJob(request));
    await this.#host.due.within('jobs', now + LEASE_MS);
    await this.#host.conversations.settle(conversationOf(request.runId));
  }

  /** An upload that was to be redacted is not kept as it was sent. */
  async #retainOrRemove(id: string, now: number): Promise<void> {
    const request = this.#jobs.request(id);
    if (request && redacts(request)) await this.#removeMedia(id);
    else await this.#retain(id, now);
  }

  async #retain(id: string, now: number): Promise<void> {
    const until = now + settingsOf(this.#host.env).keptUploadMs;
    this.#jobs.retain(id, until);
    await this.#host.due.within('kept', until);
  }

  /** Removes the uploads whose retention has ended. */
  async #removeRetained(now: number): Promise<number | null> {
    for (const id of this.#jobs.retainedBefore(now)) {
      if (this.#host.isHeld(conversationOf(id))) {
        this.#jobs.retain(id, now + HELD_AGAIN_MS);
        continue;
      }
      await this.#removeMedia(id);
      this.#jobs.retain(id, null);
    }
    return this.#jobs.nextRetentionEnd();
  }

  /** Removes the objects of a run without a result, and updates the stored size of its conversation. */
  async #removeMedia(id: string): Promise<void> {
    await removeRun(mediaStore(this.#host.env), this.#host.tenant, id);
    await this.#host.conversations.settle(conversationOf(id));
  }

  #wake(id: string): void {
    for (const wake of this.#waiting.get(id) ?? []) wake();
  }
}

/**
 * The conversation of a job, as it is listed when the job begins. The conversation of a repeated analysis is already
 * listed.
 */
function conversationOfJob({ runId, requestId, caller, sent, source, options }: JobRequest): BegunConversation {
  const { mode, filename } = sent;
  const suffix = source.type === 'upload' ? source.suffix : null;
  return { id: conversationOf(runId), mode, key: caller.keyId, requestId, filename, suffix, options };
}
