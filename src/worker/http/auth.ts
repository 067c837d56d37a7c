import { createMiddleware } from 'hono/factory';
import { ServiceError } from '../../contract/errors.ts';
import type { AppEnv, Env } from '../env.ts';

/** Hex digits of the key's digest that name a tenant: 64 bits, enough that two keys do not share one. */
const TENANT_DIGITS = 16;
/** Between keys; a JSON list of strings is read too. */
const SEPARATORS = /[\s,"[\]]+/;
const DIGEST_ENTRY = /^sha256:([0-9a-f]{64})$/i;

/**
 * Lets a request pass whose `X-API-Key` header, or when that is absent or empty whose `api_key` query parameter, is in
 * the allowlist; sets `tenant`.
 * Runs before any part of the body is read.
 * @throws ServiceError INVALID_KEY
 */
export const requireKey = createMiddleware<AppEnv>(async (c, next) => {
  const key = c.req.header('X-API-Key') || c.req.query('api_key') || '';
  const digest = await sha256(key);
  if (!isAllowed(digest, await allowlist(c.env))) throw new ServiceError('INVALID_KEY');
  c.set('tenant', hex(digest).slice(0, TENANT_DIGITS));
  await next();
});

/** Compares with every entry, in constant time and without stopping at the first match. */
function isAllowed(digest: ArrayBuffer, allowed: ArrayBuffer[]): boolean {
  let found = false;
  for (const entry of allowed) if (crypto.subtle.timingSafeEqual(digest, entry)) found = true;
  return found;
}

/** Values, not promises: one of a request that was dropped would never settle for the others. */
const allowlists = new WeakMap<Env, ArrayBuffer[]>();

/** The digests of the configured keys; a key itself is not kept. */
async function allowlist(env: Env): Promise<ArrayBuffer[]> {
  const known = allowlists.get(env);
  if (known) return known;
  const entries = [...(env.API_KEYS ?? '').split(SEPARATORS), (env.DEMO_API_KEY ?? '').trim()].filter((e) => e !== '');
  const digests = await Promise.all(
    entries.map((entry) => {
      const digest = DIGEST_ENTRY.exec(entry)?.[1];
      return digest === undefined ? sha256(entry) : bytesOf(digest);
    }),
  );
  allowlists.set(env, digests);
  return digests;
}

const sha256 = (text: string): Promise<ArrayBuffer> => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const bytesOf = (digits: string): ArrayBuffer =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)).buffer;
