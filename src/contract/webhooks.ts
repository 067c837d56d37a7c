import * as z from 'zod';
import { textOf } from './limits.ts';

/** What a webhook is told. Each names the conversation; its result is then to be asked for. */
export const WEBHOOK_EVENTS = ['analysis.completed', 'analysis.failed', 'analysis.cancelled'] as const;
export const WebhookEventSchema = z.enum(WEBHOOK_EVENTS).meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.infer<typeof WebhookEventSchema>;

/** Body of POST /webhooks. */
export const NewWebhookSchema = z
  .strictObject({
    url: textOf(2_048).describe('https, at an address of the public network.'),
    events: z
      .array(WebhookEventSchema)
      .min(1)
      .max(WEBHOOK_EVENTS.length)
      .optional()
      .describe('Which events are told; all when absent.'),
  })
  .meta({ id: 'NewWebhookRequest' });
export type NewWebhook = z.infer<typeof NewWebhookSchema>;

export const WebhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(WebhookEventSchema),
    is_enabled: z.boolean().describe('False once the receiver answered 410: it is told nothing any more.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });
export type WebhookBody = z.infer<typeof WebhookSchema>;

/** Answer of POST /webhooks. */
export const CreatedWebhookSchema = WebhookSchema.extend({
  secret: z.string().describe('Signs what is told: `whsec_<base64>`. Shown this once.'),
}).meta({ id: 'CreatedWebhook' });
export type CreatedWebhook = z.infer<typeof CreatedWebhookSchema>;

export const WebhookListSchema = z.object({ webhooks: z.array(WebhookSchema) }).meta({ id: 'WebhookList' });

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export const DeliverySchema = z
  .object({
    id: z.string().describe('The header `webhook-id`, the same whenever it is sent again.'),
    event: WebhookEventSchema,
    conversation_id: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.number().int().min(0),
    last_status: z.number().int().nullable().describe('What the receiver answered last; null when it did not answer.'),
    last_error: z.string().nullable().describe('Why the last attempt failed.'),
    created_at: z.iso.datetime(),
    last_attempt_at: z.iso.datetime().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery', description: 'One message to one webhook.' });
export type DeliveryBody = z.infer<typeof DeliverySchema>;

/** Answer of GET /webhooks/{id}/deliveries: the newest first. */
export const DeliveryListSchema = z.object({ deliveries: z.array(DeliverySchema) }).meta({ id: 'DeliveryList' });

/** What is sent (Standard Webhooks: `type`, `timestamp`, `data`). */
export const WebhookMessageSchema = z
  .object({
    type: WebhookEventSchema,
    timestamp: z.iso.datetime(),
    data: z.object({
      conversation_id: z.string(),
      error: z
        .object({ code: z.string(), message: z.string() })
        .optional()
        .describe('Of an analysis that failed: what a request would have been answered.'),
    }),
  })
  .meta({ id: 'WebhookMessage' });
export type WebhookMessage = z.infer<typeof WebhookMessageSchema>;
