import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { ReindexQuerySchema, TenantExportQuerySchema, TenantsQuerySchema } from '../../contract/queries.ts';
import { unwrapped } from '../../contract/result.ts';
import {
  isTenantId,
  NewTenantSchema,
  type ReindexAnswer,
  type TenantBody,
  type TenantList,
  TenantPatchSchema,
  type TenantReceipt,
} from '../../contract/tenants.ts';
import { tenantStream } from '../conversations/answers.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { receiptSigner } from '../keys/receipts.ts';
import { randomLetters } from '../keys/token.ts';
import { directoryOf } from '../tenant/directory.ts';
import { configuredCallers } from '../tenant/keys/configured.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { NDJSON } from './conversations.ts';

const MAX_JSON_BYTES = 256 * 1024;
const ID_CHARS = 12;
const ID_LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Management of tenants, by the operator. */
export const tenants = new Hono<AppEnv>()
  .post('/tenants', async (c) => {
    const { name } = await jsonBody(c, NewTenantSchema, MAX_JSON_BYTES);
    const id = randomLetters(ID_CHARS, ID_LETTERS);
    return c.json(await tenantOf(c.env, id).create(id, { name, actor: c.var.admin }), 201, {
      Location: `/tenants/${id}`,
    });
  })

  .get('/tenants', zValidator('query', TenantsQuerySchema, rejectInvalid), async (c) => {
    const { cursor, limit } = c.req.valid('query');
    return c.json(await listTenants(c, cursor, limit));
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
  })

  // Removes everything that belongs to the tenant, including its keys. An interrupted removal resumes automatically,
  // and can also be requested again.
  .delete('/tenants/:tenant_id', async (c) => {
    const id = c.req.param('tenant_id');
    await requireTenant(c, id);
    const sign = await receiptSigner(c.env);
    const { objects, bytes } = unwrapped(await tenantOf(c.env, id).remove(c.var.admin));
    const removal = { id, deleted_at: new Date().toISOString(), objects, bytes };
    return c.json((await sign(removal, { tenant: id, deleted_by: c.var.admin.who })) satisfies TenantReceipt);
  })

  .get('/tenants/:tenant_id/export', zValidator('query', TenantExportQuerySchema, rejectInvalid), async (c) => {
    const id = c.req.param('tenant_id');
    await requireTenant(c, id);
    return c.body(tenantStream(c.env, id, c.req.valid('query').after), 200, NDJSON);
  })

  .post('/tenants/:tenant_id/reindex', zValidator('query', ReindexQuerySchema, rejectInvalid), async (c) => {
    const id = c.req.param('tenant_id');
    await requireTenant(c, id);
    const { conversations, next } = await tenantOf(c.env, id).conversations.rebuild(c.req.valid('query').cursor);
    return c.json({ conversations, next_cursor: next } satisfies ReindexAnswer);
  })

  // Repeats an analysis that failed because of an infrastructure fault, as long as its recording is kept.
  .post('/tenants/:tenant_id/conversations/:conversation_id/retry', async (c) => {
    const id = c.req.param('tenant_id');
    await requireTenant(c, id);
    const retried = await tenantOf(c.env, id).retry(c.req.param('conversation_id'), c.var.admin);
    return c.json(unwrapped(retried), 202);
  })

  .post('/tenants/:tenant_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver', async (c) => {
    const { tenant_id: id, webhook_id: webhook, delivery_id: delivery } = c.req.param();
    await requireTenant(c, id);
    return c.json(unwrapped(await tenantOf(c.env, id).redeliver(webhook, delivery, c.var.admin)), 202);
  });

/**
 * A tenant. A tenant from the settings is created on this call.
 * @throws ServiceError NOT_FOUND
 */
export async function requireTenant(c: Context<AppEnv>, id: string): Promise<TenantBody> {
  if (!isTenantId(id)) throw new ServiceError('NOT_FOUND', 'Unknown tenant');
  const known = await tenantOf(c.env, id).read();
  if (known) return known;
  const configured = await configuredCallers(c.env);
  if (!configured.some(({ tenant }) => tenant === id)) throw new ServiceError('NOT_FOUND', 'Unknown tenant');
  return tenantOf(c.env, id).create(id);
}

/** The tenants after a cursor, including tenants from the settings that have never made a call. */
export async function listTenants(c: Context<AppEnv>, cursor: string, limit: number): Promise<TenantList> {
  if (cursor === '') {
    const named = new Set((await configuredCallers(c.env)).map(({ tenant }) => tenant));
    const unlisted = await directoryOf(c.env).unlisted([...named]);
    for (const id of unlisted) await tenantOf(c.env, id).create(id);
  }
  return directoryOf(c.env).list(cursor, limit);
}
