import type { Quota } from '../../contract/errors.ts';
import { limited, ok, type Refusal, type Result } from '../../contract/result.ts';
import type { Limits } from './limits.ts';
import type { Sql } from './sql.ts';
import { secondsToMidnight, type Usage } from './usage.ts';

export const ADMISSION_TABLES = [
  `CREATE TABLE live_sessions (id TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE stored (one INTEGER PRIMARY KEY CHECK (one = 0), bytes INTEGER NOT NULL);
   INSERT INTO stored VALUES (0, 0);`,
];

/** Seconds after which a client may try again that was refused for what is under way. */
const RETRY_AFTER_S = 10;
/** And for what is stored, which goes with time or by its owner's hand. */
const RETRY_STORED_S = 3600;
const GIGABYTE = 1024 ** 3;
const DAY_S = 86_400;

/** The limits of a key, and of its tenant. */
export interface BothLimits {
  key: Limits;
  tenant: Limits;
}

/** What one upload counts for. Both may be called more than once. */
export interface Place {
  /** All of it came; the analysis goes on. */
  received(): void;
  /** Nothing of it is under way any more. */
  leave(): void;
}

/** What a tenant has under way and has used up; what one more would pass is refused. */
export class Admission {
  readonly #sql: Sql;
  readonly #usage: Usage;
  /** Under way by key. Whoever holds a place and dies lets go of it, so nothing is stored. */
  readonly #uploads = new UnderWay();
  readonly #analyses = new UnderWay();

  constructor(sql: Sql, usage: Usage) {
    this.#sql = sql;
    this.#usage = usage;
  }

  /**
   * Counts an upload with the analysis that follows it.
   * @param uploads how many a key may be sending at a time
   */
  enterAnalysis(key: string, limits: BothLimits, uploads: number, now: number): Result<Place> {
    const refusal =
      this.#usedUp(key, limits, now) ??
      tooMany('key', 'uploads', this.#uploads.of(key), uploads) ??
      tooMany('key', 'analyses', this.#analyses.of(key), limits.key.running_analyses) ??
      tooMany('tenant', 'analyses', this.#analyses.all, limits.tenant.running_analyses);
    if (refusal) return refusal;
    const received = this.#uploads.enter(key);
    const ended = this.#analyses.enter(key);
    const leave = (): void => {
      received();
      ended();
    };
    return ok({ received, leave });
  }

  /** Why no more session may be opened; null when one may. */
  refusalOfSession(key: string, limits: BothLimits, now: number): Refusal | null {
    return (
      this.#usedUp(key, limits, now) ??
      tooMany('key', 'live sessions', this.#sessions(key), limits.key.live_sessions) ??
      tooMany('tenant', 'live sessions', this.#sessions(null), limits.tenant.live_sessions)
    );
  }

  enterSession(id: string, key: string): void {
    this.#sql.exec('INSERT OR IGNORE INTO live_sessions VALUES (?, ?)', id, key);
  }

  leaveSession(id: string): void {
    this.#sql.exec('DELETE FROM live_sessions WHERE id = ?', id);
  }

  /** Those that are counted. */
  sessions(): string[] {
    return [...this.#sql.exec<{ id: string }>('SELECT id FROM live_sessions')].map(({ id }) => id);
  }

  /** Adds to what is stored, or takes from it. */
  store(bytes: number): void {
    this.#sql.exec('UPDATE stored SET bytes = max(0, bytes + ?)', Math.round(bytes));
  }

  get storedBytes(): number {
    return this.#sql.exec<{ bytes: number }>('SELECT bytes FROM stored').one().bytes;
  }

  #sessions(key: string | null): number {
    const sql = 'SELECT count(*) AS n FROM live_sessions WHERE ?1 IS NULL OR key = ?1';
    return this.#sql.exec<{ n: number }>(sql, key).one().n;
  }

  /** What a day, or the store, has no more room for. What is under way is finished, and may pass the limit by so much. */
  #usedUp(key: string, limits: BothLimits, now: number): Refusal | null {
    const { stored_gigabytes: gigabytes } = limits.tenant;
    if (this.storedBytes >= gigabytes * GIGABYTE) {
      const limit = gigabytes * GIGABYTE;
      const quota: Quota = { name: 'tenant-storage', limit, remaining: 0, unit: 'content-bytes' };
      return limited(`This tenant stores ${gigabytes} GB, as much as it may`, RETRY_STORED_S, quota);
    }
    return (
      noMoreAudio('key', this.#usage.audioMinutes(now, key), limits.key.audio_minutes_per_day, now) ??
      noMoreAudio('tenant', this.#usage.audioMinutes(now), limits.tenant.audio_minutes_per_day, now)
    );
  }
}

/** How many of something each key has under way. */
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

  /** @returns leaves; once */
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
  return limited(`This ${whose} has ${limit} ${what} under way, as many as it may`, RETRY_AFTER_S, quota);
}

function noMoreAudio(whose: 'key' | 'tenant', minutes: number, limit: number, now: number): Refusal | null {
  if (minutes < limit) return null;
  const resetSeconds = secondsToMidnight(now);
  const name = `${whose}-audio`;
  const quota: Quota = { name, limit, remaining: 0, windowSeconds: DAY_S, resetSeconds, unit: 'audio-minutes' };
  return limited(`This ${whose} had ${limit} minutes of audio analysed today, as many as it may`, resetSeconds, quota);
}
