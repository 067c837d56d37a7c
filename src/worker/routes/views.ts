import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { unwrapped } from '../../contract/result.ts';
import { NewViewSchema, ViewPatchSchema } from '../../contract/views.ts';
import { jsonBody } from '../http/json-body.ts';
import type { AppEnv } from '../identity/env.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Limit on a JSON body, bytes. */
const MAX_JSON_BYTES = 16 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Views: filters of pages under names. */
export const views = new Hono<AppEnv>()
  .post('/views', async (c) => {
    // The demo key is public, so anybody could change its tenant's views.
    if (c.var.caller.kind === 'demo') throw new ServiceError('FORBIDDEN', 'The demo key cannot have views');
    return c.json(unwrapped(await viewsOf(c).add(await jsonBody(c, NewViewSchema, MAX_JSON_BYTES))), 201);
  })

  .get('/views', async (c) => c.json({ views: await viewsOf(c).list() }, 200, NO_STORE))

  .get('/views/:view_id', async (c) => c.json(unwrapped(await viewsOf(c).read(idOf(c))), 200, NO_STORE))

  .patch('/views/:view_id', async (c) =>
    c.json(unwrapped(await viewsOf(c).patch(idOf(c), await jsonBody(c, ViewPatchSchema, MAX_JSON_BYTES)))),
  )

  .delete('/views/:view_id', async (c) => {
    unwrapped(await viewsOf(c).remove(idOf(c)));
    return c.body(null, 204);
  });

const viewsOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).views;
const idOf = (c: Context<AppEnv>): string => c.req.param('view_id') ?? '';
