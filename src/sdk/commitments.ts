import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import type { CommitmentEntry, CommitmentList, CommitmentQueryInput, CommitmentState } from './wire.ts';

/** Filters of an export of commitments. */
export type CommitmentFilters = Pick<CommitmentQueryInput, 'person' | 'due_before' | 'status'>;

/** Reads what is owed in all conversations. */
export class Commitments {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * A page of commitments, by the day on which they are due.
   *
   * @example
   * const { commitments } = await undertone.commitments.list({ status: 'open,accepted', due_before: '2026-12-01' });
   */
  list({ signal, ...query }: CommitmentQueryInput & CallOptions = {}): Promise<CommitmentList> {
    return this.#connection.json(withQuery('commitments', query), { repeatable: true, signal });
  }

  /** Every commitment, page by page. */
  async *all(options: CommitmentQueryInput & CallOptions = {}): AsyncGenerator<CommitmentEntry, void> {
    for (let cursor = options.cursor; ; ) {
      const page = await this.list({ ...options, ...(cursor !== undefined && { cursor }) });
      yield* page.commitments;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** A file: `csv` for a table, `ics` for a calendar with tasks. */
  export(format: 'csv' | 'ics', { signal, ...filters }: CommitmentFilters & CallOptions = {}): Promise<Blob> {
    return this.#connection.blob(withQuery('commitments/export', { ...filters, format }), { repeatable: true, signal });
  }

  /** Sets the status of a commitment; null restores the state by the words. */
  setStatus(id: string, status: CommitmentState | null, { signal }: CallOptions = {}): Promise<CommitmentEntry> {
    return this.#connection.json(path`commitments/${id}`, {
      ...jsonCall('PATCH', { status }),
      repeatable: true,
      signal,
    });
  }
}
