import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { unwrapped } from '../../contract/result.ts';
import { type MadeShare, NewShareSchema, ShareOpensQuerySchema, ShareQuerySchema } from '../../contract/shares.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { digestOf } from '../keys/pepper.ts';
import { newShareToken } from '../keys/token.ts';
import type { NewStoredShare } from '../tenant/shares/tenant-shares.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Limit on a JSON body, bytes. */
const MAX_JSON_BYTES = 4 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Shares: links to a conversation or a playlist that work for days without a key, and end by themselves or by hand. */
export const shares = new Hono<AppEnv>()
  .post('/shares', async (c) => madeShare(c, () => jsonBody(c, NewShareSchema, MAX_JSON_BYTES)))

  .get('/shares', zValidator('query', ShareQuerySchema, rejectInvalid), async (c) =>
    c.json(await sharesOf(c).list(c.req.valid('query')), 200, NO_STORE),
  )

  .delete('/shares/:share_id', async (c) => c.json(unwrapped(await sharesOf(c).revoke(c.req.param('share_id')))))

  .get('/shares/:share_id/opens', zValidator('query', ShareOpensQuerySchema, rejectInvalid), async (c) =>
    c.json(unwrapped(await sharesOf(c).opens(c.req.param('share_id'), c.req.valid('query'))), 200, NO_STORE),
  );

const sharesOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).shares;

/** Makes a share of what a request names, and shows its token. @throws ServiceError FORBIDDEN, NOT_FOUND */
export async function madeShare(
  c: Context<AppEnv>,
  asked: () => Promise<Pick<NewStoredShare, 'conversation_id' | 'playlist_id' | 'days' | 'label' | 'hide_names'>>,
): Promise<Response> {
  const { caller } = c.var;
  // The demo key is public, so anybody could take back the shares of others.
  if (caller.kind === 'demo') throw new ServiceError('FORBIDDEN', 'The demo key cannot have shares');
  const share = await asked();
  const { id, token } = newShareToken(caller.tenant);
  const digest = await digestOf(c.env, token);
  const { tenant, keyId, kind } = caller;
  const made = unwrapped(await sharesOf(c).add({ ...share, id, digest, caller: { tenant, keyId, kind } }));
  c.set('accessed', made.conversation_id ?? undefined);
  const path = `/app/shared/${encodeURIComponent(made.conversation_id ?? made.playlist_id ?? '')}#token=${token}`;
  return c.json({ ...made, token, path } satisfies MadeShare, 201, NO_STORE);
}
