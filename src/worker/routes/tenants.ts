import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { unwrapped } from '../../contract/result.ts';
import { isTenantId, NewTenantSchema, type TenantBody, TenantPatchSchema } from '../../contract/tenants.ts';
import type { AppEnv } from '../env.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import { configuredCallers } from '../keys/configured.ts';
import { randomLetters } from '../keys/token.ts';
import { directoryOf } from '../tenants/directory.ts';
import { deploymentLimits } from '../tenants/limits.ts';
import { tenantOf } from '../tenants/tenant.ts';

const MAX_JSON_BYTES = 64 * 1024;
const ID_CHARS = 12;
const ID_LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';
const PAGE = 100;

const ListQuerySchema = z.object({
  cursor: z.string().default(''),
  limit: z.coerce.number().int().min(1).max(PAGE).default(PAGE),
});

/** Tenants, by the operator. */
export const tenants = new Hono<AppEnv>()
  .post('/tenants', async (c) => {
    const { name } = await jsonBody(c, NewTenantSchema, MAX_JSON_BYTES);
    const id = randomLetters(ID_CHARS, ID_LETTERS);
    return c.json(await tenantOf(c.env, id).create(id, { name, actor: c.var.admin }), 201, {
      Location: `/tenants/${id}`,
    });
  })

  .get('/tenants', zValidator('query', ListQuerySchema, rejectInvalid), async (c) => {
    const { cursor, limit } = c.req.valid('query');
    return c.json(await directoryOf(c.env).list(cursor, limit));
  })

  .get('/tenants/:tenant_id', async (c) => {
    const id = c.req.param('tenant_id');
    const { tenant } = c.var.admin;
    if (tenant !== null && tenant !== id) throw new ServiceError('NOT_FOUND', 'Unknown tenant');
    return c.json(await requireTenant(c, id));
  })

  .patch('/tenants/:tenant_id', async (c) => {
    const id = c.req.param('tenant_id');
    await requireTenant(c, id);
    const patch = await jsonBody(c, TenantPatchSchema, MAX_JSON_BYTES);
    return c.json(unwrapped(await tenantOf(c.env, id).patch(patch, c.var.admin)));
  });

/** A tenant that is there, or that the settings name and nobody has asked after yet. @throws ServiceError NOT_FOUND */
export async function requireTenant(c: Context<AppEnv>, id: string): Promise<TenantBody> {
  if (!isTenantId(id)) throw new ServiceError('NOT_FOUND', 'Unknown tenant');
  const known = await tenantOf(c.env, id).read();
  if (known) return known;
  const configured = (await configuredCallers(c.env)).filter(({ tenant }) => tenant === id);
  if (configured.length === 0) throw new ServiceError('NOT_FOUND', 'Unknown tenant');
  const isDemo = configured.some(({ kind }) => kind === 'demo');
  return tenantOf(c.env, id).create(id, { retentionDays: isDemo ? deploymentLimits(c.env).demoRetentionDays : null });
}
