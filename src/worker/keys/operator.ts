import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { jwtVerify, SignJWT } from 'jose';
import { ServiceError } from '../../contract/errors.ts';
import { bearerOf } from '../http/bearer.ts';
import type { Actor, Operator } from '../identity/caller.ts';
import { sha256 } from '../identity/digests.ts';
import type { AppEnv, Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { directoryOf } from '../tenant/directory.ts';
import { FailedAttempts } from './failed-attempts.ts';

/**
 * The prefix `__Host-` makes a browser keep the cookie for this host alone, and send it over secure connections only.
 */
export const SESSION_COOKIE = '__Host-undertone-operator';
/** Lifetime of a sign-in. */
export const SESSION_SECONDS = 12 * 3600;
const AUDIENCE = 'operator';
/** Number of wrong tokens allowed from one address in a minute. */
const TRIES_A_MINUTE = 20;

const brake = new FailedAttempts(TRIES_A_MINUTE);

/**
 * Finds the operator by `Authorization: Bearer <ADMIN_TOKEN>`, by the session cookie, or by Cloudflare Access, in this
 * order. Credentials that a browser sends automatically count only when the page belongs to the service.
 * @throws ServiceError RATE_LIMITED after too many wrong tokens, FORBIDDEN for a page of another site
 */
export async function operatorOf(c: Context<AppEnv>): Promise<Operator | null> {
  const token = bearerOf(c);
  if (token !== undefined) return (await isAdminToken(c, token)) ? { who: 'operator' } : null;
  const operator = (await sessionOf(c)) ?? (await admittedByAccess(c));
  if (operator) requireOwnPage(c);
  return operator;
}

/**
 * Whether a string is the admin token. Wrong tokens count against the client's address, if it is known. They never
 * block the right token, which may come from the same address behind a proxy or on a shared machine.
 * @throws ServiceError RATE_LIMITED for a wrong token after too many wrong ones
 */
export async function isAdminToken(c: Context<AppEnv>, token: string): Promise<boolean> {
  const own = settingsOf(c.env).adminToken;
  const [given, expected] = await Promise.all([sha256(token), sha256(own ?? '')]);
  const isRight = crypto.subtle.timingSafeEqual(given, expected) && own !== undefined;
  if (isRight) return true;
  const address = addressOf(c);
  if (address !== '') {
    brake.requireLeft(address, Date.now());
    brake.count(address, Date.now());
  }
  return false;
}

/** Opens a session. `expiresAt`: Unix time, ms. */
export async function openSession(env: Env, actor: Actor): Promise<{ cookie: string; expiresAt: number }> {
  const id = crypto.randomUUID();
  const expiresAt = Date.now() + SESSION_SECONDS * 1000;
  await directoryOf(env).openSession(id, expiresAt, actor);
  const cookie = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(AUDIENCE)
    .setJti(id)
    .setIssuedAt()
    .setExpirationTime(new Date(expiresAt))
    .sign(await sessionKey(env));
  return { cookie, expiresAt };
}

/** A copied cookie is worthless once its session is closed. */
async function sessionOf(c: Context<AppEnv>): Promise<Operator | null> {
  const cookie = getCookie(c, SESSION_COOKIE);
  if (!cookie || settingsOf(c.env).adminToken === undefined) return null;
  const options = { audience: AUDIENCE, algorithms: ['HS256'], requiredClaims: ['exp', 'jti'] };
  const verified = await jwtVerify(cookie, await sessionKey(c.env), options).catch(() => null);
  const { jti: id = '', exp = 0 } = verified?.payload ?? {};
  if (id === '' || !(await directoryOf(c.env).hasSession(id))) return null;
  return { who: 'operator', session: { id, expiresAt: exp * 1000 } };
}

/**
 * Cloudflare Access runs in front of the Worker and reports the user it admitted. A setting lists the users who count
 * as operators.
 */
async function admittedByAccess(c: Context<AppEnv>): Promise<Operator | null> {
  const admitted = settingsOf(c.env).accessOperators;
  if (admitted.length === 0) return null;
  const { access } = c.executionCtx as globalThis.ExecutionContext;
  const identity = await access?.getIdentity();
  const email = identity?.email?.toLowerCase();
  if (!email || !(admitted.includes('*') || admitted.some((name) => name.toLowerCase() === email))) return null;
  return { who: `operator ${email}` };
}

/**
 * Refuses requests that another site's page sends on behalf of a signed-in user (CSRF). Browsers state the origin of a
 * request. A program that sends the cookie without an origin is accepted.
 */
export function requireOwnPage(c: Context<AppEnv>): void {
  const site = c.req.header('Sec-Fetch-Site');
  const origin = c.req.header('Origin');
  const isOwn = origin === undefined || URL.parse(origin)?.host === new URL(c.req.url).host;
  if (!isOwn || !['same-origin', 'none', undefined].includes(site))
    throw new ServiceError('FORBIDDEN', 'Requests from other sites are not allowed');
}

/** The client's network address as the platform reports it; '' when it does not. */
export const addressOf = (c: Context): string => c.req.header('CF-Connecting-IP') ?? '';

/** Derived from the admin token, so that changing the token closes all sessions. */
const sessionKey = async (env: Env): Promise<Uint8Array> =>
  new Uint8Array(await sha256(`operator sessions ${settingsOf(env).adminToken ?? ''}`));
