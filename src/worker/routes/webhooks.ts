import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { unwrapped } from '../../contract/result.ts';
import { NewWebhookSchema, WebhookPatchSchema } from '../../contract/webhooks.ts';
import { jsonBody } from '../http/json-body.ts';
import type { AppEnv } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { webhookTargetOf } from '../targets/reach.ts';
import { tenantOf } from '../tenant/tenant.ts';

const MAX_JSON_BYTES = 16 * 1024;

/** Webhooks and their deliveries. */
export const webhooks = new Hono<AppEnv>()
  .post('/webhooks', async (c) => {
    refuseDemo(c);
    const webhook = await jsonBody(c, NewWebhookSchema, MAX_JSON_BYTES);
    const created = unwrapped(await webhooksOf(c).add({ ...webhook, url: targetOf(c, webhook.url) }));
    return c.json(created, 201, { 'Cache-Control': 'no-store' });
  })

  .get('/webhooks', async (c) => c.json({ webhooks: await webhooksOf(c).list() }))

  .patch('/webhooks/:webhook_id', async (c) => {
    refuseDemo(c);
    const patch = await jsonBody(c, WebhookPatchSchema, MAX_JSON_BYTES);
    const checked = patch.url === undefined ? patch : { ...patch, url: targetOf(c, patch.url) };
    return c.json(unwrapped(await webhooksOf(c).update(c.req.param('webhook_id'), checked)));
  })

  .delete('/webhooks/:webhook_id', async (c) => {
    unwrapped(await webhooksOf(c).remove(c.req.param('webhook_id')));
    return c.body(null, 204);
  })

  .post('/webhooks/:webhook_id/test', async (c) => {
    refuseDemo(c);
    return c.json(unwrapped(await webhooksOf(c).test(c.req.param('webhook_id'))), 202);
  })

  .get('/webhooks/:webhook_id/deliveries', async (c) =>
    c.json({ deliveries: unwrapped(await webhooksOf(c).deliveries(c.req.param('webhook_id'))) }),
  )

  .post('/webhooks/:webhook_id/deliveries/:delivery_id/redeliver', async (c) => {
    const { webhook_id: webhook, delivery_id: delivery } = c.req.param();
    return c.json(unwrapped(await webhooksOf(c).redeliver(webhook, delivery)), 202);
  });

/** The demo key is public, so anybody could read its tenant's webhooks. */
function refuseDemo(c: Context<AppEnv>): void {
  if (c.var.caller.kind === 'demo') throw new ServiceError('FORBIDDEN', 'The demo key cannot have webhooks');
}

const targetOf = (c: Context<AppEnv>, url: string): string => webhookTargetOf(url, settingsOf(c.env)).href;
const webhooksOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).webhooks;
