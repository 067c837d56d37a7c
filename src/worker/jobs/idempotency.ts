import type { Context } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { isIdempotencyKey } from '../../contract/jobs.ts';
import { hexOf, sha256 } from '../identity/digests.ts';
import type { AppEnv } from '../identity/env.ts';
import type { IdempotencyClaim } from '../tenant/jobs/idempotency-claims.ts';

/**
 * The `Idempotency-Key` of a request, undefined without one.
 * @throws ServiceError INVALID_REQUEST for one that cannot be one
 */
export function idempotencyKey(c: Context<AppEnv>): string | undefined {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined) return undefined;
  if (isIdempotencyKey(key)) return key;
  throw new ServiceError('INVALID_REQUEST', 'Idempotency-Key: must be 1 to 255 printable characters of ASCII');
}

/** Of a request: what it asks for, and all that it says. Values that say the same are to be spelled the same. */
export const fingerprintOf = async (route: string, said: unknown): Promise<string> =>
  hexOf(await sha256(`${route}\n${JSON.stringify(said)}`));

/** @throws ServiceError KEY_REUSED when the key was used for a request that said something else */
export function requireSame({ fingerprint }: IdempotencyClaim, asked: string): void {
  if (fingerprint !== asked) throw new ServiceError('KEY_REUSED');
}
