import { DatabaseSync } from 'node:sqlite';
import type { Sql, SqlRows, SqlValue } from '../src/worker/sqlite/migrations.ts';

/** SQLite in memory with the interface of a Durable Object, for testing code that uses it. */
export class MemorySql implements Sql {
  readonly #database = new DatabaseSync(':memory:');

  exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): SqlRows<T> {
    if (bindings.length === 0 && /;\s*\S/.test(query)) {
      this.#database.exec(query);
      return rowsOf([]);
    }
    const given = bindings.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
    return rowsOf(
      this.#database
        .prepare(query)
        .all(...given)
        .map(asGiven) as T[],
    );
  }

  /** Like a Durable Object's `transactionSync`. */
  transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN');
    try {
      const value = work();
      this.#database.exec('COMMIT');
      return value;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Converts blobs to the type that they have in a Durable Object. */
const asGiven = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? value.slice().buffer : value]),
  );

const rowsOf = <T>(rows: T[]): SqlRows<T> => ({
  toArray: () => rows.map((row) => ({ ...row })),
  one: () => {
    if (rows.length !== 1) throw new Error(`expected one row, found ${rows.length}`);
    return { ...rows[0]! };
  },
  [Symbol.iterator]: () => rows.values(),
});
