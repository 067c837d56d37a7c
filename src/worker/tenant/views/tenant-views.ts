import { RpcTarget } from 'cloudflare:workers';
import { LIMITS } from '../../../contract/limits.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { NewView, ViewBody, ViewPatch } from '../../../contract/views.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';

export const VIEW_TABLES = [
  `CREATE TABLE views (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, page TEXT NOT NULL, query TEXT NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, UNIQUE (page, name)
  ) WITHOUT ROWID;`,
];

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown view');

/** The parts of the tenant's object that views use. */
export interface ViewsHost {
  sql: Sql;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: () => Promise<boolean>;
}

interface ViewRow extends Record<string, SqlValue> {
  id: string;
  name: string;
  page: ViewBody['page'];
  query: string;
  created_at: number;
  updated_at: number;
}

/** The saved views of one tenant. */
export class TenantViews extends RpcTarget {
  readonly #host: ViewsHost;

  constructor(host: ViewsHost) {
    super();
    this.#host = host;
  }

  async add({ name, page, query }: NewView): Promise<Result<ViewBody>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    const { n } = this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM views').one();
    if (n >= LIMITS.views) return fail('INVALID_REQUEST', `This tenant already has ${LIMITS.views} views, its limit`);
    if (this.#isTaken(page, name)) return taken(name);
    const id = `view_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const now = Date.now();
    this.#sql.exec('INSERT INTO views VALUES (?, ?, ?, ?, ?, ?)', id, name, page, query, now, now);
    return this.read(id);
  }

  /** By name. */
  async list(): Promise<ViewBody[]> {
    if (!this.#host.exists()) return [];
    return [...this.#sql.exec<ViewRow>('SELECT * FROM views ORDER BY name COLLATE NOCASE, id')].map(bodyOf);
  }

  async read(id: string): Promise<Result<ViewBody>> {
    const row = this.#find(id);
    return row ? ok(bodyOf(row)) : UNKNOWN;
  }

  async patch(id: string, patch: ViewPatch): Promise<Result<ViewBody>> {
    const row = this.#find(id);
    if (!row) return UNKNOWN;
    const { name, query } = { ...row, ...patch };
    if (name !== row.name && this.#isTaken(row.page, name)) return taken(name);
    this.#sql.exec('UPDATE views SET name = ?, query = ?, updated_at = ? WHERE id = ?', name, query, Date.now(), id);
    return this.read(id);
  }

  async remove(id: string): Promise<Result<null>> {
    if (!this.#find(id)) return UNKNOWN;
    this.#sql.exec('DELETE FROM views WHERE id = ?', id);
    return ok(null);
  }

  #find(id: string): ViewRow | undefined {
    if (!this.#host.exists()) return undefined;
    return this.#sql.exec<ViewRow>('SELECT * FROM views WHERE id = ?', id).toArray()[0];
  }

  #isTaken(page: string, name: string): boolean {
    return this.#sql.exec('SELECT 1 AS one FROM views WHERE page = ? AND name = ?', page, name).toArray().length > 0;
  }

  get #sql(): Sql {
    return this.#host.sql;
  }
}

const taken = (name: string): Result<never> =>
  fail('INVALID_REQUEST', `name: another view of this page is already named ${name}`);

const bodyOf = ({ id, name, page, query, created_at, updated_at }: ViewRow): ViewBody => ({
  id,
  name,
  page,
  query,
  created_at: new Date(created_at).toISOString(),
  updated_at: new Date(updated_at).toISOString(),
});
