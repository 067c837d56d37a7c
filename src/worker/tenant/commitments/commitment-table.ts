import type {
  Commitment,
  CommitmentEntry,
  CommitmentExportQuery,
  CommitmentList,
  CommitmentQuery,
  OpenQuestion,
  OpenQuestionEntry,
} from '../../../contract/commitments.ts';
import { COMMITMENT_STATES } from '../../../contract/commitments.ts';
import type { ConversationEntry } from '../../../contract/conversations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { SURE_FROM } from '../../../contract/patterns.ts';
import { recordedAt, type StoredRecord, type StoredStatus, titleOf } from '../../results/record.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { Conditions, inConversations } from '../filters/conversation-filter.ts';

/**
 * `commitments` contains those of all shown results, and `open_questions` their open questions. Both are derived from
 * the results and the records. `sort` is the order of the list, in which no two are equal.
 */
export const COMMITMENT_TABLES = [
  `CREATE TABLE commitments (
    id TEXT PRIMARY KEY, n INTEGER NOT NULL, sort TEXT NOT NULL UNIQUE, owner TEXT, due TEXT, status TEXT NOT NULL,
    is_given INTEGER NOT NULL, body TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX commitments_of ON commitments (n);
  CREATE INDEX commitments_by_status ON commitments (status, sort);
  CREATE INDEX commitments_by_owner ON commitments (owner, sort);
  CREATE TRIGGER commitments_forget AFTER DELETE ON conversations BEGIN
    DELETE FROM commitments WHERE n = old.n;
  END;`,
  `CREATE TABLE open_questions (
    n INTEGER NOT NULL, sort TEXT NOT NULL UNIQUE, speaker TEXT NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX open_questions_of ON open_questions (n);
  CREATE TRIGGER open_questions_forget AFTER DELETE ON conversations BEGIN
    DELETE FROM open_questions WHERE n = old.n;
  END;`,
];

/** The place of those without a day in the order. No day comes after it. */
const UNDATED = '9999-99-99';
/** Above every creation time, Unix time, ms. */
const LATEST = 10_000_000_000_000;
/** Limit on the open questions beside the commitments. */
const MAX_QUESTIONS = 100;
/** Limit on the owners that are counted. */
const MAX_OWNERS = 500;

interface CommitmentRow extends Record<string, SqlValue> {
  id: string;
  sort: string;
  status: CommitmentEntry['status'];
  is_given: number;
  body: string;
  conversation_id: string;
  record: string;
}

const SELECT = `SELECT commitments.id AS id, sort, commitments.status AS status, is_given, body,
  conversations.id AS conversation_id, record FROM commitments JOIN conversations USING (n)`;

type CommitmentCount = NonNullable<ConversationEntry['commitments']>;

type Filters = Omit<CommitmentQuery, 'cursor' | 'limit'>;

/** A person as the filter finds them: by the name that is shown, in the conversations of the person if there is one. */
export interface Owner {
  name: string;
  personId?: string;
}

/** The commitments of one tenant. */
export class CommitmentTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Replaces the commitments of a conversation. Statuses that somebody set are read from its record. */
  index(n: number, commitments: readonly Commitment[]): void {
    this.#sql.exec('DELETE FROM commitments WHERE n = ?', n);
    if (commitments.length === 0) return;
    const record = this.#recordOf(n);
    if (!record) return;
    for (const [i, one] of commitments.entries()) {
      const given = statusOf(one, record);
      this.#sql.exec(
        'INSERT OR REPLACE INTO commitments VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        one.commitment_id,
        n,
        sortOf(one, record, i),
        one.owner,
        one.due?.date ?? null,
        given ?? one.state,
        given === undefined ? 0 : 1,
        JSON.stringify(one),
      );
    }
  }

  /** Replaces the open questions of a conversation. */
  indexQuestions(n: number, questions: readonly OpenQuestion[]): void {
    this.#sql.exec('DELETE FROM open_questions WHERE n = ?', n);
    const record = questions.length === 0 ? null : this.#recordOf(n);
    if (!record) return;
    for (const [i, one] of questions.entries())
      this.#sql.exec(
        'INSERT OR REPLACE INTO open_questions VALUES (?, ?, ?, ?)',
        n,
        placeOf(record, i),
        one.speaker,
        JSON.stringify(one),
      );
  }

  find(id: string): CommitmentEntry | null {
    const [row] = this.#sql.exec<CommitmentRow>(`${SELECT} WHERE commitments.id = ?`, id).toArray();
    return row ? entryOf(row) : null;
  }

  /** Reads the statuses in the record of a conversation again. */
  restatus(conversationId: string): void {
    const [row] = this.#sql.exec<{ n: number }>('SELECT n FROM conversations WHERE id = ?', conversationId).toArray();
    if (row) this.index(row.n, this.of(conversationId));
  }

  /** The number of commitments of each of these conversations that have any, by their ids. */
  counts(conversations: readonly string[]): Map<string, CommitmentCount> {
    const rows = this.#sql.exec<CommitmentCount & { id: string }>(
      `SELECT conversations.id AS id, count(*) AS count, sum(json_extract(body, '$.confidence') < ?) AS unsure
       FROM conversations JOIN commitments USING (n)
       WHERE conversations.id IN (SELECT value FROM json_each(?)) GROUP BY n`,
      SURE_FROM,
      JSON.stringify(conversations),
    );
    return new Map([...rows].map(({ id, count, unsure }) => [id, { count, unsure }]));
  }

  /** The commitments of a conversation, in the order in which they were said. */
  of(conversationId: string): Commitment[] {
    const sql = `SELECT body FROM commitments JOIN conversations USING (n) WHERE conversations.id = ?
      ORDER BY substr(sort, -4)`;
    return [...this.#sql.exec<{ body: string }>(sql, conversationId)].map(({ body }) => JSON.parse(body) as Commitment);
  }

  /** @throws ServiceError INVALID_REQUEST for a bad cursor */
  list({ cursor, limit, ...filters }: CommitmentQuery, owner: Owner | null): CommitmentList {
    const wanted = conditionsOf(filters, owner);
    wanted.when('sort > ?', cursor === undefined ? undefined : sortOfCursor(cursor));
    const rows = this.#sql
      .exec<CommitmentRow>(`${SELECT} ${wanted.where} ORDER BY sort LIMIT ?`, ...wanted.bindings, limit + 1)
      .toArray();
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      commitments: page.map(entryOf),
      counts: this.#counts(filters, owner),
      open_questions: cursor === undefined ? this.#questions(filters, owner) : [],
      next_cursor: rows.length > limit && last ? cursorOf(last.sort) : null,
    };
  }

  #questions(filters: Filters, speaker: Owner | null): OpenQuestionEntry[] {
    const wanted = questionConditions(filters, speaker);
    const rows = this.#sql.exec<{ body: string; conversation_id: string; record: string }>(
      `SELECT body, conversations.id AS conversation_id, record FROM open_questions JOIN conversations USING (n)
       ${wanted.where} ORDER BY sort LIMIT ?`,
      ...wanted.bindings,
      MAX_QUESTIONS,
    );
    return [...rows].map(({ body, ...row }) => ({ ...(JSON.parse(body) as OpenQuestion), ...conversationOf(row) }));
  }

  /** Up to `limit` commitments, in the order of the list. */
  all({ format: _, ...filters }: CommitmentExportQuery, owner: Owner | null, limit: number): CommitmentEntry[] {
    const wanted = conditionsOf(filters, owner);
    const sql = `${SELECT} ${wanted.where} ORDER BY sort LIMIT ?`;
    return [...this.#sql.exec<CommitmentRow>(sql, ...wanted.bindings, limit)].map(entryOf);
  }

  #counts(filters: Filters, owner: Owner | null): CommitmentList['counts'] {
    const statuses = { ...NONE };
    const anyStatus = conditionsOf({ ...filters, status: undefined }, owner);
    const byStatus = this.#sql.exec<{ status: CommitmentEntry['status']; count: number }>(
      `SELECT status, count(*) AS count FROM commitments ${anyStatus.where} GROUP BY status`,
      ...anyStatus.bindings,
    );
    for (const { status, count } of byStatus) statuses[status] = count;
    const wanted = conditionsOf(filters, owner);
    wanted.and('due IS NULL');
    const { undated } = this.#sql
      .exec<{ undated: number }>(`SELECT count(*) AS undated FROM commitments ${wanted.where}`, ...wanted.bindings)
      .one();
    const anybody = conditionsOf(filters, null);
    const owners = this.#sql.exec<{ owner: string | null; count: number }>(
      `SELECT owner, count(*) AS count FROM commitments ${anybody.where}
       GROUP BY owner ORDER BY owner COLLATE NOCASE, owner LIMIT ?`,
      ...anybody.bindings,
      MAX_OWNERS,
    );
    const asked = questionConditions(filters, owner);
    const { open_questions } = this.#sql
      .exec<{ open_questions: number }>(
        `SELECT count(*) AS open_questions FROM open_questions ${asked.where}`,
        ...asked.bindings,
      )
      .one();
    return { statuses, undated, owners: [...owners], open_questions };
  }

  #recordOf(n: number): StoredRecord | null {
    const [row] = this.#sql.exec<{ record: string }>('SELECT record FROM conversations WHERE n = ?', n).toArray();
    return row ? (JSON.parse(row.record) as StoredRecord) : null;
  }
}

const NONE = Object.fromEntries(COMMITMENT_STATES.map((state) => [state, 0])) as CommitmentList['counts']['statuses'];

/**
 * The status that somebody set: of the commitment itself in the run for which it was set, and otherwise of one with the
 * same words, as when a recording was analysed again.
 */
function statusOf(one: Commitment, { commitments = [], run }: StoredRecord): StoredStatus['status'] | undefined {
  const own = commitments.find((given) => given.id === one.commitment_id && given.run === run);
  return (own ?? commitments.find(({ quote }) => quote === one.quote))?.status;
}

/** By day; on the same day the newest conversation first. */
const sortOf = ({ due }: Commitment, record: StoredRecord, i: number): string =>
  `${due?.date ?? UNDATED} ${placeOf(record, i)}`;

/** The newest conversation first. */
const placeOf = ({ createdAt, id }: StoredRecord, i: number): string =>
  [LATEST - createdAt, id, String(i).padStart(4, '0')].join(' ');

/** @param column the column with the name */
function saidBy(on: Conditions, column: 'owner' | 'speaker', person: Owner | null): void {
  on.when(`${column} = ?`, person?.name);
  on.when(`n IN (SELECT n FROM facets WHERE kind = 'person' AND value = ?)`, person?.personId);
}

/** Conditions on `commitments`. */
function conditionsOf({ due_before, status, person: _, ...filter }: Filters, owner: Owner | null): Conditions {
  const on = new Conditions();
  saidBy(on, 'owner', owner);
  on.when('due < ?', due_before);
  on.when('commitments.status IN (SELECT value FROM json_each(?))', status && JSON.stringify(status.split(',')));
  inConversations(on, filter);
  return on;
}

/** Conditions on `open_questions`. */
function questionConditions(
  { due_before: _, status: __, person: ___, ...filter }: Filters,
  speaker: Owner | null,
): Conditions {
  const on = new Conditions();
  saidBy(on, 'speaker', speaker);
  inConversations(on, filter);
  return on;
}

const entryOf = ({ body, status, is_given, ...row }: CommitmentRow): CommitmentEntry => ({
  ...(JSON.parse(body) as Commitment),
  ...conversationOf(row),
  status,
  status_source: is_given ? 'person' : 'words',
});

function conversationOf({ conversation_id, record }: Pick<CommitmentRow, 'conversation_id' | 'record'>) {
  const conversation = JSON.parse(record) as StoredRecord;
  return {
    conversation_id,
    title: titleOf(conversation),
    created_at: new Date(conversation.createdAt).toISOString(),
    ...recordedAt(conversation),
  };
}

const cursorOf = (sort: string): string => btoa(sort).replaceAll('=', '');

function sortOfCursor(cursor: string): string {
  try {
    const sort = atob(cursor);
    if (/^\d{4}-\d\d-\d\d \d+ [\w-]+ \d{4}$/.test(sort)) return sort;
  } catch {
    // The cursor is not base64.
  }
  throw new ServiceError('INVALID_REQUEST', 'cursor: does not belong to this list');
}
