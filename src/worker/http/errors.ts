import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ERRORS, type ErrorCode, ServiceError } from '../../contract/errors.ts';
import { SettingError } from '../../contract/settings.ts';
import type { AppEnv } from '../identity/env.ts';
import { challenge, NOT_A_TOKEN, tokenIn } from './bearer.ts';
import { addQuotaHeaders } from './rate-limit.ts';

/** The text that a client sees for an unexpected fault. The details go to the log. */
const BLAND_DETAIL = 'Analysis failed: internal error';
/**
 * Messages of SQLite for a full disk and for an object at Cloudflare's limit, and the message of Linux for a full disk.
 */
const STORAGE_FULL = /SQLITE_FULL|No space left on device/;

/**
 * Converts any thrown value to the one error class. Unknown errors lose their message, so that no stack trace or path
 * leaves the service.
 */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  // The message names a setting and what it must be, but never its value.
  if (error instanceof SettingError) return new ServiceError('MISCONFIGURED', error.message);
  if (error instanceof HTTPException && error.status < 500)
    return new ServiceError('INVALID_REQUEST', error.message, { cause: error });
  if (STORAGE_FULL.test(String(error))) return new ServiceError('STORAGE_FULL', undefined, { cause: error });
  return new ServiceError('ANALYSIS_FAILURE', BLAND_DETAIL, { cause: error });
}

/**
 * The HTTP form of every error: `{detail, code, request_id}` with the status from the error table, and
 * `conversation_id` for a retained upload.
 */
export function answerError(error: unknown, c: Context<AppEnv>): Response {
  const known = asServiceError(error);
  if (known.status >= 500) logFault(known, { request_id: c.var.requestId, path: c.req.path });
  if (known.retryAfter !== undefined) c.header('Retry-After', String(known.retryAfter));
  if (known.status === 401) c.header('WWW-Authenticate', challenge(faultOfToken(known, c)));
  for (const [name, value] of Object.entries(known.headers)) c.header(name, value);
  addQuotaHeaders(c, known.quotas);
  return c.json(
    { detail: known.detail, code: known.code, request_id: c.var.requestId, conversation_id: known.conversationId },
    known.status as (typeof ERRORS)[ErrorCode]['status'],
  );
}

/** The problem with the token of a refused request; undefined for a request without a token. */
function faultOfToken({ detail }: ServiceError, c: Context): string | undefined {
  if (tokenIn(c) === '') return undefined;
  return detail === ERRORS.INVALID_KEY.detail ? NOT_A_TOKEN : detail;
}

/**
 * Logs a fault, since the client does not see its details or may already have left. The log repeats nothing that a
 * client sent, because it may contain a key. A client's own fault is a warning and is logged by its code alone; that the
 * client has left is one too.
 * @param ids identify what the fault belongs to; a path is given without its query
 */
export function logFault(error: ServiceError, ids: Record<string, string | undefined>): void {
  const { code, detail, cause, conversationId: conversation_id } = error;
  if (error.isByClient) console.warn(JSON.stringify({ level: 'warn', ...ids, code, detail }));
  else if (error.status < 500) console.warn(JSON.stringify({ level: 'warn', ...ids, code }));
  else console.error(JSON.stringify({ level: 'error', conversation_id, ...ids, code, detail, cause: traceOf(cause) }));
}

/**
 * The place where an error was thrown. The message of a SyntaxError is left out, because it would repeat the text that does not
 * parse.
 */
function traceOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : typeof cause;
  const { name, message, stack = '' } = cause;
  if (!(cause instanceof SyntaxError)) return stack || `${name}: ${message}`;
  return [name, ...stack.split('\n').filter((line) => /^\s+at /.test(line))].join('\n');
}

/** Responds with 404 as JSON, or with 405 and `Allow` when the path is known but the method is not. */
export function answerUnknownPath(c: Context<AppEnv>, methodsOf: (path: string) => string[]): Response {
  const methods = methodsOf(c.req.path);
  if (methods.length === 0) return answerError(new ServiceError('NOT_FOUND'), c);
  c.header('Allow', [...methods, 'OPTIONS'].join(', '));
  return answerError(new ServiceError('METHOD_NOT_ALLOWED'), c);
}
