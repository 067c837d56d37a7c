import { Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { unwrapped } from '../../contract/result.ts';
import type { AppEnv } from '../env.ts';
import { storedResult } from '../jobs/answers.ts';
import { mediaStore } from '../storage/media-store.ts';
import { tenantOf } from '../tenants/tenant.ts';

/** Analyses that go on by themselves: how they stand, and their end before its time. */
export const jobs = new Hono<AppEnv>()
  .get('/conversations/:conversation_id', async (c) => {
    const { tenant } = c.var;
    const id = c.req.param('conversation_id');
    const job = await tenantOf(c.env, tenant).jobs.read(id);
    if (job && job.status !== 'completed') return c.json(job);
    if (!(await mediaStore(c.env).head(`${tenant}/${id}/result.json`)))
      throw new ServiceError('NOT_FOUND', 'Unknown conversation');
    return storedResult(c, id);
  })

  // Nothing of it stays; one that has ended is answered as it ended.
  .post('/conversations/:conversation_id/cancel', async (c) =>
    c.json(unwrapped(await tenantOf(c.env, c.var.tenant).jobs.cancel(c.req.param('conversation_id')))),
  );
