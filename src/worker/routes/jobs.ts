import { Hono } from 'hono';
import { unwrapped } from '../../contract/result.ts';
import type { AppEnv } from '../identity/env.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Analyses that go on by themselves: their end before its time. */
export const jobs = new Hono<AppEnv>()
  // Nothing of it stays; one that has ended is answered as it ended.
  .post('/conversations/:conversation_id/cancel', async (c) =>
    c.json(unwrapped(await tenantOf(c.env, c.var.tenant).jobs.cancel(c.req.param('conversation_id')))),
  );
