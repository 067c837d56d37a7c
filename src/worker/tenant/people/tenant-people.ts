import { RpcTarget } from 'cloudflare:workers';
import { LIMITS } from '../../../contract/limits.ts';
import type { NewPerson, PersonBody, PersonPatch, PersonRemoval } from '../../../contract/people.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { asServiceError, logFault } from '../../http/errors.ts';
import type { KnownPeople } from '../../results/edits/people.ts';
import type { StoredRecord } from '../../results/record.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { newId } from '../../sqlite/values.ts';
import type { TenantConversations } from '../catalogue/tenant-conversations.ts';

/**
 * `people` contains the people of the tenant. `people_pending` contains the conversations, by their number in the
 * catalogue, that still show a person as before the last change.
 */
export const PEOPLE_TABLES = [
  `CREATE TABLE people (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT, external_id TEXT UNIQUE, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE people_pending (n INTEGER PRIMARY KEY);
  CREATE TRIGGER people_forget AFTER DELETE ON conversations BEGIN
    DELETE FROM people_pending WHERE n = old.n;
  END;`,
];

/** Conversations written before a change is answered, and in each run of the task that writes the others. */
const AT_ONCE = 10;
/** Wait before a conversation that was being edited is tried again, ms. */
const RETRY_MS = 1_000;

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown person');

/** The parts of the tenant's object that people use. */
export interface PeopleHost {
  sql: Sql;
  due: DueTimes;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: () => Promise<boolean>;
  conversations: Pick<TenantConversations, 'showPeople'>;
}

interface PersonRow extends Record<string, SqlValue> {
  id: string;
  name: string;
  role: string | null;
  external_id: string | null;
  created_at: number;
  updated_at: number;
  conversations: number;
  pending: number;
}

const SELECT = `SELECT people.*,
  (SELECT count(*) FROM facets WHERE kind = 'person' AND value = people.id) AS conversations,
  (SELECT count(*) FROM facets JOIN people_pending USING (n) WHERE kind = 'person' AND value = people.id) AS pending
  FROM people`;

/** Conversations whose words one page of proposals reads. */
const READ_AT_ONCE = 50;

/** A conversation in which somebody may be a person, with its texts, one a line, and the facts as JSON. */
export interface NamingConversation {
  record: StoredRecord;
  words: string;
  facts: string;
}

/** People as conversations show them. Unknown ids are left out. */
export function knownPeople({ sql, exists }: Pick<PeopleHost, 'sql' | 'exists'>, ids: readonly string[]): KnownPeople {
  if (ids.length === 0 || !exists()) return {};
  const rows = sql.exec<{ id: string; name: string; role: string | null }>(
    'SELECT id, name, role FROM people WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
    JSON.stringify(ids),
  );
  return Object.fromEntries([...rows].map(({ id, name, role }) => [id, { name, role }]));
}

/** The people of one tenant, who may be speakers in its conversations. */
export class TenantPeople extends RpcTarget {
  readonly #host: PeopleHost;

  constructor(host: PeopleHost) {
    super();
    this.#host = host;
  }

  /** The task that shows a change in the conversations of a person. */
  get tasks(): DueTasks {
    return { people: async (now) => ((await this.#show()) ? null : now + RETRY_MS) };
  }

  async add({ name, role = null, external_id = null }: NewPerson): Promise<Result<PersonBody>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    const { n } = this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM people').one();
    if (n >= LIMITS.people)
      return fail('INVALID_REQUEST', `This tenant already has ${LIMITS.people} people, its limit`);
    if (this.#isTaken(external_id)) return taken(external_id);
    const id = newId('person');
    const now = Date.now();
    this.#sql.exec('INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)', id, name, role, external_id, now, now);
    return this.read(id);
  }

  /** By name. */
  async list(): Promise<PersonBody[]> {
    if (!this.#host.exists()) return [];
    return [...this.#sql.exec<PersonRow>(`${SELECT} ORDER BY name COLLATE NOCASE, id`)].map(bodyOf);
  }

  async read(id: string): Promise<Result<PersonBody>> {
    const row = this.#find(id);
    return row ? ok(bodyOf(row)) : UNKNOWN;
  }

  /** Changes a person, in the conversations too. */
  async patch(id: string, patch: PersonPatch): Promise<Result<PersonBody>> {
    const row = this.#find(id);
    if (!row) return UNKNOWN;
    const { name, role, external_id } = { ...row, ...patch };
    if (this.#isTaken(external_id, id)) return taken(external_id);
    const sql = 'UPDATE people SET name = ?, role = ?, external_id = ?, updated_at = ? WHERE id = ?';
    this.#sql.exec(sql, name, role, external_id, Date.now(), id);
    if (name !== row.name || role !== row.role) await this.#showed(id);
    return this.read(id);
  }

  /** Removes a person. The name disappears from the conversations. */
  async remove(id: string): Promise<Result<PersonRemoval>> {
    const row = this.#find(id);
    if (!row) return UNKNOWN;
    this.#sql.exec('DELETE FROM people WHERE id = ?', id);
    await this.#showed(id);
    const pending = this.#sql
      .exec<{ n: number }>(
        `SELECT count(*) AS n FROM facets JOIN people_pending USING (n) WHERE kind = 'person' AND value = ?`,
        id,
      )
      .one().n;
    return ok({ id, deleted_at: new Date().toISOString(), conversations: row.conversations, pending });
  }

  /** The newest conversations in which a person's name is said, and in which the person is nobody yet. */
  async candidates(
    id: string,
    before = Number.MAX_SAFE_INTEGER,
  ): Promise<Result<{ name: string; found: NamingConversation[]; next: number | null }>> {
    const person = this.#find(id);
    if (!person) return UNKNOWN;
    const [first = ''] = person.name.split(/\s+/);
    if (!/[\p{L}\p{N}]/u.test(first)) return ok({ name: person.name, found: [], next: null });
    const rows = this.#sql
      .exec<{ record: string; words: string; facts: string; created_at: number }>(
        `SELECT record, texts.words AS words, facts, created_at FROM conversations JOIN texts USING (n)
           JOIN rule_facts USING (n)
         WHERE status = 'completed' AND created_at < ?1 AND n IN (SELECT rowid FROM search WHERE search MATCH ?2)
           AND n NOT IN (SELECT n FROM facets WHERE kind = 'person' AND value = ?3)
         ORDER BY created_at DESC LIMIT ?4`,
        ...[before, `words : "${first.replaceAll('"', '""')}"`, id, READ_AT_ONCE + 1],
      )
      .toArray();
    const found = rows.slice(0, READ_AT_ONCE);
    return ok({
      name: person.name,
      found: found.map(({ record, words, facts }) => ({ record: JSON.parse(record), words, facts })),
      next: rows.length > READ_AT_ONCE ? (found.at(-1)?.created_at ?? null) : null,
    });
  }

  /** People as conversations show them. Unknown ids are left out. */
  async known(ids: readonly string[]): Promise<KnownPeople> {
    return knownPeople(this.#host, ids);
  }

  /** Notes that the conversations of a person show what no longer holds, and writes the first of them. */
  async #showed(id: string): Promise<void> {
    const sql = `INSERT OR IGNORE INTO people_pending SELECT n FROM facets WHERE kind = 'person' AND value = ?`;
    this.#sql.exec(sql, id);
    await this.#host.due.within('people', Date.now() + RETRY_MS);
    try {
      await this.#show();
    } catch (error) {
      // The task tries again.
      logFault(asServiceError(error), { task: 'people' });
    }
  }

  /** Writes some pending conversations. @returns whether none is left */
  async #show(): Promise<boolean> {
    const rows = this.#sql
      .exec<{ n: number; id: string }>(
        'SELECT n, id FROM people_pending JOIN conversations USING (n) ORDER BY n LIMIT ?',
        AT_ONCE,
      )
      .toArray();
    for (const { n, id } of rows)
      if (await this.#host.conversations.showPeople(id)) this.#sql.exec('DELETE FROM people_pending WHERE n = ?', n);
    return this.#sql.exec('SELECT 1 AS one FROM people_pending LIMIT 1').toArray().length === 0;
  }

  #find(id: string): PersonRow | undefined {
    if (!this.#host.exists()) return undefined;
    return this.#sql.exec<PersonRow>(`${SELECT} WHERE id = ?`, id).toArray()[0];
  }

  #isTaken(externalId: string | null, by = ''): boolean {
    if (externalId === null) return false;
    const sql = 'SELECT 1 AS one FROM people WHERE external_id = ? AND id <> ?';
    return this.#sql.exec(sql, externalId, by).toArray().length > 0;
  }

  get #sql(): Sql {
    return this.#host.sql;
  }
}

const taken = (externalId: string | null): Result<never> =>
  fail('INVALID_REQUEST', `external_id: another person already has ${externalId}`);

const bodyOf = ({
  id,
  name,
  role,
  external_id,
  conversations,
  pending,
  created_at,
  updated_at,
}: PersonRow): PersonBody => ({
  id,
  name,
  role,
  external_id,
  conversations,
  pending,
  created_at: new Date(created_at).toISOString(),
  updated_at: new Date(updated_at).toISOString(),
});
