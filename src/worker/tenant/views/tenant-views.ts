import { RpcTarget } from 'cloudflare:workers';
import { LIMITS } from '../../../contract/limits.ts';
import { MomentQuerySchema } from '../../../contract/patterns.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { MatchedViewSchema, type NewView, type ViewBody, type ViewPatch } from '../../../contract/views.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { newId } from '../../sqlite/values.ts';
import type { AlertFilter } from '../patterns/moment-list.ts';
import type { TenantPatterns } from '../patterns/tenant-patterns.ts';
import type { TenantWebhooks } from '../webhooks/tenant-webhooks.ts';

export const VIEW_TABLES = [
  `CREATE TABLE views (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, page TEXT NOT NULL, query TEXT NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, UNIQUE (page, name)
  ) WITHOUT ROWID;`,
  `ALTER TABLE views ADD COLUMN tell INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE view_alerts (view TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (view, n)) WITHOUT ROWID;
  CREATE TRIGGER views_forget AFTER DELETE ON conversations BEGIN DELETE FROM view_alerts WHERE n = old.n; END;`,
];

/** Moments in a message to webhooks. */
const REPORTED_MOMENTS = 3;

/** The filters of the page Patterns that concern a conversation by itself, and not when it was. */
const AlertFilterSchema = MomentQuerySchema.pick({
  ...{ category: true, outcome: true, person: true, label: true, q: true, rule: true },
});

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown view');

/** The parts of the tenant's object that views use. */
export interface ViewsHost {
  sql: Sql;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: () => Promise<boolean>;
  webhooks: Pick<TenantWebhooks, 'send'>;
  patterns: Pick<TenantPatterns, 'momentsIn'>;
}

interface ViewRow extends Record<string, SqlValue> {
  id: string;
  name: string;
  page: ViewBody['page'];
  query: string;
  tell: number;
  created_at: number;
  updated_at: number;
}

/** The saved views of one tenant. `view_alerts` contains what was reported. */
export class TenantViews extends RpcTarget {
  readonly #host: ViewsHost;

  constructor(host: ViewsHost) {
    super();
    this.#host = host;
  }

  async add({ name, page, query, tell }: NewView): Promise<Result<ViewBody>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    const { n } = this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM views').one();
    if (n >= LIMITS.views) return fail('INVALID_REQUEST', `This tenant already has ${LIMITS.views} views, its limit`);
    if (this.#isTaken(page, name)) return taken(name);
    const told = tell ? alertOf({ page, query }) : null;
    if (told && !told.ok) return told;
    const id = newId('view');
    const now = Date.now();
    this.#sql.exec(
      'INSERT INTO views (id, name, page, query, tell, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[id, name, page, query, tell ? 1 : 0, now, now],
    );
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
    const { name, query, tell } = { ...row, ...patch };
    if (name !== row.name && this.#isTaken(row.page, name)) return taken(name);
    const told = tell ? alertOf({ page: row.page, query }) : null;
    if (told && !told.ok) return told;
    this.#sql.exec(
      'UPDATE views SET name = ?, query = ?, tell = ?, updated_at = ? WHERE id = ?',
      ...[name, query, tell ? 1 : 0, Date.now(), id],
    );
    return this.read(id);
  }

  async remove(id: string): Promise<Result<null>> {
    if (!this.#find(id)) return UNKNOWN;
    this.#sql.exec('DELETE FROM views WHERE id = ?', id);
    this.#sql.exec('DELETE FROM view_alerts WHERE view = ?', id);
    return ok(null);
  }

  /** Reports the views that match a new result to the webhooks, once for each view and conversation. */
  async report(conversation: string): Promise<void> {
    for (const row of [...this.#sql.exec<ViewRow>('SELECT * FROM views WHERE tell ORDER BY created_at, id')]) {
      const filter = alertOf(row);
      const found = filter.ok && this.#host.patterns.momentsIn(conversation, filter.value, REPORTED_MOMENTS);
      if (!found || found.count === 0 || !this.#isFirstAlert(row.id, conversation)) continue;
      const view = MatchedViewSchema.parse({ id: row.id, name: row.name, ...found });
      await this.#host.webhooks.send('view.matched', { conversation_id: conversation, view }, Date.now());
    }
  }

  #isFirstAlert(view: string, conversation: string): boolean {
    const sql = 'INSERT OR IGNORE INTO view_alerts SELECT ?, n FROM conversations WHERE id = ? RETURNING n';
    return this.#sql.exec(sql, view, conversation).toArray().length > 0;
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

/** The moments that a view with an alert waits for. */
function alertOf({ page, query }: Pick<ViewBody, 'page' | 'query'>): Result<AlertFilter> {
  if (page !== 'patterns') return fail('INVALID_REQUEST', 'tell: only views of the page patterns have alerts');
  const given = [...new URLSearchParams(query)].filter(([, value]) => value !== '');
  const filter = AlertFilterSchema.safeParse(Object.fromEntries(given));
  if (filter.success) return ok({ ...filter.data, tz: 'UTC' });
  const [fault] = filter.error.issues;
  return fail('INVALID_REQUEST', `query: ${fault?.path.join('.')} ${fault?.message}`);
}

const taken = (name: string): Result<never> =>
  fail('INVALID_REQUEST', `name: another view of this page is already named ${name}`);

const bodyOf = ({ id, name, page, query, tell, created_at, updated_at }: ViewRow): ViewBody => ({
  id,
  name,
  page,
  query,
  tell: tell === 1,
  created_at: new Date(created_at).toISOString(),
  updated_at: new Date(updated_at).toISOString(),
});
