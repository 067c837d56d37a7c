import type { Caller } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { type KeyRecord, tenantOf } from '../tenant/tenant.ts';
import { KeyCache } from './key-cache.ts';
import { digestOf } from './pepper.ts';
import { type KeyPlace, keyIdOf, placeOfToken } from './token.ts';

/** An id that was not there is asked for again after this. */
const NO_MS = 5_000;
const MOST_LEARNT = 10_000;

const trust = new KeyCache<KeyRecord>(MOST_LEARNT);
/** Compared with in the place of a key that is not there. */
const DUMMY = new ArrayBuffer(32);

/** What came of a token: who it is, or whose key it was that stands no more. */
export type Recognised = { caller: Caller } | { expired: KeyPlace } | null;

/** Who the holder of an issued key is. What cannot be a token is refused before anybody is asked. */
export async function issuedCaller(env: Env, token: string): Promise<Recognised> {
  const place = placeOfToken(token);
  if (!place || !settingsOf(env).keyPepper) return null;
  const digest = await digestOf(env, token);
  const record = await learn(env, place);
  const isRight = crypto.subtle.timingSafeEqual(digest, record?.digest ?? DUMMY);
  if (!record || !isRight) return null;
  return standsNow(record) ? { caller: callerOf(place, record) } : { expired: place };
}

/** The holder of a key that is known by its id: of who proved before that it has the key. Null when it stands no more. */
export async function callerById(env: Env, place: KeyPlace): Promise<Caller | null> {
  const record = await learn(env, place);
  return record && standsNow(record) ? callerOf(place, record) : null;
}

/** What the tenant says of a key, asked again when what is known of it is too old. */
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

const callerOf = ({ tenant, id }: KeyPlace, { scopes, limits }: KeyRecord): Caller => ({
  tenant,
  keyId: id,
  kind: 'issued',
  scopes,
  limits,
});

/** How long an isolate trusts what it learnt of a key, ms. */
export const keyCacheMs = (env: Env): number => settingsOf(env).keyTrustSeconds * 1000;
