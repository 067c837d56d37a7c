import { RpcTarget } from 'cloudflare:workers';
import type { Batch, BatchAct, BatchItem } from '../../../contract/batch.ts';
import type {
  ConversationEntry,
  ConversationFilterInput,
  ConversationList,
  ConversationQuery,
  Deletion,
  Feedback,
  Match,
  NewComment,
} from '../../../contract/conversations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AnalysisOptions } from '../../../contract/options.ts';
import type { StoredReceipt } from '../../../contract/receipts.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { peopleIn } from '../../results/edits/people.ts';
import { type BegunConversation, begunRecord, type StoredComment, type StoredRecord } from '../../results/record.ts';
import { type Change, changedRecord } from '../../results/shown-result.ts';
import { StoredObjects } from '../../results/stored-objects.ts';
import type { DueTasks } from '../../sqlite/due-times.ts';
import type { Migrations } from '../../sqlite/migrations.ts';
import { newId } from '../../sqlite/values.ts';
import { conversationOf } from '../../storage/keys.ts';
import { IS_HELD } from '../holds/tenant-holds.ts';
import { type AnalysisOutcome, KEPT_UNTIL } from '../jobs/job-table.ts';
import { Annotations, type GivenStatus } from './annotations.ts';
import { batchOf, receiptOf } from './batches.ts';
import { Catalogue, CONVERSATION_TABLES, type Found } from './catalogue.ts';
import { BATCH, CatalogueSync } from './catalogue-sync.ts';
import type { ConversationsHost } from './conversations-host.ts';
import { type AskedRedaction, RepeatedRuns, type RunRequest, runsOf } from './repeated-runs.ts';

/** The catalogue's tables in the tenant's object. */
export const CONVERSATION_MIGRATIONS: Migrations = { conversations: CONVERSATION_TABLES };

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown conversation');

/**
 * The stored conversations of one tenant. A record is changed here first and then written to the store
 * (`CatalogueSync`). A conversation is indexed from its result when its analysis has ended. The class has one method for
 * each call over RPC; what takes more than a few lines is in the files beside it.
 */
export class TenantConversations extends RpcTarget {
  readonly #host: ConversationsHost;
  readonly #catalogue: Catalogue;
  readonly #objects: StoredObjects;
  readonly #sync: CatalogueSync;
  readonly #annotations: Annotations;
  readonly #runs: RepeatedRuns;

  constructor(host: ConversationsHost) {
    super();
    this.#host = host;
    this.#catalogue = new Catalogue(host.sql, host.retentionDays, host.onIndexed, IS_HELD, KEPT_UNTIL);
    this.#objects = new StoredObjects(host.env, host.tenant);
    this.#sync = new CatalogueSync(this.#catalogue, this.#objects, host.due, host);
    this.#annotations = new Annotations(this.#catalogue, this.#sync);
    this.#runs = new RepeatedRuns(this.#catalogue, this.#objects, this.#sync, {
      ...host,
      onRefused: (run) => this.noteEnd(run, { status: 'cancelled' }),
    });
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
      const { status, moment, q } = query;
      const ids = conversations.map((entry) => entry.conversation_id);
      const owed = this.#host.commitmentCounts(ids);
      const quotes = moment && q === undefined ? this.#host.quotes(ids, moment) : new Map<string, Match[]>();
      const known = await Promise.all(
        conversations.map(async (entry) => {
          const commitments = owed.get(entry.conversation_id);
          const matches = quotes.get(entry.conversation_id);
          return this.#withStatus({ ...entry, ...(commitments && { commitments }), ...(matches && { matches }) });
        }),
      );
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
    return this.#annotations.setReviewed(id, isReviewed);
  }

  /** Adds and removes labels. @returns whether that is a change */
  async relabel(id: string, labels: NonNullable<BatchAct['labels']>): Promise<Result<boolean>> {
    return this.#annotations.relabel(id, labels);
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

  /** Adds a comment. @param key id of the key that writes it, with its tenant */
  async comment(id: string, comment: NewComment, key: string): Promise<Result<StoredComment>> {
    return this.#annotations.comment(id, comment, key);
  }

  async changeComment(id: string, comment: string, text: string): Promise<Result<StoredComment>> {
    return this.#annotations.changeComment(id, comment, text);
  }

  async removeComment(id: string, comment: string): Promise<Result<null>> {
    return this.#annotations.removeComment(id, comment);
  }

  /** Sets the status of a commitment. */
  async setCommitment(id: string, set: GivenStatus): Promise<Result<null>> {
    return this.#annotations.setCommitment(id, set);
  }

  /** Stores feedback, replacing earlier feedback on the same item. @param text the text that was rated */
  async giveFeedback(id: string, feedback: Feedback, text: string, key: string): Promise<Result<null>> {
    return this.#annotations.giveFeedback(id, feedback, text, key);
  }

  /** Applies a change to the tenant's retention. */
  async retain(): Promise<void> {
    if (!this.#host.exists()) return;
    this.#catalogue.retain();
    await this.#scheduleRetention();
  }

  /** Begins another run over the upload. @returns the run */
  async reanalyze(id: string, options: AnalysisOptions, bytes: number, request: RunRequest): Promise<Result<string>> {
    return this.#runs.reanalyze(id, options, bytes, request);
  }

  /** Begins a run that redacts the stored recording; see `RepeatedRuns.redact`. */
  async redact(
    id: string,
    redaction: AskedRedaction,
    request: RunRequest,
  ): Promise<Result<{ run: string; receipt: string }>> {
    return this.#runs.redact(id, redaction, request);
  }

  /** The texts that people wrote about a conversation, for its redaction. Those beyond a limit are left out. */
  async writtenTexts(id: string): Promise<{ goal: string; texts: string[] }> {
    return this.#runs.writtenTexts(id);
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
    this.#host.onReceipt({ receipt_id: newId('receipt'), kind, at, by, conversation_id: id, removed, index, ...none });
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
