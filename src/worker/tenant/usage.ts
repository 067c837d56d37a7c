import type { DayUsage } from '../../contract/keys.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import type { Sql } from '../sqlite/migrations.ts';

export const USAGE_TABLES = [
  `CREATE TABLE usage (
    day TEXT NOT NULL, key TEXT NOT NULL, requests INTEGER NOT NULL, refusals INTEGER NOT NULL, audio_seconds REAL NOT NULL,
    PRIMARY KEY (day, key)
  ) WITHOUT ROWID;
  CREATE TABLE last_use (key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;`,
];

/** How long usage is kept, ms. */
const KEPT_MS = 400 * 86_400_000;
const DAY_MS = 86_400_000;

/** A key's counts since the last report. */
export interface KeyCounts {
  requests: number;
  refusals: number;
  /** Time of the last call. Unix time, ms. */
  lastAt: number;
}

/** Usage of a tenant's keys by UTC day. */
export class Usage {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Adds to the UTC day of the last call. */
  count(key: string, { requests, refusals, lastAt }: KeyCounts): void {
    this.#add(key, lastAt, requests, refusals, 0);
    if (requests > 0)
      this.#sql.exec(
        'INSERT INTO last_use VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET at = max(at, ?2)',
        key,
        lastAt,
      );
  }

  /** Adds audio analysed for a key. */
  addAudio(key: string, seconds: number, now: number): void {
    this.#add(key, now, 0, 0, seconds);
  }

  #add(key: string, now: number, requests: number, refusals: number, seconds: number): void {
    this.#sql.exec(
      `INSERT INTO usage VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (day, key) DO UPDATE
       SET requests = requests + ?3, refusals = refusals + ?4, audio_seconds = audio_seconds + ?5`,
      dayOf(now),
      key,
      requests,
      refusals,
      seconds,
    );
  }

  /** Minutes of audio on the day of `now`, for one key or for all keys. */
  audioMinutes(now: number, key?: string): number {
    const sql =
      'SELECT coalesce(sum(audio_seconds), 0) AS seconds FROM usage WHERE day = ?1 AND (?2 IS NULL OR key = ?2)';
    return this.#sql.exec<{ seconds: number }>(sql, dayOf(now), key ?? null).one().seconds / 60;
  }

  /** The days since `since` on which the key was used, newest first. */
  days(key: string, since: number): DayUsage[] {
    const rows = this.#sql.exec<{ day: string; requests: number; refusals: number; audio_seconds: number }>(
      'SELECT * FROM usage WHERE key = ? AND day >= ? ORDER BY day DESC',
      key,
      dayOf(since),
    );
    return [...rows].map(({ day, requests, refusals, audio_seconds }) => ({
      day,
      requests,
      audio_minutes: rounded(audio_seconds / 60),
      refusals,
    }));
  }

  /** Time of each key's last call. Unix time, ms. */
  lastUses(): Map<string, number> {
    const rows = this.#sql.exec<{ key: string; at: number }>('SELECT key, at FROM last_use').toArray();
    return new Map(rows.map(({ key, at }) => [key, at]));
  }

  forget(now: number): void {
    this.#sql.exec('DELETE FROM usage WHERE day < ?', dayOf(now - KEPT_MS));
    this.#sql.exec('DELETE FROM last_use WHERE at < ?', now - KEPT_MS);
  }
}

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Seconds until the next UTC day begins. */
export const secondsToMidnight = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
