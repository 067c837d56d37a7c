import { RpcTarget } from 'cloudflare:workers';
import type { HoldBody, HoldFilter, HoldList, HoldQuery, HoldRequest, NewHold } from '../../../contract/holds.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { fail, ok, type Refusal, type Result } from '../../../contract/result.ts';
import type { Actor } from '../../identity/caller.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { isoOf, newId } from '../../sqlite/values.ts';
import type { Audit } from '../audit.ts';

/** Whether a row of `conversations` matches a row of `holds` that has a filter. */
const MATCHES = `holds.conversation IS NULL
  AND (holds.label IS NULL OR EXISTS (
    SELECT 1 FROM facets WHERE facets.n = conversations.n AND kind = 'label' AND value = holds.label))
  AND (holds.person IS NULL OR EXISTS (
    SELECT 1 FROM facets WHERE facets.n = conversations.n AND kind = 'person' AND value = holds.person))
  AND (holds.created_after IS NULL OR conversations.created_at > holds.created_after)
  AND (holds.created_before IS NULL OR conversations.created_at < holds.created_before)`;
const HOLD_MATCHING = `INSERT OR IGNORE INTO held SELECT conversations.id, holds.n FROM holds, conversations WHERE ${MATCHES}`;

/**
 * `holds` contains the holds, on one conversation or over a filter, and `held` the conversations that each keeps, by
 * their ids, so that a rebuilt catalogue finds them on hold. Triggers add a conversation when it first matches a
 * filter. An edit does not take it out again. Times are Unix time, ms.
 */
export const HOLD_TABLES = [
  `CREATE TABLE holds (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT UNIQUE, label TEXT, person TEXT,
    created_after INTEGER, created_before INTEGER, reason TEXT NOT NULL, until INTEGER, set_by TEXT NOT NULL,
    set_at INTEGER NOT NULL
  );
  CREATE INDEX holds_with_filter ON holds (n) WHERE conversation IS NULL;
  CREATE INDEX holds_until ON holds (until) WHERE until IS NOT NULL;
  CREATE TABLE held (conversation TEXT NOT NULL, hold INTEGER NOT NULL, PRIMARY KEY (conversation, hold)) WITHOUT ROWID;
  CREATE INDEX held_by ON held (hold);
  CREATE TRIGGER holds_lift AFTER DELETE ON holds BEGIN
    DELETE FROM held WHERE hold = old.n;
  END;
  CREATE TRIGGER holds_conversation AFTER INSERT ON conversations BEGIN
    ${HOLD_MATCHING} AND conversations.n = new.n;
  END;
  CREATE TRIGGER holds_facet AFTER INSERT ON facets WHEN new.kind IN ('label', 'person') BEGIN
    ${HOLD_MATCHING} AND conversations.n = new.n;
  END;`,
];

/** SQL: whether a row of `conversations` is on hold. */
export const IS_HELD = `EXISTS (SELECT 1 FROM held JOIN holds ON holds.n = held.hold
  WHERE held.conversation = conversations.id AND (until IS NULL OR until > unixepoch('subsec') * 1000))`;

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown hold');
/** How many holds the refusal of a tenant's removal names. */
const NAMED = 3;
const NAMED_CHARS = 40;

/** The parts of the tenant's object that holds use. */
export interface HoldsHost {
  sql: Sql;
  due: DueTimes;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: () => Promise<boolean>;
  audit: Pick<Audit, 'record'>;
  /** Whether a conversation is stored, still being analysed, or neither, also while it is being removed. */
  stateOf: (conversation: string) => 'stored' | 'processing' | null;
  /** Conversations are no longer on hold: their retention applies again. */
  onLifted: () => Promise<void>;
}

interface HoldRow extends Record<string, SqlValue> {
  n: number;
  id: string;
  conversation: string | null;
  label: string | null;
  person: string | null;
  created_after: number | null;
  created_before: number | null;
  reason: string;
  until: number | null;
  set_by: string;
  set_at: number;
  conversations: number;
}

const SELECT = `SELECT holds.*, (SELECT count(*) FROM held JOIN conversations ON conversations.id = held.conversation
  WHERE hold = holds.n) AS conversations FROM holds`;

/** The holds of one tenant, which keep conversations from being deleted. */
export class TenantHolds extends RpcTarget {
  readonly #host: HoldsHost;

  constructor(host: HoldsHost) {
    super();
    this.#host = host;
  }

  /** The task that the tenant's alarm runs. */
  get tasks(): DueTasks {
    return { holds: (now) => this.#endDue(now) };
  }

  /** Holds a conversation, or changes its hold. @param key id of the key that sets it, with its tenant */
  async set(
    conversation: string,
    { reason, until }: HoldRequest,
    key: string,
    actor: Actor,
  ): Promise<Result<HoldBody>> {
    const now = Date.now();
    const end = endOf(until, now);
    if (!end.ok) return end;
    const state = this.#host.exists() ? this.#host.stateOf(conversation) : null;
    if (state === null) return fail('NOT_FOUND', 'Unknown conversation');
    if (state === 'processing') return fail('NOT_COMPLETED', 'This conversation is still being analysed');
    const { n } = this.#sql
      .exec<{ n: number }>(
        `INSERT INTO holds (id, conversation, reason, until, set_by, set_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (conversation) DO UPDATE SET reason = ?3, until = ?4, set_by = ?5, set_at = ?6 RETURNING n`,
        newId('hold'),
        conversation,
        reason,
        end.value,
        key,
        now,
      )
      .one();
    this.#sql.exec('INSERT OR IGNORE INTO held VALUES (?, ?)', conversation, n);
    this.#host.audit.record(actor, 'hold.set', conversation, { reason, until: isoOf(end.value) }, now);
    await this.#scheduleEnd(end.value);
    return ok(bodyOf(this.#select<HoldRow>(`${SELECT} WHERE n = ?`, n)[0]!));
  }

  /** Lifts the conversation's own hold. Holds over filters stay. */
  async release(conversation: string, actor: Actor): Promise<Result<null>> {
    return this.#lift('conversation = ?', conversation, actor);
  }

  /** The holds that keep a conversation, oldest first. */
  async of(conversation: string): Promise<Result<HoldBody[]>> {
    if (!this.#host.exists() || this.#host.stateOf(conversation) === null)
      return fail('NOT_FOUND', 'Unknown conversation');
    const rows = this.#select<HoldRow>(
      `${SELECT} JOIN held ON held.hold = holds.n AND held.conversation = ?1
       WHERE until IS NULL OR until > ?2 ORDER BY holds.n`,
      conversation,
      Date.now(),
    );
    return ok(rows.map(bodyOf));
  }

  /** Holds every conversation that matches a filter, now and later. */
  async add({ filter, reason, until }: NewHold, key: string, actor: Actor): Promise<Result<HoldBody>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    const now = Date.now();
    const end = endOf(until, now);
    if (!end.ok) return end;
    const { count } = this.#select<{ count: number }>(
      'SELECT count(*) AS count FROM holds WHERE conversation IS NULL',
    )[0]!;
    if (count >= LIMITS.filterHolds)
      return fail('INVALID_REQUEST', `This tenant already has ${LIMITS.filterHolds} holds over filters, its limit`);
    const { n } = this.#sql
      .exec<{ n: number }>(
        `INSERT INTO holds (id, label, person, created_after, created_before, reason, until, set_by, set_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING n`,
        newId('hold'),
        filter.label ?? null,
        filter.person ?? null,
        timeOf(filter.created_after),
        timeOf(filter.created_before),
        reason,
        end.value,
        key,
        now,
      )
      .one();
    this.#sql.exec(`${HOLD_MATCHING} AND holds.n = ?`, n);
    const hold = bodyOf(this.#select<HoldRow>(`${SELECT} WHERE n = ?`, n)[0]!);
    this.#host.audit.record(actor, 'hold.set', hold.id, { filter: hold.filter, reason, until: hold.until }, now);
    await this.#scheduleEnd(end.value);
    return ok(hold);
  }

  /** Newest first. */
  async list({ cursor, limit }: HoldQuery): Promise<HoldList> {
    if (!this.#host.exists()) return { holds: [], next_cursor: null };
    const rows = this.#select<HoldRow>(
      `${SELECT} WHERE (until IS NULL OR until > ?1) AND (?2 IS NULL OR n < ?2) ORDER BY n DESC LIMIT ?3`,
      Date.now(),
      cursor ?? null,
      limit + 1,
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return { holds: page.map(bodyOf), next_cursor: rows.length > limit && last ? String(last.n) : null };
  }

  /** Lifts a hold of either kind. */
  async remove(id: string, actor: Actor): Promise<Result<null>> {
    return this.#lift('id = ?', id, actor);
  }

  /** Whether a conversation is on hold. */
  isHeld(conversation: string): boolean {
    const holds = `SELECT 1 AS one FROM held JOIN holds ON holds.n = held.hold
      WHERE held.conversation = ? AND (until IS NULL OR until > ?) LIMIT 1`;
    return this.#host.exists() && this.#select(holds, conversation, Date.now()).length > 0;
  }

  /** Why the tenant cannot be removed. Null without holds. */
  get refusal(): Refusal | null {
    const now = Date.now();
    const rows = this.#select<HoldRow>(`${SELECT} WHERE until IS NULL OR until > ? ORDER BY n`, now);
    if (rows.length === 0) return null;
    const named = rows.slice(0, NAMED).map(({ id, conversation, reason }) => {
      const what = conversation === null ? id : `conversation ${conversation}`;
      return `${what} (${shortened(reason)})`;
    });
    const rest = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '';
    const holds = rows.length === 1 ? 'a hold' : `${rows.length} holds`;
    return fail('ON_HOLD', `This tenant has ${holds}, to be lifted first: ${named.join(', ')}${rest}`);
  }

  async #lift(where: string, value: string, actor: Actor): Promise<Result<null>> {
    if (!this.#host.exists()) return UNKNOWN;
    const [row] = this.#select<HoldRow>(`${SELECT} WHERE ${where}`, value);
    if (!row) return UNKNOWN;
    const { id, conversation_id, filter, reason } = bodyOf(row);
    this.#sql.exec('DELETE FROM holds WHERE n = ?', row.n);
    const what = conversation_id === null ? { filter, reason } : { reason };
    this.#host.audit.record(actor, 'hold.lifted', conversation_id ?? id, what, Date.now());
    await this.#host.onLifted();
    return ok(null);
  }

  /** Ends the holds whose time is over. @returns when the next one ends */
  async #endDue(now: number): Promise<number | null> {
    this.#sql.exec('DELETE FROM holds WHERE until <= ?', now);
    await this.#host.onLifted();
    const [next] = this.#select<{ until: number }>(
      'SELECT until FROM holds WHERE until IS NOT NULL ORDER BY until LIMIT 1',
    );
    return next?.until ?? null;
  }

  async #scheduleEnd(until: number | null): Promise<void> {
    if (until !== null) await this.#host.due.within('holds', until);
  }

  #select<T extends Record<string, SqlValue>>(statement: string, ...bindings: SqlValue[]): T[] {
    return this.#sql.exec<T>(statement, ...bindings).toArray();
  }

  get #sql(): Sql {
    return this.#host.sql;
  }
}

const timeOf = (iso: string | null | undefined): number | null => (iso == null ? null : Date.parse(iso));
const shortened = (text: string): string =>
  text.length > NAMED_CHARS ? `${text.slice(0, NAMED_CHARS - 3).toWellFormed()}...` : text;

function endOf(until: string | null | undefined, now: number): Result<number | null> {
  const end = timeOf(until);
  return end !== null && end <= now ? fail('INVALID_REQUEST', 'until: must be in the future') : ok(end);
}

function bodyOf(row: HoldRow): HoldBody {
  const { id, conversation, label, person, reason, conversations } = row;
  const filter: HoldFilter = {
    ...(label !== null && { label }),
    ...(person !== null && { person }),
    ...(row.created_after !== null && { created_after: isoOf(row.created_after) }),
    ...(row.created_before !== null && { created_before: isoOf(row.created_before) }),
  };
  return {
    id,
    conversation_id: conversation,
    filter: conversation === null ? filter : null,
    reason,
    until: isoOf(row.until),
    set_by: row.set_by,
    set_at: isoOf(row.set_at),
    conversations,
  };
}
