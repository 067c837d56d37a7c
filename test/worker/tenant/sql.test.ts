import { expect, it } from 'vitest';
import { hasTables, migrate } from '../../../src/worker/sqlite/migrations.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const names = (sql: MemorySql): string[] =>
  sql
    .exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    .toArray()
    .map(({ name }) => name);

it('recognises an object without tables, and leaves it without', () => {
  const sql = new MemorySql();
  expect(hasTables(sql)).toBe(false);
  expect(names(sql)).toEqual([]);
});

it('migrates each schema from its version to the newest, once', () => {
  const sql = new MemorySql();
  const first = 'CREATE TABLE a (x INTEGER)';
  migrate(sql, { a: [first] });
  expect(hasTables(sql)).toBe(true);
  sql.exec('INSERT INTO a VALUES (1)');
  const rooms = { a: [first, 'ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 7'], b: ['CREATE TABLE b (z INTEGER)'] };
  for (let again = 0; again < 3; again++) migrate(sql, rooms);
  expect(sql.exec('SELECT * FROM a').toArray()).toEqual([{ x: 1, y: 7 }]);
  expect(names(sql)).toEqual(['a', 'b', 'rooms']);
});

it('leaves a schema of a newer version of the service unchanged', () => {
  const sql = new MemorySql();
  migrate(sql, { a: ['CREATE TABLE a (x INTEGER)', 'CREATE TABLE c (x INTEGER)'] });
  migrate(sql, { a: ['CREATE TABLE a (x INTEGER)'] });
  expect(names(sql)).toEqual(['a', 'c', 'rooms']);
});
