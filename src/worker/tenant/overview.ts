import type { ErrorCode } from '../../contract/errors.ts';
import type { JobStatus } from '../../contract/jobs.ts';
import type { Sql } from '../sqlite/migrations.ts';

const HOUR_MS = 3_600_000;
/** Limit on the analyses of a tenant, newest first, that the overview covers. Times are in ms. */
const MOST_ENDED = 5_000;

/** An analysis that has ended. */
export interface EndedAnalysis {
  status: Exclude<JobStatus, 'queued' | 'running'>;
  /** When it ended, both rounded down to the hour and exactly; Unix time, ms. */
  hour: number;
  at: number;
  durationMs: number;
  code: ErrorCode | null;
  requestId: string;
  conversationId: string;
}

/** The operator's view of one tenant. It contains no titles and nothing that was said. */
export interface Overview {
  queued: number;
  running: number;
  liveSessions: number;
  storedBytes: number;
  deliveries: { pending: number; delivered: number; failed: number };
  ended: EndedAnalysis[];
}

/** @param since Unix time, ms */
export function overviewOf(sql: Sql, storedBytes: number, since: number): Overview {
  const countsOf = (query: string, ...values: number[]): Map<string, number> =>
    new Map(
      sql
        .exec<{ status: string; count: number }>(query, ...values)
        .toArray()
        .map(({ status, count }) => [status, count]),
    );
  const open = countsOf(
    "SELECT status, count(*) AS count FROM jobs WHERE status IN ('queued', 'running') GROUP BY status",
  );
  const sent = countsOf(
    'SELECT status, count(*) AS count FROM deliveries WHERE created_at >= ? GROUP BY status',
    since,
  );
  const [live] = sql.exec<{ count: number }>('SELECT count(*) AS count FROM live_sessions').toArray();
  const ended = sql
    .exec<{
      id: string;
      request: string;
      status: EndedAnalysis['status'];
      code: ErrorCode | null;
      began: number;
      at: number;
    }>(
      `SELECT id, json_extract(request, '$.requestId') AS request, status, error_code AS code, created_at AS began,
         updated_at AS at
       FROM jobs WHERE status NOT IN ('queued', 'running') AND updated_at >= ? ORDER BY updated_at DESC LIMIT ?`,
      since,
      MOST_ENDED,
    )
    .toArray();
  return {
    queued: open.get('queued') ?? 0,
    running: open.get('running') ?? 0,
    liveSessions: live?.count ?? 0,
    storedBytes,
    deliveries: {
      pending: sent.get('pending') ?? 0,
      delivered: sent.get('delivered') ?? 0,
      failed: sent.get('failed') ?? 0,
    },
    ended: ended.map(({ id, request, status, code, began, at }) => ({
      status,
      at,
      code,
      hour: Math.floor(at / HOUR_MS) * HOUR_MS,
      durationMs: at - began,
      requestId: request,
      conversationId: id,
    })),
  };
}
