import { RpcTarget } from 'cloudflare:workers';
import type {
  ConversationList,
  ConversationQuery,
  DeletionReceipt,
  Edit,
  Feedback,
} from '../../../contract/conversations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AnalysisOptions } from '../../../contract/options.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { asServiceError, logFault } from '../../http/errors.ts';
import type { Env } from '../../identity/env.ts';
import type { Indexed } from '../../results/card.ts';
import { type BegunConversation, begunRecord, type GivenFeedback, type StoredRecord } from '../../results/record.ts';
import { StoredObjects } from '../../results/stored-objects.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Migrations, Sql } from '../../sqlite/migrations.ts';
import { conversationOf, runKeys, runOf } from '../../storage/keys.ts';
import type { JobRequest } from '../jobs/job.ts';
import type { AnalysisOutcome } from '../jobs/job-table.ts';
import { Catalogue, CONVERSATION_TABLES, type Found } from './catalogue.ts';

/** Their tables in the tenant's object. */
export const CONVERSATION_MIGRATIONS: Migrations = { conversations: CONVERSATION_TABLES };

/** What could not be written or taken over is tried again after this, ms. */
const AGAIN_MS = 60_000;
/** Conversations that one alarm writes, removes or reads anew. */
const AT_ONCE = 20;

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown conversation');

/** What the tenant's object gives. */
export interface ConversationsHost {
  sql: Sql;
  due: DueTimes;
  env: Env;
  tenant: string;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Makes one that the settings name, at its first call; false for any other that is not there. */
  ready: () => Promise<boolean>;
  /** How long what the tenant stores stays, days. */
  retentionDays: () => number | null;
  /** Begins an analysis that nobody waits for. */
  begin: (request: JobRequest) => Promise<Result<unknown>>;
  /** Whether there is or was an analysis of its file. */
  hasJob: (run: string) => Promise<boolean>;
  /** Leaves no trace of the analyses of a conversation that are or were made. @returns whether there was one */
  forgetJobs: (runs: readonly string[]) => Promise<boolean>;
}

/** What is to be changed of a conversation. */
export interface Change {
  edits: readonly Edit[];
  /** The object that is shown in place of the measured result; null: none. Absent: as before. */
  shown?: string | null;
  indexed?: Indexed;
}

/**
 * The stored conversations of one tenant. A record is changed here first, and then written to the store beside its result;
 * what could not be written is written later. A conversation's index is made of its result when its analysis has ended.
 */
export class TenantConversations extends RpcTarget {
  readonly #host: ConversationsHost;
  readonly #catalogue: Catalogue;
  readonly #objects: StoredObjects;
  /** What is being removed: nothing more is written of it. */
  readonly #removing = new Set<string>();

  constructor(host: ConversationsHost) {
    super();
    this.#host = host;
    this.#catalogue = new Catalogue(host.sql, host.retentionDays);
    this.#objects = new StoredObjects(host.env, host.tenant);
  }

  /** What the object does of itself for them. */
  get tasks(): DueTasks {
    return { conversations: (now) => this.#settleDue(now), retention: (now) => this.#removeExpired(now) };
  }

  /** Bytes of all that is stored. */
  get storedBytes(): number {
    return this.#host.exists() ? this.#catalogue.storedBytes : 0;
  }

  async list(query: ConversationQuery): Promise<Result<ConversationList>> {
    if (!this.#host.exists()) return ok({ conversations: [], next_cursor: null });
    try {
      return ok(this.#catalogue.list(query));
    } catch (error) {
      if (error instanceof ServiceError) return fail(error.code, error.detail);
      throw error;
    }
  }

  async find(id: string): Promise<Found | null> {
    return this.#find(id);
  }

  /** Ids after one, in order of ids. */
  async idsAfter(id: string, limit: number): Promise<string[]> {
    return this.#host.exists() ? this.#catalogue.idsAfter(id, limit) : [];
  }

  /**
   * Notes a conversation that begins.
   * @throws Error where the tenant is no more
   */
  async begin(begun: BegunConversation): Promise<void> {
    if (!(await this.#host.ready())) throw new Error('The tenant was removed');
    this.noteBegin(begun);
    await this.settle(begun.id);
  }

  /**
   * The same, in the turn that also writes something else; `settle` follows. One that ended without a result begins
   * again; one that has one keeps it.
   */
  noteBegin(begun: BegunConversation): void {
    const known = this.#catalogue.find(begun.id);
    if (!known) this.#catalogue.put(begunRecord(begun, this.#catalogue.nextTime(Date.now())), null);
    else if (known.record.status === 'failed' || known.record.status === 'cancelled') {
      const { requestId, options } = begun;
      const again = { requestId, options, status: 'processing', endedAt: null, error: null } as const;
      this.#catalogue.put({ ...known.record, ...again }, null);
    }
  }

  /**
   * Notes how an analysis ended, once; of one that ended well, the result is read and takes its place.
   * @returns false for a conversation that is not there any more
   */
  async end(run: string, outcome: AnalysisOutcome): Promise<boolean> {
    const isThere = this.noteEnd(run, outcome);
    if (isThere) await this.settle(conversationOf(run));
    return isThere;
  }

  /** The same, in the turn that also writes something else; `settle` follows. */
  noteEnd(run: string, outcome: AnalysisOutcome): boolean {
    const found = this.#find(conversationOf(run));
    if (!found) return false;
    const { record } = found;
    const isCompleted = outcome.status === 'completed';
    if (record.status === 'processing') {
      const error = outcome.status === 'failed' ? { code: outcome.code, message: outcome.message } : null;
      const pending = isCompleted ? run : null;
      this.#catalogue.put({ ...record, status: outcome.status, endedAt: Date.now(), error, pending }, null);
    } else if (isCompleted && run !== record.run) this.#catalogue.put({ ...record, pending: run });
    return true;
  }

  /** Does what is left to do after a change: takes a result over, writes the record to the store. What fails is done later. */
  async settle(id: string): Promise<void> {
    await this.#settle(id);
    await this.#armRetention();
  }

  /** Forgets a conversation of which nothing was kept. */
  async drop(id: string): Promise<void> {
    if (!this.#host.exists() || !this.#catalogue.remove(id)) return;
    this.#removing.add(id);
    await this.#objects.removeRecord(id).finally(() => this.#removing.delete(id));
  }

  /**
   * Changes a conversation, unless somebody did meanwhile.
   * @param seen what its change was made of
   */
  async change(id: string, seen: StoredRecord, { edits, shown, indexed }: Change): Promise<'done' | 'outdated'> {
    const found = this.#staying(id);
    if (!found || found.record.run !== seen.run || JSON.stringify(found.record.edits) !== JSON.stringify(seen.edits))
      return 'outdated';
    const { record } = found;
    const next = { ...record, edits: [...edits], shown: shown === undefined ? record.shown : shown };
    this.#catalogue.put(next, indexed);
    if (record.shown !== null && record.shown !== next.shown) await this.#objects.removeShown(record.run, record.shown);
    await this.#settle(id);
    return 'done';
  }

  /** @param days null: as long as what the tenant stores */
  async keep(id: string, days: number | null): Promise<void> {
    const found = this.#find(id);
    if (!found) return;
    this.#catalogue.put({ ...found.record, retentionDays: days });
    await this.#settle(id);
    await this.#armRetention();
  }

  /** The tenant's own days have changed. */
  async retain(): Promise<void> {
    if (!this.#host.exists()) return;
    this.#catalogue.retain();
    await this.#armRetention();
  }

  /** A thumb, in the place of the one that was given before. @param text what was said or told there */
  async thumb(id: string, { thumb, comment = '', ...on }: Feedback, text: string, key: string): Promise<Result<null>> {
    const found = this.#find(id);
    if (!found) return UNKNOWN;
    const { record } = found;
    const [kind, what] = placeOf(on);
    const others = record.feedback.filter((f) => f.kind !== kind || f.on !== what || f.run !== record.run);
    if (thumb !== null && others.length >= LIMITS.feedback)
      return fail('INVALID_REQUEST', `A conversation takes at most ${LIMITS.feedback} thumbs`);
    const given: GivenFeedback[] =
      thumb === null ? [] : [{ kind, on: what, text, thumb, comment, at: Date.now(), key, run: record.run }];
    this.#catalogue.put({ ...record, feedback: [...others, ...given] });
    await this.#settle(id);
    return ok(null);
  }

  /** Begins an analysis anew of what was uploaded. @returns its run */
  async reanalyze(
    id: string,
    options: AnalysisOptions,
    bytes: number,
    { caller, requestId }: Pick<JobRequest, 'caller' | 'requestId'>,
  ): Promise<Result<string>> {
    const found = this.#staying(id);
    if (!found) return UNKNOWN;
    const { record } = found;
    const { suffix, filename } = record;
    if (record.status !== 'completed' || suffix === null) return fail('NOT_COMPLETED', 'There is no result to replace');
    const run = runOf(id, runsOf(record).length);
    this.#catalogue.put({ ...record, lastRun: run });
    await this.#settle(id);
    if (!this.#staying(id)) return UNKNOWN;
    const { tenant } = this.#host;
    const { upload } = runKeys(tenant, id, suffix);
    const mode = record.mode === 'live' ? 'batch' : record.mode;
    const source = { type: 'upload', suffix, bytes, key: upload } as const;
    const sent = { mode, filename };
    const begun = await this.#host.begin({ tenant, caller, runId: run, requestId, sent, source, options });
    return begun.ok ? ok(run) : begun;
  }

  /** Leaves nothing of a conversation: no object, no row, no job. What is still being made of it ends. */
  async remove(id: string): Promise<Result<DeletionReceipt>> {
    const found = this.#find(id);
    if (!found) return UNKNOWN;
    const { status, mode } = found.record;
    // As long as a live session goes on there is no job of it; one that a machine failed may be analysed again as a file.
    if (status === 'processing' && mode === 'live' && !(await this.#host.hasJob(id)))
      return fail('NOT_COMPLETED', 'The live session goes on: finalize or cancel it first');
    this.#removing.add(id);
    try {
      const { record, card } = found;
      const hadJob = await this.#host.forgetJobs(runsOf(record));
      const objects = await this.#objects.removeAll(id);
      this.#catalogue.remove(id);
      const index: DeletionReceipt['index'] = ['record', 'text'];
      if (record.edits.some(({ labels }) => labels)) index.push('labels');
      if (card && Object.keys(card.moments).length > 0) index.push('moments');
      if (hadJob) index.push('job');
      const bytes = objects.reduce((sum, object) => sum + object.bytes, 0);
      return ok({ conversation_id: id, deleted_at: new Date().toISOString(), objects, bytes, index });
    } finally {
      this.#removing.delete(id);
    }
  }

  /**
   * Makes places in the catalogue anew, of the records that lie in the store; those of before are written over.
   * @param cursor the id after which to go on; '' to begin
   * @returns how many, and where to go on; null at the end
   */
  async rebuild(cursor: string): Promise<{ conversations: number; next: string | null }> {
    if (!(await this.#host.ready())) return { conversations: 0, next: null };
    let conversations = 0;
    let next: string | null = null;
    for await (const id of this.#objects.idsAfter(cursor)) {
      if (conversations === AT_ONCE) {
        next = cursor;
        break;
      }
      await this.#rebuildOne(id);
      conversations++;
      cursor = id;
    }
    // Also where nobody goes on.
    await this.#armRetention();
    await this.#host.due.within('conversations', Date.now());
    return { conversations, next };
  }

  /** What is changed or removed while its record and result are read, or is yet to be written, is newer than what lies in the store. */
  async #rebuildOne(id: string): Promise<void> {
    const before = this.#asStored(id);
    if (before === null) return;
    const record = await this.#objects.record(id);
    if (!record) return;
    try {
      const isIndexed = record.status === 'completed' && record.pending === null;
      const indexed = isIndexed ? await this.#readableIndex(record) : null;
      if (this.#asStored(id) === before) this.#catalogue.put(record, indexed, record.pending !== null);
    } catch (error) {
      if (this.#asStored(id) === before) throw error;
    }
  }

  /** Null where the result is gone or damaged: its conversation is listed without what it would say, and can be removed. */
  async #readableIndex(record: StoredRecord): Promise<Indexed | null> {
    try {
      return await this.#objects.indexOf(record);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'ANALYSIS_FAILURE') throw error;
      logFault(error, { task: 'conversations', conversation_id: record.id });
      return null;
    }
  }

  /** A row as the store should have it, to be compared; null of one that is being removed or is yet to be written. */
  #asStored(id: string): string | null {
    if (this.#removing.has(id) || this.#catalogue.isDue(id)) return null;
    return JSON.stringify(this.#catalogue.find(id)?.record ?? {});
  }

  #find(id: string): Found | null {
    return this.#host.exists() ? this.#catalogue.find(id) : null;
  }

  /** The same of one that is not being removed. */
  #staying(id: string): Found | null {
    return this.#removing.has(id) ? null : this.#find(id);
  }

  /** Takes a result over that is pending, and writes the record to the store; what fails is tried again. */
  async #settle(id: string): Promise<void> {
    try {
      const found = this.#find(id);
      if (!found || this.#removing.has(id)) return;
      if (found.record.pending !== null) await this.#takeOver(found.record, found.record.pending);
      else await this.#weigh(found.record);
      await this.#save(id);
    } catch (error) {
      logFault(asServiceError(error), { task: 'conversations', conversation_id: id });
    }
    if (this.#catalogue.isDue(id)) await this.#host.due.within('conversations', Date.now() + AGAIN_MS);
  }

  /** The result of an analysis takes the place of that of before; of its edits only title and labels go with it. */
  async #takeOver(record: StoredRecord, run: string): Promise<void> {
    const replaced = run === record.run ? null : record.run;
    const edits = replaced ? record.edits.map(({ title, labels }): Edit => ({ title, labels })) : record.edits;
    const next: StoredRecord = { ...record, run, pending: null, shown: null, edits: edits.filter(saysAnything) };
    const indexed = await this.#objects.indexOf(next);
    const { bytes, suffix } = await this.#objects.weigh(record.id, replaced);
    const now = this.#find(record.id);
    // Changed or removed meanwhile: it is looked at again.
    if (!now || JSON.stringify(now.record) !== JSON.stringify(record)) return;
    this.#catalogue.put({ ...next, bytes, suffix }, indexed);
    if (replaced) await this.#objects.removeDocuments(replaced);
  }

  /** What is left of one that ended without a result: an upload that may be asked for again. */
  async #weigh(record: StoredRecord): Promise<void> {
    if (record.status !== 'failed' && record.status !== 'cancelled') return;
    const { bytes } = await this.#objects.weigh(record.id, null);
    const now = this.#find(record.id);
    if (now && now.record.status === record.status && now.record.bytes !== bytes)
      this.#catalogue.put({ ...now.record, bytes });
  }

  async #save(id: string): Promise<void> {
    const found = this.#find(id);
    if (!found || this.#removing.has(id)) return;
    const { record } = found;
    await this.#objects.writeRecord(record);
    // Who removed it meanwhile may have been too early.
    if (this.#removing.has(id) || !this.#find(id)) await this.#objects.removeRecord(id);
    else if (record.pending === null) this.#catalogue.saved(record);
  }

  async #settleDue(now: number): Promise<number | null> {
    for (const id of this.#catalogue.due(AT_ONCE)) await this.#settle(id);
    return this.#catalogue.due(1).length > 0 ? now + AGAIN_MS : null;
  }

  async #removeExpired(now: number): Promise<number | null> {
    for (const id of this.#catalogue.expired(now, AT_ONCE).ids) await this.remove(id);
    return this.#catalogue.expired(now, 0).next;
  }

  /** The alarm is set to when the next is to go. */
  async #armRetention(): Promise<void> {
    const { next } = this.#catalogue.expired(Date.now(), 0);
    if (next !== null) await this.#host.due.within('retention', next);
  }
}

/** The first analysis of a conversation, and those anew. */
function runsOf({ id, lastRun }: StoredRecord): string[] {
  const anew = Number(lastRun.slice(id.length + 1));
  return [id, ...Array.from({ length: anew }, (_, n) => runOf(id, n + 1))];
}

const saysAnything = (edit: Edit): boolean => Object.values(edit).some((value) => value !== undefined);

function placeOf({
  moment_id,
  utterance_id,
  line,
}: Omit<Feedback, 'thumb' | 'comment'>): [GivenFeedback['kind'], string] {
  if (moment_id !== undefined) return ['moment', moment_id];
  return utterance_id === undefined ? ['line', line ?? ''] : ['utterance', utterance_id];
}
