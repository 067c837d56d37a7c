import { base64url, createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { EmailSchema } from '../../contract/members.ts';
import { sha256 } from '../identity/digests.ts';
import type { Env } from '../identity/env.ts';
import { type Settings, settingsOf } from '../settings/settings.ts';

// OpenID Connect Core 1.0, authorization code flow with PKCE (RFC 7636). Every sign-in reads the issuer's documents
// again, so that a changed key of the issuer needs no restart.

/** Time within which the issuer has to respond, ms. */
const WITHIN_MS = 10_000;
/** Limit on a document of the issuer, bytes. */
const MOST_BYTES = 256 * 1024;
/** Tolerated difference between the issuer's clock and this one, seconds. */
const CLOCK_SKEW_S = 60;
const SIGNATURES = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];

const ProviderSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
type Provider = z.infer<typeof ProviderSchema>;

const AnswerSchema = z.object({ id_token: z.string() });
const ClaimsSchema = z.object({
  nonce: z.string(),
  email: EmailSchema,
  email_verified: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]).optional(),
});

type Client = { issuer: string; clientId: string } & Pick<Settings, 'oidcClientSecret' | 'oidcTrustsEmail'>;

/** Whether people can sign in to this deployment. */
export const hasSignIn = (env: Env): boolean => {
  const { oidcIssuer, oidcClientId, keyPepper } = settingsOf(env);
  return oidcIssuer !== undefined && oidcClientId !== '' && keyPepper !== undefined;
};

/** @throws ServiceError NOT_FOUND without an issuer */
function clientOf(env: Env): Client {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret, oidcTrustsEmail } = settingsOf(env);
  if (!hasSignIn(env) || issuer === undefined)
    throw new ServiceError('NOT_FOUND', 'People cannot sign in to this deployment: OIDC_ISSUER is not set');
  return { issuer, clientId, oidcClientSecret, oidcTrustsEmail };
}

/** The members of a sign-in that its callback needs. */
export interface Begun {
  state: string;
  nonce: string;
  /** The secret of PKCE. */
  verifier: string;
  redirectUri: string;
}

/** The address of the issuer's page. @throws ServiceError NOT_FOUND, or OVERLOADED when the issuer does not respond */
export async function authorizationUrl(env: Env, { state, nonce, verifier, redirectUri }: Begun): Promise<string> {
  const client = clientOf(env);
  const { authorization_endpoint } = await discovered(client);
  const challenge = base64url.encode(new Uint8Array(await sha256(verifier)));
  const url = new URL(authorization_endpoint);
  const query = {
    ...{ response_type: 'code', scope: 'openid email', client_id: client.clientId, redirect_uri: redirectUri },
    ...{ state, nonce, code_challenge: challenge, code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * The e-mail address of the person who signed in.
 * @throws ServiceError INVALID_KEY unless the issuer vouches for it, OVERLOADED when the issuer does not respond
 */
export async function signedInEmail(env: Env, code: string, begun: Omit<Begun, 'state'>): Promise<string> {
  const client = clientOf(env);
  const provider = await discovered(client);
  const answer = AnswerSchema.safeParse(await exchanged(provider, client, code, begun));
  if (!answer.success) throw refused('the issuer sent no ID token');
  const keys = (await read(provider.jwks_uri)) as JSONWebKeySet;
  const options = { issuer: client.issuer, audience: client.clientId, clockTolerance: CLOCK_SKEW_S };
  const checks = { ...options, algorithms: SIGNATURES, requiredClaims: ['exp', 'iat', 'sub'] };
  const verified = await jwtVerify(answer.data.id_token, createLocalJWKSet(keys), checks).catch(() => null);
  if (!verified) throw refused('its ID token is not valid');
  const { aud, azp } = verified.payload;
  // With several audiences, the token must have been made for this client (OpenID Connect Core, 3.1.3.7).
  if ((Array.isArray(aud) && aud.length > 1 && azp === undefined) || (azp !== undefined && azp !== client.clientId))
    throw refused('its ID token is for another client');
  const claims = ClaimsSchema.safeParse(verified.payload);
  if (!claims.success) throw refused('its ID token has no e-mail address');
  const { nonce, email, email_verified: isVerified = client.oidcTrustsEmail } = claims.data;
  if (nonce !== begun.nonce) throw refused('its ID token belongs to another sign-in');
  if (!isVerified) throw refused('the issuer has not verified the e-mail address');
  return email;
}

async function discovered(client: Client): Promise<Provider> {
  const base = client.issuer.replace(/\/$/, '');
  const provider = ProviderSchema.safeParse(await read(`${base}/.well-known/openid-configuration`));
  // A document of another issuer could lead to keys of another issuer.
  if (!provider.success || provider.data.issuer !== client.issuer)
    throw new ServiceError('MISCONFIGURED', 'OIDC_ISSUER has no OpenID configuration of that name');
  return provider.data;
}

/** Exchanges the code for tokens. */
function exchanged(
  { token_endpoint, token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: Provider,
  { clientId, oidcClientSecret: secret }: Client,
  code: string,
  { verifier, redirectUri }: Omit<Begun, 'state'>,
): Promise<unknown> {
  const body = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    ...{ client_id: clientId, code_verifier: verifier },
  });
  const headers: Record<string, string> = {};
  if (secret !== '' && methods.includes('client_secret_basic'))
    headers.Authorization = `Basic ${btoa([clientId, secret].map(encodeURIComponent).join(':'))}`;
  else if (secret !== '') body.set('client_secret', secret);
  return read(token_endpoint, { method: 'POST', headers, body });
}

/** A JSON document of the issuer. @throws ServiceError OVERLOADED, or INVALID_KEY for a refusal */
async function read(url: string, init: RequestInit = {}): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(WITHIN_MS) });
  } catch (cause) {
    throw new ServiceError('OVERLOADED', 'The issuer does not respond', { cause, retryAfter: 5 });
  }
  if (response.status >= 500) {
    await response.body?.cancel();
    throw new ServiceError('OVERLOADED', 'The issuer does not respond', { retryAfter: 5 });
  }
  const text = await limitedText(response);
  if (!response.ok) throw refused('the issuer refused it');
  try {
    return JSON.parse(text);
  } catch {
    throw refused('the issuer sent no JSON');
  }
}

async function limitedText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw refused(`the issuer sent more than ${MOST_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const refused = (why: string): ServiceError => new ServiceError('INVALID_KEY', `The sign-in was refused: ${why}`);
