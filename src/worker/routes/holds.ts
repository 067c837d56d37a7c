import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { type ConversationHolds, HoldQuerySchema, HoldRequestSchema, NewHoldSchema } from '../../contract/holds.ts';
import { unwrapped } from '../../contract/result.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { Actor } from '../identity/caller.ts';
import type { AppEnv } from '../identity/env.ts';
import { addressOf } from '../keys/operator.ts';
import { keyIdOf } from '../keys/token.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Limit on a JSON body, bytes. */
const MAX_JSON_BYTES = 8 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Holds: what keeps conversations from being deleted, by hand, by retention or with their tenant. */
export const holds = new Hono<AppEnv>()
  .get('/conversations/:conversation_id/hold', async (c) => {
    const found = unwrapped(await holdsOf(c).of(c.req.param('conversation_id')));
    return c.json({ holds: found } satisfies ConversationHolds, 200, NO_STORE);
  })

  .put('/conversations/:conversation_id/hold', async (c) => {
    const { key, actor } = setterOf(c);
    const hold = await jsonBody(c, HoldRequestSchema, MAX_JSON_BYTES);
    return c.json(unwrapped(await holdsOf(c).set(c.req.param('conversation_id'), hold, key, actor)));
  })

  .delete('/conversations/:conversation_id/hold', async (c) => {
    unwrapped(await holdsOf(c).release(c.req.param('conversation_id'), setterOf(c).actor));
    return c.body(null, 204);
  })

  .post('/holds', async (c) => {
    const { key, actor } = setterOf(c);
    const hold = await jsonBody(c, NewHoldSchema, MAX_JSON_BYTES);
    return c.json(unwrapped(await holdsOf(c).add(hold, key, actor)), 201);
  })

  .get('/holds', zValidator('query', HoldQuerySchema, rejectInvalid), async (c) =>
    c.json(await holdsOf(c).list(c.req.valid('query')), 200, NO_STORE),
  )

  .delete('/holds/:hold_id', async (c) => {
    unwrapped(await holdsOf(c).remove(c.req.param('hold_id'), setterOf(c).actor));
    return c.body(null, 204);
  });

const holdsOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).holds;

/** The key that sets or lifts a hold, for the hold and for the audit. @throws ServiceError FORBIDDEN for the demo key */
function setterOf(c: Context<AppEnv>): { key: string; actor: Actor } {
  const { tenant, keyId: id, kind } = c.var.caller;
  // The demo key is public, so anybody could lift the holds of others, or fill the storage for good.
  if (kind === 'demo') throw new ServiceError('FORBIDDEN', 'The demo key cannot have holds');
  const key = keyIdOf({ tenant, id });
  return { key, actor: { who: `key ${key}`, address: addressOf(c), requestId: c.var.requestId } };
}
