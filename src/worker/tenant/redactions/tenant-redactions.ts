import { RpcTarget } from 'cloudflare:workers';
import { ServiceError } from '../../../contract/errors.ts';
import type { StoredReceipt } from '../../../contract/receipts.ts';
import { MOST_REDACTED, type NewRedaction, type RedactionJobBody } from '../../../contract/redactions.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { Actor, CallerName } from '../../identity/caller.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { newId } from '../../sqlite/values.ts';
import type { Audit } from '../audit.ts';
import type { TenantConversations } from '../catalogue/tenant-conversations.ts';
import type { Receipts } from '../receipts.ts';

/**
 * `redactions` contains the redactions over filters, `redaction_items` the conversations that each covers, which are
 * `waiting`, `running`, `redacted`, `on_hold`, `failed` or `gone`. The filter itself is not kept, because it may contain
 * what is redacted.
 */
export const REDACTION_TABLES = [
  `CREATE TABLE redactions (
    id TEXT PRIMARY KEY, kinds TEXT NOT NULL, by TEXT NOT NULL, caller TEXT NOT NULL, request_id TEXT NOT NULL,
    created_at INTEGER NOT NULL, ended_at INTEGER, receipt TEXT
  ) WITHOUT ROWID;
  CREATE INDEX redactions_open ON redactions (created_at) WHERE ended_at IS NULL;
  CREATE TABLE redaction_items (
    redaction TEXT NOT NULL, i INTEGER NOT NULL, conversation TEXT NOT NULL, state TEXT NOT NULL, run TEXT,
    is_verified INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (redaction, i)
  ) WITHOUT ROWID;
  CREATE INDEX redaction_items_by_state ON redaction_items (redaction, state);`,
];

type ItemState = 'waiting' | 'running' | 'redacted' | 'on_hold' | 'failed' | 'gone';

/** How many conversations of a tenant are redacted at once, so that its other analyses are not kept waiting. */
const AT_ONCE = 4;
/** Open redactions of a tenant. */
const MOST_OPEN = 10;
/** When running ones are looked at again, ms. Their end is normally reported. */
const LOOK_MS = 60_000;
/** How long a redaction that has ended is kept, ms, as the job of an analysis. Its receipt is kept for longer. */
const KEPT_MS = 30 * 86_400_000;

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown redaction');

/** The parts of the tenant's object that redactions use. */
export interface RedactionsHost {
  sql: Sql;
  due: DueTimes;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  conversations: Pick<TenantConversations, 'matching' | 'redact'>;
  /** Whether the run's job has not ended. */
  isOpen: (run: string) => Promise<boolean>;
  receipts: Receipts;
  audit: Pick<Audit, 'record'>;
}

interface JobRow extends Record<string, SqlValue> {
  id: string;
  kinds: string;
  by: string;
  caller: string;
  request_id: string;
  created_at: number;
  ended_at: number | null;
  receipt: string | null;
}

/** Redactions of everything that matched a filter when they began. */
export class TenantRedactions extends RpcTarget {
  readonly #host: RedactionsHost;

  constructor(host: RedactionsHost) {
    super();
    this.#host = host;
  }

  /** The task that the tenant's alarm runs. */
  get tasks(): DueTasks {
    return { redactions: (now) => this.#goOn(now) };
  }

  async add({ filter, kinds }: NewRedaction, caller: CallerName, actor: Actor): Promise<Result<RedactionJobBody>> {
    if (!this.#host.exists()) return fail('NOT_FOUND', 'No conversation matches');
    const { n: open } = this.#sql
      .exec<{ n: number }>('SELECT count(*) AS n FROM redactions WHERE ended_at IS NULL')
      .one();
    if (open >= MOST_OPEN)
      return fail('RATE_LIMITED', `This tenant already has ${MOST_OPEN} redactions running, its limit`);
    let ids: string[];
    try {
      ids = this.#host.conversations.matching(filter, MOST_REDACTED + 1);
    } catch (error) {
      if (error instanceof ServiceError) return fail(error.code, error.detail);
      throw error;
    }
    if (ids.length === 0) return fail('NOT_FOUND', 'No conversation matches');
    if (ids.length > MOST_REDACTED)
      return fail('INVALID_REQUEST', `filter: matches more than ${MOST_REDACTED} conversations`);
    const now = Date.now();
    const id = newId('redaction');
    this.#sql.exec(
      'INSERT INTO redactions VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)',
      ...[id, JSON.stringify(kinds), actor.who, JSON.stringify(caller), actor.requestId, now],
    );
    for (const [i, conversation] of ids.entries())
      this.#sql.exec(
        `INSERT INTO redaction_items (redaction, i, conversation, state) VALUES (?, ?, ?, 'waiting')`,
        ...[id, i, conversation],
      );
    this.#host.audit.record(actor, 'redaction.begun', id, { kinds, conversations: ids.length }, now);
    await this.#host.due.within('redactions', now);
    return this.read(id);
  }

  async read(id: string): Promise<Result<RedactionJobBody>> {
    const row = this.#find(id);
    if (!row) return UNKNOWN;
    const of = this.#countsOf(id);
    const { redacted, on_hold, failed, gone } = of;
    return ok({
      redaction_id: id,
      status: row.ended_at === null ? 'running' : 'completed',
      kinds: JSON.parse(row.kinds),
      by: row.by,
      created_at: new Date(row.created_at).toISOString(),
      ended_at: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
      total: Object.values(of).reduce((sum, n) => sum + n, 0),
      waiting: of.waiting + of.running,
      ...{ redacted, on_hold, failed, gone },
      receipt_id: row.receipt,
    });
  }

  /** Notes how the redaction of one conversation ended. @param receipt null if it failed */
  async onEnded(id: string, conversation: string, receipt: StoredReceipt | null): Promise<void> {
    this.#sql.exec(
      `UPDATE redaction_items SET state = ?, is_verified = ? WHERE redaction = ? AND conversation = ? AND state = 'running'`,
      ...[receipt ? 'redacted' : 'failed', receipt?.redaction?.verified ? 1 : 0, id, conversation],
    );
    await this.#host.due.within('redactions', Date.now());
  }

  /** Forgets old redactions. */
  forget(now: number): void {
    const old = 'SELECT id FROM redactions WHERE ended_at < ?1';
    this.#sql.exec(`DELETE FROM redaction_items WHERE redaction IN (${old})`, now - KEPT_MS);
    this.#sql.exec('DELETE FROM redactions WHERE ended_at < ?', now - KEPT_MS);
  }

  /** Begins what can begin, and ends what is done, oldest first. */
  async #goOn(now: number): Promise<number | null> {
    const open = this.#sql
      .exec<JobRow>('SELECT * FROM redactions WHERE ended_at IS NULL ORDER BY created_at, id')
      .toArray();
    let free = AT_ONCE;
    for (const row of open) {
      free -= await this.#stillRunning(row.id);
      while (free > 0) {
        const next = this.#nextOf(row.id);
        if (next === undefined) break;
        if (await this.#begin(row, next)) free--;
      }
      const { waiting, running } = this.#countsOf(row.id);
      if (waiting + running === 0) this.#end(row, now);
    }
    const { n } = this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM redactions WHERE ended_at IS NULL').one();
    return n > 0 ? now + LOOK_MS : null;
  }

  /** How many run. One whose run has ended without a report failed, or was deleted. */
  async #stillRunning(id: string): Promise<number> {
    let running = 0;
    const sql = `SELECT i, conversation, run FROM redaction_items WHERE redaction = ? AND state = 'running'`;
    for (const { i, conversation, run } of this.#sql
      .exec<{ i: number; conversation: string; run: string }>(sql, id)
      .toArray()) {
      if (await this.#host.isOpen(run)) {
        running++;
        continue;
      }
      const receipt = this.#host.receipts
        .list({ conversation_id: conversation, redaction_id: id, limit: 1 })
        .receipts.at(0);
      this.#settle(id, i, receipt ? 'redacted' : 'failed', receipt?.redaction?.verified);
    }
    return running;
  }

  /** @returns whether it runs */
  async #begin({ id, kinds, by, caller, request_id: requestId }: JobRow, next: Item): Promise<boolean> {
    const request = { caller: JSON.parse(caller) as CallerName, requestId };
    const begun = await this.#host.conversations.redact(
      next.conversation,
      { kinds: JSON.parse(kinds), by, job: id },
      request,
    );
    if (begun.ok) {
      this.#sql.exec(
        `UPDATE redaction_items SET state = 'running', run = ? WHERE redaction = ? AND i = ? AND state = 'waiting'`,
        ...[begun.value.run, id, next.i],
      );
      return true;
    }
    const state = begun.code === 'ON_HOLD' ? 'on_hold' : begun.code === 'NOT_FOUND' ? 'gone' : 'failed';
    this.#settle(id, next.i, state);
    return false;
  }

  #settle(id: string, i: number, state: ItemState, isVerified = false): void {
    this.#sql.exec(
      'UPDATE redaction_items SET state = ?, is_verified = ? WHERE redaction = ? AND i = ?',
      ...[state, isVerified ? 1 : 0, id, i],
    );
  }

  #end({ id, by }: JobRow, now: number): void {
    const { redacted, on_hold, failed, gone } = this.#countsOf(id);
    const { verified } = this.#sql
      .exec<{ verified: number }>(
        `SELECT coalesce(sum(is_verified), 0) AS verified FROM redaction_items WHERE redaction = ?`,
        id,
      )
      .one();
    const receipt_id = newId('receipt');
    this.#host.receipts.add({
      receipt_id,
      kind: 'redactions',
      at: new Date(now).toISOString(),
      by,
      conversation_id: null,
      redaction_id: id,
      removed: [],
      rewritten: [],
      index: [],
      redaction: null,
      conversations: { redacted, on_hold, failed, gone, verified },
    });
    this.#sql.exec('UPDATE redactions SET ended_at = ?, receipt = ? WHERE id = ?', now, receipt_id, id);
  }

  #nextOf(id: string): Item | undefined {
    const sql = `SELECT i, conversation FROM redaction_items WHERE redaction = ? AND state = 'waiting' ORDER BY i LIMIT 1`;
    return this.#sql.exec<{ i: number; conversation: string }>(sql, id).toArray()[0];
  }

  #countsOf(id: string): Record<ItemState, number> {
    const sql = 'SELECT state, count(*) AS n FROM redaction_items WHERE redaction = ? GROUP BY state';
    const none = { waiting: 0, running: 0, redacted: 0, on_hold: 0, failed: 0, gone: 0 };
    return {
      ...none,
      ...Object.fromEntries(
        [...this.#sql.exec<{ state: ItemState; n: number }>(sql, id)].map(({ state, n }) => [state, n]),
      ),
    };
  }

  #find(id: string): JobRow | undefined {
    if (!this.#host.exists()) return undefined;
    return this.#sql.exec<JobRow>('SELECT * FROM redactions WHERE id = ?', id).toArray()[0];
  }

  get #sql(): Sql {
    return this.#host.sql;
  }
}

interface Item {
  i: number;
  conversation: string;
}
