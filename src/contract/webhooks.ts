import * as z from 'zod';
import { textOf } from './limits.ts';

/** What a webhook is told. Each names the conversation; its result is then to be asked for. */
export const WEBHOOK_EVENTS = ['analysis.completed', 'analysis.failed', 'analysis.cancelled'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Body of POST /webhooks. */
export const NewWebhookSchema = z.strictObject({
  /** https, at an address of the public network. */
  url: textOf(2_048),
  /** Which events are told; all when absent. */
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(WEBHOOK_EVENTS.length).optional(),
});
export type NewWebhook = z.infer<typeof NewWebhookSchema>;

export const WebhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  /** False once the receiver answered 410: it is told nothing any more. */
  is_enabled: z.boolean(),
  created_at: z.iso.datetime(),
});
export type WebhookBody = z.infer<typeof WebhookSchema>;

/** Answer of POST /webhooks: the secret (`whsec_<base64>`) that signs what is told, shown this once. */
export const CreatedWebhookSchema = WebhookSchema.extend({ secret: z.string() });
export type CreatedWebhook = z.infer<typeof CreatedWebhookSchema>;

export const WebhookListSchema = z.object({ webhooks: z.array(WebhookSchema) });

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** One message to one webhook. Its id is the header `webhook-id`, the same whenever it is sent again. */
export const DeliverySchema = z.object({
  id: z.string(),
  event: z.enum(WEBHOOK_EVENTS),
  conversation_id: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.number().int().min(0),
  /** What the receiver answered last; null when it did not answer. */
  last_status: z.number().int().nullable(),
  /** Why the last attempt failed. */
  last_error: z.string().nullable(),
  created_at: z.iso.datetime(),
  last_attempt_at: z.iso.datetime().nullable(),
  next_attempt_at: z.iso.datetime().nullable(),
});
export type DeliveryBody = z.infer<typeof DeliverySchema>;

/** Answer of GET /webhooks/{id}/deliveries: the newest first. */
export const DeliveryListSchema = z.object({ deliveries: z.array(DeliverySchema) });

/** What is sent (Standard Webhooks: `type`, `timestamp`, `data`). */
export const WebhookMessageSchema = z.object({
  type: z.enum(WEBHOOK_EVENTS),
  timestamp: z.iso.datetime(),
  data: z.object({
    conversation_id: z.string(),
    /** Of an analysis that failed: the code and words that a request would have been answered. */
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
});
export type WebhookMessage = z.infer<typeof WebhookMessageSchema>;
