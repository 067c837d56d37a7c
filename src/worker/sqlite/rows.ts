import * as z from 'zod';
import { bytesOfHex, hexOf } from '../identity/digests.ts';
import { type Migrations, migrate, type Sql, type SqlValue } from './migrations.ts';

/** Rows of one line. A row of the catalogue can take tens of kilobytes. */
const ROWS_PER_LINE = 100;
/** The table of reached versions. It is written last, so that an object with half of its rows counts as empty. */
const ROOMS = 'rooms';

/** A value as JSON: a blob as its hexadecimal digits. */
const ValueSchema = z.union([z.string(), z.number(), z.null(), z.strictObject({ hex: z.string() })]);
const HeadSchema = z.strictObject({ rooms: z.record(z.string(), z.number().int().min(0)) });
const RowsSchema = z.strictObject({
  table: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(ValueSchema)),
});
type WrittenRows = z.infer<typeof RowsSchema>;

interface Table {
  name: string;
  /** Columns that identify a row, in their order. */
  key: readonly string[];
  hasRowid: boolean;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const list = (names: readonly string[]): string => names.map(quoted).join(', ');

interface SchemaRow extends Record<string, SqlValue> {
  name: string;
  sql: string;
}

const schema = (sql: Sql, type: 'table' | 'trigger'): SchemaRow[] =>
  sql
    .exec<SchemaRow>('SELECT name, sql FROM sqlite_master WHERE type = ? AND sql IS NOT NULL ORDER BY name', type)
    .toArray();

const isVirtual = ({ sql }: SchemaRow): boolean => /^CREATE VIRTUAL/i.test(sql);
/** Names of the full-text indexes, which are derived from other tables. */
const indexes = (sql: Sql): string[] =>
  schema(sql, 'table')
    .filter(isVirtual)
    .map(({ name }) => name);

/** The tables that contain data: no index, no table of an index, and none of SQLite's or the runtime's own (`_cf_...`). */
function tables(sql: Sql): Table[] {
  const derived = indexes(sql);
  return schema(sql, 'table')
    .filter(({ name }) => !/^(sqlite)?_/.test(name) && name !== ROOMS)
    .filter(({ name }) => !derived.some((index) => name === index || name.startsWith(`${index}_`)))
    .map(({ name, sql: created }) => {
      const hasRowid = !/WITHOUT ROWID\s*$/i.test(created);
      return { name, hasRowid, key: hasRowid ? ['rowid'] : primaryKey(sql, name) };
    });
}

/** Whether an object has no tables. */
export const isEmpty = (sql: Sql): boolean => tables(sql).length === 0;

const primaryKey = (sql: Sql, table: string): string[] =>
  sql
    .exec<{ name: string; pk: number }>(`PRAGMA table_info(${quoted(table)})`)
    .toArray()
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name);

const written = (value: SqlValue): z.infer<typeof ValueSchema> =>
  value instanceof ArrayBuffer ? { hex: hexOf(value) } : value;
const readValue = (value: z.infer<typeof ValueSchema>): SqlValue =>
  value !== null && typeof value === 'object' ? bytesOfHex(value.hex) : value;

/**
 * Everything that an object stores, as values for one line each: the versions of its tables, then their rows. Between
 * two lines, other work can change the object; each table is read in the order of its keys.
 */
export function* dumpedLines(sql: Sql): Generator<object, void> {
  const reached = sql.exec<{ name: string; version: number }>(`SELECT name, version FROM ${ROOMS}`).toArray();
  yield { rooms: Object.fromEntries(reached.map(({ name, version }) => [name, version])) };
  for (const { name, key, hasRowid } of tables(sql)) {
    // SQLite names the column `rowid` after the primary key, if there is one.
    const columns = `${hasRowid ? 'rowid AS rowid_, ' : ''}*`;
    const keyColumns = hasRowid ? ['rowid_'] : key;
    let after: SqlValue[] | undefined;
    for (;;) {
      const from = after ? `WHERE (${list(key)}) > (${after.map(() => '?').join(', ')})` : '';
      const rows = sql
        .exec<Record<string, SqlValue>>(
          `SELECT ${columns} FROM ${quoted(name)} ${from} ORDER BY ${list(key)} LIMIT ${ROWS_PER_LINE}`,
          ...(after ?? []),
        )
        .toArray();
      const last = rows.at(-1);
      if (!last) break;
      const names = Object.keys(last);
      yield {
        table: name,
        columns: names.map((column) => (hasRowid && column === 'rowid_' ? 'rowid' : column)),
        rows: rows.map((row) => names.map((column) => written(row[column] ?? null))),
      } satisfies WrittenRows;
      after = keyColumns.map((column) => last[column] ?? null);
    }
  }
}

/**
 * Fills an empty object with what `dumpedLines` wrote, possibly at an earlier version of the tables, and migrates it to
 * the newest one. If it fails, the object counts as empty, and has to be emptied.
 * @throws Error for lines of a newer version, or of something else
 */
export async function loadLines(sql: Sql, rooms: Migrations, lines: AsyncIterable<unknown>): Promise<void> {
  const reader = lines[Symbol.asyncIterator]();
  const { rooms: reached } = HeadSchema.parse((await reader.next()).value);
  for (const [name, version] of Object.entries(reached))
    if ((rooms[name]?.length ?? 0) < version)
      throw new Error(`the backup has version ${version} of the tables ${name}`);
  for (const [name, steps] of Object.entries(rooms))
    for (const step of steps.slice(0, reached[name] ?? 0)) sql.exec(step);
  // Rows are written as they were, so nothing may follow from them.
  const triggers = schema(sql, 'trigger');
  for (const { name } of triggers) sql.exec(`DROP TRIGGER ${quoted(name)}`);
  const known = new Set(tables(sql).map(({ name }) => name));
  for (const name of known) sql.exec(`DELETE FROM ${quoted(name)}`);
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    const line = RowsSchema.parse(next.value);
    if (!known.has(line.table)) throw new Error(`the backup has an unknown table: ${line.table}`);
    insert(sql, line);
  }
  for (const { sql: created } of triggers) sql.exec(created);
  for (const name of indexes(sql)) sql.exec(`INSERT INTO ${quoted(name)} (${quoted(name)}) VALUES ('rebuild')`);
  migrate(sql, {});
  for (const [name, version] of Object.entries(reached))
    sql.exec(`INSERT OR REPLACE INTO ${ROOMS} VALUES (?, ?)`, name, version);
  migrate(sql, rooms);
}

/** Fills some tables of an object that already has its tables. */
export async function loadTables(sql: Sql, names: readonly string[], lines: AsyncIterable<unknown>): Promise<void> {
  for await (const line of lines) {
    const rows = RowsSchema.safeParse(line);
    if (rows.success && names.includes(rows.data.table)) insert(sql, rows.data);
  }
}

function insert(sql: Sql, { table, columns, rows }: WrittenRows): void {
  const into = `INSERT INTO ${quoted(table)} (${list(columns)}) VALUES (${columns.map(() => '?').join(', ')})`;
  for (const row of rows) sql.exec(into, ...row.map(readValue));
}
