import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { FixedOptionsSchema } from '../../contract/options.ts';
import { TOKEN_KINDS } from '../../contract/tokens.ts';
import type { Caller, Grant } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { pepperFor } from './pepper.ts';
import { keyHolder, shareCaller } from './share-token.ts';
import { shareInToken } from './token.ts';

const AUDIENCE = 'browser';
/** Longest string that is read as a token, characters. A real token has about 300. */
const LONGEST_TOKEN = 2000;
/** How long after its expiry a token can continue to serve what it opened, seconds: a week. */
const LONGEST_USE_S = 7 * 86_400;

const ClaimsSchema = z.object({
  tenant: z.string(),
  kid: z.string(),
  kind: z.enum(['configured', 'demo', 'issued']),
  for: z.enum(TOKEN_KINDS),
  sub: z.string(),
  exp: z.number(),
  makes: z.string().optional(),
  options: FixedOptionsSchema.optional(),
});

/** @throws ServiceError KEYS_DISABLED without a pepper, or INVALID_REQUEST for options that are too long for a token */
export async function mintToken(env: Env, { tenant, keyId, kind }: Caller, grant: Grant): Promise<string> {
  const { makes, options } = grant;
  const token = await new SignJWT({ tenant, kid: keyId, kind, for: grant.kind, makes, options })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(AUDIENCE)
    .setSubject(grant.id)
    .setIssuedAt()
    .setExpirationTime(new Date(grant.expiresAt))
    .sign(await pepperFor(env, 'browser tokens'));
  if (token.length > LONGEST_TOKEN) throw new ServiceError('INVALID_REQUEST', 'options: too long for a token');
  return token;
}

/**
 * The caller with a browser token or the token of a share, and the token's grant, which may have expired. Null for a string that is not a
 * token, or for a token whose key is no longer valid.
 */
export async function tokenCaller(env: Env, token: string): Promise<Caller | null> {
  if (token === '' || token.length > LONGEST_TOKEN || settingsOf(env).keyPepper === undefined) return null;
  const share = shareInToken(token);
  if (share) return shareCaller(env, share);
  const options = { audience: AUDIENCE, algorithms: ['HS256'], clockTolerance: LONGEST_USE_S };
  const verified = await jwtVerify(token, await pepperFor(env, 'browser tokens'), options).catch(() => null);
  const claims = ClaimsSchema.safeParse(verified?.payload);
  if (!claims.success) return null;
  const { tenant, kid, kind, for: of, sub, exp, makes, options: fixed } = claims.data;
  const minter = await keyHolder(env, { tenant, keyId: kid, kind });
  return minter ? { ...minter, grant: { kind: of, id: sub, expiresAt: exp * 1000, makes, options: fixed } } : null;
}
