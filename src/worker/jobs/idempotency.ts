import type { Context } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { isIdempotencyKey } from '../../contract/jobs.ts';
import { hexOf, sha256 } from '../identity/digests.ts';
import type { AppEnv } from '../identity/env.ts';
import type { IdempotencyClaim } from '../tenant/jobs/idempotency-claims.ts';

/**
 * The `Idempotency-Key` of a request; undefined without one.
 * @throws ServiceError INVALID_REQUEST for a malformed key
 */
export function idempotencyKey(c: Context<AppEnv>): string | undefined {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined) return undefined;
  if (isIdempotencyKey(key)) return key;
  throw new ServiceError('INVALID_REQUEST', 'Idempotency-Key: must be 1 to 255 printable ASCII characters');
}

/** Digest of a request's route and content. Equal contents that are spelled differently have different digests. */
export const fingerprintOf = async (route: string, content: unknown): Promise<string> =>
  hexOf(await sha256(`${route}\n${JSON.stringify(content)}`));

/** @throws ServiceError KEY_REUSED when the key was already used for a request with other content */
export function requireSame({ fingerprint }: IdempotencyClaim, expected: string): void {
  if (fingerprint !== expected) throw new ServiceError('KEY_REUSED');
}
