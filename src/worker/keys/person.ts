import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import type { ROLE_SCOPES } from '../../contract/members.ts';
import { unwrapped } from '../../contract/result.ts';
import type { Caller } from '../identity/caller.ts';
import type { AppEnv } from '../identity/env.ts';
import { directoryOf } from '../tenant/directory.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { issuedCaller } from './issued.ts';
import { type Begun, hasSignIn } from './oidc.ts';
import { addressOf, requireOwnPage } from './operator.ts';
import { digestOf, pepperFor } from './pepper.ts';
import { newKeyId, newToken, placeOfToken } from './token.ts';

// A signed-in person has a key like any other caller: one with the scopes of the role, for half a day, in a cookie that
// no script can read. The table of access, limits, the access log and revocation therefore apply to people as to keys.

/** A browser keeps it for this host alone, and sends it over secure connections only. */
const PERSON_COOKIE = '__Host-undertone-person';
const BEGUN_COOKIE = '__Host-undertone-sign-in';
const SESSION_SECONDS = 12 * 3600;
/** Time for the issuer's page. */
const BEGUN_SECONDS = 600;
const AUDIENCE = 'sign-in';
const SECURE = { path: '/', secure: true, httpOnly: true } as const;

const BegunSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  tenant: z.string(),
  to: z.string(),
});
type BegunSignIn = z.infer<typeof BegunSchema>;

/** Remembers a sign-in in the browser until its callback. */
export async function rememberSignIn(c: Context<AppEnv>, begun: BegunSignIn): Promise<void> {
  const cookie = await new SignJWT({ ...begun })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(AUDIENCE)
    .setExpirationTime(new Date(Date.now() + BEGUN_SECONDS * 1000))
    .sign(await pepperFor(c.env, 'sign-in'));
  // The callback comes from the issuer's site, which is why this cookie is not strict.
  setCookie(c, BEGUN_COOKIE, cookie, { ...SECURE, sameSite: 'Lax', maxAge: BEGUN_SECONDS });
}

/**
 * The sign-in that a callback ends. It can be ended only once.
 * @throws ServiceError INVALID_KEY for a sign-in that this browser did not begin, or that was ended before
 */
export async function recalledSignIn(c: Context<AppEnv>, state: string | undefined): Promise<BegunSignIn> {
  const cookie = getCookie(c, BEGUN_COOKIE) ?? '';
  deleteCookie(c, BEGUN_COOKIE, SECURE);
  const options = { audience: AUDIENCE, algorithms: ['HS256'], requiredClaims: ['exp'] };
  const verified = await jwtVerify(cookie, await pepperFor(c.env, 'sign-in'), options).catch(() => null);
  const begun = BegunSchema.safeParse(verified?.payload);
  if (!begun.success || begun.data.state !== state)
    throw new ServiceError(
      'INVALID_KEY',
      'The sign-in was refused: this browser did not begin it, or it took too long',
    );
  const until = Date.now() + BEGUN_SECONDS * 1000;
  if (!(await directoryOf(c.env).endSignIn(begun.data.state, until)))
    throw new ServiceError('INVALID_KEY', 'The sign-in was refused: it was used before');
  return begun.data;
}

export const redirectUriOf = (c: Context): Begun['redirectUri'] => new URL('/sign-in/callback', c.req.url).href;

/** Opens the session of a member. @throws ServiceError FORBIDDEN for a person who is not one */
export async function openPersonSession(c: Context<AppEnv>, tenant: string, email: string): Promise<void> {
  const place = { tenant, id: newKeyId() };
  const token = newToken(place);
  const digest = await digestOf(c.env, token);
  const actor = { who: `person ${email}`, address: addressOf(c), requestId: c.var.requestId };
  const expiresAt = Date.now() + SESSION_SECONDS * 1000;
  unwrapped(await tenantOf(c.env, tenant).members.signIn(email, { id: place.id, digest, expiresAt }, actor));
  setCookie(c, PERSON_COOKIE, token, { ...SECURE, sameSite: 'Strict', maxAge: SESSION_SECONDS });
}

/** Ends the session of this browser, also for copies of its cookie. */
export async function closePersonSession(c: Context<AppEnv>): Promise<void> {
  requireOwnPage(c);
  const person = await personOf(c);
  if (person) {
    const actor = { who: `person ${person.member}`, address: addressOf(c), requestId: c.var.requestId };
    await tenantOf(c.env, person.tenant).members.signOut(person.keyId, actor);
  }
  deleteCookie(c, PERSON_COOKIE, SECURE);
}

/** The signed-in person. Null when nobody is. @throws ServiceError FORBIDDEN for a page of another site */
export async function personOf(c: Context<AppEnv>): Promise<Caller | null> {
  const token = getCookie(c, PERSON_COOKIE);
  if (!token || !hasSignIn(c.env) || !placeOfToken(token)) return null;
  const issued = await issuedCaller(c.env, token);
  // Only a key of a sign-in counts in a cookie.
  if (!issued || !('caller' in issued) || issued.caller.member === undefined) return null;
  requireOwnPage(c);
  return issued.caller;
}

/** The role of a signed-in person. */
export const roleOf = ({ scopes }: Caller): keyof typeof ROLE_SCOPES =>
  scopes.includes('admin') ? 'manager' : scopes.includes('analyze') ? 'analyst' : 'viewer';
