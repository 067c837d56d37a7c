import { type CallOptions, type Connection, withQuery } from './connection.ts';
import type {
  LineHit,
  LineList,
  LineQueryInput,
  MomentHit,
  MomentList,
  MomentQueryInput,
  TrendList,
  TrendQueryInput,
} from './wire.ts';

/** A table as text, or with types (Apache Parquet). */
export type TableFormat = 'csv' | 'parquet';

/** Finds what happens in all conversations. */
export class Patterns {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * A page of moments, newest recording first.
   *
   * @example
   * const { moments, totals } = await undertone.patterns.moments({ category: 'objection', outcome: 'nothing' });
   */
  moments({ signal, ...query }: MomentQueryInput & CallOptions = {}): Promise<MomentList> {
    return this.#connection.json(withQuery('moments', query), { repeatable: true, signal });
  }

  /** Every moment, page by page. */
  async *allMoments(options: MomentQueryInput & CallOptions = {}): AsyncGenerator<MomentHit, void> {
    for (let cursor = options.cursor; ; ) {
      const page = await this.moments({ ...options, ...(cursor !== undefined && { cursor }) });
      yield* page.moments;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** A page of the lines in which all words of a search occur, newest recording first. */
  lines({ signal, ...query }: LineQueryInput & CallOptions): Promise<LineList> {
    return this.#connection.json(withQuery('lines', query), { repeatable: true, signal });
  }

  /** Every line in which all words of a search occur, page by page. */
  async *allLines(options: LineQueryInput & CallOptions): AsyncGenerator<LineHit, void> {
    for (let cursor = options.cursor; ; ) {
      const page = await this.lines({ ...options, ...(cursor !== undefined && { cursor }) });
      yield* page.lines;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** All moments that match, up to 10,000, as a table. */
  exportMoments(
    format: TableFormat,
    { signal, ...query }: Omit<MomentQueryInput, 'cursor' | 'limit'> & CallOptions = {},
  ): Promise<Blob> {
    return this.#connection.blob(withQuery('moments/export', { ...query, format }), { repeatable: true, signal });
  }

  /** All lines that match, up to 10,000, as a table. */
  exportLines(
    format: TableFormat,
    { signal, ...query }: Omit<LineQueryInput, 'cursor' | 'limit'> & CallOptions,
  ): Promise<Blob> {
    return this.#connection.blob(withQuery('lines/export', { ...query, format }), { repeatable: true, signal });
  }

  /**
   * A measure over all conversations, in cells.
   *
   * @example
   * const { cells } = await undertone.patterns.trends({ measure: 'moments.count', category: 'objection', by: 'week' });
   */
  trends({ signal, ...query }: TrendQueryInput & CallOptions): Promise<TrendList> {
    return this.#connection.json(withQuery('trends', query), { repeatable: true, signal });
  }

  /** A trend as a table. */
  exportTrends(format: TableFormat, { signal, ...query }: Omit<TrendQueryInput, 'marks'> & CallOptions): Promise<Blob> {
    return this.#connection.blob(withQuery('trends/export', { ...query, format }), { repeatable: true, signal });
  }
}
