import { ERRORS, type ErrorCode, type Quota, ServiceError } from './errors.ts';

/** The return value of a Durable Object method. An error thrown across RPC would lose its code. */
export type Result<T> = { ok: true; value: T } | Refusal;

export interface Refusal {
  ok: false;
  code: ErrorCode;
  detail: string;
  /** Seconds. */
  retryAfter?: number;
  /** The limit that was exceeded. */
  quota?: Quota;
}

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (code: ErrorCode, detail: string = ERRORS[code].detail): Refusal => ({ ok: false, code, detail });
/** @param retryAfter seconds */
export const limited = (detail: string, retryAfter: number, quota: Quota): Refusal => ({
  ok: false,
  code: 'RATE_LIMITED',
  detail,
  retryAfter,
  quota,
});

/** @throws ServiceError for a refusal */
export function unwrapped<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, detail, retryAfter, quota } = result;
  throw new ServiceError(code, detail, { retryAfter, quotas: quota && [quota] });
}
