import { expect, it } from 'vitest';
import { type Migrations, migrate } from '../../../src/worker/sqlite/migrations.ts';
import { dumpedLines, loadLines } from '../../../src/worker/sqlite/rows.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const FIRST = `CREATE TABLE texts (n INTEGER PRIMARY KEY AUTOINCREMENT, words TEXT NOT NULL, starts BLOB);
  CREATE TABLE facets (kind TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, value)) WITHOUT ROWID;
  CREATE TABLE plain (x REAL);
  CREATE TABLE totals (count INTEGER NOT NULL);
  INSERT INTO totals VALUES (0);
  CREATE VIRTUAL TABLE search USING fts5(words, content = 'texts', content_rowid = 'n');
  CREATE TRIGGER texts_count AFTER INSERT ON texts BEGIN UPDATE totals SET count = count + 1; END;`;
const ROOMS: Migrations = { texts: [FIRST] };
const NEWER: Migrations = {
  texts: [FIRST, 'ALTER TABLE plain ADD COLUMN y TEXT'],
  more: ['CREATE TABLE more (z TEXT)'],
};

function filled(): MemorySql {
  const sql = new MemorySql();
  migrate(sql, ROOMS);
  for (let n = 1; n <= 250; n++) {
    sql.exec('INSERT INTO texts VALUES (?, ?, ?)', n * 3, `word${n} "quoted"`, new Uint8Array([n % 256, 0]).buffer);
    sql.exec('INSERT INTO facets VALUES (?, ?)', `k${n % 7}`, `v${n}`);
    sql.exec('INSERT INTO plain VALUES (?)', n % 2 ? n / 3 : null);
  }
  sql.exec('DELETE FROM plain WHERE rowid = 100');
  sql.exec("INSERT INTO search (search) VALUES ('rebuild')");
  return sql;
}

async function* read(lines: Iterable<object>): AsyncGenerator<unknown> {
  for (const line of lines) yield JSON.parse(JSON.stringify(line));
}
const all = (sql: MemorySql, query: string) => sql.exec(query).toArray();
const QUERIES = [
  'SELECT * FROM texts',
  'SELECT * FROM facets',
  'SELECT rowid AS r, x FROM plain',
  'SELECT * FROM totals',
  "SELECT rowid AS r FROM search WHERE search MATCH 'word77'",
];

it('a filled object equals the one that was dumped, with its index, its counters and its next ids', async () => {
  const [before, after] = [filled(), new MemorySql()];
  await loadLines(after, ROOMS, read(dumpedLines(before)));
  for (const query of QUERIES) expect(all(after, query), query).toEqual(all(before, query));
  expect(all(after, QUERIES[4]!)).toEqual([{ r: 231 }]);
  // Triggers work again.
  for (const sql of [before, after]) sql.exec("INSERT INTO texts (words) VALUES ('new')");
  for (const query of ['SELECT max(n) AS n FROM texts', 'SELECT * FROM totals'])
    expect(all(after, query), query).toEqual(all(before, query));
});

it('a dump of an earlier version is migrated', async () => {
  const sql = new MemorySql();
  await loadLines(sql, NEWER, read(dumpedLines(filled())));
  expect(all(sql, 'SELECT count(*) AS n, count(y) AS y FROM plain')).toEqual([{ n: 249, y: 0 }]);
  expect(all(sql, 'SELECT * FROM more')).toEqual([]);
  expect(all(sql, 'SELECT * FROM rooms ORDER BY name')).toEqual([
    { name: 'more', version: 1 },
    { name: 'texts', version: 2 },
  ]);
});

it.each([
  ['a newer version', [{ rooms: { texts: 2 } }], 'version 2'],
  ['an unknown table', [{ rooms: { texts: 1 } }, { table: 'x"y', columns: ['a'], rows: [[1]] }], 'unknown table'],
  ['something else', [{ hello: 1 }], 'rooms'],
  ['nothing', [], 'expected object'],
])('a dump of %s is refused, and the object counts as empty', async (_, lines, reason) => {
  const sql = new MemorySql();
  await expect(loadLines(sql, ROOMS, read(lines))).rejects.toThrow(reason);
  expect(all(sql, "SELECT name FROM sqlite_master WHERE name = 'rooms'")).toEqual([]);
});
