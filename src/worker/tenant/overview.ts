import type { ErrorCode } from '../../contract/errors.ts';
import {
  type DeadLetter,
  NAMED_DEAD_LETTERS,
  NAMED_DELIVERIES,
  NAMED_REQUESTS,
  type Undelivered,
} from '../../contract/operations.ts';
import { TEST_EVENT } from '../../contract/webhooks.ts';
import type { Sql } from '../sqlite/migrations.ts';
import { conversationOf } from '../storage/keys.ts';

const HOUR_MS = 3_600_000;
/** Longest time between the start of a live session and the start of the requested period in which it ended, ms. */
const LIVE_BEFORE_MS = 24 * HOUR_MS;

/** Analyses by the hour in which they ended. */
export interface HourOfAnalyses {
  /** Unix time, ms. */
  hour: number;
  completed: number;
  failed: number;
  cancelled: number;
}

/** A failed analysis. */
export interface FailedAnalysis {
  /** Unix time, ms. */
  at: number;
  /** Unix time, ms. */
  startedAt?: number;
  reason: string;
  requestId: string;
  conversationId: string;
  /** Whether it can be analysed again because its recording is kept. */
  isKept: boolean;
}

/** All failures with one code. `newest` contains a few of them, newest first. */
export interface FailuresOfCode {
  code: ErrorCode;
  count: number;
  newest: FailedAnalysis[];
}

/** The operator's view of one tenant, without titles or spoken words. Its size does not depend on the number of analyses. */
export interface Overview {
  queued: number;
  running: number;
  liveSessions: number;
  storedBytes: number;
  /** The used share of the tenant's database, 0 to 1. Absent from an object that still runs an older version. */
  databaseShare?: number;
  deliveries: { pending: number; delivered: number; failed: number };
  hours: HourOfAnalyses[];
  /** Durations of file analyses, ms, rounded down to two digits, and the number of analyses for each. */
  durations: { ms: number; count: number }[];
  failures: FailuresOfCode[];
  /** Absent from an object that still runs an older version. */
  undelivered?: Omit<Undelivered, 'tenant'>[];
  /** Absent from an object that still runs an older version. */
  deadLetters?: Omit<DeadLetter, 'tenant'>[];
}

/**
 * Analyses that have ended since ?1. File analyses are jobs. Live sessions, which began after ?2, are only in the
 * catalogue.
 */
const ENDED = `WITH ended AS (
  SELECT id, json_extract(request, '$.requestId') AS request, status, error_code AS code, error_message AS reason,
    updated_at AS at, updated_at - created_at AS took, kept_until IS NOT NULL AS kept, created_at AS began
  FROM jobs WHERE status NOT IN ('queued', 'running') AND updated_at >= ?1
  UNION ALL
  SELECT id, json_extract(record, '$.requestId'), status, json_extract(record, '$.error.code'),
    json_extract(record, '$.error.message'), json_extract(record, '$.endedAt'), NULL, 0, created_at
  FROM conversations
  WHERE mode = 'live' AND created_at >= ?2 AND status IN ('completed', 'failed', 'cancelled')
    AND json_extract(record, '$.endedAt') >= ?1 AND id NOT IN (SELECT id FROM jobs)
)`;

/** A test that fails is no concern of the operator. */
const IS_REAL = `event <> '${TEST_EVENT}'`;

/** A duration in ms cut to two digits: at most 90 values for each power of ten. */
const TWO_DIGITS = `CASE WHEN took < 100 THEN took WHEN took < 1000 THEN took / 10 * 10 WHEN took < 10000 THEN took / 100 * 100
  WHEN took < 100000 THEN took / 1000 * 1000 WHEN took < 1000000 THEN took / 10000 * 10000 ELSE took / 100000 * 100000 END`;

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
    `SELECT status, count(*) AS count FROM deliveries WHERE created_at >= ? AND ${IS_REAL} GROUP BY status`,
    since,
  );
  const [live] = sql.exec<{ count: number }>('SELECT count(*) AS count FROM live_sessions').toArray();
  const span = [since, since - LIVE_BEFORE_MS] as const;
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
    hours: sql
      .exec<HourOfAnalyses & Record<string, number>>(
        `${ENDED} SELECT at / ${HOUR_MS} * ${HOUR_MS} AS hour, sum(status = 'completed') AS completed,
           sum(status = 'failed') AS failed, sum(status = 'cancelled') AS cancelled
         FROM ended GROUP BY hour ORDER BY hour`,
        ...span,
      )
      .toArray()
      .map(({ hour, completed, failed, cancelled }) => ({ hour, completed, failed, cancelled })),
    durations: sql
      .exec<{ ms: number; count: number }>(
        `${ENDED} SELECT ${TWO_DIGITS} AS ms, count(*) AS count
         FROM ended WHERE status = 'completed' AND took IS NOT NULL GROUP BY ms`,
        ...span,
      )
      .toArray()
      .map(({ ms, count }) => ({ ms, count })),
    failures: failuresOf(sql, span),
    undelivered: undeliveredSince(sql, since),
    deadLetters: deadLettersOf(sql),
  };
}

function deadLettersOf(sql: Sql): Omit<DeadLetter, 'tenant'>[] {
  return sql
    .exec<{ id: string; code: ErrorCode; reason: string | null; began: number; at: number; until: number }>(
      `SELECT id, error_code AS code, error_message AS reason, created_at AS began, updated_at AS at, kept_until AS until
       FROM jobs WHERE kept_until IS NOT NULL AND status = 'failed'
       ORDER BY updated_at DESC LIMIT ${NAMED_DEAD_LETTERS}`,
    )
    .toArray()
    .map(({ id, code, reason, began, at, until }) => ({
      conversation_id: conversationOf(id),
      code,
      reason: reason ?? '',
      started_at: new Date(began).toISOString(),
      failed_at: new Date(at).toISOString(),
      kept_until: new Date(until).toISOString(),
    }));
}

function undeliveredSince(sql: Sql, since: number): Omit<Undelivered, 'tenant'>[] {
  return sql
    .exec<Omit<Undelivered, 'tenant' | 'last_attempt_at'> & { last_attempt_at: number | null }>(
      `SELECT deliveries.id, webhook AS webhook_id, url, event, conversation_id, attempts, last_status, last_error,
         last_attempt_at
       FROM deliveries JOIN webhooks ON webhooks.id = webhook
       WHERE status = 'failed' AND deliveries.created_at >= ? AND ${IS_REAL} ORDER BY seq DESC LIMIT ${NAMED_DELIVERIES}`,
      since,
    )
    .toArray()
    .map(({ last_attempt_at: at, ...delivery }) => ({
      ...delivery,
      last_attempt_at: at === null ? null : new Date(at).toISOString(),
    }));
}

interface FailureRow extends Record<string, string | number | null> {
  id: string;
  request: string | null;
  code: ErrorCode;
  reason: string | null;
  at: number;
  kept: number;
  began: number;
  count: number;
}

function failuresOf(sql: Sql, span: readonly [number, number]): FailuresOfCode[] {
  const rows = sql
    .exec<FailureRow>(
      `${ENDED} SELECT * FROM (
         SELECT id, request, code, reason, at, kept, began, count(*) OVER (PARTITION BY code) AS count,
           row_number() OVER (PARTITION BY code ORDER BY at DESC) AS rank
         FROM ended WHERE status = 'failed' AND code IS NOT NULL
       ) WHERE rank <= ${NAMED_REQUESTS} ORDER BY at DESC`,
      ...span,
    )
    .toArray();
  return [...Map.groupBy(rows, ({ code }) => code)].map(([code, newest]) => ({
    code,
    count: newest[0]!.count,
    newest: newest.map(({ id, request, reason, at, kept, began }) => ({
      at,
      startedAt: began,
      reason: reason ?? '',
      requestId: request ?? '',
      conversationId: conversationOf(id),
      isKept: kept === 1,
    })),
  }));
}
