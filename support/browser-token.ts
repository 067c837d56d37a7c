import { SignJWT } from 'jose';
import { KEY_PEPPER } from './service-under-test.ts';

/** Changes a token's claims and signs it again, as the service does. @param change new claims by name */
export async function resigned(token: string, change: object): Promise<string> {
  const [, payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const encoded = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const pepper = await crypto.subtle.importKey('raw', encoded(KEY_PEPPER), hmac, false, ['sign']);
  const secret = new Uint8Array(await crypto.subtle.sign('HMAC', pepper, encoded('browser tokens')));
  return new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'HS256' }).sign(secret);
}

/** A copy of a token that expired `seconds` ago. */
export const expired = (token: string, seconds = 1): Promise<string> =>
  resigned(token, { exp: Math.floor(Date.now() / 1000) - seconds });
