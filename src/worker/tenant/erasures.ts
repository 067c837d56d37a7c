import type { Env } from '../identity/env.ts';
import type { DueTasks, DueTimes } from '../sqlite/due-times.ts';
import type { Sql } from '../sqlite/migrations.ts';
import { erasedKey, redactedKey } from '../storage/keys.ts';
import { backupStore } from '../storage/media-store.ts';
import { removeCopies } from '../storage/run-objects.ts';

export const ERASURE_TABLES = [
  `CREATE TABLE erasures (conversation TEXT PRIMARY KEY, at INTEGER NOT NULL, is_noted INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX erasures_not_noted ON erasures (is_noted) WHERE NOT is_noted;`,
  // Redactions that have to be noted in the bucket of the backup.
  'CREATE TABLE redacted (conversation TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID',
];

/** Erasures that are noted in one alarm. */
const BATCH = 20;

/** The parts of the tenant's object that the ledger uses. */
interface ErasuresHost {
  sql: Sql;
  due: DueTimes;
  env: Env;
  tenant: string;
}

/**
 * The ledger of a tenant's erased conversations: their ids, and nothing else of them. It outlives them, so that neither
 * a rebuilt catalogue nor an older backup brings one back. Each erasure is also noted in the bucket of the backup, which
 * then loses its copies, because that bucket outlives this object.
 */
export class Erasures {
  readonly #host: ErasuresHost;

  constructor(host: ErasuresHost) {
    this.#host = host;
  }

  /** The task that the tenant's alarm runs. */
  get tasks(): DueTasks {
    return { erasures: (now) => this.#note(now) };
  }

  /** Adds a conversation, before the first of its objects is removed. */
  async add(id: string): Promise<void> {
    const now = Date.now();
    this.#host.sql.exec('INSERT OR IGNORE INTO erasures VALUES (?, ?, 0)', id, now);
    await this.#host.due.within('erasures', now);
  }

  /**
   * Notes that a conversation was redacted, so that an older backup does not bring its words back: the bucket of the
   * backup loses its copies, and a restoration from earlier rows leaves its rows out.
   */
  async addRedacted(id: string): Promise<void> {
    const now = Date.now();
    this.#host.sql.exec('INSERT OR REPLACE INTO redacted VALUES (?, ?)', id, now);
    await this.#host.due.within('erasures', now);
  }

  has(id: string): boolean {
    return this.#host.sql.exec('SELECT 1 FROM erasures WHERE conversation = ?', id).toArray().length > 0;
  }

  async #note(now: number): Promise<number | null> {
    const { sql, env, tenant } = this.#host;
    const rows = sql
      .exec<{ conversation: string; at: number }>(
        `SELECT conversation, at FROM erasures WHERE NOT is_noted LIMIT ${BATCH}`,
      )
      .toArray();
    const store = backupStore(env);
    for (const { conversation, at } of rows) {
      if (store) {
        await store.put(erasedKey(tenant, conversation), JSON.stringify({ at: new Date(at).toISOString() }));
        await removeCopies(store, tenant, conversation);
      }
      sql.exec('UPDATE erasures SET is_noted = 1 WHERE conversation = ?', conversation);
    }
    const isDone = await this.#noteRedacted();
    return rows.length === BATCH || !isDone ? now : null;
  }

  /** @returns whether nothing is left */
  async #noteRedacted(): Promise<boolean> {
    const { sql, env, tenant } = this.#host;
    const rows = sql
      .exec<{ conversation: string; at: number }>(`SELECT conversation, at FROM redacted LIMIT ${BATCH}`)
      .toArray();
    const store = backupStore(env);
    for (const { conversation, at } of rows) {
      if (store) {
        await store.put(redactedKey(tenant, conversation), JSON.stringify({ at: new Date(at).toISOString() }), {
          metadata: { at: String(at) },
        });
        await removeCopies(store, tenant, conversation);
      }
      sql.exec('DELETE FROM redacted WHERE conversation = ? AND at = ?', conversation, at);
    }
    return rows.length < BATCH;
  }
}
