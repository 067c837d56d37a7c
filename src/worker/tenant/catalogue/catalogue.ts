import type {
  ConversationCard,
  ConversationEntry,
  ConversationList,
  ConversationQuery,
  ConversationTotals,
  Match,
} from '../../../contract/conversations.ts';
import type { Indexed } from '../../results/card.ts';
import { editedBy } from '../../results/edits/edited.ts';
import { recordedAt, type StoredRecord, titleOf } from '../../results/record.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { isoOf } from '../../sqlite/values.ts';
import type { Conditions } from '../filters/conversation-filter.ts';
import { searchQuery } from '../filters/search-query.ts';
import { type CatalogueFilter, conditionsOf, cursorOf, ORDERS, type Placed, placeOfCursor } from './catalogue-query.ts';
import { END_OF_HIT, HIT, matchesIn } from './matches.ts';

/**
 * `conversations` contains the records, `facets` the labels, moments and reviews for filters, and `texts` the searchable texts.
 * `search` is an index over `texts` without a copy of them. Triggers keep `totals` equal to the sum over
 * `conversations`.
 */
export const CONVERSATION_TABLES = [
  `CREATE TABLE conversations (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, status TEXT NOT NULL, mode TEXT NOT NULL,
    retention_days INTEGER, expires_at INTEGER, bytes INTEGER NOT NULL, duration REAL, speakers INTEGER, sentiment TEXT, record TEXT NOT NULL, card TEXT,
    is_due INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX conversations_newest ON conversations (created_at DESC);
  CREATE INDEX conversations_expiring ON conversations (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX conversations_due ON conversations (is_due) WHERE is_due;
  CREATE TABLE facets (kind TEXT NOT NULL, value TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (kind, value, n)) WITHOUT ROWID;
  CREATE INDEX facets_of ON facets (n);
  CREATE TABLE texts (n INTEGER PRIMARY KEY, title TEXT NOT NULL, names TEXT NOT NULL, words TEXT NOT NULL, starts BLOB NOT NULL);
  CREATE VIRTUAL TABLE search USING fts5(
    title, names, words, content = 'texts', content_rowid = 'n', tokenize = "porter unicode61 remove_diacritics 2"
  );`,
  // Without this prefix index, `s*` has to be looked up in thousands of words (50 ms for 2,000 conversations).
  `DROP TABLE search;
  CREATE VIRTUAL TABLE search USING fts5(
    title, names, words, content = 'texts', content_rowid = 'n', prefix = '1', tokenize = "porter unicode61 remove_diacritics 2"
  );
  INSERT INTO search (search) VALUES ('rebuild');`,
  // By default, FTS5 only marks deleted words, which then stay in the index until segments happen to be merged.
  `INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
  INSERT INTO search (search) VALUES ('rebuild');`,
  // A sum over all rows takes a quarter of a second for 200,000 rows, and every upload needs it.
  `CREATE TABLE totals (bytes INTEGER NOT NULL);
  INSERT INTO totals SELECT coalesce(sum(bytes), 0) FROM conversations;
  CREATE TRIGGER totals_insert AFTER INSERT ON conversations BEGIN
    UPDATE totals SET bytes = bytes + new.bytes;
  END;
  CREATE TRIGGER totals_update AFTER UPDATE OF bytes ON conversations WHEN new.bytes <> old.bytes BEGIN
    UPDATE totals SET bytes = bytes + new.bytes - old.bytes;
  END;
  CREATE TRIGGER totals_delete AFTER DELETE ON conversations BEGIN
    UPDATE totals SET bytes = bytes - old.bytes;
  END;`,
  // When the recording began, by which the list is ordered.
  `ALTER TABLE conversations ADD COLUMN recorded_at INTEGER NOT NULL DEFAULT 0;
  UPDATE conversations SET recorded_at =
    coalesce(CAST(round(1000 * unixepoch(json_extract(record, '$.options.recorded_at'), 'subsec')) AS INTEGER), created_at);
  CREATE INDEX conversations_recorded ON conversations (recorded_at DESC, created_at DESC);`,
];

/**
 * Limit on the indexed text of a conversation, bytes. A row of SQLite can hold 2 MB; eight hours of speech take up 600
 * kB.
 */
const MAX_TEXT_BYTES = 1_500_000;
const DAY_MS = 86_400_000;

/** A row of the catalogue. */
export interface Found {
  record: StoredRecord;
  card: ConversationCard | null;
  /** End of its retention. Unix time, ms. */
  expiresAt: number | null;
  /** Whether a hold keeps it from being deleted. */
  isHeld: boolean;
  /** Until when the recording of a failed analysis is kept, Unix time, ms. */
  keptUntil: number | null;
}

/** Receives the number of a conversation, and the index of its result; null when it has none. */
export type IndexListener = (n: number, indexed: Indexed | null) => void;

/** The conversations of one tenant, which can be listed, filtered and searched. */
export class Catalogue {
  readonly #sql: Sql;
  readonly #tenantDays: () => number | null;
  readonly #onIndexed: IndexListener;
  readonly #isHeld: string;
  readonly #keptUntil: string;

  /**
   * @param tenantDays the tenant's retention, days; null when conversations are kept until they are deleted
   * @param onIndexed is called whenever the index of a result is written or removed
   * @param isHeld SQL: whether a row of `conversations` is on hold
   * @param keptUntil SQL: until when the recording of a row's failed analysis is kept
   */
  constructor(
    sql: Sql,
    tenantDays: () => number | null,
    onIndexed: IndexListener = () => undefined,
    isHeld = 'FALSE',
    keptUntil = 'NULL',
  ) {
    this.#sql = sql;
    this.#tenantDays = tenantDays;
    this.#onIndexed = onIndexed;
    this.#isHeld = isHeld;
    this.#keptUntil = keptUntil;
  }

  /**
   * A creation time that no other conversation has. If two are created at the same time, the second gets a later time.
   */
  nextTime(now: number): number {
    const { last } = this.#sql
      .exec<{ last: number }>('SELECT coalesce(max(created_at), 0) AS last FROM conversations')
      .one();
    return Math.max(now, last + 1);
  }

  /**
   * Writes a conversation, replacing its earlier row.
   * @param indexed the index of its result; null when it has no result; undefined for no change
   * @param isDue whether work is left; at the least, its record still has to be written to the store
   */
  put(record: StoredRecord, indexed?: Indexed | null, isDue = true): void {
    const before = this.#numbered(record.id);
    const n = before ?? this.#insert(record);
    const card = indexed === undefined ? (this.find(record.id)?.card ?? null) : (indexed?.card ?? null);
    this.#sql.exec(
      `UPDATE conversations SET status = ?, mode = ?, retention_days = ?, expires_at = ?, bytes = ?, duration = ?, speakers = ?,
       sentiment = ?, record = ?, card = ?, is_due = ?, recorded_at = ? WHERE n = ?`,
      record.status,
      record.mode,
      record.retentionDays,
      expiryOf(record, this.#tenantDays()),
      record.bytes,
      card?.duration_s ?? null,
      card?.speakers.length ?? null,
      card?.sentiment?.label ?? null,
      JSON.stringify(record),
      card && JSON.stringify(card),
      isDue ? 1 : 0,
      Date.parse(recordedAt(record).recorded_at),
      n,
    );
    this.#writeFacets(n, record, card);
    this.#writeTexts(n, record, card, indexed);
    if (indexed !== undefined) this.#onIndexed(n, indexed);
  }

  find(id: string): Found | null {
    const [row] = this.#sql.exec<FoundRow>(`${this.#select} WHERE id = ?`, id).toArray();
    return row ? foundOf(row) : null;
  }

  /** @returns whether the conversation existed */
  remove(id: string): boolean {
    const n = this.#numbered(id);
    if (n === undefined) return false;
    this.#forgetTexts(n);
    this.#sql.exec('DELETE FROM facets WHERE n = ?', n);
    this.#sql.exec('DELETE FROM conversations WHERE n = ?', n);
    return true;
  }

  /** Conversations that match a query, in the order that it asks for. @throws ServiceError INVALID_REQUEST for a bad cursor or search */
  list(query: ConversationQuery): ConversationList {
    const words = query.q === undefined ? undefined : searchQuery(query.q);
    const on = this.#conditions(query, words);
    const { by, after } = ORDERS[query.sort];
    const place = query.cursor === undefined ? undefined : placeOfCursor(query.cursor, query.sort);
    const totals = query.totals === 'true' && !place ? this.#totals(on) : undefined;
    if (place) on.and(after, ...place);
    const rows = this.#sql
      .exec<FoundRow>(`${this.#select} ${on.where} ORDER BY ${by} LIMIT ?`, ...on.bindings, query.limit + 1)
      .toArray();
    const shown = rows.slice(0, query.limit);
    const matches = words === undefined ? undefined : this.#matches(shown, words);
    const page = shown.map((row) => {
      const entry = entryOf(foundOf(row));
      return matches ? { ...entry, matches: matches.get(row.n) ?? [] } : entry;
    });
    const last = shown.at(-1);
    return {
      conversations: page,
      ...(totals && { totals }),
      next_cursor: rows.length > query.limit && last ? cursorOf(last, query.sort) : null,
    };
  }

  /** Ids of conversations that match a filter, oldest first. @throws ServiceError INVALID_REQUEST for a bad search */
  matching(filter: CatalogueFilter, limit: number): string[] {
    const { where, bindings } = this.#conditions(filter, filter.q === undefined ? undefined : searchQuery(filter.q));
    const sql = `SELECT id FROM conversations ${where} ORDER BY created_at LIMIT ?`;
    return [...this.#sql.exec<{ id: string }>(sql, ...bindings, limit)].map(({ id }) => id);
  }

  #conditions(filter: CatalogueFilter, words: string | undefined): Conditions {
    const on = conditionsOf(filter);
    if (filter.on_hold !== undefined) on.and(filter.on_hold === 'true' ? this.#isHeld : `NOT ${this.#isHeld}`);
    on.when('n IN (SELECT rowid FROM search WHERE search MATCH ?)', words);
    return on;
  }

  #totals({ where, bindings }: Conditions): ConversationTotals {
    return this.#sql
      .exec<Record<keyof ConversationTotals, number>>(
        `SELECT count(*) AS count, coalesce(sum(duration), 0) AS duration_s FROM conversations ${where}`,
        ...bindings,
      )
      .one();
  }

  /**
   * Ids of at most `limit` conversations whose retention has ended, and when the retention of the next one ends. Those on
   * hold are left out.
   */
  expired(now: number, limit: number): { ids: string[]; next: number | null } {
    const rows = this.#sql
      .exec<{ id: string; expires_at: number }>(
        `SELECT id, expires_at FROM conversations WHERE expires_at IS NOT NULL AND status <> 'processing'
         AND NOT ${this.#isHeld} ORDER BY expires_at LIMIT ?`,
        limit + 1,
      )
      .toArray();
    const ids = rows.filter(({ expires_at }) => expires_at <= now).map(({ id }) => id);
    return { ids: ids.slice(0, limit), next: rows[Math.min(ids.length, limit)]?.expires_at ?? null };
  }

  /** Recomputes every retention time after the tenant's retention has changed. */
  retain(): void {
    this.#sql.exec(
      'UPDATE conversations SET expires_at = created_at + coalesce(retention_days, ?) * ?',
      this.#tenantDays(),
      DAY_MS,
    );
  }

  /** Bytes stored for all conversations. */
  get storedBytes(): number {
    return this.#sql.exec<{ bytes: number }>('SELECT bytes FROM totals').one().bytes;
  }

  /** Ids of conversations with work left. */
  due(limit: number): string[] {
    const rows = this.#sql.exec<{ id: string }>('SELECT id FROM conversations WHERE is_due LIMIT ?', limit);
    return [...rows].map(({ id }) => id);
  }

  isDue(id: string): boolean {
    return this.#sql.exec('SELECT id FROM conversations WHERE id = ? AND is_due', id).toArray().length > 0;
  }

  /** Notes that the store has the record, unless the row has changed in the meantime. */
  saved(record: StoredRecord): void {
    this.#sql.exec(
      'UPDATE conversations SET is_due = 0 WHERE id = ? AND record = ?',
      record.id,
      JSON.stringify(record),
    );
  }

  /** Ids that follow `id` in order, for iterating over all conversations. */
  idsAfter(id: string, limit: number): string[] {
    const rows = this.#sql.exec<{ id: string }>(
      'SELECT id FROM conversations WHERE id > ? ORDER BY id LIMIT ?',
      id,
      limit,
    );
    return [...rows].map((row) => row.id);
  }

  get #select(): string {
    return `SELECT *, ${this.#isHeld} AS is_held, ${this.#keptUntil} AS kept_until FROM conversations`;
  }

  #numbered(id: string): number | undefined {
    return this.#sql.exec<{ n: number }>('SELECT n FROM conversations WHERE id = ?', id).toArray()[0]?.n;
  }

  #insert({ id, createdAt, status, mode }: StoredRecord): number {
    return this.#sql
      .exec<{ n: number }>(
        `INSERT INTO conversations (id, created_at, status, mode, bytes, record, is_due) VALUES (?, ?, ?, ?, 0, '', 1)
         RETURNING n`,
        id,
        createdAt,
        status,
        mode,
      )
      .one().n;
  }

  #writeFacets(n: number, record: StoredRecord, card: ConversationCard | null): void {
    this.#sql.exec('DELETE FROM facets WHERE n = ?', n);
    const { labels, people } = editedBy(record.edits, record.people);
    const facets = [
      ...labels.map((value) => ['label', value] as const),
      ...Object.keys(card?.moments ?? {}).map((value) => ['moment', value] as const),
      ...[...new Set(people.values())].map((value) => ['person', value] as const),
      ...(record.reviewedAt === undefined ? [] : [['review', 'reviewed'] as const]),
    ];
    for (const [kind, value] of facets) this.#sql.exec('INSERT INTO facets VALUES (?, ?, ?)', kind, value, n);
  }

  #writeTexts(
    n: number,
    record: StoredRecord,
    card: ConversationCard | null,
    indexed: Indexed | null | undefined,
  ): void {
    const before = this.#textsOf(n);
    const words = indexed === undefined ? (before?.words ?? '') : wordsOf(indexed?.lines ?? []);
    const starts = indexed === undefined ? before?.starts : Uint32Array.from(indexed?.starts ?? []).buffer;
    const title = oneLine(titleOf(record));
    const names = oneLine([record.filename, ...(card?.speakers ?? []).map(({ name }) => name)].join(' · '));
    const isSame = before?.title === title && before.names === names && before.words === words;
    if (isSame && indexed === undefined) return;
    this.#forgetTexts(n);
    this.#sql.exec('INSERT INTO texts VALUES (?, ?, ?, ?, ?)', n, title, names, words, starts ?? new ArrayBuffer(0));
    this.#sql.exec('INSERT INTO search (rowid, title, names, words) VALUES (?, ?, ?, ?)', n, title, names, words);
  }

  #textsOf(n: number): { title: string; names: string; words: string; starts: ArrayBuffer } | undefined {
    return this.#sql
      .exec<{ title: string; names: string; words: string; starts: ArrayBuffer }>('SELECT * FROM texts WHERE n = ?', n)
      .toArray()[0];
  }

  /** Removes texts. FTS5 needs the old text to remove it from an external-content index. */
  #forgetTexts(n: number): void {
    const texts = this.#textsOf(n);
    if (!texts) return;
    const { title, names, words } = texts;
    this.#sql.exec(
      `INSERT INTO search (search, rowid, title, names, words) VALUES ('delete', ?, ?, ?, ?)`,
      n,
      title,
      names,
      words,
    );
    this.#sql.exec('DELETE FROM texts WHERE n = ?', n);
  }

  /**
   * The first matching utterances of each row. One query finds all of them, because each query looks its terms up in
   * the whole index, which is slow for prefixes. The plus keeps SQLite from searching row by row.
   */
  #matches(rows: readonly Pick<FoundRow, 'n' | 'id'>[], words: string): Map<number, Match[]> {
    const ids = new Map(rows.map(({ n, id }) => [n, id]));
    const found = this.#sql.exec<{ n: number; marked: string; starts: ArrayBuffer }>(
      `SELECT texts.n AS n, highlight(search, 2, '${HIT}', '${END_OF_HIT}') AS marked, starts
       FROM search JOIN texts ON texts.n = search.rowid
       WHERE search MATCH ? AND +search.rowid IN (SELECT value FROM json_each(?))`,
      words,
      JSON.stringify([...ids.keys()]),
    );
    return new Map(
      [...found].map(({ n, marked, starts }) => [n, matchesIn(marked, new Uint32Array(starts), ids.get(n) ?? '')]),
    );
  }
}

interface FoundRow extends Record<string, SqlValue>, Placed {
  n: number;
  id: string;
  record: string;
  card: string | null;
  expires_at: number | null;
  is_held: number;
  kept_until: number | null;
}

const foundOf = ({ record, card, expires_at: expiresAt, is_held, kept_until: keptUntil }: FoundRow): Found => ({
  record: JSON.parse(record),
  card: card === null ? null : JSON.parse(card),
  expiresAt,
  isHeld: is_held === 1,
  keptUntil,
});

const expiryOf = ({ createdAt, retentionDays }: StoredRecord, tenantDays: number | null): number | null => {
  const days = retentionDays ?? tenantDays;
  return days === null ? null : createdAt + days * DAY_MS;
};

/** A conversation in a list. A queued one is `running` here, because only its job knows that it is queued. */
export function entryOf({ record, card, expiresAt, isHeld, keptUntil }: Found): ConversationEntry {
  const { id, status, mode, filename, options, createdAt, endedAt, error, edits, bytes, reviewedAt } = record;
  return {
    conversation_id: id,
    status: status === 'processing' ? 'running' : status,
    mode,
    title: titleOf(record),
    filename,
    goal: options.goal,
    labels: [...editedBy(edits).labels],
    created_at: isoOf(createdAt),
    ...recordedAt(record),
    ended_at: isoOf(endedAt),
    expires_at: isoOf(expiresAt),
    reviewed_at: reviewedAt === undefined ? null : isoOf(reviewedAt),
    on_hold: isHeld,
    error,
    kept_until: isoOf(keptUntil),
    stored_bytes: bytes,
    result: card,
  };
}

const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ');

/** The lines of text, up to the limit on indexed text. */
function wordsOf(lines: readonly string[]): string {
  const encoder = new TextEncoder();
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const plain = oneLine(line);
    bytes += encoder.encode(plain).length + 1;
    if (bytes > MAX_TEXT_BYTES) break;
    kept.push(plain);
  }
  return kept.join('\n');
}
