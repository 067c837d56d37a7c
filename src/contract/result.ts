import { type ErrorCode, ServiceError } from './errors.ts';

/** What a Durable Object method returns: an error thrown across RPC would lose its code. */
export type Result<T> = { ok: true; value: T } | { ok: false; code: ErrorCode; detail: string; retryAfter?: number };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (code: ErrorCode, detail: string, retryAfter?: number): Result<never> =>
  retryAfter === undefined ? { ok: false, code, detail } : { ok: false, code, detail, retryAfter };

/** @throws ServiceError what was refused */
export function unwrapped<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new ServiceError(result.code, result.detail, { retryAfter: result.retryAfter });
}
