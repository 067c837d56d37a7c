import type { Actor } from '../identity/caller.ts';
import type { Sql } from '../sqlite/migrations.ts';
import { tenantPrefixes } from '../storage/keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';

export const REMOVAL_TABLES = [
  `CREATE TABLE removal (
    one INTEGER PRIMARY KEY CHECK (one = 0), actor TEXT NOT NULL, objects INTEGER NOT NULL, bytes INTEGER NOT NULL
  )`,
];

/** Number of objects removed in one call to the store. At most this many are removed twice. */
const PAGE = 500;

/** Totals of a tenant's removed data. */
export interface Removed {
  objects: number;
  bytes: number;
}

/** The removal of all of a tenant's data. Its start is recorded, so that an interrupted removal can be resumed. */
export class Removal {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The person or key that requested the removal. Null when no removal was requested. */
  get actor(): Actor | null {
    const [row] = this.#sql.exec<{ actor: string }>('SELECT actor FROM removal').toArray();
    return row ? JSON.parse(row.actor) : null;
  }

  begin(actor: Actor): void {
    this.#sql.exec('INSERT OR IGNORE INTO removal VALUES (0, ?, 0, 0)', JSON.stringify(actor));
  }

  /**
   * Removes every object of the tenant.
   * @returns the totals, including those from before an interruption
   */
  async objects(store: ObjectStore, tenant: string): Promise<Removed> {
    for (const prefix of tenantPrefixes(tenant)) {
      let page: { key: string; size: number }[] = [];
      for await (const { key, size } of store.list(prefix)) {
        page.push({ key, size });
        if (page.length < PAGE) continue;
        await this.#remove(store, page);
        page = [];
      }
      await this.#remove(store, page);
    }
    return this.#sql.exec<{ objects: number; bytes: number }>('SELECT objects, bytes FROM removal').one();
  }

  async #remove(store: ObjectStore, page: readonly { key: string; size: number }[]): Promise<void> {
    if (page.length === 0) return;
    await store.delete(page.map(({ key }) => key));
    const bytes = page.reduce((sum, { size }) => sum + size, 0);
    this.#sql.exec('UPDATE removal SET objects = objects + ?, bytes = bytes + ?', page.length, bytes);
  }
}
