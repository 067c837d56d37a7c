import { beforeEach, describe, expect, it } from 'vitest';
import { isIdempotencyKey, JobSchema } from '../../../src/contract/jobs.ts';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import { CLAIM_TABLES, IdempotencyClaims } from '../../../src/worker/tenant/jobs/idempotency-claims.ts';
import { type JobRequest, jobRequestOf, type StoredJobRequest } from '../../../src/worker/tenant/jobs/job.ts';
import { JOB_TABLES, JobTable } from '../../../src/worker/tenant/jobs/job-table.ts';
import { type OpenUpload, UPLOAD_TABLES, UploadTable } from '../../../src/worker/tenant/upload-table.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY_MS = 24 * 3_600_000;

let sql: MemorySql;
beforeEach(() => {
  sql = new MemorySql();
  migrate(sql, { jobs: JOB_TABLES, claims: CLAIM_TABLES, uploads: UPLOAD_TABLES });
});

const request = (conversationId: string): JobRequest => ({
  tenant: 't',
  caller: { tenant: 't', keyId: 'k', kind: 'configured' },
  runId: conversationId,
  requestId: 'r',
  sent: { mode: 'batch', filename: 'a.wav' },
  source: { type: 'upload', suffix: '.wav', bytes: 1 },
  options: { goal: '', affect: 'full' } as JobRequest['options'],
});

describe('the table of jobs', () => {
  let book: JobTable;
  beforeEach(() => {
    book = new JobTable(sql);
    book.add(request('c'), NOW + 20_000, NOW);
  });

  it('has the status of a job, and adds each once', () => {
    expect(JobSchema.parse(book.read('c'))).toMatchObject({ status: 'queued', phase: null, progress: 0, error: null });
    expect(book.add(request('c'), NOW, NOW)).toBe(false);
    expect(book.request('c')).toEqual(request('c'));
    expect(book.read('d')).toBeNull();
    expect(book.openCount()).toBe(1);
  });

  it('has the progress of a job, which never goes back', () => {
    book.renew('c', 'processing', 0.5, NOW + 30_000, NOW);
    expect([book.leaseEnd('c'), book.leaseEnd('none')]).toEqual([NOW + 30_000, null]);
    book.renew('c', 'processing', 0.2, NOW + 30_000, NOW);
    expect(book.read('c')).toMatchObject({ status: 'running', phase: 'processing', progress: 0.5 });
  });

  it('finds jobs whose lease has ended, and no others', () => {
    expect(book.unleased(NOW + 19_999)).toEqual([]);
    expect(book.nextLeaseEnd()).toBe(NOW + 20_000);
    expect(book.unleased(NOW + 20_000)).toEqual(['c']);
    book.renew('c', null, 0, NOW + 40_000, NOW + 20_000);
    expect(book.unleased(NOW + 20_000)).toEqual([]);
    book.end('c', { status: 'completed' }, NOW);
    expect(book.unleased(NOW + DAY_MS)).toEqual([]);
    expect(book.nextLeaseEnd()).toBeNull();
  });

  it('ends a job once: the first outcome counts', () => {
    expect(book.end('c', { status: 'cancelled' }, NOW)).toBe(true);
    expect(book.end('c', { status: 'completed' }, NOW)).toBe(false);
    expect(book.renew('c', 'processing', 0.9, NOW, NOW)).toBe('cancelled');
    expect(book.read('c')).toMatchObject({ status: 'cancelled', progress: 0 });
    expect(book.end('unknown', { status: 'completed' }, NOW)).toBe(false);
  });

  it('names a workflow, another one for another attempt, and none for an ended job', () => {
    const first = book.assignWorkflow('c', NOW);
    expect(book.assignWorkflow('c', NOW)).toBe(first);
    const next = book.replaceWorkflow('c');
    expect(next).not.toBe(first);
    expect(book.assignWorkflow('c', NOW)).toBe(next);
    book.end('c', { status: 'failed', code: 'ANALYSIS_FAILURE', message: 'x' }, NOW);
    expect(book.assignWorkflow('c', NOW)).toBeNull();
    expect(book.replaceWorkflow('c')).toBeNull();
    expect(book.endedWorkflows(NOW + 1)).toEqual([{ id: 'c', workflow: next }]);
    book.forgetWorkflow('c');
    expect(book.endedWorkflows(NOW + 1)).toEqual([]);
  });

  it('forgets old outcomes, and never an open job', () => {
    book.add(request('d'), NOW, NOW);
    book.end('d', { status: 'completed' }, NOW);
    book.forget(NOW);
    expect(book.read('d')).not.toBeNull();
    book.forget(NOW + 1);
    expect(book.read('d')).toBeNull();
    expect(book.read('c')).not.toBeNull();
  });
});

it('reads a job that a version up to 0.3.0 stored, with the run under `conversationId`', () => {
  const { runId, ...rest } = request('c_1');
  const stored: StoredJobRequest = { ...rest, conversationId: runId };
  new JobTable(sql).add(request('c_1'), NOW, NOW);
  sql.exec('UPDATE jobs SET request = ?', JSON.stringify(stored));
  expect(new JobTable(sql).request('c_1')).toEqual(request('c_1'));
  expect(jobRequestOf(stored)).toEqual(request('c_1'));
});

describe('claims', () => {
  it('hold for a day, for the first request', () => {
    const claims = new IdempotencyClaims(sql);
    expect(claims.claim('k', 'f', 'one', NOW)).toEqual({ fingerprint: 'f', id: 'one', answer: null });
    claims.setAnswer('k', 'one', '{}');
    expect(claims.claim('k', 'g', 'two', NOW + DAY_MS - 1)).toEqual({ fingerprint: 'f', id: 'one', answer: '{}' });
    expect(claims.find('k', NOW + DAY_MS)).toBeNull();
    expect(claims.claim('k', 'g', 'two', NOW + DAY_MS)).toMatchObject({ id: 'two', answer: null });
    claims.forgetId('two');
    expect(claims.find('k', NOW + DAY_MS)).toBeNull();
  });

  it.each([
    ['0b0d5ac8-5f6e-4b8a-9d7e-1a2b3c4d5e6f', true],
    ['"quoted"', true],
    ['x'.repeat(255), true],
    ['', false],
    ['two words', false],
    ['tab\t', false],
    ['ünï', false],
    ['x'.repeat(256), false],
  ])('%.20s may be a key: %s', (text, may) => {
    expect(isIdempotencyKey(text)).toBe(may);
  });
});

describe('the table of uploads', () => {
  const upload = (id: string): OpenUpload => ({
    id,
    multipartId: `m-${id}`,
    filename: 'a.wav',
    suffix: '.wav',
    bytes: 40,
    partBytes: 16,
    isPresigned: false,
    options: request(id).options,
  });

  it('has the received parts in order, the last one of each number', () => {
    const book = new UploadTable(sql);
    book.open(upload('u'), NOW);
    for (const [number, etag] of [
      [3, 'c'],
      [1, 'a'],
      [3, 'd'],
    ] as const)
      expect(book.addPart('u', { number, etag }, NOW)).toBe(true);
    expect(book.read('u')?.parts).toEqual([
      { number: 1, etag: 'a' },
      { number: 3, etag: 'd' },
    ]);
    expect(book.addPart('unknown', { number: 1, etag: 'a' }, NOW)).toBe(false);
  });

  it('expires an upload a day after its last part', () => {
    const book = new UploadTable(sql);
    book.open(upload('u'), NOW);
    book.open(upload('v'), NOW);
    book.addPart('v', { number: 1, etag: 'a' }, NOW + 1000);
    expect(book.expiryAt()).toBe(NOW + DAY_MS);
    expect(book.expired(NOW + DAY_MS).map(({ id }) => id)).toEqual(['u']);
    book.remove('u');
    expect(book.expiryAt()).toBe(NOW + 1000 + DAY_MS);
  });

  it('has at most a hundred open uploads', () => {
    const book = new UploadTable(sql);
    for (let i = 0; i < 100; i++) expect(book.open(upload(`u${i}`), NOW)).toBe(true);
    expect(book.open(upload('more'), NOW)).toBe(false);
    book.remove('u0');
    expect(book.open(upload('more'), NOW)).toBe(true);
  });
});
