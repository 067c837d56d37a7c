import type { Context, Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import { ACCESS, type KeyAccess } from '../../contract/access.ts';
import { ServiceError } from '../../contract/errors.ts';
import { queryFault } from '../../contract/queries.ts';
import type { GrantKind } from '../../contract/tokens.ts';
import { challenge, tokenIn } from '../http/bearer.ts';
import { routeOf } from '../http/route-of.ts';
import type { Admin, Caller } from '../identity/caller.ts';
import type { AppEnv } from '../identity/env.ts';
import { configuredCaller } from '../tenant/keys/configured.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { logRefusal } from './access-log.ts';
import { tokenCaller } from './browser-token.ts';
import { issuedCaller } from './issued.ts';
import { countRefusal, countRequest } from './metering.ts';
import { addressOf, operatorOf } from './operator.ts';
import { personOf } from './person.ts';
import { requirePipelineToken } from './pipeline-token.ts';
import { callerTitle } from './token.ts';

/** The path parameter that identifies the resource a token is for. */
const TOKEN_PARAMS: Readonly<Record<GrantKind, string>> = {
  session: 'session_id',
  upload: 'upload_id',
  conversation: 'conversation_id',
  playlist: 'playlist_id',
};

/** How long an expired token can still read the conversation it created, counted from the end of the analysis, ms. */
const READS_FOR_MS = 3_600_000;

const EXPIRED = { 'WWW-Authenticate': challenge('The token has expired') };

export { ACCESS, type Access } from '../../contract/access.ts';

/**
 * Admits a request if its caller may use the route, and sets `caller` and `tenant`, or `admin`. It runs before any part
 * of the body is read. An unknown path or method passes too, and gets 404 or 405 later.
 * @throws ServiceError INVALID_KEY, FORBIDDEN, RATE_LIMITED
 */
export const requireAccess = createMiddleware<AppEnv>(async (c, next) => {
  const route = routeOf(c);
  if (route === undefined) return next();
  const access = ACCESS[route];
  if (access === undefined) throw new ServiceError('FORBIDDEN', 'This route is not available');
  if (access === 'operator' || access === 'admin') c.set('admin', await adminOf(c, access));
  else if (access === 'pipeline') await requirePipelineToken(c);
  else if (access !== 'open') {
    const caller = await callerFor(c, route, access === 'key' ? null : access);
    c.set('caller', caller);
    c.set('tenant', caller.tenant);
    const { grant } = caller;
    if (grant?.kind === 'conversation') return tellEnd(c, grant.expiresAt, next);
  }
  await next();
});

/** Adds the time at which a link ends to the response (RFC 8594). */
async function tellEnd(c: Context<AppEnv>, expiresAt: number, next: Next): Promise<void> {
  await next();
  c.header('Sunset', new Date(expiresAt).toUTCString());
}

/** Refuses query parameters that the route does not know. @throws ServiceError INVALID_REQUEST */
export const requireKnownQuery = createMiddleware<AppEnv>(async (c, next) => {
  const route = routeOf(c);
  const fault = route === undefined ? undefined : queryFault(route, Object.keys(c.req.query()));
  if (fault !== undefined) throw new ServiceError('INVALID_REQUEST', fault);
  await next();
});

/** A key in the request takes precedence over a session. */
async function adminOf(c: Context<AppEnv>, access: 'operator' | 'admin'): Promise<Admin> {
  const from = { address: addressOf(c), requestId: c.var.requestId };
  if (keyIn(c) === '') {
    const operator = await operatorOf(c);
    if (operator) {
      c.set('operator', operator);
      return { who: operator.who, tenant: null, ...from };
    }
    if (!(await personOf(c))) throw new ServiceError('INVALID_KEY');
  }
  const caller = await callerFor(c, '', { scope: 'admin' });
  if (access === 'operator') throw new ServiceError('FORBIDDEN', 'Only the operator has permission to do that');
  return { who: callerTitle(caller), tenant: caller.tenant, ...from };
}

/**
 * @param needs null when any key is sufficient
 * @throws ServiceError INVALID_KEY, RATE_LIMITED, or FORBIDDEN for a caller without permission
 */
async function callerFor(c: Context<AppEnv>, route: string, needs: KeyAccess | null): Promise<Caller> {
  const caller = await callerOf(c);
  if (!caller) throw new ServiceError('INVALID_KEY');
  if (!(await isCurrent(c, caller, needs))) throw new ServiceError('INVALID_KEY', undefined, { headers: EXPIRED });
  const lack =
    needs && !caller.scopes.includes(needs.scope)
      ? `This key lacks the scope "${needs.scope}"`
      : misuse(c, caller, route, needs);
  if (lack !== undefined) {
    countRefusal(c, caller);
    logRefusal(c, caller, route);
    throw new ServiceError('FORBIDDEN', lack);
  }
  countRequest(c, caller);
  return caller;
}

/** The reason why a token, which allows only one action, cannot be used here. Undefined for a key. */
function misuse(c: Context, { grant }: Caller, route: string, needs: KeyAccess | null): string | undefined {
  if (!grant) return undefined;
  const named = (kind: GrantKind) => segmentNamed(TOKEN_PARAMS[kind], route, c.req.path);
  const isFor = grant.kind === needs?.token && (needs.makes || named(grant.kind) === grant.id);
  const isMaker = needs?.ofMaker && grant.makes !== undefined && named('conversation') === grant.makes;
  if (isFor || isMaker) return undefined;
  const would = needs?.token ? `, or a token for the ${needs.token}` : '';
  return `This token is only valid for the ${grant.kind} ${grant.id}. This request needs a key${would}`;
}

/**
 * Whether a caller's token may still be used. The expiry limits when a token can open something. The token continues to
 * serve whatever it opened, and for a while it reads the conversation it created. No other token can use what a `new`
 * token opened.
 */
async function isCurrent(c: Context<AppEnv>, { tenant, grant }: Caller, needs: KeyAccess | null): Promise<boolean> {
  const now = Date.now();
  if (!grant || now < grant.expiresAt) return true;
  if (grant.makes === undefined || needs?.makes) return false;
  if (!needs?.ofMaker) return true;
  const made = await tenantOf(c.env, tenant).conversations.find(grant.makes);
  return now < (made?.record.endedAt ?? now) + READS_FOR_MS;
}

/** The path segment that matches the route's `:name`. A middleware for every path has no parsed parameters. */
function segmentNamed(name: string, route: string, path: string): string | undefined {
  const at = route.split('/').indexOf(`:${name}`);
  return at < 0 ? undefined : path.split('/')[at];
}

/** Null for a key that is unknown or no longer valid. */
async function callerOf(c: Context<AppEnv>): Promise<Caller | null> {
  const key = keyIn(c);
  if (key === '') return tokenIn(c) === '' ? personOf(c) : tokenCaller(c.env, tokenIn(c));
  const configured = await configuredCaller(c.env, key);
  if (configured) return configured;
  const issued = await issuedCaller(c.env, key);
  if (!issued) return null;
  if ('caller' in issued) return issued.caller;
  const { tenant, id } = issued.expired;
  countRefusal(c, { tenant, keyId: id, kind: 'issued' });
  return null;
}

/** The `X-API-Key` header or, when that is absent or empty, the `api_key` query parameter; '' if there is neither. */
export const keyIn = (c: Context): string => c.req.header('X-API-Key') || c.req.query('api_key') || '';
