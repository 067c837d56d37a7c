import type { ReceiptQuery, StoredReceipt } from '../../contract/receipts.ts';
import type { Sql } from '../sqlite/migrations.ts';

export const RECEIPT_TABLES = [
  `CREATE TABLE receipts (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, kind TEXT NOT NULL,
    conversation TEXT, redaction TEXT, body TEXT NOT NULL
  );
  CREATE INDEX receipts_of ON receipts (conversation, n) WHERE conversation IS NOT NULL;
  CREATE INDEX receipts_of_redaction ON receipts (redaction, n) WHERE redaction IS NOT NULL;`,
];

/** How long receipts are kept, ms. */
const KEPT_MS = 400 * 86_400_000;

/** The receipts of a tenant: what was deleted or redacted. They outlive their conversations and contain no words of them. */
export class Receipts {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Adds a receipt. The same one counts once. */
  add(receipt: StoredReceipt): void {
    const { receipt_id, at, kind, conversation_id, redaction_id } = receipt;
    this.#sql.exec(
      'INSERT OR IGNORE INTO receipts (id, at, kind, conversation, redaction, body) VALUES (?, ?, ?, ?, ?, ?)',
      ...[receipt_id, Date.parse(at), kind, conversation_id, redaction_id, JSON.stringify(receipt)],
    );
  }

  find(id: string): StoredReceipt | null {
    const [row] = this.#sql.exec<{ body: string }>('SELECT body FROM receipts WHERE id = ?', id).toArray();
    return row ? JSON.parse(row.body) : null;
  }

  /** Newest first. */
  list({ conversation_id, redaction_id, kind, cursor, limit }: ReceiptQuery): {
    receipts: StoredReceipt[];
    next_cursor: string | null;
  } {
    const rows = this.#sql
      .exec<{ n: number; body: string }>(
        `SELECT n, body FROM receipts WHERE (?1 IS NULL OR conversation = ?1) AND (?2 IS NULL OR redaction = ?2)
         AND (?3 IS NULL OR kind = ?3) AND n < coalesce(?4, n + 1) ORDER BY n DESC LIMIT ?5`,
        ...[conversation_id ?? null, redaction_id ?? null, kind ?? null, cursor ?? null, limit + 1],
      )
      .toArray();
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      receipts: page.map(({ body }) => JSON.parse(body)),
      next_cursor: rows.length > limit && last ? String(last.n) : null,
    };
  }

  forget(now: number): void {
    this.#sql.exec('DELETE FROM receipts WHERE at < ?', now - KEPT_MS);
  }
}
