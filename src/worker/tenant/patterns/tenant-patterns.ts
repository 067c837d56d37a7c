import { RpcTarget } from 'cloudflare:workers';
import { ServiceError } from '../../../contract/errors.ts';
import {
  EXPORTED_ROWS,
  type LineHit,
  type LineList,
  type LineQuery,
  type MomentHit,
  type MomentList,
  type MomentQuery,
} from '../../../contract/patterns.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { TrendList } from '../../../contract/trends.ts';
import { asServiceError, logFault } from '../../http/errors.ts';
import type { PatternIndex } from '../../results/pattern-index.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { lineList } from './line-list.ts';
import { type AlertFilter, momentList, momentsOf } from './moment-list.ts';
import { PatternRows } from './pattern-rows.ts';
import { writePatterns } from './pattern-tables.ts';
import { noTrends, type TrendRequest, trendList } from './trend-list.ts';

/** The parts of the tenant's object that patterns use. */
export interface PatternsHost {
  sql: Sql;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
}

/** Moments and lines of all conversations of one tenant, kept in step with the results. */
export class TenantPatterns extends RpcTarget {
  readonly #host: PatternsHost;
  readonly #rows: PatternRows;

  constructor(host: PatternsHost) {
    super();
    this.#host = host;
    this.#rows = new PatternRows(host.sql);
  }

  /** A page of moments as JSON: as text, a list crosses to the Worker at a fraction of the cost of its values. */
  async moments(query: MomentQuery): Promise<Result<string>> {
    return asJson(this.#moments(query));
  }

  /** A page of lines as JSON. */
  async lines(query: LineQuery): Promise<Result<string>> {
    return asJson(this.#lines(query));
  }

  /** Sums in cells as JSON. */
  async trends(query: TrendRequest): Promise<Result<string>> {
    return asJson(this.#trends(query));
  }

  /** Moments of one conversation that match, and their number. A failure matches nothing. */
  momentsIn(conversation: string, filter: AlertFilter, limit: number): { moments: MomentHit[]; count: number } {
    try {
      return momentsOf(this.#host.sql, conversation, filter, limit);
    } catch (error) {
      logFault(asServiceError(error), { task: 'views' });
      return { moments: [], count: 0 };
    }
  }

  /** The first `EXPORTED_ROWS` moments that match. */
  async allMoments(query: Omit<MomentQuery, 'cursor' | 'limit'>): Promise<Result<MomentHit[]>> {
    const list = this.#moments({ ...query, limit: EXPORTED_ROWS });
    return list.ok ? ok(list.value.moments) : list;
  }

  /** The first `EXPORTED_ROWS` lines that match. */
  async allLines(query: Omit<LineQuery, 'cursor' | 'limit'>): Promise<Result<LineHit[]>> {
    const lines: LineHit[] = [];
    for (let cursor: string | undefined; lines.length < EXPORTED_ROWS; ) {
      const page = this.#lines({ ...query, cursor, limit: EXPORTED_ROWS - lines.length });
      if (!page.ok) return page;
      lines.push(...page.value.lines);
      if (page.value.next_cursor === null) break;
      cursor = page.value.next_cursor;
    }
    return ok(lines);
  }

  /** All sums, for an export. */
  async allTrends(query: TrendRequest): Promise<Result<TrendList>> {
    return this.#trends(query);
  }

  /** Stores the index of a shown result. A failure does not keep the result from being stored. */
  index(n: number, index: PatternIndex | null): void {
    try {
      writePatterns(this.#host.sql, n, index);
    } catch (error) {
      logFault(asServiceError(error), { task: 'patterns' });
    }
  }

  #moments(query: MomentQuery): Result<MomentList> {
    if (!this.#host.exists()) return ok(NO_MOMENTS);
    return attempt(() => momentList(this.#host.sql, this.#rows, query));
  }

  #lines(query: LineQuery): Result<LineList> {
    if (!this.#host.exists()) return ok({ lines: [], next_cursor: null });
    return attempt(() => lineList(this.#host.sql, query));
  }

  #trends(query: TrendRequest): Result<TrendList> {
    if (!this.#host.exists()) return ok(noTrends(query));
    return attempt(() => trendList(this.#host.sql, this.#rows, query));
  }
}

const asJson = (result: Result<unknown>): Result<string> => (result.ok ? ok(JSON.stringify(result.value)) : result);

/** Returns a bad request as a refusal. */
function attempt<T>(read: () => T): Result<T> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof ServiceError) return fail(error.code, error.detail);
    throw error;
  }
}

const NO_MOMENTS: MomentList = {
  moments: [],
  totals: { count: 0, unsure: 0, conversations: 0, searched: 0, categories: {}, outcomes: {} },
  next_cursor: null,
};
