import type { Edit } from '../../../contract/conversations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { StoredReceipt } from '../../../contract/receipts.ts';
import { asServiceError, logFault } from '../../http/errors.ts';
import type { Indexed } from '../../results/card.ts';
import type { StoredRecord, StoredRedacting } from '../../results/record.ts';
import { redactedRecord, UNREAD, writtenTexts } from '../../results/redacted-record.ts';
import { changedRecord } from '../../results/shown-result.ts';
import type { StoredObjects } from '../../results/stored-objects.ts';
import type { DueTimes } from '../../sqlite/due-times.ts';
import type { Catalogue, Found } from './catalogue.ts';

/** Time after which a failed step is repeated, ms. */
const RETRY_MS = 60_000;
/** Number of conversations that one alarm finishes, removes or reads again. */
export const BATCH = 20;

/** The parts of the tenant's object that keep both consistent. */
export interface SyncHost {
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Whether a conversation was erased. */
  isErased: (id: string) => boolean;
  /** Called in the turn that installs the result of a run. */
  onInstalled: (id: string) => Promise<void>;
  /** The notes of playlists on pieces of a conversation. */
  notesOn: (id: string) => string[];
  /** Called in the turn that installs a redacted result. @returns how many notes changed and messages were removed */
  onRedacted: (record: StoredRecord, redacted: (text: string) => string) => { notes: number; messages: number };
  /** Called when nothing of what was redacted is stored any more, with the receipt. It may be called twice. */
  onRedactionDone: (id: string, receipt: StoredReceipt) => Promise<void>;
}

/**
 * Keeps the catalogue and the object store consistent. The result of a finished run replaces the earlier one, and every
 * record is also written beside its result. If a step fails, the tenant's alarm repeats it.
 */
export class CatalogueSync {
  readonly #catalogue: Catalogue;
  readonly #objects: StoredObjects;
  readonly #due: DueTimes;
  readonly #host: SyncHost;
  /** Conversations that are being removed. Nothing is written for them. */
  readonly #removing = new Set<string>();

  constructor(catalogue: Catalogue, objects: StoredObjects, due: DueTimes, host: SyncHost) {
    this.#catalogue = catalogue;
    this.#objects = objects;
    this.#due = due;
    this.#host = host;
  }

  find(id: string): Found | null {
    return this.#host.exists() ? this.#catalogue.find(id) : null;
  }

  /** A conversation that is not being removed. */
  findStaying(id: string): Found | null {
    return this.#removing.has(id) ? null : this.find(id);
  }

  /** Runs a removal. Nothing is written for the conversation during that time. */
  async whileRemoving<T>(id: string, remove: () => Promise<T>): Promise<T> {
    this.#removing.add(id);
    try {
      return await remove();
    } finally {
      this.#removing.delete(id);
    }
  }

  /** Installs a pending result and writes the record to the store. Never rejects. */
  async settle(id: string): Promise<void> {
    try {
      const found = this.findStaying(id);
      if (!found) return;
      const { pending, redacting } = found.record;
      if (pending === null) await this.#updateSize(found.record);
      else if (redacting?.run === pending) await this.#installRedacted(found.record, redacting);
      else await this.#installResult(found.record, pending);
      await this.#finishRedaction(id);
      await this.#writeRecord(id);
    } catch (error) {
      logFault(asServiceError(error), { task: 'conversations', conversation_id: id });
    }
    if (this.#catalogue.isDue(id)) await this.#due.within('conversations', Date.now() + RETRY_MS);
  }

  /** @returns when the next batch is due, Unix time, ms; null when nothing is left */
  async settleDue(now: number): Promise<number | null> {
    for (const id of this.#catalogue.due(BATCH)) await this.settle(id);
    return this.#catalogue.due(1).length > 0 ? now + RETRY_MS : null;
  }

  /**
   * Copies a batch of records from the store to the catalogue, replacing existing rows.
   * @param cursor the id after which to continue; '' to begin
   * @returns their number, and the cursor of the next batch; null at the end
   */
  async rebuild(cursor: string): Promise<{ conversations: number; next: string | null }> {
    let conversations = 0;
    let next: string | null = null;
    for await (const id of this.#objects.idsAfter(cursor)) {
      if (conversations === BATCH) {
        next = cursor;
        break;
      }
      await this.#rebuildOne(id);
      conversations++;
      cursor = id;
    }
    return { conversations, next };
  }

  /**
   * Rebuilds a row from the store. A row is newer than the store if it changes while its record and result are read, or
   * if it still has to be written.
   */
  async #rebuildOne(id: string): Promise<void> {
    const before = this.#writtenRow(id);
    if (before === null) return;
    // Somebody brought its objects back.
    if (this.#host.isErased(id)) {
      await this.#objects.removeAll(id);
      return;
    }
    const record = await this.#objects.record(id);
    if (!record) return;
    try {
      const isIndexed = record.status === 'completed' && record.pending === null;
      const indexed = isIndexed ? await this.#readableIndex(record) : null;
      if (this.#writtenRow(id) === before) this.#catalogue.put(record, indexed, record.pending !== null);
    } catch (error) {
      if (this.#writtenRow(id) === before) throw error;
    }
  }

  /**
   * @returns null when the result is missing or damaged; the conversation is then listed without it, and can be removed
   */
  async #readableIndex(record: StoredRecord): Promise<Indexed | null> {
    try {
      return await this.#objects.indexOf(record);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'ANALYSIS_FAILURE') throw error;
      logFault(error, { task: 'conversations', conversation_id: record.id });
      return null;
    }
  }

  /**
   * A row's state for comparison. Null while the conversation is being removed or its record still has to be written to
   * the store.
   */
  #writtenRow(id: string): string | null {
    if (this.#removing.has(id) || this.#catalogue.isDue(id)) return null;
    return JSON.stringify(this.#catalogue.find(id)?.record ?? {});
  }

  /**
   * Replaces the result with that of another run. Only the edits of the title, the labels and the people also apply to
   * the new result.
   */
  async #installResult(record: StoredRecord, run: string): Promise<void> {
    const replaced = run === record.run ? null : record.run;
    const edits = replaced ? record.edits.map(({ title, labels }): Edit => ({ title, labels })) : record.edits;
    const plain: StoredRecord = { ...record, run, pending: null, shown: null, edits: edits.filter(hasValue) };
    const change = replaced && record.people ? await this.#objects.carryPeople(record, run, plain.edits) : null;
    const next = change ? changedRecord(plain, change) : plain;
    const indexed = change?.indexed ?? (await this.#objects.indexOf(next));
    // A hold keeps the old documents, which go with the conversation.
    const removed = this.find(record.id)?.isHeld ? null : replaced;
    const { bytes, suffix } = await this.#objects.weigh(record.id, removed);
    const now = this.find(record.id);
    // A record that changed in the meantime is processed again. A removed one needs nothing.
    if (!now || JSON.stringify(now.record) !== JSON.stringify(record)) return;
    this.#catalogue.put({ ...next, bytes, suffix }, indexed);
    await this.#host.onInstalled(record.id);
    if (removed) await this.#objects.removeDocuments(removed);
  }

  /**
   * Replaces the result with a redacted one, and every text that people wrote with its redacted form. A text that the
   * pipeline did not read, because somebody wrote it in the meantime, is removed.
   */
  async #installRedacted(record: StoredRecord, redacting: StoredRedacting): Promise<void> {
    const { run, receipt: receipt_id, kinds, by, job } = redacting;
    const notes = this.#host.notesOn(record.id);
    const known = await this.#objects.redactedTexts(run, writtenTexts(record, notes));
    const redacted = (text: string): string => known(text) ?? UNREAD;
    const { record: texts, deed } = redactedRecord(record, kinds, redacted);
    const plain: StoredRecord = { ...texts, run, pending: null, shown: null };
    // A person is shown by name.
    const carries = record.people && !kinds.includes('name');
    const change = carries ? await this.#objects.carryPeople(record, run, plain.edits) : null;
    const people = Object.keys(record.people ?? {}).length;
    const next = change ? changedRecord(plain, change) : plain;
    const indexed = change?.indexed ?? (await this.#objects.indexOf(next));
    const quotes = new Set(indexed.commitments.map(({ quote }) => quote));
    const { commitments = [], ...bare } = next;
    const statuses = commitments.filter(({ quote }) => quotes.has(quote));
    const report = await this.#objects.redactionOf(run);
    const { bytes, suffix } = await this.#objects.weigh(record.id, null);
    const objects = await this.#objects.replacedBy(record.id, run);
    const now = this.find(record.id);
    const isSame =
      now && JSON.stringify([now.record, this.#host.notesOn(record.id)]) === JSON.stringify([record, notes]);
    if (!isSame) return;
    const gone = objects.removed.reduce((sum, object) => sum + object.bytes, 0);
    const { notes: changed, messages } = this.#host.onRedacted(record, redacted);
    const done: StoredReceipt = {
      receipt_id,
      kind: 'redaction',
      at: new Date().toISOString(),
      by,
      conversation_id: record.id,
      redaction_id: job,
      ...objects,
      index: [],
      redaction: {
        kinds,
        counts: report?.counts ?? {},
        verified: report?.verified ?? false,
        texts: { ...deed.texts, notes: changed },
        removed: {
          ...deed.removed,
          messages,
          commitments: commitments.length - statuses.length,
          people: people - Object.keys(next.people ?? {}).length,
        },
      },
      conversations: null,
    };
    const installed = {
      ...bare,
      ...(statuses.length > 0 && { commitments: statuses }),
      redacting: { ...redacting, done },
    };
    this.#catalogue.put({ ...installed, bytes: bytes - gone, suffix }, indexed);
    await this.#host.onInstalled(record.id);
  }

  /** Removes what the runs before a redaction left, also on hold: the recording is not the original any more. */
  async #finishRedaction(id: string): Promise<void> {
    const done = this.findStaying(id)?.record.redacting?.done;
    if (!done) return;
    await this.#objects.remove(done.removed);
    await this.#host.onRedactionDone(id, done);
    const now = this.findStaying(id);
    if (now?.record.redacting?.receipt !== done.receipt_id) return;
    const { redacting: _, ...record } = now.record;
    this.#catalogue.put(record);
  }

  /** Records the bytes that a conversation without a result still takes up because its upload is retained. */
  async #updateSize(record: StoredRecord): Promise<void> {
    if (record.status !== 'failed' && record.status !== 'cancelled') return;
    const { bytes } = await this.#objects.weigh(record.id, null);
    const now = this.find(record.id);
    if (now && now.record.status === record.status && now.record.bytes !== bytes)
      this.#catalogue.put({ ...now.record, bytes });
  }

  async #writeRecord(id: string): Promise<void> {
    const found = this.findStaying(id);
    if (!found) return;
    const { record } = found;
    await this.#objects.writeRecord(record);
    // A removal that ran in the meantime may have listed the objects before the record was written.
    if (!this.findStaying(id)) await this.#objects.removeRecord(id);
    else if (record.pending === null && !record.redacting?.done) this.#catalogue.saved(record);
  }
}

const hasValue = (edit: Edit): boolean => Object.values(edit).some((value) => value !== undefined);
