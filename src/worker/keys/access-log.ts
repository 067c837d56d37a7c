import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AccessAct } from '../../contract/access-log.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { routeOf } from '../http/route-of.ts';
import type { Caller } from '../identity/caller.ts';
import type { AppEnv } from '../identity/env.ts';
import type { Accessed } from '../tenant/access-log.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { addressOf } from './operator.ts';

/** The act of each route that the log records. Lists, and requests that a page makes beside these, are left out. */
export const LOGGED: Readonly<Record<string, AccessAct>> = {
  'GET /conversations/export': 'exported',
  'GET /conversations/:conversation_id': 'opened',
  'GET /conversations/:conversation_id/events': 'opened',
  'GET /conversations/:conversation_id/media': 'recording_requested',
  'GET /conversations/:conversation_id/export': 'exported',
  'PATCH /conversations/:conversation_id': 'edited',
  'POST /conversations/:conversation_id/undo': 'edited',
  'POST /conversations/:conversation_id/feedback': 'edited',
  'POST /conversations/:conversation_id/comments': 'edited',
  'PATCH /conversations/:conversation_id/comments/:comment_id': 'edited',
  'DELETE /conversations/:conversation_id/comments/:comment_id': 'edited',
  'POST /conversations/:conversation_id/reanalyze': 'reanalyzed',
  'DELETE /conversations/:conversation_id': 'deleted',
};

/** Records in the tenant's log what an admitted request did with a stored conversation. */
export const logAccess = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const route = routeOf(c);
  const act = route === undefined ? undefined : LOGGED[route];
  if (act !== undefined && c.res.ok && c.req.raw.method !== 'HEAD')
    record(c, c.var.caller, { act, route: route!, conversation: conversationIn(c, route!), part: partOf(c) });
});

/** Records that a token for reading a conversation was created, or a share. */
export function logShare(c: Context<AppEnv>, conversation: string, route: 'POST /tokens' | 'POST /shares'): void {
  record(c, c.var.caller, { act: 'shared', route, conversation });
}

/** Records a request that its caller had no permission for. */
export function logRefusal(c: Context<AppEnv>, caller: Caller, route: string): void {
  if (route in LOGGED) record(c, caller, { act: 'refused', route, conversation: conversationIn(c, route) });
}

/** The response does not wait for the log. An entry that cannot be stored is lost, and the log of faults says so. */
function record(
  c: Context<AppEnv>,
  caller: Caller,
  request: Pick<Accessed, 'act' | 'route' | 'conversation' | 'part'>,
): void {
  const accessed: Accessed = {
    ...request,
    keyId: caller.keyId,
    byToken: caller.grant !== undefined,
    share: caller.grant?.share,
    address: addressOf(c),
  };
  c.executionCtx.waitUntil(
    (async () => tenantOf(c.env, caller.tenant).recordAccess(accessed))().catch((error: unknown) =>
      logFault(asServiceError(error), { task: 'access log' }),
    ),
  );
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
