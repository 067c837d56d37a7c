import type { ErrorCode } from './errors.ts';

/** What a Durable Object method returns: an error thrown across RPC would lose its code. */
export type Result<T> = { ok: true; value: T } | { ok: false; code: ErrorCode; detail: string; retryAfter?: number };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (code: ErrorCode, detail: string, retryAfter?: number): Result<never> =>
  retryAfter === undefined ? { ok: false, code, detail } : { ok: false, code, detail, retryAfter };
