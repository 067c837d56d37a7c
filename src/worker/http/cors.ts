import { cors } from 'hono/cors';

/** A browser may keep a preflight's answer for a day. */
const PREFLIGHT_SECONDS = 86_400;

/** Open CORS for authenticated web clients (decisions: CORS); a preflight needs no key. */
export const openCors = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  allowHeaders: ['X-API-Key', 'Content-Type', 'Accept', 'Last-Event-ID', 'Idempotency-Key', 'X-Request-Id'],
  exposeHeaders: ['X-Request-Id', 'Retry-After', 'Location'],
  maxAge: PREFLIGHT_SECONDS,
});
