import type { Sql } from './migrations.ts';

export const DUE_TABLES = ['CREATE TABLE due (task TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID'];

/** Wait before a failed task is tried again, ms. */
const AGAIN_MS = 60_000;

/**
 * Background tasks of an object by name. Each task does what is due, and returns when it is next due (Unix time, ms) or
 * null.
 */
export type DueTasks = Readonly<Record<string, (now: number) => number | null | Promise<number | null>>>;

/** The stored due time of each task, so that one alarm serves many tasks. */
export class DueTimes {
  readonly #sql: Sql;
  readonly #setAlarm: (at: number) => Promise<void>;

  /** @param setAlarm sets the object's only alarm */
  constructor(sql: Sql, setAlarm: (at: number) => Promise<void>) {
    this.#sql = sql;
    this.#setAlarm = setAlarm;
  }

  /** Sets a task's time (Unix time, ms), replacing the previous one. */
  async set(task: string, at: number): Promise<void> {
    this.#sql.exec('INSERT OR REPLACE INTO due VALUES (?, ?)', task, Math.round(at));
    await this.#arm();
  }

  /** Sets a task's time unless it is due sooner. */
  async within(task: string, at: number): Promise<void> {
    this.#sql.exec(
      'INSERT INTO due VALUES (?1, ?2) ON CONFLICT (task) DO UPDATE SET at = min(at, ?2)',
      task,
      Math.round(at),
    );
    await this.#arm();
  }

  /**
   * Runs the due tasks; called from the alarm. A due time is kept until its task has ended, so that an interrupted task
   * runs again. A failing task does not stop the others.
   * @param tasks a stored task that is not among these is forgotten
   * @param isThere whether the tables still exist, since a task can remove them
   * @returns the errors of failed tasks
   */
  async run(tasks: DueTasks, now: number, isThere = () => true): Promise<unknown[]> {
    const errors: unknown[] = [];
    const due = this.#sql.exec<{ task: string }>('SELECT task FROM due WHERE at <= ? ORDER BY at', now).toArray();
    for (const { task } of due) {
      let next: number | null = null;
      try {
        next = (await tasks[task]?.(now)) ?? null;
      } catch (error) {
        errors.push(error);
        next = now + AGAIN_MS;
      }
      if (!isThere()) return errors;
      // A time that was set in the meantime is kept.
      if (next === null) this.#sql.exec('DELETE FROM due WHERE task = ? AND at <= ?', task, now);
      else this.#sql.exec('UPDATE due SET at = ? WHERE task = ? AND at <= ?', Math.round(next), task, now);
    }
    await this.#arm();
    return errors;
  }

  /** An alarm that fires early only checks again. */
  async #arm(): Promise<void> {
    const [next] = this.#sql.exec<{ at: number }>('SELECT at FROM due ORDER BY at LIMIT 1').toArray();
    if (next) await this.#setAlarm(next.at);
  }
}
