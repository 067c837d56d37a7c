import { DEFAULT_SCOPES } from '../../../contract/keys.ts';
import { SettingError } from '../../../contract/settings.ts';
import type { Caller } from '../../identity/caller.ts';
import { bytesOfHex, hexOf, sha256 } from '../../identity/digests.ts';
import type { Env } from '../../identity/env.ts';
import type { KeyEntry } from '../../settings/key-entries.ts';
import { settingsOf } from '../../settings/settings.ts';

/**
 * Number of hex digits of a bare key's digest that form its tenant's name. They carry 64 bits, enough to keep any two
 * keys from sharing a tenant.
 */
const TENANT_DIGITS = 16;
/** Number of hex digits that identify the key itself in usage reports. */
const KEY_DIGITS = 12;
const DIGEST = /^sha256:([0-9a-f]{64})$/i;

/** A key from the settings. Only its digest is kept in memory. */
interface ConfiguredKey {
  digest: ArrayBuffer;
  caller: Caller;
}

/**
 * The caller with a key from API_KEYS or DEMO_API_KEY. Null for any other key. It compares with every entry in constant
 * time, and does not stop at the first match.
 * @throws SettingError naming the setting that gives the same key to two tenants
 */
export async function configuredCaller(env: Env, key: string): Promise<Caller | null> {
  const digest = await sha256(key);
  let found: Caller | null = null;
  for (const entry of await configuredKeys(env))
    if (crypto.subtle.timingSafeEqual(digest, entry.digest)) found = entry.caller;
  return found;
}

/** Every caller whose key is in the settings. */
export const configuredCallers = async (env: Env): Promise<Caller[]> =>
  (await configuredKeys(env)).map(({ caller }) => caller);

/** Caches values, not promises. The promise of a dropped request would never settle for other requests. */
const known = new WeakMap<Env, ConfiguredKey[]>();

async function configuredKeys(env: Env): Promise<ConfiguredKey[]> {
  const before = known.get(env);
  if (before) return before;
  const { apiKeys, demoApiKey, demoIsPublic } = settingsOf(env);
  const keys = await Promise.all(apiKeys.map((entry) => configuredKey(entry, 'configured')));
  if (demoApiKey) keys.push(await configuredKey(demoApiKey, demoIsPublic ? 'demo' : 'configured'));
  const tenants = new Map<string, string>();
  for (const { digest, caller } of keys) {
    const other = tenants.get(hexOf(digest)) ?? caller.tenant;
    if (other !== caller.tenant) throw new SettingError('API_KEYS', 'not give the same key to two tenants');
    tenants.set(hexOf(digest), caller.tenant);
  }
  known.set(env, keys);
  return keys;
}

/** A bare key has its own tenant, derived from its digest. */
async function configuredKey({ tenant: named, key }: KeyEntry, kind: Caller['kind']): Promise<ConfiguredKey> {
  const digits = DIGEST.exec(key)?.[1];
  const digest = digits === undefined ? await sha256(key) : bytesOfHex(digits);
  const hex = hexOf(digest);
  const tenant = named ?? hex.slice(0, TENANT_DIGITS);
  const keyId = hex.slice(0, KEY_DIGITS);
  return { digest, caller: { tenant, keyId, kind, scopes: DEFAULT_SCOPES, limits: { key: {}, tenant: {} } } };
}
