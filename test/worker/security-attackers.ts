import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import type { IssuedKey, Scope } from '../../src/contract/keys.ts';
import type { Access } from '../../src/worker/keys/access.ts';
import { ADMIN_TOKEN, KEY, KEY_PEPPER } from '../../support/service-under-test.ts';

/** The credentials of an attacker without access, or with another kind of access. */
export interface Loot {
  /** Keys of the attacked tenant: keys that are no longer valid, and one valid key with every scope. */
  expired: IssuedKey;
  revoked: IssuedKey;
  own: IssuedKey;
  /** A key of another tenant, with every scope. */
  stranger: IssuedKey;
  /** A key with every scope but the named one. */
  without: Readonly<Record<Scope, IssuedKey>>;
  /** Cookies: of a session that was closed, and of one that is open. */
  closedCookie: string;
  openCookie: string;
  /**
   * Browser tokens of the attacked tenant's own key: for another session, for a conversation, of a revoked key, used
   * up.
   */
  sessionToken: string;
  conversationToken: string;
  orphanToken: string;
  spentToken: string;
}

/** A request that tries to get access. */
export interface AttackersRequest {
  headers?: Record<string, string>;
  /** Without a question mark. */
  query?: string;
  /** The statuses it may get. */
  answers: readonly number[];
}

const REFUSED = [401];
const NO_KEY = [401];
const key = (value: string): Pick<AttackersRequest, 'headers'> => ({ headers: { 'X-API-Key': value } });
const bearer = (value: string): Pick<AttackersRequest, 'headers'> => ({
  headers: { Authorization: `Bearer ${value}` },
});
const inQuery = (name: string, value: string): Pick<AttackersRequest, 'query'> => ({
  query: `${name}=${encodeURIComponent(value)}`,
});
const b64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Invalid keys, in every shape that a parser may meet. */
function malformedKeys({ own, stranger }: Loot): Record<string, string> {
  const [, tenant, id, secret] = own.key.split('_') as [string, string, string, string];
  const otherSecret = stranger.key.split('_').at(-1)!;
  return {
    'a word': 'wrong',
    'a comma': ',',
    'the beginning of a key': own.key.slice(0, -1),
    'a key and more': `${own.key}x`,
    'a key in capitals': own.key.toUpperCase(),
    'two keys': `${own.key},${stranger.key}`,
    'a key with another secret': `ut_${tenant}_${id}_${otherSecret}`,
    'a key with its secret reversed': `ut_${tenant}_${id}_${[...secret].reverse().join('')}`,
    'a key of a tenant that is not there': `ut_nobody_${id}_${secret}`,
    'a key under another tenant': `ut_${stranger.tenant}_${id}_${secret}`,
    'a key with another id': `ut_${tenant}_AAAAAAAAAAAA_${secret}`,
    'the id of a key': own.id,
    'a key without a secret': `ut_${own.id}_`,
    'a digest of the settings': `sha256:${'0'.repeat(64)}`,
    'a key behind its tenant': `${tenant}:${own.key}`,
    'a prototype': '__proto__',
    'a pattern': 'ut_%_%_%',
    SQL: `' OR '1'='1`,
    'a path': '../../../etc/passwd',
    'a template': '{{API_KEYS}}',
    '10,000 letters': 'a'.repeat(10_000),
    'a key of 10,000 letters': `ut_${tenant}_${id}_${'a'.repeat(10_000)}`,
    'the admin token': ADMIN_TOKEN,
    'the pepper': KEY_PEPPER,
  };
}

/** Unicode cannot occur in a header; in an address it can. */
const UNICODE_KEYS: Readonly<Record<string, string>> = {
  'letters that look like ours': KEY.replace('e', 'е'),
  'a key with an accent': `${KEY}\u0301`,
  'a full-width key': [...KEY].map((letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)).join(''),
  'a NUL behind a key': `${KEY}\0`,
  'a line behind a key': `${KEY}\r\nX-API-Key: ${KEY}`,
  'nothing but marks': '\u200b\u200e\ufeff',
  'half a pair': '\ud83d',
  'ten thousand emoji': '🔑'.repeat(1000),
};

/** Browser tokens and cookies that are unsigned, or signed for something else. */
async function forgedTokens({ sessionToken }: Loot): Promise<Record<string, string>> {
  const [header = '', payload = '', signature = ''] = sessionToken.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const own = createHmac('sha256', KEY_PEPPER).update('browser tokens').digest();
  const other = createHmac('sha256', KEY_PEPPER).update('keys').digest();
  const signed = (secret: Uint8Array, change: object) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'HS256' }).sign(secret);
  return {
    'a token without a signature': `${header}.${payload}.`,
    'a token of no algorithm': `${b64({ alg: 'none' })}.${payload}.`,
    'a token that was changed': `${header}.${b64({ ...claims, exp: 9e9, for: 'conversation' })}.${signature}`,
    'a token signed with another secret': await signed(new TextEncoder().encode('x'.repeat(32)), {}),
    'a token signed for another purpose': await signed(other, {}),
    'a token that is over': await signed(own, { exp: 1 }),
    'a token for another audience': await signed(own, { aud: 'operator' }),
    'a token of a tenant that is not there': await signed(own, { tenant: 'nobody', kid: 'AAAAAAAAAAAA' }),
    'a token of 10,000 letters': `${header}.${payload}.${'A'.repeat(10_000)}`,
    dots: '...',
  };
}

/** All requests to try on a route, by name, with the answers they may get. */
export async function attemptsOn(
  access: Exclude<Access, 'open'>,
  loot: Loot,
): Promise<Record<string, AttackersRequest>> {
  const attempts: Record<string, AttackersRequest> = {
    'nothing at all': { answers: NO_KEY },
    'an empty header': { ...key(''), answers: NO_KEY },
    'an empty query': { query: 'api_key=', answers: NO_KEY },
    'many empty keys': { query: 'api_key[]=&api_key=&token=&token=', answers: NO_KEY },
    'an expired key': { ...key(loot.expired.key), answers: REFUSED },
    'a revoked key': { ...key(loot.revoked.key), answers: REFUSED },
    'a revoked key in the query': { ...inQuery('api_key', loot.revoked.key), answers: REFUSED },
    'a bad header over a good query': { ...key('wrong'), ...inQuery('api_key', loot.own.key), answers: REFUSED },
    'a bad header over a good token': {
      headers: { 'X-API-Key': 'wrong', Authorization: `Bearer ${ADMIN_TOKEN}` },
      answers: REFUSED,
    },
    'a bad query over the admin token': { ...bearer(ADMIN_TOKEN), query: 'api_key=wrong', answers: REFUSED },
    'a key as Bearer': { ...bearer(loot.own.key), answers: REFUSED },
    'a key as Basic': { headers: { Authorization: `Basic ${btoa(`x:${loot.own.key}`)}` }, answers: REFUSED },
    'the admin token in the query': { ...inQuery('token', ADMIN_TOKEN), answers: REFUSED },
    'a closed session': { headers: { Cookie: loot.closedCookie }, answers: REFUSED },
    'a made-up session': { headers: { Cookie: loot.openCookie.slice(0, -4) }, answers: REFUSED },
    'a browser token as cookie': {
      headers: { Cookie: `${loot.openCookie.split('=')[0]}=${loot.sessionToken}` },
      answers: REFUSED,
    },
    'a cookie as token': { ...bearer(loot.openCookie.split('=')[1] ?? ''), answers: REFUSED },
    'a token of a revoked key': { ...bearer(loot.orphanToken), answers: REFUSED },
  };
  for (const [name, value] of Object.entries(malformedKeys(loot))) {
    attempts[name] = { ...key(value), answers: REFUSED };
    // Limits on the length of a URL are separate.
    if (value.length < 5_000) attempts[`${name}, in the query`] = { ...inQuery('api_key', value), answers: REFUSED };
  }
  for (const [name, value] of Object.entries(UNICODE_KEYS)) {
    const query = `api_key=${value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%BD'}`;
    attempts[name] = { query, answers: REFUSED };
  }
  for (const [name, value] of Object.entries(await forgedTokens(loot))) {
    attempts[name] = { ...bearer(value), answers: REFUSED };
    attempts[`${name}, as cookie`] = {
      headers: { Cookie: `${loot.openCookie.split('=')[0]}=${value}` },
      answers: REFUSED,
    };
  }
  return { ...attempts, ...attemptsBy(access, loot) };
}

/** Requests that depend on the access that the route requires. */
function attemptsBy(access: Exclude<Access, 'open'>, loot: Loot): Record<string, AttackersRequest> {
  if (access === 'operator' || access === 'admin') {
    const attempts: Record<string, AttackersRequest> = {
      'a key without the scope admin': { ...key(loot.without.admin.key), answers: [403] },
      'a key of the settings': { ...key(KEY), answers: [403] },
      'a browser token': { ...bearer(loot.sessionToken), answers: [401] },
      'a browser token in the query': { ...inQuery('token', loot.sessionToken), answers: [401] },
      // A signed-in user who visits another site.
      'a page of another site': {
        headers: { Cookie: loot.openCookie, Origin: 'https://evil.example' },
        answers: [403],
      },
      'a page of another port': { headers: { Cookie: loot.openCookie, 'Sec-Fetch-Site': 'same-site' }, answers: [403] },
      'a form of another site': {
        headers: { Cookie: loot.openCookie, 'Sec-Fetch-Site': 'cross-site' },
        answers: [403],
      },
      'a page without an origin': { headers: { Cookie: loot.openCookie, Origin: 'null' }, answers: [403] },
    };
    if (access === 'operator') attempts['a key with every scope'] = { ...key(loot.own.key), answers: [403] };
    return attempts;
  }
  if (access === 'pipeline')
    return {
      'the admin token as it is sent': { ...bearer(ADMIN_TOKEN), answers: [401] },
      'the cookie of a session': { headers: { Cookie: loot.openCookie }, answers: [401] },
      'a key with every scope': { ...key(loot.own.key), answers: [401] },
      'a browser token': { ...bearer(loot.sessionToken), answers: [401] },
    };
  const attempts: Record<string, AttackersRequest> = {
    'the admin token as it is sent': { ...bearer(ADMIN_TOKEN), answers: [401] },
    'the cookie of a session': { headers: { Cookie: loot.openCookie }, answers: [401] },
  };
  if (access === 'key') {
    // A token mints no other.
    for (const name of ['sessionToken', 'conversationToken'] as const)
      attempts[name] = { ...bearer(loot[name]), answers: [403] };
    return attempts;
  }
  attempts['a key without the scope'] = { ...key(loot.without[access.scope].key), answers: [403] };
  attempts['a token that is used up'] = {
    ...bearer(loot.spentToken),
    // It may analyse its own upload again, and no other.
    answers: access.token === 'upload' && access.makes ? [401, 403] : [403],
  };
  // A token that may open a session opens its own; other sessions stay closed to it.
  if (access.token !== 'session' || !access.makes)
    attempts['a token for another session'] = { ...bearer(loot.sessionToken), answers: [403] };
  attempts['a token for a conversation'] = { ...bearer(loot.conversationToken), answers: [403] };
  return attempts;
}
