import type { Quota } from '../../contract/errors.ts';
import { fail, limited, ok, type Refusal, type Result } from '../../contract/result.ts';
import type { Sql } from '../sqlite/migrations.ts';
import type { DatabaseSize } from './database-size.ts';
import type { Limits } from './limits.ts';
import { secondsToMidnight, type Usage } from './usage.ts';

export const ADMISSION_TABLES = [
  `CREATE TABLE live_sessions (id TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE spent (id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;`,
];

/** Seconds after which a client can retry when too much work is running. */
const RETRY_AFTER_S = 10;
/** Seconds after which a client can retry when storage is full. Space becomes free over time or by deletion. */
const RETRY_STORED_S = 3600;
const GIGABYTE = 1024 ** 3;
const DAY_S = 86_400;

/** The limits of a key and of its tenant. */
export interface BothLimits {
  key: Limits;
  tenant: Limits;
}

/** A single-use browser token. Its id stays used until the token expires. Unix time, ms. */
export interface Once {
  id: string;
  until: number;
}

/** The reservation of one upload. Both methods may be called more than once. */
export interface UploadReservation {
  /** Called when the upload has ended. `isWhole`: all of it arrived, and the analysis continues. */
  received(isWhole: boolean): void;
  /** Ends the reservation. */
  leave(): void;
}

/** Counts the running work and the usage of a tenant, and refuses work that would exceed a limit. */
export class Admission {
  readonly #sql: Sql;
  readonly #usage: Usage;
  readonly #storedBytes: () => number;
  readonly #announcedBytes: () => number;
  readonly #database: DatabaseSize;
  /** Counts by key. They need not be stored, because a holder that dies releases its reservation. */
  readonly #uploads = new UnderWay();
  readonly #analyses = new UnderWay();
  /** Tokens whose uploads are currently arriving. */
  readonly #sending = new Set<string>();

  /**
   * @param storedBytes bytes that the tenant stores
   * @param announcedBytes announced bytes of its open multipart uploads
   * @param database the size of the database of all its rows
   */
  constructor(sql: Sql, usage: Usage, storedBytes: () => number, announcedBytes: () => number, database: DatabaseSize) {
    this.#database = database;
    this.#announcedBytes = announcedBytes;
    this.#sql = sql;
    this.#usage = usage;
    this.#storedBytes = storedBytes;
  }

  /**
   * Reserves an upload and the analysis that follows it.
   * @param uploads limit on simultaneous uploads of a key
   * @param once token that is used up when the whole upload has arrived; an upload that broke off can be sent again
   * @param isAnnounced whether the upload is already open, so that its own bytes, which count as stored, do not make it
   * exceed the limit
   */
  enterAnalysis(
    key: string,
    limits: BothLimits,
    uploads: number,
    now: number,
    once?: Once,
    isAnnounced = false,
  ): Result<UploadReservation> {
    if (once && (this.#isSpent(once.id) || this.#sending.has(once.id)))
      return fail('INVALID_KEY', 'This token has already been used');
    const refusal =
      this.#usedUp(key, limits, now, isAnnounced) ??
      tooMany('key', 'uploads', this.#uploads.of(key), uploads) ??
      tooMany('key', 'analyses', this.#analyses.of(key), limits.key.running_analyses) ??
      tooMany('tenant', 'analyses', this.#analyses.all, limits.tenant.running_analyses);
    if (refusal) return refusal;
    const sent = this.#uploads.enter(key);
    const ended = this.#analyses.enter(key);
    if (once) this.#sending.add(once.id);
    const received = (isWhole: boolean): void => {
      sent();
      if (once && isWhole && this.#sending.has(once.id)) this.#spend(once);
      if (once) this.#sending.delete(once.id);
    };
    const leave = (): void => {
      received(false);
      ended();
    };
    return ok({ received, leave });
  }

  /** The reason why no further session can be opened. Null when one can. */
  refusalOfSession(key: string, limits: BothLimits, now: number): Refusal | null {
    return (
      this.#usedUp(key, limits, now) ??
      tooMany('key', 'live sessions', this.#sessions(key), limits.key.live_sessions) ??
      tooMany('tenant', 'live sessions', this.#sessions(null), limits.tenant.live_sessions)
    );
  }

  /** @param once token that this session uses up */
  enterSession(id: string, key: string, once?: Once): void {
    if (once) this.#spend(once);
    this.#sql.exec('INSERT OR IGNORE INTO live_sessions VALUES (?, ?)', id, key);
  }

  leaveSession(id: string): void {
    this.#sql.exec('DELETE FROM live_sessions WHERE id = ?', id);
  }

  /** Takes back the entry of a session that did not start. Its token can be used again. */
  withdrawSession(id: string, once?: Once): void {
    this.leaveSession(id);
    if (once) this.#sql.exec('DELETE FROM spent WHERE id = ?', once.id);
  }

  /** Ids of the counted sessions. */
  sessions(): string[] {
    return [...this.#sql.exec<{ id: string }>('SELECT id FROM live_sessions')].map(({ id }) => id);
  }

  /** Whether this token has already opened its session. */
  wasOpened({ id }: Once): boolean {
    return this.#isSpent(id);
  }

  /** Forgets used tokens that have expired. */
  forget(now: number): void {
    this.#sql.exec('DELETE FROM spent WHERE until < ?', now);
  }

  #isSpent(id: string): boolean {
    return this.#sql.exec('SELECT id FROM spent WHERE id = ?', id).toArray().length > 0;
  }

  #spend({ id, until }: Once): void {
    this.#sql.exec('INSERT OR IGNORE INTO spent VALUES (?, ?)', id, Math.ceil(until));
  }

  #sessions(key: string | null): number {
    const sql = 'SELECT count(*) AS n FROM live_sessions WHERE ?1 IS NULL OR key = ?1';
    return this.#sql.exec<{ n: number }>(sql, key).one().n;
  }

  /**
   * Checks the limits on daily usage, on storage and of the database. Running work is allowed to finish, and can exceed them as a
   * result.
   */
  #usedUp(key: string, limits: BothLimits, now: number, isAnnounced = false): Refusal | null {
    const { stored_gigabytes: gigabytes } = limits.tenant;
    const stored = this.#storedBytes() + (isAnnounced ? 0 : this.#announcedBytes());
    if (stored >= gigabytes * GIGABYTE) {
      const limit = gigabytes * GIGABYTE;
      const quota: Quota = { name: 'tenant-storage', limit, remaining: 0, unit: 'content-bytes' };
      return limited(`This tenant already stores ${gigabytes} GB, its limit`, RETRY_STORED_S, quota);
    }
    return (
      this.#database.refusal() ??
      noMoreAudio('key', this.#usage.audioMinutes(now, key), limits.key.audio_minutes_per_day, now) ??
      noMoreAudio('tenant', this.#usage.audioMinutes(now), limits.tenant.audio_minutes_per_day, now)
    );
  }
}

/** Counts running work by key. */
class UnderWay {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  get all(): number {
    let sum = 0;
    for (const count of this.#counts.values()) sum += count;
    return sum;
  }

  /** @returns a function that ends the count; only its first call has an effect */
  enter(key: string): () => void {
    this.#counts.set(key, this.of(key) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (this.of(key) > 1) this.#counts.set(key, this.of(key) - 1);
      else this.#counts.delete(key);
    };
  }
}

function tooMany(whose: 'key' | 'tenant', what: string, count: number, limit: number): Refusal | null {
  if (count < limit) return null;
  const name = `${whose}-${what.replace(' ', '-')}`;
  const quota: Quota = { name, limit, remaining: 0, unit: 'concurrent-requests' };
  return limited(
    `This ${whose} already has ${limit} ${what} ${what === 'analyses' ? 'running' : 'open'}, its limit`,
    RETRY_AFTER_S,
    quota,
  );
}

function noMoreAudio(whose: 'key' | 'tenant', minutes: number, limit: number, now: number): Refusal | null {
  if (minutes < limit) return null;
  const resetSeconds = secondsToMidnight(now);
  const name = `${whose}-audio`;
  const quota: Quota = { name, limit, remaining: 0, windowSeconds: DAY_S, resetSeconds, unit: 'audio-minutes' };
  return limited(`This ${whose} has reached its limit of ${limit} minutes of audio today`, resetSeconds, quota);
}
