import { parseArgs } from 'node:util';
import { migrate } from '../src/worker/sqlite/migrations.ts';
import { Catalogue, CONVERSATION_TABLES } from '../src/worker/tenant/catalogue/catalogue.ts';
import { MemorySql } from '../support/memory-sql.ts';
import { report } from './report.ts';

// Queries that an upload and a live session's start send to the tenant's tables, by the number of stored conversations.
// Node's SQLite stands in for the Durable Object's. The statements are those of the Worker.

const { values } = parseArgs({
  strict: false,
  options: { rows: { type: 'string', default: '20000,100000,200000' }, times: { type: 'string', default: '200' } },
});
const TIMES = Number(values.times);
/** Bytes of a row's record and card, as for an analysed call of ten minutes. */
const ROW_BYTES = 1600;
const MOST_MS = 1;

const rows = String(values.rows)
  .split(',')
  .map((count) => {
    const sql = filled(Number(count));
    const catalogue = new Catalogue(sql, () => null);
    const total = medianMs(() => catalogue.storedBytes);
    const sum = medianMs(() => sql.exec<{ bytes: number }>('SELECT sum(bytes) AS bytes FROM conversations').one());
    return [Number(count), round(total), round(sum), total <= MOST_MS ? 'yes' : 'NO'];
  });
report('tenant-tables', [
  {
    title: `Stored bytes of a tenant, median of ${TIMES} times`,
    columns: ['conversations', 'row of totals, ms', 'sum of all rows, ms', `at most ${MOST_MS} ms`],
    rows,
    note: "Node's SQLite in memory; the sum is what was asked before there was a row of totals.",
  },
]);

function filled(count: number): MemorySql {
  const sql = new MemorySql();
  migrate(sql, { conversations: CONVERSATION_TABLES });
  sql.exec(
    `INSERT INTO conversations (id, created_at, status, mode, bytes, record, is_due)
     WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     SELECT printf('%036d', n), n, 'completed', 'batch', 1000 + n, printf('%.*c', ?, 'x'), 0 FROM numbers`,
    count,
    ROW_BYTES,
  );
  return sql;
}

function medianMs(work: () => unknown): number {
  const took = Array.from({ length: TIMES }, () => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
  return took.sort((a, b) => a - b)[TIMES >> 1]!;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
