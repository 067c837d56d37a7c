export type SqlValue = ArrayBuffer | string | number | null;

/**
 * The part of a Durable Object's SQLite that the tables use. Calls are synchronous, and the writes of one turn are
 * atomic.
 */
export interface Sql {
  exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): SqlRows<T>;
}

export interface SqlRows<T> extends Iterable<T> {
  toArray(): T[];
  /** @throws Error unless there is exactly one row */
  one(): T;
}

/**
 * The tables of an object by group. Each group has the statements that take it from version n to n + 1. Never change a
 * statement that has run anywhere; only append new ones.
 */
export type Migrations = Readonly<Record<string, readonly string[]>>;

/** Whether an object has tables. It writes nothing, so that an object that was only read stays empty. */
export const hasTables = (sql: Sql): boolean =>
  sql.exec(`SELECT name FROM sqlite_master WHERE name = 'rooms'`).toArray().length > 0;

/** Updates every group to its newest version. Call it within one transaction. */
export function migrate(sql: Sql, rooms: Migrations): void {
  sql.exec('CREATE TABLE IF NOT EXISTS rooms (name TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID');
  const reached = new Map(
    sql
      .exec<{ name: string; version: number }>('SELECT name, version FROM rooms')
      .toArray()
      .map(({ name, version }) => [name, version]),
  );
  for (const [name, steps] of Object.entries(rooms)) {
    const from = reached.get(name) ?? 0;
    if (from >= steps.length) continue;
    for (const step of steps.slice(from)) sql.exec(step);
    sql.exec('INSERT OR REPLACE INTO rooms VALUES (?, ?)', name, steps.length);
  }
}
