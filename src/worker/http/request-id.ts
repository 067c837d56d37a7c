import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../identity/env.ts';
import { requestIdHeader } from '../settings/settings.ts';

/**
 * Gives every request its id and tells it in `X-Request-Id`. It is the service's own: a header that a client sends does
 * not count, unless the operator names one that only a proxy in front can send (REQUEST_ID_HEADER).
 */
export const giveRequestId = createMiddleware<AppEnv>(async (c, next) => {
  const header = requestIdHeader(c.env);
  const id = (header && c.req.header(header)) || crypto.randomUUID();
  c.set('requestId', id);
  c.header('X-Request-Id', id);
  await next();
});
