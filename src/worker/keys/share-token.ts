import type { Caller } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { configuredCallers } from '../tenant/keys/configured.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { callerById } from './issued.ts';
import { digestOf } from './pepper.ts';
import type { ShareToken } from './token.ts';

/** Used in place of the digest of an unknown share, so that the comparison takes the same time. */
const DUMMY = new ArrayBuffer(32);

/**
 * The caller with the token of a share, which may have expired. Every request reads the share, so that one that was
 * taken back ends at once. Null when there is no such share, or when its key is no longer valid.
 */
export async function shareCaller(env: Env, { tenant, id, token }: ShareToken): Promise<Caller | null> {
  const digest = await digestOf(env, token);
  const share = await tenantOf(env, tenant).shares.find(id);
  const isRight = crypto.subtle.timingSafeEqual(digest, share?.digest ?? DUMMY);
  if (!share || !isRight || share.isRevoked) return null;
  const { key, kind, of, expiresAt } = share;
  const maker = await keyHolder(env, { tenant, keyId: key, kind });
  return maker ? { ...maker, grant: { ...of, expiresAt, share: id } } : null;
}

/** The caller with a key that is named and not shown. Null when the key is no longer valid. */
export async function keyHolder(
  env: Env,
  { tenant, keyId, kind }: Pick<Caller, 'tenant' | 'keyId' | 'kind'>,
): Promise<Caller | null> {
  if (kind === 'issued') return callerById(env, { tenant, id: keyId });
  return (await configuredCallers(env)).find((one) => one.tenant === tenant && one.keyId === keyId) ?? null;
}
