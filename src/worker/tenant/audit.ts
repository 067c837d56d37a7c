import type { AuditEntry, AuditList } from '../../contract/audit.ts';
import type { Actor } from '../identity/caller.ts';
import type { Sql } from '../sqlite/migrations.ts';

export const AUDIT_TABLES = [
  `CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, who TEXT NOT NULL, address TEXT NOT NULL, request_id TEXT NOT NULL,
    act TEXT NOT NULL, subject TEXT NOT NULL, changes TEXT NOT NULL
  )`,
];

/** How long entries are kept, ms. */
const KEPT_MS = 400 * 86_400_000;

/** The audit log of administration. It records ids and changes, never a secret. */
export class Audit {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Call it in the same turn as the action, so that either both are stored or neither is. */
  record({ who, address, requestId }: Actor, act: string, subject: string, changes: object, now: number): void {
    this.#sql.exec(
      'INSERT INTO audit (at, who, address, request_id, act, subject, changes) VALUES (?, ?, ?, ?, ?, ?, ?)',
      now,
      who,
      address,
      requestId,
      act,
      subject,
      JSON.stringify(changes),
    );
  }

  /** Entries before the one with id `before` (null for all), newest first. */
  list(before: number | null, limit: number): AuditList {
    const rows = this.#sql
      .exec<{
        id: number;
        at: number;
        who: string;
        address: string;
        request_id: string;
        act: string;
        subject: string;
        changes: string;
      }>('SELECT * FROM audit WHERE id < coalesce(?, id + 1) ORDER BY id DESC LIMIT ?', before, limit + 1)
      .toArray();
    const entries = rows.slice(0, limit).map(
      ({ id, at, changes, ...entry }): AuditEntry => ({
        id: String(id),
        at: new Date(at).toISOString(),
        ...entry,
        changes: JSON.parse(changes),
      }),
    );
    return { entries, next_cursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
  }

  forget(now: number): void {
    this.#sql.exec('DELETE FROM audit WHERE at < ?', now - KEPT_MS);
  }
}
