import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../identity/env.ts';
import { requestIdHeader } from '../settings/settings.ts';

/**
 * Gives every request an id and returns it in `X-Request-Id`. The service chooses the id. It ignores a client's header
 * unless the operator configures one that only a trusted proxy can set (REQUEST_ID_HEADER).
 */
export const giveRequestId = createMiddleware<AppEnv>(async (c, next) => {
  const header = requestIdHeader(c.env);
  const id = (header && c.req.header(header)) || crypto.randomUUID();
  c.set('requestId', id);
  c.header('X-Request-Id', id);
  await next();
});
