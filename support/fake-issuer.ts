import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** An OpenID Connect issuer in this process. Everybody who asks it is signed in at once. */
export interface FakeIssuer {
  url: string;
  /** Claims that replace the usual ones of the next ID token; undefined removes one. */
  claims: Record<string, unknown>;
  /** Signs the next ID token with a key that the issuer does not publish. */
  isForged: boolean;
  /** Bodies of the requests for tokens. */
  exchanges: URLSearchParams[];
  close(): void;
}

export const CLIENT_ID = 'undertone-at-the-issuer';
export const CLIENT_SECRET = 'secret-of-the-client-at-the-issuer';
/** How long an ID token is valid, seconds. */
const LASTS_S = 300;

export async function startFakeIssuer(): Promise<FakeIssuer> {
  const [pair, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const nonces = new Map<string, string>();
  const issuer: FakeIssuer = { url: '', claims: {}, isForged: false, exchanges: [], close: () => server.close() };
  const idToken = (nonce: string): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const usual = {
      ...{ iss: issuer.url, aud: CLIENT_ID, sub: 'person-1', iat: now, exp: now + LASTS_S },
      ...{ nonce, email: 'anna@example.com', email_verified: true },
    };
    const claims = JSON.parse(JSON.stringify({ ...usual, ...issuer.claims })) as JWTPayload;
    const key = issuer.isForged ? other.privateKey : pair.privateKey;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(key);
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer.url);
    const json = (body: object, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/.well-known/openid-configuration')
      return json({
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        jwks_uri: `${issuer.url}/keys`,
      });
    if (pathname === '/keys') return json({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256' }] });
    if (pathname === '/authorize') {
      const code = crypto.randomUUID();
      nonces.set(code, searchParams.get('nonce') ?? '');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      // Issuers add parameters of their own (RFC 9207).
      back.searchParams.set('iss', issuer.url);
      return response.writeHead(302, { Location: back.href }).end();
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = new URLSearchParams(body);
    issuer.exchanges.push(asked);
    const nonce = nonces.get(asked.get('code') ?? '');
    const isClient =
      request.headers.authorization === `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`;
    if (pathname !== '/token' || nonce === undefined || !isClient) return json({ error: 'invalid_grant' }, 400);
    nonces.delete(asked.get('code') ?? '');
    return json({ access_token: 'x', token_type: 'Bearer', id_token: await idToken(nonce) });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return issuer;
}
