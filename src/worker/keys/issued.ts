import type { Caller } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { type KeyRecord, tenantOf } from '../tenant/tenant.ts';
import { KeyCache } from './key-cache.ts';
import { digestOf } from './pepper.ts';
import { type KeyPlace, keyIdOf, placeOfToken } from './token.ts';

/** How long an unknown id is remembered before it is looked up again, ms. */
const NO_MS = 5_000;
const MOST_LEARNT = 10_000;

const trust = new KeyCache<KeyRecord>(MOST_LEARNT);
/** Used in place of the digest of an unknown key, so that the comparison takes the same time. */
const DUMMY = new ArrayBuffer(32);

/** The result of reading a token: its caller, or the location of its key if the key is no longer valid. */
export type Recognised = { caller: Caller } | { expired: KeyPlace } | null;

/** Finds the holder of an issued key. A string that cannot be a key is refused without a lookup. */
export async function issuedCaller(env: Env, token: string): Promise<Recognised> {
  const place = placeOfToken(token);
  if (!place || !settingsOf(env).keyPepper) return null;
  const digest = await digestOf(env, token);
  const record = await learn(env, place);
  const isRight = crypto.subtle.timingSafeEqual(digest, record?.digest ?? DUMMY);
  if (!record || !isRight) return null;
  return standsNow(record) ? { caller: callerOf(place, record) } : { expired: place };
}

/**
 * Finds the holder of a key by the key's id, for a caller that has already proved possession. Null when the key is no
 * longer valid. What a person began goes on after the session, until the member is removed or gets another role.
 */
export async function callerById(env: Env, place: KeyPlace): Promise<Caller | null> {
  const record = await learn(env, place);
  const goesOn = record?.member !== null && record?.isRevoked === false;
  return record && (goesOn || standsNow(record)) ? callerOf(place, record) : null;
}

/** Looks a key up in the tenant when the cached answer is too old. */
async function learn(env: Env, place: KeyPlace): Promise<KeyRecord | null> {
  const id = keyIdOf(place);
  const known = trust.get(id, Date.now());
  if (known !== undefined) return known;
  const asked = Date.now();
  const record = await tenantOf(env, place.tenant).key(place.id);
  trust.learn(id, record, { yesMs: keyCacheMs(env), noMs: Math.min(NO_MS, keyCacheMs(env)) }, asked);
  return record;
}

const standsNow = ({ isRevoked, expiresAt }: KeyRecord): boolean =>
  !isRevoked && (expiresAt === null || expiresAt > Date.now());

const callerOf = ({ tenant, id }: KeyPlace, { scopes, limits, member }: KeyRecord): Caller => ({
  tenant,
  keyId: id,
  kind: 'issued',
  scopes,
  limits,
  ...(member !== null && { member }),
});

/** How long an isolate trusts a cached key, ms. */
export const keyCacheMs = (env: Env): number => settingsOf(env).keyTrustSeconds * 1000;
