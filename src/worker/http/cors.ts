import { cors } from 'hono/cors';

export const ALLOWED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
export const ALLOWED_HEADERS = [
  'X-API-Key',
  'Authorization',
  'Content-Type',
  'Accept',
  'Last-Event-ID',
  'Idempotency-Key',
  'X-Request-Id',
  'Prefer',
  'Range',
  'If-Range',
  'If-None-Match',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
];
export const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Preference-Applied',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'Undertone-Notes',
];
/** How long a browser may cache a preflight's answer: a day. */
const PREFLIGHT_SECONDS = 86_400;

/** Open CORS for authenticated web clients (decisions: CORS). A preflight needs no key. */
export const openCors = cors({
  origin: '*',
  allowMethods: ALLOWED_METHODS,
  allowHeaders: ALLOWED_HEADERS,
  exposeHeaders: EXPOSED_HEADERS,
  maxAge: PREFLIGHT_SECONDS,
});
