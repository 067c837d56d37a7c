import { Hono } from 'hono';
import { unwrapped } from '../../contract/result.ts';
import type { AppEnv } from '../identity/env.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Cancellation of jobs. */
export const jobs = new Hono<AppEnv>()
  // Removes all data of an open job. For a job that has ended, the response is its outcome.
  .post('/conversations/:conversation_id/cancel', async (c) =>
    c.json(unwrapped(await tenantOf(c.env, c.var.tenant).jobs.cancel(c.req.param('conversation_id')))),
  );
