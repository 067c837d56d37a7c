import { DurableObject, RpcTarget } from 'cloudflare:workers';
import { ServiceError } from '../../contract/errors.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Env } from '../env.ts';

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_S = 10;

/** What one tenant has open at a time, live sessions and uploads: one object each, so that they are counted one at a time. */
export class LiveQuota extends DurableObject<Env> {
  #uploads = 0;

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

  /**
   * Counts one more upload for as long as the caller holds the place, or refuses with RATE_LIMITED. A caller that dies
   * lets go of it, so nothing is stored.
   */
  enterUpload(limit: number): Result<UploadPlace> {
    if (this.#uploads >= limit)
      return fail('RATE_LIMITED', `This key has ${limit} uploads under way, as many as it may`, RETRY_AFTER_S);
    this.#uploads++;
    return ok(new UploadPlace(() => this.#uploads--));
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

/** One upload's place; it is free again when its holder disposes of it, or is no more. */
export class UploadPlace extends RpcTarget {
  readonly #leave: () => void;

  constructor(leave: () => void) {
    super();
    this.#leave = leave;
  }

  [Symbol.dispose](): void {
    this.#leave();
  }
}

/**
 * Takes a place among a tenant's uploads.
 * @returns leaves it
 * @throws ServiceError RATE_LIMITED
 */
export async function enterUpload(env: Env, tenant: string, limit: number): Promise<() => void> {
  const entered = await env.LIVE_QUOTA.get(env.LIVE_QUOTA.idFromName(tenant)).enterUpload(limit);
  if (!entered.ok) throw new ServiceError(entered.code, entered.detail, { retryAfter: entered.retryAfter });
  return () => entered[Symbol.dispose]();
}
