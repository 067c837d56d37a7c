import { RpcTarget } from 'cloudflare:workers';
import type { ErrorCode } from '../../../contract/errors.ts';
import { isEnded, type JobBody, type JobStatus } from '../../../contract/jobs.ts';
import { fail, ok, type Refusal, type Result } from '../../../contract/result.ts';
import { asServiceError, logFault } from '../../http/errors.ts';
import type { CallerName } from '../../identity/caller.ts';
import type { Env } from '../../identity/env.ts';
import type { BegunConversation } from '../../results/record.ts';
import { settingsOf } from '../../settings/settings.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Migrations, Sql } from '../../sqlite/migrations.ts';
import { artifactKeys, conversationOf, removeRun } from '../../storage/artifacts.ts';
import { mediaStore } from '../../storage/media-store.ts';
import type { UploadedPart } from '../../storage/object-store.ts';
import type { TenantConversations } from '../catalogue/tenant-conversations.ts';
import { type OpenUpload, UPLOAD_TABLES, type UploadState, UploadTable } from '../upload-table.ts';
import type { TenantWebhooks } from '../webhooks/tenant-webhooks.ts';
import { CLAIM_TABLES, type IdempotencyClaim, IdempotencyClaims } from './idempotency-claims.ts';
import type { JobRequest } from './job.ts';
import { type AnalysisOutcome, JOB_TABLES, JobTable } from './job-table.ts';
import { isMachines } from './retained-upload.ts';
import { deleteWorkflow, endWorkflow, startWorkflow } from './workflows.ts';

/** Their tables in the tenant's object. */
export const JOB_MIGRATIONS: Migrations = {
  jobs: JOB_TABLES,
  claims: CLAIM_TABLES,
  uploads: UPLOAD_TABLES,
};

/** Who carries an analysis and says nothing for so long carries it no more, ms. */
export const LEASE_MS = 20_000;
/** How often who carries one says so; so much later it has heard that there is nothing more to carry, ms. */
export const RENEW_MS = LEASE_MS / 4;
const HEARD_MS = RENEW_MS + 1_000;
/** How long an answer is held back for an end that may come, ms. */
const HOLD_MS = 20_000;
/** A workflow whose analysis ended so long ago has done all it does, ms. */
const WORKFLOW_ENDS_MS = 10_000;
/** Most analyses of a tenant that go on by themselves, and the seconds a client is told to wait that begins one more. */
const MAX_UNDER_WAY = 10_000;
const RETRY_AFTER_S = 60;
/** How long it is known how an analysis ended; its result is listed elsewhere. */
const KEPT_MS = 30 * 24 * 3_600_000;

const UNKNOWN_CONVERSATION: Result<never> = fail('NOT_FOUND', 'Unknown conversation');
const UNKNOWN_UPLOAD: Result<never> = fail('NOT_FOUND', 'Unknown upload');

const later = (detail: string): Refusal => ({ ...fail('RATE_LIMITED', detail), retryAfter: RETRY_AFTER_S });

/** What the tenant's object gives. */
export interface JobsHost {
  sql: Sql;
  due: DueTimes;
  env: Env;
  tenant: string;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Makes one that the settings name, at its first call; false for any other that is not there. */
  ready: (caller?: CallerName) => Promise<boolean>;
  /** Where each analysis is listed from its beginning on. */
  conversations: Conversations;
  /** Who is told when one ends. */
  webhooks: Pick<TenantWebhooks, 'send' | 'forget'>;
}

/** What the conversations of the tenant hear. */
type Conversations = Pick<TenantConversations, 'noteBegin' | 'noteEnd' | 'settle' | 'drop'>;

/**
 * The work of one tenant that outlives its requests: analyses, uploads in parts and keys of idempotency. What one call checks and writes happens without a wait in between, so it is stored whole or not at all; an
 * analysis ends and its webhooks' messages come to be in one turn.
 */
export class TenantJobs extends RpcTarget {
  readonly #host: JobsHost;
  readonly #jobs: JobTable;
  readonly #claims: IdempotencyClaims;
  readonly #uploads: UploadTable;
  /** Who waits for the end of which analysis. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(host: JobsHost) {
    super();
    this.#host = host;
    this.#jobs = new JobTable(host.sql);
    this.#claims = new IdempotencyClaims(host.sql);
    this.#uploads = new UploadTable(host.sql);
  }

  /** What the object does of itself for them. */
  get tasks(): DueTasks {
    return {
      jobs: (now) => this.#carryOn(now),
      workflows: (now) => this.#removeWorkflows(now),
      uploads: (now) => this.#giveUpUploads(now),
      kept: (now) => this.#removeKept(now),
    };
  }

  /** Forgets what nobody asks for any more. */
  forget(now: number): void {
    this.#claims.forget(now);
    this.#jobs.forget(now - KEPT_MS);
  }

  /**
   * Notes an analysis that is to be made; of an upload in parts, in the upload's place.
   * @param isAttended whether the caller carries it (`carry`); otherwise a workflow does, from now on
   * @param claim of an `Idempotency-Key`
   * @returns the claim that holds, of this analysis or of an earlier one; RATE_LIMITED when too many wait
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
    if (!isAttended && this.#jobs.underWay() >= MAX_UNDER_WAY)
      return later(`This tenant has ${MAX_UNDER_WAY} analyses under way, as many as it may`);
    const held = claim ? this.#claims.claim(claim.key, claim.fingerprint, id, now) : null;
    this.#jobs.add(request, now + LEASE_MS, now);
    this.#uploads.remove(id);
    this.#host.conversations.noteBegin(begunBy(request));
    await this.#host.due.within('jobs', now + LEASE_MS);
    await this.#host.conversations.settle(conversationOf(id));
    if (!isAttended) await this.#carryByWorkflow(id);
    return ok(held);
  }

  /**
   * Says that the caller carries an analysis on, and how far it is.
   * @returns how it stands: it may have been cancelled, or ended by another who carries it too; null when it is unknown
   */
  async carry(id: string, phase: string | null, progress: number): Promise<JobStatus | null> {
    if (!this.#host.exists()) return null;
    const now = Date.now();
    return this.#jobs.carry(id, phase, progress, now + LEASE_MS, now);
  }

  /** @returns false when it had ended before */
  async end(id: string, outcome: AnalysisOutcome): Promise<boolean> {
    if (!this.#host.exists()) return false;
    const now = Date.now();
    if (!this.#jobs.end(id, outcome, now)) return false;
    const error = outcome.status === 'failed' ? { code: outcome.code, message: outcome.message } : undefined;
    this.#host.conversations.noteEnd(id, outcome);
    const conversation = conversationOf(id);
    // All is written before anything is waited for.
    await Promise.all([
      error && isMachines(error.code) ? this.#keep(id, now) : undefined,
      this.#host.webhooks.send(
        `analysis.${outcome.status}`,
        { conversation_id: conversation, ...(error && { error }) },
        now,
      ),
    ]);
    await this.#host.conversations.settle(conversation);
    if (this.#jobs.workflowOf(id) !== null) await this.#host.due.within('workflows', now + WORKFLOW_ENDS_MS);
    for (const wake of this.#waiting.get(id) ?? []) wake();
    return true;
  }

  async read(id: string): Promise<JobBody | null> {
    return this.#host.exists() ? this.#jobs.read(id) : null;
  }

  async isUnderWay(id: string): Promise<boolean> {
    const job = await this.read(id);
    return job !== null && !isEnded(job.status);
  }

  /**
   * Begins an analysis anew that a machine failed, as one that goes on by itself; leaves any other as it is.
   * @returns false when there is none of this id
   */
  async again(id: string): Promise<boolean> {
    if (!this.#host.exists()) return false;
    const now = Date.now();
    const request = this.#jobs.request(id);
    if (request && this.#jobs.reopen(id, now + LEASE_MS, now)) {
      this.#host.conversations.noteBegin(begunBy(request));
      await this.#host.due.within('jobs', now + LEASE_MS);
      await this.#host.conversations.settle(conversationOf(id));
      await this.#carryByWorkflow(id);
    }
    return request !== null;
  }

  /**
   * Notes the media that a live session left which a machine failed: from now on it can be asked for again as a file.
   * @returns false where the tenant is no more
   */
  async keepFailed(request: JobRequest, error: { code: ErrorCode; message: string }): Promise<boolean> {
    if (!this.#host.exists()) return false;
    const now = Date.now();
    if (!this.#jobs.add(request, now, now)) return true;
    this.#jobs.end(request.runId, { status: 'failed', ...error }, now);
    await this.#keep(request.runId, now);
    return true;
  }

  /** How an analysis stands once it has ended, or after a while. To be called again as long as it goes on. */
  async settled(id: string): Promise<JobBody | null> {
    if (!this.#host.exists()) return null;
    const job = this.#jobs.read(id);
    if (!job || isEnded(job.status)) return job;
    const ended = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(ended.resolve));
    const late = setTimeout(ended.resolve, HOLD_MS);
    await ended.promise;
    clearTimeout(late);
    waiting.delete(ended.resolve);
    if (waiting.size === 0) this.#waiting.delete(id);
    return this.read(id);
  }

  /**
   * Ends an analysis that is under way. Who carries it hears of it within seconds, leaves the pipeline, and nothing stays.
   * One that has ended is answered as it is.
   */
  async cancel(id: string): Promise<Result<JobBody>> {
    if (!this.#host.exists()) return UNKNOWN_CONVERSATION;
    const request = this.#jobs.request(id);
    if (!request) return UNKNOWN_CONVERSATION;
    if (await this.end(id, { status: 'cancelled' })) await this.#removeMedia(id);
    const job = this.#jobs.read(id);
    return job ? ok(job) : UNKNOWN_CONVERSATION;
  }

  /** Leaves no row and no workflow of an analysis of which nothing was kept. */
  async remove(id: string): Promise<void> {
    if (!this.#host.exists()) return;
    await this.forgetAll([id]);
    await this.#host.conversations.drop(id);
  }

  /**
   * Leaves no trace of some analyses: no row, no workflow, no message, no claim. Who carries one hears of it before: then
   * the pipeline is left, and what was about to be stored is not.
   * @returns whether there was one
   */
  async forgetAll(ids: readonly string[]): Promise<boolean> {
    const known = ids.filter((id) => this.#jobs.read(id) !== null);
    const workflows = known.flatMap((id) => this.#jobs.workflowOf(id) ?? []);
    const now = Date.now();
    // All are ended, and not only those until the first.
    const ended = known.map((id) => this.#jobs.end(id, { status: 'cancelled' }, now));
    if (ended.includes(true) && workflows.length > 0) await scheduler.wait(HEARD_MS);
    for (const id of ids) {
      this.#jobs.remove(id);
      this.#claims.forgetId(id);
      this.#host.webhooks.forget(conversationOf(id));
      for (const wake of this.#waiting.get(id) ?? []) wake();
    }
    for (const workflow of workflows) await endWorkflow(this.#host.env.ANALYSIS, workflow);
    return known.length > 0;
  }

  /** Leaves nothing under way: no analysis, no workflow, no upload in parts. */
  async endAll(): Promise<void> {
    await this.forgetAll(this.#jobs.ids());
    for (const upload of this.#uploads.expired(Number.MAX_SAFE_INTEGER)) await this.#removeUpload(upload);
  }

  async claimed(key: string): Promise<IdempotencyClaim | null> {
    if (!this.#host.exists()) return null;
    return this.#claims.find(key, Date.now());
  }

  /** @returns the claim that holds, this one or that of an earlier request */
  async claim(key: string, fingerprint: string, id: string): Promise<Result<IdempotencyClaim>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    return ok(this.#claims.claim(key, fingerprint, id, Date.now()));
  }

  async answer(key: string, id: string, answer: string): Promise<void> {
    if (!this.#host.exists()) return;
    this.#claims.answer(key, id, answer);
  }

  async openUpload(upload: OpenUpload): Promise<Result<UploadState>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    if (this.#jobs.read(upload.id)) return UNKNOWN_UPLOAD;
    if (!this.#uploads.open(upload, Date.now()))
      return later('This tenant has as many uploads open as it may: complete or delete one');
    return this.#uploadAfter(upload.id);
  }

  async upload(id: string): Promise<Result<UploadState>> {
    if (!this.#host.exists()) return UNKNOWN_UPLOAD;
    const upload = this.#uploads.read(id);
    return upload ? ok(upload) : UNKNOWN_UPLOAD;
  }

  async addPart(id: string, part: UploadedPart): Promise<Result<UploadState>> {
    if (!this.#host.exists()) return UNKNOWN_UPLOAD;
    return this.#uploads.addPart(id, part, Date.now()) ? this.#uploadAfter(id) : UNKNOWN_UPLOAD;
  }

  async abortUpload(id: string): Promise<Result<null>> {
    if (!this.#host.exists()) return UNKNOWN_UPLOAD;
    const upload = this.#uploads.read(id);
    if (!upload) return UNKNOWN_UPLOAD;
    await this.#removeUpload(upload);
    return ok(null);
  }

  async #keep(id: string, now: number): Promise<void> {
    const until = now + settingsOf(this.#host.env).keptUploadMs;
    this.#jobs.keep(id, until);
    await this.#host.due.within('kept', until);
  }

  /** Uploads that nobody asked for again. */
  async #removeKept(now: number): Promise<number | null> {
    for (const id of this.#jobs.keptBefore(now)) {
      await this.#removeMedia(id);
      this.#jobs.keep(id, null);
    }
    return this.#jobs.keptUntil();
  }

  /** Of an analysis without a result; what its conversation takes is weighed again. */
  async #removeMedia(id: string): Promise<void> {
    await removeRun(mediaStore(this.#host.env), this.#host.tenant, id);
    await this.#host.conversations.settle(conversationOf(id));
  }

  /** Whatever nobody carries any more, a workflow carries from now on, or is woken to. */
  async #carryOn(now: number): Promise<number | null> {
    for (const id of this.#jobs.adrift(now)) await this.#carryByWorkflow(id);
    return this.#jobs.adriftAt();
  }

  /** A workflow that cannot be had now is asked for again when the job is found adrift. */
  async #carryByWorkflow(id: string): Promise<void> {
    const request = this.#jobs.request(id);
    const workflow = this.#jobs.workflow(id, Date.now() + LEASE_MS);
    if (workflow === null || !request) return;
    try {
      const { ANALYSIS } = this.#host.env;
      if (await startWorkflow(ANALYSIS, workflow, request)) return;
      const another = this.#jobs.nextWorkflow(id);
      if (another !== null) await startWorkflow(ANALYSIS, another, request);
    } catch (error) {
      logFault(asServiceError(error), { task: 'jobs', conversation_id: id });
    }
  }

  /** What a workflow was given and did is no longer needed when it has ended. */
  async #removeWorkflows(now: number): Promise<number | null> {
    for (const { id, workflow } of this.#jobs.endedWorkflows(now - WORKFLOW_ENDS_MS)) {
      await deleteWorkflow(this.#host.env.ANALYSIS, workflow);
      this.#jobs.forgetWorkflow(id);
    }
    return this.#jobs.endedWorkflows(now).length > 0 ? now + WORKFLOW_ENDS_MS : null;
  }

  async #uploadAfter(id: string): Promise<Result<UploadState>> {
    const at = this.#uploads.expiryAt();
    if (at !== null) await this.#host.due.within('uploads', at);
    return this.upload(id);
  }

  async #giveUpUploads(now: number): Promise<number | null> {
    for (const upload of this.#uploads.expired(now)) await this.#removeUpload(upload);
    return this.#uploads.expiryAt();
  }

  /** One that the store had put together already is an object by now. */
  async #removeUpload({ id, multipartId, suffix }: UploadState): Promise<void> {
    const store = mediaStore(this.#host.env);
    const { upload } = artifactKeys(this.#host.tenant, id, suffix);
    await store
      .resumeMultipartUpload(upload, multipartId)
      .abort()
      .catch(() => undefined);
    // Of one that was completed meanwhile it is the recording.
    if (!this.#jobs.read(id)) await store.delete([upload]);
    this.#uploads.remove(id);
  }
}

/** What is listed of an analysis that begins. One anew is listed already. */
function begunBy({ runId: conversationId, requestId, caller, sent, source, options }: JobRequest): BegunConversation {
  const { mode, filename } = sent;
  const key = caller.keyId;
  const suffix = source.type === 'upload' ? source.suffix : null;
  return { id: conversationOf(conversationId), mode, key, requestId, filename, suffix, options };
}
