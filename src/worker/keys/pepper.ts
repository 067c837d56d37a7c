import { ServiceError } from '../../contract/errors.ts';
import type { Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';

/** Caches values, not promises. The promise of a dropped request would never settle for other requests. */
const known = new WeakMap<Env, Map<string, CryptoKey>>();

/**
 * An HMAC-SHA-256 key that is derived from the pepper for one purpose. A signature for one purpose is invalid for any
 * other.
 * @throws ServiceError KEYS_DISABLED without a pepper
 */
export async function pepperFor(env: Env, purpose: string): Promise<CryptoKey> {
  const keys = known.get(env) ?? new Map<string, CryptoKey>();
  known.set(env, keys);
  const before = keys.get(purpose);
  if (before) return before;
  const pepper = settingsOf(env).keyPepper;
  if (pepper === undefined) throw new ServiceError('KEYS_DISABLED');
  const key = await hmacKey(await hmac(await hmacKey(new TextEncoder().encode(pepper)), purpose));
  keys.set(purpose, key);
  return key;
}

const hmacKey = (secret: BufferSource): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);

const hmac = (key: CryptoKey, text: string): Promise<ArrayBuffer> =>
  crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text));

/** The stored form of a token. Without the pepper, it cannot be matched to a token. */
export const digestOf = async (env: Env, token: string): Promise<ArrayBuffer> =>
  hmac(await pepperFor(env, 'keys'), token);
