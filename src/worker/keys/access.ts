import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { ServiceError } from '../../contract/errors.ts';
import type { Scope } from '../../contract/keys.ts';
import type { AppEnv } from '../env.ts';
import type { Caller } from './caller.ts';
import { configuredCaller } from './configured.ts';

/** What a route asks of its caller: nothing (`open`), or a key with this scope. */
export type Access = 'open' | Scope;

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
};

/**
 * Lets a request pass that may use the route it asks for; sets `caller` and `tenant`. Runs before any part of the body is
 * read. A path or method that no route has passes too, to be answered 404 or 405.
 * @throws ServiceError INVALID_KEY, FORBIDDEN
 */
export const requireAccess = createMiddleware<AppEnv>(async (c, next) => {
  const route = routeOf(c);
  if (route === undefined) return next();
  const access = ACCESS[route];
  if (access === undefined) throw new ServiceError('FORBIDDEN', 'This route is not offered to anyone');
  if (access !== 'open') {
    const caller = await callerOf(c);
    if (!caller) throw new ServiceError('INVALID_KEY');
    if (!caller.scopes.includes(access)) throw new ServiceError('FORBIDDEN', `This key lacks the scope "${access}"`);
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

/** The `X-API-Key` header, or when that is absent or empty the `api_key` query parameter. */
async function callerOf(c: Context<AppEnv>): Promise<Caller | null> {
  const key = c.req.header('X-API-Key') || c.req.query('api_key') || '';
  return key === '' ? null : configuredCaller(c.env, key);
}
