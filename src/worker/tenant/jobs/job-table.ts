import type { ErrorCode } from '../../../contract/errors.ts';
import { isEnded, type JobBody, type JobStatus } from '../../../contract/jobs.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { type JobRequest, jobRequestOf } from './job.ts';

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

/** SQL: until when the upload of a row of `conversations` is kept after its analysis failed. */
export const KEPT_UNTIL = '(SELECT kept_until FROM jobs WHERE jobs.id = conversations.id)';

/** The end of an analysis. */
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
 * The open jobs of a tenant, and the outcomes of ended ones. The request that waits for a job, or a workflow, holds the
 * job's lease and keeps renewing it. `unleased` finds the jobs whose holder died.
 */
export class JobTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** @param leaseEnd Unix time, ms @returns false when a job with this id exists */
  add(request: JobRequest, leaseEnd: number, now: number): boolean {
    const rows = this.#sql.exec(
      `INSERT OR IGNORE INTO jobs (id, request, status, progress, carried_until, run, created_at, updated_at)
       VALUES (?, ?, 'queued', 0, ?, 1, ?, ?) RETURNING id`,
      request.runId,
      JSON.stringify(request),
      leaseEnd,
      now,
      now,
    );
    return rows.toArray().length > 0;
  }

  /** Restarts a job whose upload is retained. @returns false for any other job */
  reopen(id: string, leaseEnd: number, now: number): boolean {
    const rows = this.#sql.exec(
      `UPDATE jobs SET status = 'queued', phase = NULL, progress = 0, error_code = NULL, error_message = NULL,
         run = run + 1, workflow = NULL, kept_until = NULL, carried_until = ?, updated_at = ?
       WHERE id = ? AND kept_until IS NOT NULL RETURNING id`,
      leaseEnd,
      now,
      id,
    );
    return rows.toArray().length > 0;
  }

  read(id: string): JobBody | null {
    const [row] = this.#sql.exec<JobRow>('SELECT * FROM jobs WHERE id = ?', id).toArray();
    return row ? bodyOf(row) : null;
  }

  /** Empties what people wrote in the request of a job: names, addresses and the goal. */
  forgetTexts(id: string): void {
    this.#sql.exec(
      `UPDATE jobs SET request = json_replace(request, '$.sent.filename', '', '$.options.goal', '', '$.source.url', '',
         '$.source.filename', '') WHERE id = ?`,
      id,
    );
  }

  request(id: string): JobRequest | null {
    const [row] = this.#sql.exec<{ request: string }>('SELECT request FROM jobs WHERE id = ?', id).toArray();
    return row ? jobRequestOf(JSON.parse(row.request)) : null;
  }

  /**
   * Extends the lease of an open job and records its progress. @returns the job's status; null when the job is unknown
   */
  renew(id: string, phase: string | null, progress: number, leaseEnd: number, now: number): JobStatus | null {
    this.#sql.exec(
      `UPDATE jobs SET status = CASE WHEN ?2 IS NULL THEN status ELSE 'running' END, phase = coalesce(?2, phase),
         progress = max(progress, ?3), carried_until = ?4, updated_at = ?5
       WHERE id = ?1 AND status IN ('queued', 'running')`,
      id,
      phase,
      progress,
      leaseEnd,
      now,
    );
    return this.read(id)?.status ?? null;
  }

  /** When the lease of a job ends, Unix time, ms. Null when the job is unknown. */
  leaseEnd(id: string): number | null {
    const sql = 'SELECT carried_until AS at FROM jobs WHERE id = ?';
    return this.#sql.exec<{ at: number }>(sql, id).toArray()[0]?.at ?? null;
  }

  /** Ends a job. @returns false when it had already ended or is unknown */
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

  /** Sets the time until which the upload of a failed job is retained. Null: it is not retained. */
  retain(id: string, until: number | null): void {
    this.#sql.exec(`UPDATE jobs SET kept_until = ? WHERE id = ? AND status = 'failed'`, until, id);
  }

  /** Ids of jobs whose upload no longer needs to be retained. */
  retainedBefore(now: number): string[] {
    return this.#sql
      .exec<{ id: string }>('SELECT id FROM jobs WHERE kept_until <= ?', now)
      .toArray()
      .map(({ id }) => id);
  }

  /** The next time at which an upload's retention ends, Unix time, ms. Null when none is retained. */
  nextRetentionEnd(): number | null {
    return this.#sql.exec<{ at: number | null }>('SELECT min(kept_until) AS at FROM jobs').one().at;
  }

  ids(): string[] {
    return [...this.#sql.exec<{ id: string }>('SELECT id FROM jobs')].map(({ id }) => id);
  }

  openCount(): number {
    const sql = `SELECT count(*) AS n FROM jobs WHERE status IN ('queued', 'running')`;
    return this.#sql.exec<{ n: number }>(sql).one().n;
  }

  /** Ids of open jobs whose lease has ended, oldest first. */
  unleased(now: number): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `SELECT id FROM jobs WHERE status IN ('queued', 'running') AND carried_until <= ? ORDER BY carried_until`,
        now,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** The next time at which an open job's lease ends, Unix time, ms. Null when no job is open. */
  nextLeaseEnd(): number | null {
    const sql = `SELECT min(carried_until) AS at FROM jobs WHERE status IN ('queued', 'running')`;
    return this.#sql.exec<{ at: number | null }>(sql).one().at;
  }

  /** Assigns a workflow to an open job. @returns the workflow's id; null when the job has ended */
  assignWorkflow(id: string, leaseEnd: number): string | null {
    const rows = this.#sql.exec<{ workflow: string }>(
      `UPDATE jobs SET workflow = id || '-' || run, carried_until = ?
       WHERE id = ? AND status IN ('queued', 'running') RETURNING workflow`,
      leaseEnd,
      id,
    );
    return rows.toArray()[0]?.workflow ?? null;
  }

  /** Assigns a new workflow to an open job whose workflow has ended. */
  replaceWorkflow(id: string): string | null {
    const rows = this.#sql.exec<{ workflow: string }>(
      `UPDATE jobs SET run = run + 1, workflow = id || '-' || (run + 1)
       WHERE id = ? AND status IN ('queued', 'running') RETURNING workflow`,
      id,
    );
    return rows.toArray()[0]?.workflow ?? null;
  }

  /** Workflows of jobs that ended before a given time. */
  endedWorkflows(before: number): { id: string; workflow: string }[] {
    const sql = `SELECT id, workflow FROM jobs WHERE workflow IS NOT NULL AND status NOT IN ('queued', 'running') AND updated_at < ?`;
    return this.#sql.exec<{ id: string; workflow: string }>(sql, before).toArray();
  }

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

  /**
   * Forgets jobs that ended before a given time and whose upload is not retained. The catalogue still lists the
   * conversations.
   */
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
