import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { jwtVerify, SignJWT } from 'jose';
import { ServiceError } from '../../contract/errors.ts';
import type { Actor, Operator } from '../identity/caller.ts';
import { sha256 } from '../identity/digests.ts';
import type { AppEnv, Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { directoryOf } from '../tenant/directory.ts';
import { FailedAttempts } from './failed-attempts.ts';

/** A browser keeps a cookie of such a name for this host alone, and sends it over a safe connection alone. */
export const SESSION_COOKIE = '__Host-undertone-operator';
/** How long a sign-in lasts. */
export const SESSION_SECONDS = 12 * 3600;
const AUDIENCE = 'operator';
/** Wrong tokens that one address may try in a minute. */
const TRIES_A_MINUTE = 20;

const brake = new FailedAttempts(TRIES_A_MINUTE);

/**
 * The operator, by `Authorization: Bearer <ADMIN_TOKEN>`, else by the cookie of a session, else by Cloudflare Access. What a
 * browser sends of itself counts only where the page that asks is the service's own.
 * @throws ServiceError RATE_LIMITED after too many wrong tokens, FORBIDDEN for another site's page
 */
export async function operatorOf(c: Context<AppEnv>): Promise<Operator | null> {
  const token = bearerOf(c);
  if (token !== undefined) return (await isAdminToken(c, token)) ? { who: 'operator' } : null;
  const operator = (await sessionOf(c)) ?? (await admittedByAccess(c));
  if (operator) requireOwnPage(c);
  return operator;
}

/**
 * Whether a text is the admin token; wrong ones are counted against the client's address, where it is known.
 * @throws ServiceError RATE_LIMITED
 */
export async function isAdminToken(c: Context<AppEnv>, token: string): Promise<boolean> {
  const own = settingsOf(c.env).adminToken;
  const address = addressOf(c);
  if (address !== '') brake.requireLeft(address, Date.now());
  const [given, expected] = await Promise.all([sha256(token), sha256(own ?? '')]);
  const isRight = crypto.subtle.timingSafeEqual(given, expected) && own !== undefined;
  if (!isRight && address !== '') brake.count(address, Date.now());
  return isRight;
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

/** A cookie is worth nothing once its session was closed, whoever kept a copy. */
async function sessionOf(c: Context<AppEnv>): Promise<Operator | null> {
  const cookie = getCookie(c, SESSION_COOKIE);
  if (!cookie || settingsOf(c.env).adminToken === undefined) return null;
  const options = { audience: AUDIENCE, algorithms: ['HS256'], requiredClaims: ['exp', 'jti'] };
  const verified = await jwtVerify(cookie, await sessionKey(c.env), options).catch(() => null);
  const { jti: id = '', exp = 0 } = verified?.payload ?? {};
  if (id === '' || !(await directoryOf(c.env).hasSession(id))) return null;
  return { who: 'operator', session: { id, expiresAt: exp * 1000 } };
}

/** Access stands before the Worker and says who passed it; whom of them to take for an operator is a setting. */
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
 * Refuses what another site's page sends in the name of whoever is signed in here (CSRF). Browsers say where a request
 * comes from; a program that sends a cookie without being one says nothing.
 */
export function requireOwnPage(c: Context<AppEnv>): void {
  const site = c.req.header('Sec-Fetch-Site');
  const origin = c.req.header('Origin');
  const isOwn = origin === undefined || URL.parse(origin)?.host === new URL(c.req.url).host;
  if (!isOwn || !['same-origin', 'none', undefined].includes(site))
    throw new ServiceError('FORBIDDEN', 'Pages of other sites may not do that');
}

/** The network address of the client, as the platform tells it; '' where it does not. */
export const addressOf = (c: Context): string => c.req.header('CF-Connecting-IP') ?? '';

/** The token of an `Authorization: Bearer`: '' for another kind, undefined without the header. */
export function bearerOf(c: Context): string | undefined {
  const authorization = c.req.header('Authorization');
  return authorization && (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
}

/** Of the admin token: with another one, all sessions are over. */
const sessionKey = async (env: Env): Promise<Uint8Array> =>
  new Uint8Array(await sha256(`operator sessions ${settingsOf(env).adminToken ?? ''}`));
