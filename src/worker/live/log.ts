import type { ServiceEvent } from '../../contract/events.ts';
import type { MediaExtension } from '../../contract/media.ts';
import { ndjsonLine } from '../../contract/ndjson.ts';
import type { AnalysisOptions } from '../../contract/options.ts';
import {
  MOST_TRANSCRIPTION_CHARS,
  TRANSCRIPTIONS_TOGETHER_CHARS,
  type TranscriptionLine,
} from '../../contract/pipeline.ts';
import type { PoolRegion } from '../../contract/regions.ts';
import { frameJson } from '../../contract/sse.ts';
import type { CallerName } from '../identity/caller.ts';
import { type AcceptedChunk, afterChunk, type EarlierChunk, type LiveState } from './state.ts';

/** The parameters with which a session was started. They never change. */
export interface SessionOptions extends AnalysisOptions {
  sessionId: string;
  conversationId: string;
  /** Id of the request that opened the session, for the log. */
  requestId?: string;
  tenant: string;
  /** '' when the client gave none. */
  filename?: string;
  /** The key that opened the session. Undefined in sessions that were stored before keys were recorded. */
  caller?: CallerName;
  suffix: MediaExtension;
  /** The region of the client that opened the session, if it is known. */
  region?: PoolRegion;
  /** Whether what is redacted is kept apart. */
  keepsOriginal?: boolean;
}

export interface StoredSession {
  options: SessionOptions;
  state: LiveState;
}

/** Numbered events in the form in which they are sent. */
export interface EventBatch {
  frames: string;
  /** Number of the last event. */
  last: number;
  /** Whether the last event is the terminal one. */
  ends: boolean;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY CHECK (id = 0), options TEXT NOT NULL, state TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS chunks (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL, received_bytes INTEGER NOT NULL, idempotency_key TEXT, accepted_at INTEGER);
  CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, event TEXT NOT NULL, data TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS transcriptions (key TEXT PRIMARY KEY, line TEXT NOT NULL) WITHOUT ROWID;
`;

/**
 * The stored data of a session, in its Durable Object's SQLite. Calls are synchronous, and writes without an await
 * between them form one transaction.
 */
export class SessionLog {
  readonly #storage: DurableObjectStorage;
  /** Characters of all stored transcriptions; null until they are counted. */
  #transcriptionChars: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /**
   * The stored session. Null when it does not exist or was removed. The stored state can be older than the last chunk,
   * whose row stores its changes to the state. An object without a session stays empty.
   */
  load(): StoredSession | null {
    const tables = this.#storage.sql.exec(`SELECT name FROM sqlite_master WHERE name = 'session'`).toArray();
    if (tables.length === 0) return null;
    const [row] = this.#storage.sql
      .exec<{ options: string; state: string }>('SELECT options, state FROM session')
      .toArray();
    if (!row) return null;
    this.#addMissing();
    const state: LiveState = JSON.parse(row.state);
    const last = this.#lastChunk();
    const isBehind = last !== null && last.seq >= state.nextChunkSeq;
    return { options: JSON.parse(row.options), state: isBehind ? afterChunk(state, last) : state };
  }

  create(session: StoredSession): void {
    this.#storage.sql.exec(TABLES);
    this.#storage.sql.exec(
      'INSERT INTO session VALUES (0, ?, ?)',
      JSON.stringify(session.options),
      JSON.stringify(session.state),
    );
  }

  saveState(state: LiveState): void {
    this.#storage.sql.exec('UPDATE session SET state = ?', JSON.stringify(state));
  }

  addChunk({ seq, receivedBytes, acceptedAt }: AcceptedChunk, bytes: Uint8Array, idempotencyKey: string | null): void {
    this.#storage.sql.exec(
      'INSERT INTO chunks (seq, bytes, received_bytes, idempotency_key, accepted_at) VALUES (?, ?, ?, ?, ?)',
      ...[seq, bytes, receivedBytes, idempotencyKey, acceptedAt],
    );
  }

  chunk(seq: number): Uint8Array<ArrayBuffer> | null {
    const [row] = this.#storage.sql
      .exec<{ bytes: ArrayBuffer }>('SELECT bytes FROM chunks WHERE seq = ?', seq)
      .toArray();
    return row ? new Uint8Array(row.bytes) : null;
  }

  /** When a chunk was accepted, Unix time, ms; 0 for a chunk stored by an earlier version, null when there is none. */
  acceptedAt(seq: number): number | null {
    const [row] = this.#storage.sql
      .exec<{ accepted_at: number | null }>('SELECT accepted_at FROM chunks WHERE seq = ?', seq)
      .toArray();
    return row ? (row.accepted_at ?? 0) : null;
  }

  earlierChunk(seq: number): EarlierChunk | null {
    const [row] = this.#storage.sql
      .exec<{ received_bytes: number; idempotency_key: string | null }>(
        'SELECT received_bytes, idempotency_key FROM chunks WHERE seq = ?',
        seq,
      )
      .toArray();
    return row ? { receivedBytes: row.received_bytes, idempotencyKey: row.idempotency_key } : null;
  }

  /** Appends the event under the next number. Numbers start at 0 and have no gaps. */
  addEvent({ event, data }: ServiceEvent): void {
    this.#storage.sql.exec(
      'INSERT INTO events SELECT coalesce(max(seq), -1) + 1, ?, ? FROM events',
      event,
      JSON.stringify(data),
    );
  }

  /** Events after number `cursor` (-1 for all), at most `limit`; null when there are none. */
  eventsAfter(cursor: number, limit: number): EventBatch | null {
    const rows = this.#storage.sql
      .exec<{ seq: number; event: string; data: string }>(
        'SELECT seq, event, data FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
        cursor,
        limit,
      )
      .toArray();
    const last = rows.at(-1);
    if (!last) return null;
    return {
      frames: rows.map(({ seq, event, data }) => frameJson(event, data, seq)).join(''),
      last: last.seq,
      ends: last.event === 'done' || last.event === 'error',
    };
  }

  /** Number of the last event; -1 before the first. */
  lastEvent(): number {
    return this.#storage.sql.exec<{ last: number }>('SELECT coalesce(max(seq), -1) AS last FROM events').one().last;
  }

  /** The terminal event; null before there is one. */
  ending(): Extract<ServiceEvent, { event: 'done' | 'error' }> | null {
    const sql = `SELECT event, data FROM events WHERE event IN ('done', 'error') ORDER BY seq DESC LIMIT 1`;
    const [row] = this.#storage.sql.exec<{ event: 'done' | 'error'; data: string }>(sql).toArray();
    return row ? { event: row.event, data: JSON.parse(row.data) } : null;
  }

  /** Whether a client whose last event has number `cursor` already has the terminal event. */
  isPastTheEnd(cursor: number): boolean {
    const ends = this.#storage.sql.exec(`SELECT seq FROM events WHERE event IN ('done', 'error') AND seq <= ?`, cursor);
    return ends.toArray().length > 0;
  }

  /** The first `bytes` bytes of all chunks as one stream. */
  media(bytes: number): ReadableStream {
    const { readable, writable } = new FixedLengthStream(bytes);
    const writer = writable.getWriter();
    const write = async () => {
      for (let seq = 0, chunk = this.chunk(seq); chunk; chunk = this.chunk(++seq)) await writer.write(chunk);
      await writer.close();
    };
    // The reader of the stream receives the failure.
    write().catch((error: unknown) => writer.abort(error));
    return readable;
  }

  /**
   * Stores a transcription, unless it is stored already or would exceed the limit for a session. What is not stored is
   * transcribed again if the session moves.
   */
  addTranscription(transcription: TranscriptionLine): void {
    const line = ndjsonLine(transcription);
    this.#transcriptionChars ??= this.#storage.sql
      .exec<{ chars: number }>('SELECT coalesce(sum(length(line)), 0) AS chars FROM transcriptions')
      .one().chars;
    const isTooMuch = this.#transcriptionChars + line.length > MOST_TRANSCRIPTION_CHARS;
    if (isTooMuch || line.length > TRANSCRIPTIONS_TOGETHER_CHARS) return;
    const sql = 'INSERT OR IGNORE INTO transcriptions VALUES (?, ?) RETURNING key';
    if (this.#storage.sql.exec(sql, transcription.key, line).toArray().length > 0)
      this.#transcriptionChars += line.length;
  }

  /**
   * Transcriptions whose keys follow `key`, as lines that can be sent together, and the last of their keys. Null when
   * there are no more.
   */
  transcriptionsAfter(key: string): { lines: string; last: string } | null {
    const rows = this.#storage.sql.exec<{ key: string; line: string }>(
      'SELECT key, line FROM transcriptions WHERE key > ? ORDER BY key',
      key,
    );
    let lines = '';
    let last = key;
    for (const row of rows) {
      if (lines.length + row.line.length > TRANSCRIPTIONS_TOGETHER_CHARS) break;
      lines += row.line;
      last = row.key;
    }
    return lines === '' ? null : { lines, last };
  }

  /** Removes the transcriptions, which a session needs only until it is analysed. */
  forgetTranscriptions(): void {
    this.#storage.sql.exec('DELETE FROM transcriptions');
  }

  /** Removes the bytes of all chunks. Their rows stay, so that a repeated chunk is still recognised. */
  forgetMedia(): void {
    this.#storage.sql.exec(`UPDATE chunks SET bytes = x''`);
  }

  /** Every event as a line of JSON, in order. */
  eventLines(): string {
    const rows = this.#storage.sql.exec<{ seq: number; event: string; data: string }>(
      'SELECT seq, event, data FROM events ORDER BY seq',
    );
    return [...rows].map(({ seq, event, data }) => `{"id":${seq},"event":"${event}","data":${data}}\n`).join('');
  }

  /** The stored events with these names, in order. */
  events(names: readonly ServiceEvent['event'][]): ServiceEvent[] {
    const rows = this.#storage.sql.exec<{ event: string; data: string }>(
      'SELECT event, data FROM events WHERE event IN (SELECT value FROM json_each(?)) ORDER BY seq',
      JSON.stringify(names),
    );
    return [...rows].map(({ event, data }) => ({ event, data: JSON.parse(data) }) as ServiceEvent);
  }

  /** End of the last utterance so far, seconds. */
  analysedSeconds(): number {
    const sql = `SELECT max(json_extract(data, '$.t_end')) AS seconds FROM events WHERE event = 'final_transcript'`;
    return this.#storage.sql.exec<{ seconds: number | null }>(sql).one().seconds ?? 0;
  }

  /** Number of stored permanent events, which the pipeline has numbered and need not send again. */
  lastingEvents(): number {
    const sql = `SELECT count(*) AS n FROM events WHERE event NOT IN ('status', 'partial_transcript', 'rule_match')`;
    return this.#storage.sql.exec<{ n: number }>(sql).one().n;
  }

  /** Adds the tables and columns that are missing when an earlier version created the session. */
  #addMissing(): void {
    this.#storage.sql.exec(TABLES);
    const isThere = this.#storage.sql.exec(`SELECT 1 FROM pragma_table_info('chunks') WHERE name = 'accepted_at'`);
    if (isThere.toArray().length === 0) this.#storage.sql.exec('ALTER TABLE chunks ADD COLUMN accepted_at INTEGER');
  }

  #lastChunk(): AcceptedChunk | null {
    const [row] = this.#storage.sql
      .exec<{ seq: number; receivedBytes: number; acceptedAt: number }>(
        `SELECT seq, received_bytes AS receivedBytes, accepted_at AS acceptedAt FROM chunks
         WHERE accepted_at IS NOT NULL ORDER BY seq DESC LIMIT 1`,
      )
      .toArray();
    return row ?? null;
  }

  /** Removes every row and the alarm. */
  async remove(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }
}
