import { RpcTarget } from 'cloudflare:workers';
import type { Batch, BatchAct, BatchItem } from '../../../contract/batch.ts';
import type {
  ConversationEntry,
  ConversationFilterInput,
  ConversationList,
  ConversationQuery,
  Deletion,
  Feedback,
  NewComment,
} from '../../../contract/conversations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { MediaExtension } from '../../../contract/media.ts';
import { type AnalysisOptions, type TenantOptions, underTenant, withoutAffectOf } from '../../../contract/options.ts';
import { MOST_TEXT_CHARS } from '../../../contract/pipeline.ts';
import type { StoredReceipt } from '../../../contract/receipts.ts';
import { inOrder, type RedactionKind } from '../../../contract/redaction.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { Env } from '../../identity/env.ts';
import { editedBy, hiddenLabels } from '../../results/edits/edited.ts';
import { type KnownPeople, peopleIn } from '../../results/edits/people.ts';
import {
  type BegunConversation,
  begunRecord,
  type GivenFeedback,
  type StoredComment,
  type StoredRecord,
  type StoredRedacting,
  type StoredStatus,
} from '../../results/record.ts';
import { writtenTexts } from '../../results/redacted-record.ts';
import { type Change, changedRecord } from '../../results/shown-result.ts';
import { StoredObjects } from '../../results/stored-objects.ts';
import { settingsOf } from '../../settings/settings.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Migrations, Sql } from '../../sqlite/migrations.ts';
import { conversationOf, runKeys, runOf } from '../../storage/keys.ts';
import { IS_HELD } from '../holds/tenant-holds.ts';
import type { JobRequest } from '../jobs/job.ts';
import type { AnalysisOutcome } from '../jobs/job-table.ts';
import { newReceiptId } from '../receipts.ts';
import { batchOf, receiptOf } from './batches.ts';
import { Catalogue, CONVERSATION_TABLES, type Found, type IndexListener } from './catalogue.ts';
import { BATCH, CatalogueSync, type SyncHost } from './catalogue-sync.ts';

/** The catalogue's tables in the tenant's object. */
export const CONVERSATION_MIGRATIONS: Migrations = { conversations: CONVERSATION_TABLES };

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown conversation');
const UNKNOWN_COMMENT: Result<never> = fail('NOT_FOUND', 'Unknown comment');

/** The parts of the tenant's object that conversations use. */
export interface ConversationsHost {
  sql: Sql;
  due: DueTimes;
  env: Env;
  tenant: string;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: () => Promise<boolean>;
  /** The tenant's retention, days. Null: conversations are kept until they are deleted. */
  retentionDays: () => number | null;
  /** Begins a job that a workflow runs. */
  begin: (request: JobRequest) => Promise<Result<unknown>>;
  /** Whether the run has or had a job. */
  hasJob: (run: string) => Promise<boolean>;
  /** Whether the run's job has not ended. */
  isOpen: (run: string) => Promise<boolean>;
  /** Whether the run's job is waiting for its turn. */
  isQueued: (run: string) => Promise<boolean>;
  /**
   * Removes every trace of the jobs of runs.
   * @returns whether any of them existed
   */
  forgetJobs: (runs: readonly string[]) => Promise<boolean>;
  /** Applies the rules to the result of a conversation. */
  onIndexed: IndexListener;
  /** Reports the rules that match a new result. */
  onInstalled: (id: string) => Promise<void>;
  /** Whether a rule has an outcome in the conversation. */
  isMatched: (id: string) => boolean;
  /** Whether a conversation has commitments. */
  isOwed: (id: string) => boolean;
  /** Whether pieces of a conversation are in playlists. */
  isListed: (id: string) => boolean;
  /** Whether a conversation has or had shares. */
  isShared: (id: string) => boolean;
  /** Whether a conversation was erased. */
  isErased: (id: string) => boolean;
  /** Notes that a conversation is erased, before it is. */
  onErased: (id: string) => Promise<void>;
  /** Adds a receipt. */
  onReceipt: (receipt: StoredReceipt) => void;
  /** The notes of playlists on pieces of a conversation. */
  notesOn: SyncHost['notesOn'];
  onRedacted: SyncHost['onRedacted'];
  onRedactionDone: SyncHost['onRedactionDone'];
  /** A redaction did not succeed. The conversation is as it was. */
  onRedactionFailed: (id: string, redacting: StoredRedacting) => Promise<void>;
  /** The tenant's settings for its analyses. */
  options: () => TenantOptions;
  /** The people of these ids as they are now. */
  people: (ids: readonly string[]) => KnownPeople;
}

/**
 * The stored conversations of one tenant. A record is changed here first and then written to the store
 * (`CatalogueSync`). A conversation is indexed from its result when its analysis has ended.
 */
export class TenantConversations extends RpcTarget {
  readonly #host: ConversationsHost;
  readonly #catalogue: Catalogue;
  readonly #objects: StoredObjects;
  readonly #sync: CatalogueSync;

  constructor(host: ConversationsHost) {
    super();
    this.#host = host;
    this.#catalogue = new Catalogue(host.sql, host.retentionDays, host.onIndexed, IS_HELD);
    this.#objects = new StoredObjects(host.env, host.tenant);
    this.#sync = new CatalogueSync(this.#catalogue, this.#objects, host.due, host);
  }

  /** The tasks that the tenant's alarm runs. */
  get tasks(): DueTasks {
    return { conversations: (now) => this.#sync.settleDue(now), retention: (now) => this.#removeExpired(now) };
  }

  /** Bytes stored for all conversations. */
  get storedBytes(): number {
    return this.#host.exists() ? this.#catalogue.storedBytes : 0;
  }

  async list(query: ConversationQuery): Promise<Result<ConversationList>> {
    if (!this.#host.exists()) return ok({ conversations: [], next_cursor: null });
    try {
      const { conversations, ...rest } = this.#catalogue.list(query);
      const known = await Promise.all(conversations.map((entry) => this.#withStatus(entry)));
      const { status } = query;
      return ok({ conversations: status ? known.filter((entry) => entry.status === status) : known, ...rest });
    } catch (error) {
      if (error instanceof ServiceError) return fail(error.code, error.detail);
      throw error;
    }
  }

  /** Replaces `running` with `queued` where the job is queued. */
  async #withStatus(entry: ConversationEntry): Promise<ConversationEntry> {
    const isQueued = entry.status === 'running' && (await this.#host.isQueued(entry.conversation_id));
    return isQueued ? { ...entry, status: 'queued' } : entry;
  }

  async find(id: string): Promise<Found | null> {
    return this.#sync.find(id);
  }

  /**
   * Ids of the completed conversations that match a filter, oldest first.
   * @throws ServiceError INVALID_REQUEST for a bad search
   */
  matching(filter: ConversationFilterInput, limit: number): string[] {
    return this.#catalogue.matching({ ...filter, status: 'completed' }, limit);
  }

  /** Whether a conversation is stored, still being analysed, or neither, also while it is being removed. */
  stateOf(id: string): 'stored' | 'processing' | null {
    const found = this.#sync.findStaying(id);
    if (!found) return null;
    return found.record.status === 'processing' ? 'processing' : 'stored';
  }

  /** Ids after `id`, in their order. */
  async idsAfter(id: string, limit: number): Promise<string[]> {
    return this.#host.exists() ? this.#catalogue.idsAfter(id, limit) : [];
  }

  /**
   * Begins a conversation, which is listed from then on.
   * @throws Error when the tenant does not exist
   */
  async begin(begun: BegunConversation): Promise<void> {
    if (!(await this.#host.ready())) throw new Error('The tenant was removed');
    this.noteBegin(begun);
    await this.settle(begun.id);
  }

  /**
   * The synchronous part of `begin`, for callers that write other data in the same turn. Call `settle` afterwards. A
   * conversation that failed or was cancelled returns to `processing`; one with a result keeps it.
   */
  noteBegin(begun: BegunConversation): void {
    const known = this.#catalogue.find(begun.id);
    if (!known) this.#catalogue.put(begunRecord(begun, this.#catalogue.nextTime(Date.now())), null);
    else if (known.record.status === 'failed' || known.record.status === 'cancelled') {
      const { requestId, options } = begun;
      const restarted = { requestId, options, status: 'processing', endedAt: null, error: null } as const;
      this.#catalogue.put({ ...known.record, ...restarted }, null);
    }
  }

  /**
   * Records the end of a run. The result of a completed run is read and installed.
   * @returns false when the conversation does not exist
   */
  async end(run: string, outcome: AnalysisOutcome): Promise<boolean> {
    const exists = this.noteEnd(run, outcome);
    if (exists) await this.settle(conversationOf(run));
    return exists;
  }

  /** The synchronous part of `end`. Call `settle` afterwards. */
  noteEnd(run: string, outcome: AnalysisOutcome): boolean {
    const found = this.#sync.find(conversationOf(run));
    if (!found) return false;
    const isCompleted = outcome.status === 'completed';
    const record = isCompleted ? found.record : this.#notRedacting(found.record, run);
    if (record.status === 'processing') {
      const error = outcome.status === 'failed' ? { code: outcome.code, message: outcome.message } : null;
      const pending = isCompleted ? run : null;
      this.#catalogue.put({ ...record, status: outcome.status, endedAt: Date.now(), error, pending }, null);
    } else if (isCompleted && run !== record.run) this.#catalogue.put({ ...record, pending: run });
    return true;
  }

  /** The record after a run that redacted it failed. */
  #notRedacting(record: StoredRecord, run: string): StoredRecord {
    const { redacting, ...rest } = record;
    if (redacting?.run !== run) return record;
    this.#catalogue.put(rest);
    void this.#host.onRedactionFailed(record.id, redacting);
    return rest;
  }

  /** Completes a change: installs a pending result and writes the record to the store. */
  async settle(id: string): Promise<void> {
    await this.#sync.settle(id);
    await this.#scheduleRetention();
  }

  /** Forgets a conversation that has no objects. */
  async drop(id: string): Promise<void> {
    if (!this.#host.exists() || !this.#catalogue.remove(id)) return;
    await this.#sync.whileRemoving(id, () => this.#objects.removeRecord(id));
  }

  /** Forgets the row of a conversation and its jobs, but none of its objects, from which it can be read again. */
  async forgetRow(id: string): Promise<void> {
    const found = this.#sync.find(id);
    if (!found) return;
    await this.#host.forgetJobs(runsOf(found.record));
    this.#catalogue.remove(id);
  }

  /**
   * Changes a conversation.
   * @param seen the record that the change is based on
   * @returns 'outdated' when its run or edits have changed since
   */
  async change(id: string, seen: StoredRecord, change: Change): Promise<'done' | 'outdated'> {
    const found = this.#sync.findStaying(id);
    if (!found || found.record.run !== seen.run || JSON.stringify(found.record.edits) !== JSON.stringify(seen.edits))
      return 'outdated';
    const people = this.#host.people(peopleIn(change.edits));
    if (JSON.stringify(people) !== JSON.stringify(change.people)) return 'outdated';
    const { record } = found;
    const next = changedRecord(record, change);
    this.#catalogue.put(next, change.indexed);
    if (record.shown !== null && record.shown !== next.shown) await this.#objects.removeShown(record.run, record.shown);
    await this.#sync.settle(id);
    return 'done';
  }

  /**
   * Shows people as they are now.
   * @param id of a conversation, which may have been removed
   * @returns whether it does
   */
  async showPeople(id: string): Promise<boolean> {
    const found = this.#sync.findStaying(id);
    if (found?.record.status !== 'completed') return true;
    const { record } = found;
    const change = await this.#objects.changePeople(record, this.#host.people(peopleIn(record.edits)));
    if (!change) return true;
    if ((await this.change(id, record, change)) === 'done') return true;
    if (change.shown) await this.#objects.removeShown(record.run, change.shown);
    return false;
  }

  /** @param days null to apply the tenant's own retention */
  async setRetention(id: string, days: number | null): Promise<void> {
    const found = this.#sync.find(id);
    if (!found) return;
    this.#catalogue.put({ ...found.record, retentionDays: days });
    await this.settle(id);
  }

  /** Marks a conversation as reviewed, or as to review again. @returns whether that is a change */
  async setReviewed(id: string, isReviewed: boolean): Promise<Result<boolean>> {
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    if ((found.record.reviewedAt !== undefined) === isReviewed) return ok(false);
    const { reviewedAt = Date.now(), ...record } = found.record;
    this.#catalogue.put(isReviewed ? { ...record, reviewedAt } : record);
    await this.#sync.settle(id);
    return ok(true);
  }

  /** Adds and removes labels. @returns whether that is a change */
  async relabel(id: string, { add, remove }: NonNullable<BatchAct['labels']>): Promise<Result<boolean>> {
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    const { record } = found;
    const before = editedBy(record.edits).labels;
    const labels = [...new Set([...before.filter((label) => !remove.includes(label)), ...add])];
    if (JSON.stringify(labels) === JSON.stringify(before)) return ok(false);
    if (labels.length > LIMITS.tags)
      return fail('INVALID_REQUEST', `This conversation would have more than ${LIMITS.tags} labels, its limit`);
    const edits = [...record.edits, { labels }];
    if (JSON.stringify(edits).length > LIMITS.editBytes)
      return fail('INVALID_REQUEST', `The edits of this conversation exceed their limit of ${LIMITS.editBytes} bytes`);
    this.#catalogue.put({ ...record, edits });
    await this.#sync.settle(id);
    return ok(true);
  }

  /**
   * The conversations that a request over several means, and which of them exist.
   * @returns ids in the order of the request, or oldest first; no id twice
   */
  async chosen({ ids, filter }: Pick<Batch, 'ids' | 'filter'>): Promise<Result<{ ids: string[]; known: string[] }>> {
    if (!this.#host.exists()) return ok({ ids: [...new Set(ids)], known: [] });
    if (!filter) {
      const asked = [...new Set(ids)];
      return ok({ ids: asked, known: asked.filter((id) => this.#sync.findStaying(id) !== null) });
    }
    try {
      const found = this.#catalogue.matching(filter, LIMITS.batch + 1);
      if (found.length <= LIMITS.batch) return ok({ ids: found, known: found });
      return fail('INVALID_REQUEST', `filter: matches more than ${LIMITS.batch} conversations; narrow it`);
    } catch (error) {
      if (error instanceof ServiceError) return fail(error.code, error.detail);
      throw error;
    }
  }

  /**
   * Changes or deletes conversations, some at a time. A failure of one does not stop the others.
   * @param by who asks for it, as a receipt names them
   * @returns an outcome for each id, in their order, and one receipt for all that were deleted
   */
  async batch(
    ids: readonly string[],
    act: BatchAct,
    by: string,
  ): Promise<{ items: BatchItem[]; receipt: StoredReceipt | null }> {
    const deletions: Deletion[] = [];
    const items = await batchOf(ids, async (id) => {
      if (act.labels) return this.relabel(id, act.labels);
      if (act.reviewed !== undefined) return this.setReviewed(id, act.reviewed);
      const removed = await this.remove(id, by);
      if (removed.ok) deletions.push(removed.value);
      return removed.ok ? ok(true) : removed;
    });
    const receipt = deletions.length > 0 ? receiptOf(deletions, by) : null;
    if (receipt) this.#host.onReceipt(receipt);
    return { items, receipt };
  }

  /**
   * Adds a comment.
   * @param key id of the key that writes it, with its tenant
   */
  async comment(id: string, { at, text }: NewComment, key: string): Promise<Result<StoredComment>> {
    const found = this.#sync.find(id);
    if (!found) return UNKNOWN;
    const { comments = [] } = found.record;
    if (comments.length >= LIMITS.comments)
      return fail('INVALID_REQUEST', `This conversation already has ${LIMITS.comments} comments, its limit`);
    const end = found.card?.duration_s;
    if (end !== undefined && at > end) return fail('INVALID_REQUEST', `at: the recording ends at ${end} s`);
    const added = { id: crypto.randomUUID(), at, text, key, createdAt: Date.now(), changedAt: null };
    await this.#setComments(found.record, [...comments, added]);
    return ok(added);
  }

  async changeComment(id: string, comment: string, text: string): Promise<Result<StoredComment>> {
    const record = this.#sync.find(id)?.record;
    const known = record?.comments?.find((one) => one.id === comment);
    if (!record || !known) return UNKNOWN_COMMENT;
    const changed = { ...known, text, changedAt: Date.now() };
    await this.#setComments(record, (record.comments ?? []).with((record.comments ?? []).indexOf(known), changed));
    return ok(changed);
  }

  async removeComment(id: string, comment: string): Promise<Result<null>> {
    const record = this.#sync.find(id)?.record;
    const left = record?.comments?.filter((one) => one.id !== comment);
    if (!record || !left || left.length === record.comments?.length) return UNKNOWN_COMMENT;
    await this.#setComments(record, left);
    return ok(null);
  }

  /**
   * Sets the status of a commitment.
   * @param set its id and words, the status (null for the state by the words), and the key that sets it
   */
  async setCommitment(
    id: string,
    { status, ...set }: Pick<StoredStatus, 'id' | 'quote' | 'key'> & { status: StoredStatus['status'] | null },
  ): Promise<Result<null>> {
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    const { commitments = [], ...rest } = found.record;
    const others = commitments.filter((one) => one.id !== set.id && one.quote !== set.quote);
    const given = status === null ? [] : [{ ...set, run: rest.run, status, at: Date.now() }];
    const next = [...others, ...given];
    this.#catalogue.put(next.length === 0 ? rest : { ...rest, commitments: next });
    await this.#sync.settle(id);
    return ok(null);
  }

  async #setComments(record: StoredRecord, comments: StoredComment[]): Promise<void> {
    const { comments: _before, ...rest } = record;
    const sorted = comments.toSorted((a, b) => a.at - b.at || a.createdAt - b.createdAt);
    this.#catalogue.put(sorted.length === 0 ? rest : { ...rest, comments: sorted });
    await this.#sync.settle(record.id);
  }

  /** Applies a change to the tenant's retention. */
  async retain(): Promise<void> {
    if (!this.#host.exists()) return;
    this.#catalogue.retain();
    await this.#scheduleRetention();
  }

  /**
   * Stores feedback, replacing earlier feedback on the same item.
   * @param text the text that was rated
   */
  async giveFeedback(
    id: string,
    { thumb, comment = '', ...target }: Feedback,
    text: string,
    key: string,
  ): Promise<Result<null>> {
    const found = this.#sync.find(id);
    if (!found) return UNKNOWN;
    const { record } = found;
    const [kind, on] = targetOf(target);
    const others = record.feedback.filter((f) => f.kind !== kind || f.on !== on || f.run !== record.run);
    if (thumb !== null && others.length >= LIMITS.feedback)
      return fail('INVALID_REQUEST', `This conversation already has ${LIMITS.feedback} ratings, its limit`);
    const given: GivenFeedback[] =
      thumb === null ? [] : [{ kind, on, text, thumb, comment, at: Date.now(), key, run: record.run }];
    this.#catalogue.put({ ...record, feedback: [...others, ...given] });
    await this.#sync.settle(id);
    return ok(null);
  }

  /** Begins another run over the upload. @returns the run */
  async reanalyze(
    id: string,
    options: AnalysisOptions,
    bytes: number,
    { caller, requestId }: Pick<JobRequest, 'caller' | 'requestId'>,
  ): Promise<Result<string>> {
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    if (found.isHeld) return fail('ON_HOLD');
    const { record } = found;
    const { suffix, filename } = record;
    if (record.status !== 'completed' || suffix === null)
      return fail('NOT_COMPLETED', 'This conversation has no result to replace');
    if (record.redacting) return fail('NOT_COMPLETED', 'This conversation is being redacted');
    const run = runOf(id, runsOf(record).length);
    const source = this.#sourceOf(record, suffix, bytes);
    return this.#rerun({ ...record, lastRun: run }, { caller, requestId, source, options, sent: { filename } });
  }

  /**
   * Begins a run that redacts the stored recording, with everything that people wrote about it. On hold, it is refused:
   * it destroys the original.
   * @param by who asks for it, as a receipt names them
   * @param job the redaction over a filter that it belongs to, or null
   * @returns the run, and the id of the receipt that it will have
   */
  async redact(
    id: string,
    { kinds: asked, by, job }: { kinds: readonly RedactionKind[]; by: string; job: string | null },
    request: Pick<JobRequest, 'caller' | 'requestId'>,
  ): Promise<Result<{ run: string; receipt: string }>> {
    const seen = this.#sync.findStaying(id);
    const size = seen?.record.suffix ? await this.#objects.uploadSize(id, seen.record.suffix) : null;
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    if (found.isHeld) return fail('ON_HOLD');
    const { record } = found;
    const { suffix, mode, endedAt, options, edits, lastRun, createdAt } = record;
    if (record.status !== 'completed') return fail('NOT_COMPLETED');
    if (record.redacting || record.pending || (lastRun !== id && (await this.#host.isOpen(lastRun))))
      return fail('NOT_COMPLETED', 'A new analysis of this conversation is already running');
    if (suffix === null || size === null) return fail('NOT_FOUND', 'The recording no longer exists');
    // Until then, the session itself still shows its events.
    const eventsUntil = (endedAt ?? createdAt) + settingsOf(this.#host.env).liveTtlMaxSeconds * 1000;
    if (mode === 'live' && eventsUntil > Date.now())
      return fail(
        'NOT_COMPLETED',
        `The events of this live session are still stored: redact it after ${new Date(eventsUntil).toISOString()}`,
      );
    const affect = withoutAffectOf(options.affect, hiddenLabels(editedBy(edits)));
    const given = { recorded_at: new Date(createdAt).toISOString(), ...options, affect };
    const redact = inOrder([...(options.redact ?? []), ...asked]);
    const { goal: _, ...under } = underTenant({ ...given, redact }, this.#host.options());
    const run = runOf(id, runsOf(record).length);
    const redacting: StoredRedacting = { run, receipt: newReceiptId(), kinds: under.redact ?? redact, by, job };
    const begun = await this.#rerun(
      { ...record, lastRun: run, redacting },
      // The texts go to the pipeline when it begins (`writtenTexts`), so that no job has them.
      {
        ...request,
        source: this.#sourceOf(record, suffix, size),
        options: { ...under, goal: '' },
        sent: { filename: '' },
        isRedaction: true,
      },
    );
    return begun.ok ? ok({ run, receipt: redacting.receipt }) : begun;
  }

  /** The texts that people wrote about a conversation, for its redaction. Those beyond a limit are left out. */
  async writtenTexts(id: string): Promise<{ goal: string; texts: string[] }> {
    const record = this.#sync.find(id)?.record;
    if (!record) return { goal: '', texts: [] };
    let left = MOST_TEXT_CHARS;
    const texts = writtenTexts(record, this.#host.notesOn(id)).filter(({ length }) => {
      const fits = length <= left;
      if (fits) left -= length;
      return fits;
    });
    return { goal: record.options.goal, texts };
  }

  #sourceOf({ id, mode }: StoredRecord, suffix: MediaExtension, bytes: number): JobRequest['source'] {
    const key = runKeys(this.#host.tenant, id, suffix).upload;
    return { type: 'upload', suffix, bytes, key, captured: mode === 'live' ? 'whole' : undefined };
  }

  /** Begins the last run of a record. */
  async #rerun(
    record: StoredRecord,
    {
      sent,
      ...request
    }: Omit<JobRequest, 'tenant' | 'runId' | 'sent'> & { sent: Pick<JobRequest['sent'], 'filename'> },
  ): Promise<Result<string>> {
    const { id, lastRun: runId } = record;
    this.#catalogue.put(record);
    await this.#sync.settle(id);
    if (!this.#sync.findStaying(id)) return UNKNOWN;
    const mode = record.mode === 'live' ? 'batch' : record.mode;
    const { tenant } = this.#host;
    const begun = await this.#host.begin({ tenant, runId, sent: { ...sent, mode }, ...request });
    if (!begun.ok) this.noteEnd(runId, { status: 'cancelled' });
    return begun.ok ? ok(runId) : begun;
  }

  /**
   * Removes a conversation with its objects, row and jobs. Runs that are still open are ended.
   * @param by who asks for it, as a receipt names them
   */
  async remove(id: string, by = RETENTION): Promise<Result<Deletion>> {
    const found = this.#sync.find(id);
    if (!found) return UNKNOWN;
    if (found.isHeld) return fail('ON_HOLD');
    const { status, mode } = found.record;
    // A live session has no job while it is open. A session that failed because of an infrastructure fault can be
    // analysed again as a file.
    if (status === 'processing' && mode === 'live' && !(await this.#host.hasJob(id)))
      return fail('NOT_COMPLETED', 'The live session is still open: finalize or cancel it first');
    const deletion = await this.#erase(id, found);
    const { deleted_at: at, objects: removed, index } = deletion;
    const kind = by === RETENTION ? 'retention' : 'deletion';
    const none = { redaction_id: null, rewritten: [], redaction: null, conversations: null };
    this.#host.onReceipt({ receipt_id: newReceiptId(), kind, at, by, conversation_id: id, removed, index, ...none });
    return ok(deletion);
  }

  /** Removes a conversation that was erased after the backup from which the tenant comes, whatever else holds. */
  async erase(id: string): Promise<void> {
    const found = this.#sync.find(id);
    if (found) await this.#erase(id, found);
    else await this.#host.onErased(id);
  }

  #erase(id: string, { record, card }: Found): Promise<Deletion> {
    return this.#sync.whileRemoving(id, async () => {
      await this.#host.onErased(id);
      const hadJob = await this.#host.forgetJobs(runsOf(record));
      const objects = await this.#objects.removeAll(id);
      const isMatched = this.#host.isMatched(id);
      const isOwed = this.#host.isOwed(id);
      const isListed = this.#host.isListed(id);
      const isShared = this.#host.isShared(id);
      this.#catalogue.remove(id);
      const index: Deletion['index'] = ['record', 'text'];
      if (record.edits.some(({ labels }) => labels)) index.push('labels');
      if (card && Object.keys(card.moments).length > 0) index.push('moments');
      if (hadJob) index.push('job');
      if (isMatched) index.push('rules');
      if (record.people) index.push('people');
      if (isOwed) index.push('commitments');
      if (isListed) index.push('playlists');
      if (isShared) index.push('shares');
      const bytes = objects.reduce((sum, object) => sum + object.bytes, 0);
      return { conversation_id: id, deleted_at: new Date().toISOString(), objects, bytes, index };
    });
  }

  /** Rebuilds a batch of the catalogue from the store; see `CatalogueSync.rebuild`. */
  async rebuild(cursor: string): Promise<{ conversations: number; next: string | null }> {
    if (!(await this.#host.ready())) return { conversations: 0, next: null };
    const rebuilt = await this.#sync.rebuild(cursor);
    // This runs after every batch, because the caller might not ask for the next one.
    await this.#scheduleRetention();
    await this.#host.due.within('conversations', Date.now());
    return rebuilt;
  }

  async #removeExpired(now: number): Promise<number | null> {
    for (const id of this.#catalogue.expired(now, BATCH).ids) await this.remove(id);
    return this.#catalogue.expired(now, 0).next;
  }

  /** Applies retention to conversations that are no longer on hold. */
  async onLifted(): Promise<void> {
    if (this.#host.exists()) await this.#scheduleRetention();
  }

  async #scheduleRetention(): Promise<void> {
    const { next } = this.#catalogue.expired(Date.now(), 0);
    if (next !== null) await this.#host.due.within('retention', next);
  }
}

/** The name, in a receipt, of the removal of what is past its retention. */
const RETENTION = 'retention';

/** The first run of a conversation and its repeated ones. */
export function runsOf({ id, lastRun }: StoredRecord): string[] {
  const repeated = Number(lastRun.slice(id.length + 1));
  return [id, ...Array.from({ length: repeated }, (_, n) => runOf(id, n + 1))];
}

function targetOf({
  moment_id,
  utterance_id,
  line,
}: Omit<Feedback, 'thumb' | 'comment'>): [GivenFeedback['kind'], string] {
  if (moment_id !== undefined) return ['moment', moment_id];
  return utterance_id === undefined ? ['line', line ?? ''] : ['utterance', utterance_id];
}
