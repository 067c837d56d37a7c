import { Hono } from 'hono';
import { unwrapped } from '../../contract/result.ts';
import type { AppEnv } from '../env.ts';
import { tenantOf } from '../tenants/tenant.ts';

/** Ends an analysis that is under way, and leaves nothing of it; one that has ended is answered as it ended. */
export const cancel = new Hono<AppEnv>().post('/conversations/:conversation_id/cancel', async (c) =>
  c.json(unwrapped(await tenantOf(c.env, c.var.tenant).jobs.cancel(c.req.param('conversation_id')))),
);
