import type { Context } from 'hono';
import type { Quota } from '../../contract/errors.ts';

/**
 * Adds limits and their remaining quotas to the headers `RateLimit-Policy` and `RateLimit`, which are lists of
 * Structured Fields (draft-ietf-httpapi-ratelimit-headers-10). If a limit is already in the headers, its newest state
 * replaces it.
 */
export function addQuotaHeaders(c: Context, quotas: readonly Quota[]): void {
  for (const quota of quotas) {
    const { name, limit, remaining, windowSeconds, resetSeconds, unit } = quota;
    const policy = [`"${name}"`, `q=${whole(limit)}`, unit && `qu="${unit}"`, windowSeconds && `w=${windowSeconds}`];
    const left = [`"${name}"`, `r=${whole(remaining)}`, resetSeconds !== undefined && `t=${resetSeconds}`];
    c.header('RateLimit-Policy', policy.filter(Boolean).join(';'), { append: true });
    c.header('RateLimit', left.filter(Boolean).join(';'), { append: true });
  }
}

/** The largest integer of a Structured Field. */
const MOST = 999_999_999_999_999;
const whole = (value: number): number => Math.max(0, Math.min(MOST, Math.floor(value)));
