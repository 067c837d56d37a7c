import type { MomentEvent } from '../../../contract/findings.ts';
import type { MomentOutcome } from '../../../contract/patterns.ts';
import type { IndexedSpeaker } from '../../results/pattern-index.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { BLOCK } from './pattern-tables.ts';

/** A conversation; durations in s. `began` is Unix time, ms. */
export type ConversationRow = [
  ...[n: number, began: number, id: string, language: string | null],
  ...[duration: number, silence: number, unsure: number],
];

/** A moment; `start` in ms. `followed` is the confidence of the moment that answers it. */
export type MomentRow = [
  ...[i: number, id: string, category: MomentEvent['category'], outcome: MomentOutcome, role: string | null],
  ...[speaker: number, start: number, confidence: number, followed: number | null],
];

const SPEAKER_COLUMNS =
  'name, person, role, talk, ratio, longest, patience, questions, words, tone, toned, spoken, unsure';
/** A speaker in the index, with the columns that lists and trends need. */
export type SpeakerRow = Omit<IndexedSpeaker, 'interruptions'>;

/** Limit on the rows that stay in memory, about 200 bytes each. An isolate has 128 MB, which its objects share. */
const KEPT_ROWS = 150_000;

/**
 * The rows of patterns in memory, in blocks of conversations. A block is read again after one of its conversations has
 * changed. SQLite writes the rows of many conversations together as JSON, because each row that is read from a Durable
 * Object's tables one by one costs several microseconds.
 */
export class PatternRows {
  readonly #sql: Sql;
  readonly #kept: number;
  #blocks = new Map<number, RowBlock>();

  /** @param kept limit on the rows that stay in memory */
  constructor(sql: Sql, kept = KEPT_ROWS) {
    this.#sql = sql;
    this.#kept = kept;
  }

  /** Visits all blocks as they are stored, the newest conversations first. If there are too many, the oldest do not stay. */
  read(visit: (block: RowBlock) => void): void {
    const stored = this.#sql
      .exec<{ block: number; stamp: string }>(
        `WITH RECURSIVE blocks (block) AS (
           SELECT max(n) / ${BLOCK} FROM pattern_conversations UNION ALL SELECT block - 1 FROM blocks WHERE block > 0
         )
         SELECT block, (
           SELECT count(*) || '.' || coalesce(sum(stamp), 0) FROM pattern_conversations
           WHERE n >= block * ${BLOCK} AND n < (block + 1) * ${BLOCK}
         ) AS stamp FROM blocks WHERE block IS NOT NULL`,
      )
      .toArray();
    const kept = new Map<number, RowBlock>();
    let rows = 0;
    for (const { block: number, stamp } of stored) {
      const known = this.#blocks.get(number);
      const block = known?.stamp === stamp ? known : new RowBlock(this.#sql, number, stamp);
      visit(block);
      rows += block.rows;
      if (rows <= this.#kept) kept.set(number, block);
    }
    this.#blocks = kept;
  }
}

/** The rows of `BLOCK` conversations. Each kind is read when it is first asked for. */
export class RowBlock {
  readonly stamp: string;
  readonly #sql: Sql;
  readonly #bounds: [first: number, beyond: number];
  #conversations: ConversationRow[] | undefined;
  #speakers: Map<number, SpeakerRow[]> | undefined;
  #moments: Map<number, MomentRow[]> | undefined;
  /** Rows that have been read. */
  rows = 0;

  constructor(sql: Sql, number: number, stamp: string) {
    this.#sql = sql;
    this.stamp = stamp;
    this.#bounds = [number * BLOCK, (number + 1) * BLOCK];
  }

  get conversations(): readonly ConversationRow[] {
    if (!this.#conversations) {
      const columns = 'n, began, id, language, duration, silence, unsure';
      const { rows } = this.#sql
        .exec<{ rows: string }>(
          `SELECT json_group_array(json_array(${columns})) AS rows FROM pattern_conversations WHERE n >= ? AND n < ?`,
          ...this.#bounds,
        )
        .one();
      this.#conversations = JSON.parse(rows) as ConversationRow[];
      this.rows += this.#conversations.length;
    }
    return this.#conversations;
  }

  /** The speakers of each conversation, by its number. */
  get speakers(): ReadonlyMap<number, readonly SpeakerRow[]> {
    this.#speakers ??= this.#read<SpeakerRow>('speakers', `json_object(${namedColumns(SPEAKER_COLUMNS)})`);
    return this.#speakers;
  }

  /** The moments of each conversation in their order, by its number. */
  get moments(): ReadonlyMap<number, readonly MomentRow[]> {
    this.#moments ??= this.#read<MomentRow>(
      'moments',
      'json_array(i, id, category, outcome, role, speaker, start, confidence, followed)',
    );
    return this.#moments;
  }

  #read<Row>(table: 'speakers' | 'moments', row: string): Map<number, Row[]> {
    const read = new Map<number, Row[]>();
    const found = this.#sql.exec<{ n: number; rows: string }>(
      `SELECT n, json_group_array(${row} ORDER BY i) AS rows FROM pattern_${table} WHERE n >= ? AND n < ? GROUP BY n`,
      ...this.#bounds,
    );
    for (const { n, rows } of found) {
      const own = JSON.parse(rows) as Row[];
      this.rows += own.length;
      read.set(n, own);
    }
    return read;
  }
}

const namedColumns = (columns: string): string =>
  columns
    .split(', ')
    .map((column) => `'${column}', ${column}`)
    .join(', ');
