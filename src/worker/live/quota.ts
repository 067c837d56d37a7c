import { DurableObject } from 'cloudflare:workers';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Env } from '../env.ts';

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_S = 10;

/** The open live sessions of one tenant: one object each, so that they are counted one at a time. */
export class LiveQuota extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY)');
  }

  /** Counts one more session, or refuses with OVERLOADED. Sessions that ended without saying so are found out first. */
  async admit(sessionId: string, limit: number): Promise<Result<null>> {
    if (this.#count() >= limit) await this.#forgetEnded();
    if (this.#count() >= limit) {
      return fail('OVERLOADED', `This key has ${limit} live sessions open, as many as it may`, RETRY_AFTER_S);
    }
    this.ctx.storage.sql.exec('INSERT INTO sessions VALUES (?)', sessionId);
    return ok(null);
  }

  release(sessionId: string): void {
    this.ctx.storage.sql.exec('DELETE FROM sessions WHERE id = ?', sessionId);
  }

  #count(): number {
    return this.ctx.storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM sessions').one().n;
  }

  async #forgetEnded(): Promise<void> {
    const rows = this.ctx.storage.sql.exec<{ id: string }>('SELECT id FROM sessions').toArray();
    const open = await Promise.all(rows.map(({ id }) => this.env.LIVE.get(this.env.LIVE.idFromString(id)).isOpen()));
    for (const [i, { id }] of rows.entries()) if (!open[i]) this.release(id);
  }
}
