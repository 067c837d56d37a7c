import type { Sql } from '../../sqlite/migrations.ts';

export const CLAIM_TABLES = [
  `CREATE TABLE claims (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, id TEXT NOT NULL, answer TEXT, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  'CREATE INDEX claims_expiry ON claims (expires_at)',
];

/** How long a key is remembered, ms. */
const RETENTION_MS = 24 * 3_600_000;

/** The use of an `Idempotency-Key`. */
export interface IdempotencyClaim {
  /** Digest of the request's route and content. */
  fingerprint: string;
  /** Id of the conversation, upload or session that the request created. */
  id: string;
  /** The first response as JSON, for requests that get an immediate response. Null until it has been sent. */
  answer: string | null;
}

/**
 * The idempotency keys of a tenant (draft-ietf-httpapi-idempotency-key-header). They keep a repeated request from
 * having any further effect.
 */
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

  /**
   * Claims a key for `id`.
   * @returns the valid claim: this one, or an earlier request's
   */
  claim(key: string, fingerprint: string, id: string, now: number): IdempotencyClaim {
    const earlier = this.find(key, now);
    if (earlier) return earlier;
    this.#sql.exec('INSERT OR REPLACE INTO claims VALUES (?, ?, ?, NULL, ?)', key, fingerprint, id, now + RETENTION_MS);
    return { fingerprint, id, answer: null };
  }

  setAnswer(key: string, id: string, answer: string): void {
    this.#sql.exec('UPDATE claims SET answer = ? WHERE key = ? AND id = ?', answer, key, id);
  }

  /** Frees the keys of requests whose creations no longer exist. */
  forgetId(id: string): void {
    this.#sql.exec('DELETE FROM claims WHERE id = ?', id);
  }

  forgetExpired(now: number): void {
    this.#sql.exec('DELETE FROM claims WHERE expires_at <= ?', now);
  }
}
