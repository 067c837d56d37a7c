import { beforeEach, expect, it } from 'vitest';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import { ADMISSION_TABLES } from '../../../src/worker/tenant/admission.ts';
import { CONVERSATION_TABLES } from '../../../src/worker/tenant/catalogue/catalogue.ts';
import type { JobRequest } from '../../../src/worker/tenant/jobs/job.ts';
import { JOB_TABLES, JobTable } from '../../../src/worker/tenant/jobs/job-table.ts';
import { overviewOf } from '../../../src/worker/tenant/overview.ts';
import { WEBHOOK_TABLES, Webhooks } from '../../../src/worker/tenant/webhooks/webhooks.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-22T12:30:00Z');
const HOUR = NOW - (NOW % HOUR_MS);

let sql: MemorySql;
let jobs: JobTable;
beforeEach(() => {
  sql = new MemorySql();
  migrate(sql, {
    jobs: JOB_TABLES,
    webhooks: WEBHOOK_TABLES,
    admission: ADMISSION_TABLES,
    conversations: CONVERSATION_TABLES,
  });
  jobs = new JobTable(sql);
});

const add = (runId: string, began: number): void =>
  void jobs.add({ runId, requestId: `request of ${runId}` } as JobRequest, began, began);

it('sends sums and the newest failures, however many analyses there are', () => {
  for (let i = 0; i < 3_000; i++) {
    add(`c${i}`, NOW - 12_345);
    jobs.end(`c${i}`, { status: 'completed' }, NOW);
    add(`f${i}`, NOW - 1_000);
    jobs.end(`f${i}`, { status: 'failed', code: 'NO_UTTERANCES', message: 'No speech' }, NOW - i);
  }
  const overview = overviewOf(sql, 7, NOW - HOUR_MS);
  expect(overview).toMatchObject({
    storedBytes: 7,
    hours: [{ hour: HOUR, completed: 3_000, failed: 3_000, cancelled: 0 }],
    durations: [{ ms: 12_000, count: 3_000 }],
    failures: [{ code: 'NO_UTTERANCES', count: 3_000 }],
  });
  expect(overview.failures[0]!.newest.map(({ conversationId }) => conversationId)).toEqual([
    'f0',
    'f1',
    'f2',
    'f3',
    'f4',
  ]);
  expect(JSON.stringify(overview).length).toBeLessThan(2_000);
});

it('names the conversation of a repeated analysis, its reason, and whether its recording is kept', () => {
  add('a_2', NOW - 1_000);
  jobs.end('a_2', { status: 'failed', code: 'ANALYSIS_FAILURE', message: 'The pipeline stopped' }, NOW);
  jobs.retain('a_2', NOW + HOUR_MS);
  const [failed] = overviewOf(sql, 0, NOW - HOUR_MS).failures;
  expect(failed!.newest).toEqual([
    {
      at: NOW,
      startedAt: NOW - 1_000,
      reason: 'The pipeline stopped',
      requestId: 'request of a_2',
      conversationId: 'a',
      isKept: true,
    },
  ]);
});

it('counts live sessions, which are no jobs', () => {
  const record = { requestId: 'r', endedAt: NOW, error: { code: 'NO_UTTERANCES', message: 'No speech' } };
  sql.exec(
    `INSERT INTO conversations (id, created_at, status, mode, bytes, record, is_due) VALUES ('live', ?, 'failed', 'live', 0, ?, 0)`,
    NOW - 60_000,
    JSON.stringify(record),
  );
  const { hours, failures, durations } = overviewOf(sql, 0, NOW - HOUR_MS);
  expect({ hours, durations }).toEqual({
    hours: [{ hour: HOUR, completed: 0, failed: 1, cancelled: 0 }],
    durations: [],
  });
  expect(failures).toMatchObject([{ code: 'NO_UTTERANCES', count: 1, newest: [{ conversationId: 'live' }] }]);
});

it('leaves out tests of webhooks, which are no concern of the operator', () => {
  const webhooks = new Webhooks(sql);
  const { id } = webhooks.add({ url: 'https://example.com/' }, NOW)!;
  webhooks.test(id, NOW);
  webhooks.settle(webhooks.take(NOW)[0]!, { status: 500, error: 'The receiver returned 500' });
  expect(webhooks.deliveries(id)?.[0]?.status).toBe('failed');
  expect(overviewOf(sql, 0, NOW - HOUR_MS)).toMatchObject({ deliveries: { failed: 0 }, undelivered: [] });
});
