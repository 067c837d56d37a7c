import type { ErrorCode } from '../../../contract/errors.ts';
import { isEnded, type JobBody, type JobStatus } from '../../../contract/jobs.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import type { JobRequest } from './job.ts';

export const JOB_TABLES = [
  `CREATE TABLE jobs (
    id TEXT PRIMARY KEY, request TEXT NOT NULL, status TEXT NOT NULL, phase TEXT, progress REAL NOT NULL, error_code TEXT,
    error_message TEXT, carried_until INTEGER NOT NULL, run INTEGER NOT NULL, workflow TEXT, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE INDEX jobs_open ON jobs (carried_until) WHERE status IN ('queued', 'running')`,
  'CREATE INDEX jobs_with_workflow ON jobs (updated_at) WHERE workflow IS NOT NULL',
  'ALTER TABLE jobs ADD COLUMN kept_until INTEGER',
  'CREATE INDEX jobs_kept ON jobs (kept_until) WHERE kept_until IS NOT NULL',
];

/** How an analysis ended. */
export type AnalysisOutcome =
  | { status: 'completed' }
  | { status: 'cancelled' }
  | { status: 'failed'; code: ErrorCode; message: string };

interface JobRow extends Record<string, string | number | null> {
  id: string;
  request: string;
  status: JobStatus;
  phase: string | null;
  progress: number;
  error_code: ErrorCode | null;
  error_message: string | null;
  kept_until: number | null;
  carried_until: number;
  created_at: number;
  updated_at: number;
}

/**
 * The analyses of a tenant that are under way, and how those of before ended. Somebody carries each: a request that waits
 * for it, or a workflow. Who carries one says so again and again; one that nobody carries any more is found by `adrift`.
 */
export class JobTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** @param carriedUntil Unix time, ms @returns false when there is one of this id */
  add(request: JobRequest, carriedUntil: number, now: number): boolean {
    const rows = this.#sql.exec(
      `INSERT OR IGNORE INTO jobs (id, request, status, progress, carried_until, run, created_at, updated_at)
       VALUES (?, ?, 'queued', 0, ?, 1, ?, ?) RETURNING id`,
      request.runId,
      JSON.stringify(request),
      carriedUntil,
      now,
      now,
    );
    return rows.toArray().length > 0;
  }

  /** Begins one anew whose upload is kept. @returns false for any other */
  reopen(id: string, carriedUntil: number, now: number): boolean {
    const rows = this.#sql.exec(
      `UPDATE jobs SET status = 'queued', phase = NULL, progress = 0, error_code = NULL, error_message = NULL,
         run = run + 1, workflow = NULL, kept_until = NULL, carried_until = ?, updated_at = ?
       WHERE id = ? AND kept_until IS NOT NULL RETURNING id`,
      carriedUntil,
      now,
      id,
    );
    return rows.toArray().length > 0;
  }

  read(id: string): JobBody | null {
    const [row] = this.#sql.exec<JobRow>('SELECT * FROM jobs WHERE id = ?', id).toArray();
    return row ? bodyOf(row) : null;
  }

  request(id: string): JobRequest | null {
    const [row] = this.#sql.exec<{ request: string }>('SELECT request FROM jobs WHERE id = ?', id).toArray();
    return row ? JSON.parse(row.request) : null;
  }

  /** Says that somebody carries it on, and how far it is. @returns how it stands; null when it is unknown */
  carry(id: string, phase: string | null, progress: number, carriedUntil: number, now: number): JobStatus | null {
    this.#sql.exec(
      `UPDATE jobs SET status = CASE WHEN ?2 IS NULL THEN status ELSE 'running' END, phase = coalesce(?2, phase),
         progress = max(progress, ?3), carried_until = ?4, updated_at = ?5
       WHERE id = ?1 AND status IN ('queued', 'running')`,
      id,
      phase,
      progress,
      carriedUntil,
      now,
    );
    return this.read(id)?.status ?? null;
  }

  /** Ends one, once. @returns false when it has ended before, or is unknown */
  end(id: string, outcome: AnalysisOutcome, now: number): boolean {
    const error = outcome.status === 'failed' ? outcome : { code: null, message: null };
    const rows = this.#sql.exec(
      `UPDATE jobs SET status = ?2, error_code = ?3, error_message = ?4, updated_at = ?5,
         progress = CASE WHEN ?2 = 'completed' THEN 1 ELSE progress END
       WHERE id = ?1 AND status IN ('queued', 'running') RETURNING id`,
      id,
      outcome.status,
      error.code,
      error.message,
      now,
    );
    return rows.toArray().length > 0;
  }

  /** Says until when the upload of one that failed is kept; null: it is not, or no longer. */
  keep(id: string, until: number | null): void {
    this.#sql.exec(`UPDATE jobs SET kept_until = ? WHERE id = ? AND status = 'failed'`, until, id);
  }

  /** Those whose upload was kept for its time. */
  keptBefore(now: number): string[] {
    return this.#sql
      .exec<{ id: string }>('SELECT id FROM jobs WHERE kept_until <= ?', now)
      .toArray()
      .map(({ id }) => id);
  }

  /** When the first upload that is kept has been so for its time; null when none is. */
  keptUntil(): number | null {
    return this.#sql.exec<{ at: number | null }>('SELECT min(kept_until) AS at FROM jobs').one().at;
  }

  /** Ids of all. */
  ids(): string[] {
    return [...this.#sql.exec<{ id: string }>('SELECT id FROM jobs')].map(({ id }) => id);
  }

  /** How many go on. */
  underWay(): number {
    const sql = `SELECT count(*) AS n FROM jobs WHERE status IN ('queued', 'running')`;
    return this.#sql.exec<{ n: number }>(sql).one().n;
  }

  /** Ids of those that go on, and that nobody carries. */
  adrift(now: number): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `SELECT id FROM jobs WHERE status IN ('queued', 'running') AND carried_until <= ? ORDER BY carried_until`,
        now,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** When the first of those that go on is adrift unless somebody says that it is not; null when all have ended. */
  adriftAt(): number | null {
    const sql = `SELECT min(carried_until) AS at FROM jobs WHERE status IN ('queued', 'running')`;
    return this.#sql.exec<{ at: number | null }>(sql).one().at;
  }

  /** The name of the workflow that is to carry it on; from here on it has one. Null for one that has ended. */
  workflow(id: string, carriedUntil: number): string | null {
    const rows = this.#sql.exec<{ workflow: string }>(
      `UPDATE jobs SET workflow = id || '-' || run, carried_until = ?
       WHERE id = ? AND status IN ('queued', 'running') RETURNING workflow`,
      carriedUntil,
      id,
    );
    return rows.toArray()[0]?.workflow ?? null;
  }

  /** The same under another name, where the one before is over and the job is not. */
  nextWorkflow(id: string): string | null {
    const rows = this.#sql.exec<{ workflow: string }>(
      `UPDATE jobs SET run = run + 1, workflow = id || '-' || (run + 1)
       WHERE id = ? AND status IN ('queued', 'running') RETURNING workflow`,
      id,
    );
    return rows.toArray()[0]?.workflow ?? null;
  }

  /** Workflows of those that ended before a time. */
  endedWorkflows(before: number): { id: string; workflow: string }[] {
    const sql = `SELECT id, workflow FROM jobs WHERE workflow IS NOT NULL AND status NOT IN ('queued', 'running') AND updated_at < ?`;
    return this.#sql.exec<{ id: string; workflow: string }>(sql, before).toArray();
  }

  /** The workflow of one, if it has any. */
  workflowOf(id: string): string | null {
    const sql = 'SELECT workflow FROM jobs WHERE id = ?';
    return this.#sql.exec<{ workflow: string | null }>(sql, id).toArray()[0]?.workflow ?? null;
  }

  forgetWorkflow(id: string): void {
    this.#sql.exec('UPDATE jobs SET workflow = NULL WHERE id = ?', id);
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM jobs WHERE id = ?', id);
  }

  /** Forgets those that ended before a time: what they left is listed elsewhere. */
  forget(before: number): void {
    const sql = `DELETE FROM jobs WHERE status NOT IN ('queued', 'running') AND kept_until IS NULL AND updated_at < ?`;
    this.#sql.exec(sql, before);
  }
}

const bodyOf = (row: JobRow): JobBody => ({
  conversation_id: row.id,
  status: row.status,
  phase: isEnded(row.status) ? null : row.phase,
  progress: row.progress,
  error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  kept_until: row.kept_until === null ? null : new Date(row.kept_until).toISOString(),
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
});
