import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { type ERRORS, type ErrorCode, ServiceError } from '../../contract/errors.ts';
import type { AppEnv } from '../env.ts';

/** What a client may know of a fault nobody foresaw; the rest goes to the log. */
const BLAND_DETAIL = 'Analysis failed: internal error';

/** Any thrown value as the one error class. Unknown ones lose their message, so that no stack or path leaves. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof HTTPException && error.status < 500)
    return new ServiceError('INVALID_REQUEST', error.message, { cause: error });
  return new ServiceError('ANALYSIS_FAILURE', BLAND_DETAIL, { cause: error });
}

/** The HTTP exit of every error: `{detail, code, request_id}` with the status of the table. */
export function answerError(error: unknown, c: Context<AppEnv>): Response {
  const known = asServiceError(error);
  logFault(known, c.var.requestId, c.req.path);
  if (known.retryAfter !== undefined) c.header('Retry-After', String(known.retryAfter));
  return c.json(
    { detail: known.detail, code: known.code, request_id: c.var.requestId },
    known.status as (typeof ERRORS)[ErrorCode]['status'],
  );
}

/** Writes what a client is not told. `path` comes without its query: a key may stand there. */
export function logFault(error: ServiceError, requestId: string, path: string): void {
  if (error.status < 500 && error.cause === undefined) return;
  const { cause } = error;
  console.error(
    JSON.stringify({
      level: error.status < 500 ? 'warn' : 'error',
      request_id: requestId,
      path,
      code: error.code,
      detail: error.detail,
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : cause,
    }),
  );
}

/** 404 as JSON, or 405 with `Allow` when the path is known and the method is not. */
export function answerUnknownPath(c: Context<AppEnv>, methodsOf: (path: string) => string[]): Response {
  const methods = methodsOf(c.req.path);
  if (methods.length === 0) return answerError(new ServiceError('NOT_FOUND'), c);
  c.header('Allow', [...methods, 'OPTIONS'].join(', '));
  return answerError(new ServiceError('METHOD_NOT_ALLOWED'), c);
}
