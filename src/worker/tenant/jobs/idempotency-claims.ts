import type { Sql } from '../../sqlite/migrations.ts';

export const CLAIM_TABLES = [
  `CREATE TABLE claims (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, id TEXT NOT NULL, answer TEXT, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  'CREATE INDEX claims_expiry ON claims (expires_at)',
];

/** How long a key is remembered, ms. */
const KEPT_MS = 24 * 3_600_000;

/** What was made under an `Idempotency-Key`. */
export interface IdempotencyClaim {
  /** Of the request that made it: its route and all that it said. */
  fingerprint: string;
  /** The id of what was made: a conversation, an upload, a session. */
  id: string;
  /** The first answer as JSON, for what is answered once; null before it was given. */
  answer: string | null;
}

/** The keys by which a tenant's requests may be sent again without being done again (draft-ietf-httpapi-idempotency-key-header). */
export class IdempotencyClaims {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  find(key: string, now: number): IdempotencyClaim | null {
    const sql = 'SELECT fingerprint, id, answer FROM claims WHERE key = ? AND expires_at > ?';
    return (
      this.#sql.exec<{ fingerprint: string; id: string; answer: string | null }>(sql, key, now).toArray()[0] ?? null
    );
  }

  /** Claims a key for `id`. @returns the claim that holds: this one, or that of an earlier request */
  claim(key: string, fingerprint: string, id: string, now: number): IdempotencyClaim {
    const earlier = this.find(key, now);
    if (earlier) return earlier;
    this.#sql.exec('INSERT OR REPLACE INTO claims VALUES (?, ?, ?, NULL, ?)', key, fingerprint, id, now + KEPT_MS);
    return { fingerprint, id, answer: null };
  }

  answer(key: string, id: string, answer: string): void {
    this.#sql.exec('UPDATE claims SET answer = ? WHERE key = ? AND id = ?', answer, key, id);
  }

  /** Frees whatever keys something was made under that is no more. */
  forgetId(id: string): void {
    this.#sql.exec('DELETE FROM claims WHERE id = ?', id);
  }

  forget(now: number): void {
    this.#sql.exec('DELETE FROM claims WHERE expires_at <= ?', now);
  }
}
