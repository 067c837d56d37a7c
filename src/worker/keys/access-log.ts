import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { LOGGED } from '../../contract/access-log.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { routeOf } from '../http/route-of.ts';
import type { Caller } from '../identity/caller.ts';
import type { AppEnv } from '../identity/env.ts';
import type { Accessed } from '../tenant/access-log.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { addressOf } from './operator.ts';

/** The key or operator that accesses a tenant. */
type Visitor = Pick<Accessed, 'keyId' | 'byToken' | 'share'> & { tenant: string };

/** Records in the tenant's log what an admitted request did with stored conversations. */
export const logAccess = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const route = routeOf(c);
  const logged = route === undefined ? undefined : LOGGED[route];
  if (!logged || !c.res.ok || c.req.raw.method === 'HEAD') return;
  if (logged.of === 'each') {
    const { act = logged.act, conversations = [] } = c.var.accessedEach ?? {};
    return record(c, visitorOf(c), { act, route: route!, conversation: null }, conversations);
  }
  const conversation = logged.of === 'named' ? c.var.accessed : conversationIn(c, route!);
  // The handler names no conversation where the response shows none.
  if (conversation === undefined) return;
  record(c, visitorOf(c), { act: logged.act, route: route!, conversation, part: c.var.part ?? partOf(c) });
});

/** Records a request that its caller had no permission for. */
export function logRefusal(c: Context<AppEnv>, caller: Caller, route: string): void {
  if (route in LOGGED)
    record(c, visitorFrom(caller), { act: 'refused', route, conversation: conversationIn(c, route) });
}

/**
 * The response does not wait for the log. An entry that cannot be stored is lost, and the log of faults says so.
 * @param each makes an entry for each of these conversations
 */
function record(
  c: Context<AppEnv>,
  { tenant, ...visitor }: Visitor,
  request: Pick<Accessed, 'act' | 'route' | 'conversation' | 'part'>,
  each?: readonly string[],
): void {
  const accessed: Accessed = { ...request, ...visitor, address: addressOf(c) };
  c.executionCtx.waitUntil(
    (async () => tenantOf(c.env, tenant).recordAccess(accessed, each))().catch((error: unknown) =>
      logFault(asServiceError(error), { task: 'access log' }),
    ),
  );
}

const visitorFrom = ({ tenant, keyId, grant }: Caller): Visitor => ({
  tenant,
  keyId,
  byToken: grant !== undefined,
  share: grant?.share,
});

/** The caller, or the operator, who names the tenant in the path. */
function visitorOf(c: Context<AppEnv>): Visitor {
  const { caller, admin } = c.var;
  if (caller) return visitorFrom(caller);
  return { tenant: c.req.path.split('/')[2] ?? '', keyId: admin.who, byToken: false };
}

/** A middleware for every path has no parsed parameters. */
function conversationIn(c: Context, route: string): string | null {
  const at = route.split('/').indexOf(':conversation_id');
  return at < 0 ? null : (c.req.path.split('/')[at] ?? null);
}

/** The part of the recording that a response to a range request covers. */
function partOf(c: Context): Accessed['part'] {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(c.res.headers.get('Content-Range') ?? '') ?? [];
  if (first === undefined) return c.req.path.endsWith('/media') ? { from: 0, to: 1 } : undefined;
  return { from: Number(first) / Number(size), to: (Number(last) + 1) / Number(size) };
}
