import { DurableObject } from 'cloudflare:workers';
import type { TenantList } from '../../contract/tenants.ts';
import type { Env } from '../env.ts';
import { migrate, type Rooms } from './sql.ts';

const ROOMS: Rooms = {
  tenants: [
    'CREATE TABLE tenants (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL) WITHOUT ROWID',
  ],
};

/** A tenant as the directory knows it. `createdAt`: Unix time, ms. */
export interface ListedTenant {
  id: string;
  name: string;
  createdAt: number;
}

/** Which tenants there are: one object for the service. What each has is in its own (`tenant.ts`). */
export class Directory extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.transactionSync(() => migrate(ctx.storage.sql, ROOMS));
  }

  add({ id, name, createdAt }: ListedTenant): void {
    this.ctx.storage.sql.exec('INSERT OR IGNORE INTO tenants VALUES (?, ?, ?)', id, name, createdAt);
  }

  rename(id: string, name: string): void {
    this.ctx.storage.sql.exec('UPDATE tenants SET name = ? WHERE id = ?', name, id);
  }

  remove(id: string): void {
    this.ctx.storage.sql.exec('DELETE FROM tenants WHERE id = ?', id);
  }

  /** Those whose ids follow the cursor ('' for all), by id. */
  list(cursor: string, limit: number): TenantList {
    const rows = this.ctx.storage.sql
      .exec<{ id: string; name: string; created_at: number }>(
        'SELECT * FROM tenants WHERE id > ? ORDER BY id LIMIT ?',
        cursor,
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    return {
      tenants: page.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() })),
      next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }
}

/** The one object that lists. */
export const directoryOf = (env: Env): DurableObjectStub<Directory> =>
  env.DIRECTORY.get(env.DIRECTORY.idFromName('directory'));
