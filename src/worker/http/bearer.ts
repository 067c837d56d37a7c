import type { Context } from 'hono';

/** The token of `Authorization: Bearer`: '' for another scheme, undefined without the header. */
export function bearerOf(c: Context): string | undefined {
  const authorization = c.req.header('Authorization');
  return authorization && (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
}

/** The token in a request's `Authorization` header or, without that header, in `?token=`: '' if there is neither. */
export const tokenIn = (c: Context): string => bearerOf(c) ?? c.req.query('token') ?? '';

/**
 * `WWW-Authenticate` of a 401 (RFC 6750, section 3).
 * @param fault what is wrong with the token, in ASCII without quotes; undefined for a request without a token
 */
export const challenge = (fault?: string): string =>
  `Bearer realm="undertone"${fault === undefined ? '' : `, error="invalid_token", error_description="${fault}"`}`;

/** The fault reported for a token that the service did not mint, or whose key is no longer valid. */
export const NOT_A_TOKEN = 'The token is not valid; a key belongs in the header X-API-Key';
