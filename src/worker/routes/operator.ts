import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { AccessLog } from '../../contract/access-log.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { OperatorSessionBody } from '../../contract/keys.ts';
import {
  AccessLogExportQuerySchema,
  type AccessLogQuery,
  AccessLogQuerySchema,
  AuditQuerySchema,
  SignInSchema,
} from '../../contract/queries.ts';
import { byteStream } from '../conversations/answers.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { Admin } from '../identity/caller.ts';
import type { AppEnv } from '../identity/env.ts';
import {
  addressOf,
  isAdminToken,
  openSession,
  requireOwnPage,
  SESSION_COOKIE,
  SESSION_SECONDS,
} from '../keys/operator.ts';
import { keyIdOf, visitorId } from '../keys/token.ts';
import { accessTable } from '../results/exports/access-log.ts';
import { csvTable } from '../results/exports/table.ts';
import { directoryOf } from '../tenant/directory.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { requireTenant } from './tenants.ts';

const MAX_JSON_BYTES = 4 * 1024;
/** Entries that one call to the tenant reads for an export. */
const EXPORT_PAGE = 1_000;
const COOKIE = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' } as const;

/** The operator's session, the audit log and the access log. */
export const operator = new Hono<AppEnv>()
  .post('/session', async (c) => {
    requireOwnPage(c);
    const { token } = await jsonBody(c, SignInSchema, MAX_JSON_BYTES);
    if (!(await isAdminToken(c, token))) throw new ServiceError('INVALID_KEY', 'This is not the admin token');
    const actor = { who: 'operator', address: addressOf(c), requestId: c.var.requestId };
    const { cookie, expiresAt } = await openSession(c.env, actor);
    setCookie(c, SESSION_COOKIE, cookie, { ...COOKIE, maxAge: SESSION_SECONDS });
    c.header('Cache-Control', 'no-store');
    const body: OperatorSessionBody = { operator: actor.who, expires_at: new Date(expiresAt).toISOString() };
    return c.json(body, 201);
  })

  .get('/session', (c) => {
    const { who, session } = c.var.operator;
    c.header('Cache-Control', 'no-store');
    const expiresAt = session ? new Date(session.expiresAt).toISOString() : null;
    return c.json({ operator: who, expires_at: expiresAt } satisfies OperatorSessionBody);
  })

  .delete('/session', async (c) => {
    const { session } = c.var.operator;
    if (session) await directoryOf(c.env).closeSession(session.id, c.var.admin);
    deleteCookie(c, SESSION_COOKIE, COOKIE);
    return c.body(null, 204);
  })

  .get('/audit', zValidator('query', AuditQuerySchema, rejectInvalid), async (c) => {
    const { tenant: requested, cursor, limit } = c.req.valid('query');
    const tenant = ownOrRequested(c.var.admin, requested);
    if (tenant === undefined) return c.json(await directoryOf(c.env).audit(cursor ?? null, limit));
    await requireTenant(c, tenant);
    return c.json(await tenantOf(c.env, tenant).audit(cursor ?? null, limit));
  })

  .get('/access-log', zValidator('query', AccessLogQuerySchema, rejectInvalid), async (c) => {
    const { cursor, limit, ...query } = c.req.valid('query');
    const page = await accessPages(c, query);
    return c.json(await page(cursor, limit), 200, { 'Cache-Control': 'no-store' });
  })

  .get('/access-log/export', zValidator('query', AccessLogExportQuerySchema, rejectInvalid), async (c) => {
    const { format: _csv, ...query } = c.req.valid('query');
    const page = await accessPages(c, query);
    return c.body(byteStream(accessTable((cursor) => page(cursor, EXPORT_PAGE))), 200, {
      'Cache-Control': 'no-store',
      'Content-Type': csvTable.contentType,
      'Content-Disposition': 'attachment; filename="access-log.csv"',
    });
  });

/** Entries of the access log that match a query, page by page. @throws ServiceError INVALID_REQUEST without a tenant */
async function accessPages(
  c: Context<AppEnv>,
  { tenant: requested, key_id: key, ...query }: Omit<AccessLogQuery, 'cursor' | 'limit'>,
): Promise<(cursor: number | undefined, limit: number) => Promise<AccessLog>> {
  const tenant = ownOrRequested(c.var.admin, requested);
  if (tenant === undefined) throw new ServiceError('INVALID_REQUEST', 'tenant: the operator must name a tenant');
  await requireTenant(c, tenant);
  const prefix = keyIdOf({ tenant, id: '' });
  const ownKey = key?.startsWith(prefix) ? key.slice(prefix.length) : key;
  return async (cursor, limit) => {
    const { entries, next_cursor } = await tenantOf(c.env, tenant).accessLog({
      ...query,
      key_id: ownKey,
      cursor,
      limit,
    });
    return {
      entries: entries.map((entry) => ({ ...entry, key_id: visitorId(tenant, entry.key_id) })),
      next_cursor,
    };
  };
}

/** The tenant that an administrator asks about. @throws ServiceError FORBIDDEN for another tenant than the key's own */
export function ownOrRequested({ tenant: own }: Admin, requested: string | undefined): string | undefined {
  if (own !== null && requested !== undefined && requested !== own)
    throw new ServiceError('FORBIDDEN', 'This key can only manage its own tenant');
  return own ?? requested;
}
