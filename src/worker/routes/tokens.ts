import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import type { Scope } from '../../contract/keys.ts';
import { NewTokenSchema, type TokenBody, type TokenKind } from '../../contract/tokens.ts';
import { requireFound } from '../conversations/editing.ts';
import { jsonBody } from '../http/json-body.ts';
import type { AppEnv } from '../identity/env.ts';
import { mintToken } from '../keys/browser-token.ts';
import { inJurisdiction } from '../settings/jurisdiction.ts';

const MAX_JSON_BYTES = 64 * 1024;
/** The scope that a key needs to mint each kind of token. */
const SCOPE_OF: Readonly<Record<TokenKind, Scope>> = { session: 'live', upload: 'analyze', conversation: 'read' };

/** Short-lived tokens for browsers. A key mints each token for one purpose. */
export const tokens = new Hono<AppEnv>().post('/tokens', async (c) => {
  const { caller } = c.var;
  const { for: purpose, ttl_seconds: seconds, options } = await jsonBody(c, NewTokenSchema, MAX_JSON_BYTES);
  const [kind, id] = Object.entries(purpose)[0] as [TokenKind, string];
  const scope = SCOPE_OF[kind];
  if (!caller.scopes.includes(scope)) throw new ServiceError('FORBIDDEN', `This key lacks the scope "${scope}"`);
  // The token's expiry is in whole seconds.
  const expiresAt = (Math.floor(Date.now() / 1000) + seconds) * 1000;
  if (kind === 'conversation') await requireFound({ env: c.env, tenant: caller.tenant, id });
  const bound = boundTo(c, kind, id);
  const grant = { kind, id: bound, expiresAt, makes: id === 'new' ? madeBy(kind, bound) : undefined, options };
  const body: TokenBody = {
    token: await mintToken(c.env, caller, grant),
    expires_at: new Date(expiresAt).toISOString(),
    for: { [kind]: grant.id },
    ...(grant.makes !== undefined && { conversation_id: grant.makes }),
  };
  if (kind === 'conversation') c.set('accessed', bound);
  return c.json(body, 201, { 'Cache-Control': 'no-store' });
});

/** The id of the conversation that a new upload or session will become. */
const madeBy = (kind: TokenKind, id: string): string => (kind === 'upload' ? id : crypto.randomUUID());

/** The id that the token is bound to. A new upload or session gets its id here. */
function boundTo(c: Context<AppEnv>, kind: TokenKind, id: string): string {
  if (kind === 'upload') return crypto.randomUUID();
  if (kind === 'conversation') return id;
  if (id === 'new') return inJurisdiction(c.env, c.env.LIVE).newUniqueId().toString();
  try {
    return inJurisdiction(c.env, c.env.LIVE).idFromString(id).toString();
  } catch {
    throw new ServiceError('UNKNOWN_SESSION');
  }
}
