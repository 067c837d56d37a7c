import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { ServiceError } from '../../contract/errors.ts';
import type { Scope } from '../../contract/keys.ts';
import type { AppEnv } from '../env.ts';
import type { Actor } from '../tenants/audit.ts';
import type { Caller } from './caller.ts';
import { configuredCaller } from './configured.ts';
import { issuedCaller } from './issued.ts';
import { countRefusal, countRequest } from './metering.ts';
import { addressOf, operatorOf } from './operator.ts';
import { keyIdOf } from './token.ts';

/**
 * What a route asks of its caller: nothing (`open`), a key with this scope, or the operator. `admin` is the operator, or a
 * key with that scope for its own tenant.
 */
export type Access = 'open' | Scope | 'operator';

/** Every route of the service. One that is not listed answers nobody. */
export const ACCESS: Readonly<Record<string, Access>> = {
  'GET /health': 'open',
  'GET /metrics': 'read',
  'POST /analyze': 'analyze',
  'POST /analyze/stream': 'analyze',
  'POST /segment/conversation': 'analyze',
  'POST /analyze/live/start': 'live',
  'POST /analyze/live/:session_id/chunk': 'live',
  'GET /analyze/live/:session_id/events': 'live',
  'POST /analyze/live/:session_id/control': 'live',
  'POST /keys': 'admin',
  'GET /keys': 'admin',
  'PATCH /keys/:key_id': 'admin',
  'DELETE /keys/:key_id': 'admin',
  'POST /keys/:key_id/rotate': 'admin',
  'GET /keys/:key_id/usage': 'admin',
  'POST /tenants': 'operator',
  'GET /tenants': 'operator',
  'GET /tenants/:tenant_id': 'admin',
  'PATCH /tenants/:tenant_id': 'operator',
  'GET /audit': 'admin',
  // Whoever signs in has nothing yet but the token in the body.
  'POST /session': 'open',
  'GET /session': 'operator',
  'DELETE /session': 'operator',
};

/** Who administers. */
export interface Admin extends Actor {
  /** The only tenant it may touch; null for the operator, who may touch all. */
  tenant: string | null;
}

/**
 * Lets a request pass that may use the route it asks for; sets `caller` and `tenant`, or `admin`. Runs before any part of
 * the body is read. A path or method that no route has passes too, to be answered 404 or 405.
 * @throws ServiceError INVALID_KEY, FORBIDDEN, RATE_LIMITED
 */
export const requireAccess = createMiddleware<AppEnv>(async (c, next) => {
  const route = routeOf(c);
  if (route === undefined) return next();
  const access = ACCESS[route];
  if (access === undefined) throw new ServiceError('FORBIDDEN', 'This route is not offered to anyone');
  if (access === 'operator' || access === 'admin') c.set('admin', await adminOf(c, access));
  else if (access !== 'open') {
    const caller = await callerWith(c, access);
    c.set('caller', caller);
    c.set('tenant', caller.tenant);
  }
  await next();
});

/** `METHOD /path/:name` of the route that will answer; undefined when none does. */
function routeOf(c: Context): string | undefined {
  const route = matchedRoutes(c).findLast(({ method }) => method !== 'ALL');
  return route && `${route.method} ${route.path}`;
}

/** A key that is sent decides, whatever else is. */
async function adminOf(c: Context<AppEnv>, access: 'operator' | 'admin'): Promise<Admin> {
  const from = { address: addressOf(c), requestId: c.var.requestId };
  if (keyIn(c) === '') {
    const operator = await operatorOf(c);
    if (!operator) throw new ServiceError('INVALID_KEY');
    c.set('operator', operator);
    return { who: operator.who, tenant: null, ...from };
  }
  const caller = await callerWith(c, 'admin');
  if (access === 'operator') throw new ServiceError('FORBIDDEN', 'Only the operator may do that');
  return { who: `key ${keyIdOf({ tenant: caller.tenant, id: caller.keyId })}`, tenant: caller.tenant, ...from };
}

/** @throws ServiceError INVALID_KEY, RATE_LIMITED, or FORBIDDEN for a key without the scope */
async function callerWith(c: Context<AppEnv>, scope: Scope): Promise<Caller> {
  const caller = await callerOf(c);
  if (!caller) throw new ServiceError('INVALID_KEY');
  if (!caller.scopes.includes(scope)) {
    countRefusal(c, caller);
    throw new ServiceError('FORBIDDEN', `This key lacks the scope "${scope}"`);
  }
  countRequest(c, caller);
  return caller;
}

/** Null for a key that nobody has, or that stands no more. */
async function callerOf(c: Context<AppEnv>): Promise<Caller | null> {
  const key = keyIn(c);
  if (key === '') return null;
  const configured = await configuredCaller(c.env, key);
  if (configured) return configured;
  const issued = await issuedCaller(c.env, key);
  if (!issued) return null;
  if ('caller' in issued) return issued.caller;
  const { tenant, id } = issued.expired;
  countRefusal(c, { tenant, keyId: id, kind: 'issued' });
  return null;
}

/** The `X-API-Key` header, or when that is absent or empty the `api_key` query parameter; '' without either. */
const keyIn = (c: Context): string => c.req.header('X-API-Key') || c.req.query('api_key') || '';
