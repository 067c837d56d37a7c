import * as z from 'zod';
import { CommitmentSchema, REPORTED_COMMITMENTS } from './commitments.ts';
import { textOf } from './limits.ts';
import { MatchedRuleSchema } from './rules.ts';
import { MatchedViewSchema } from './views.ts';

/**
 * The events that webhooks receive. Each contains the conversation's id, with which the receiver then fetches the
 * result.
 */
export const WEBHOOK_EVENTS = [
  'analysis.completed',
  'analysis.failed',
  'analysis.cancelled',
  'rule.matched',
  'view.matched',
  'commitment.made',
] as const;
export const WebhookEventSchema = z.enum(WEBHOOK_EVENTS).meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.infer<typeof WebhookEventSchema>;

/** The type of the message that `POST /webhooks/{id}/test` sends. No webhook can subscribe to it. */
export const TEST_EVENT = 'webhook.test';

const url = textOf(2_048).describe('An https URL on the public internet.');
const events = z.array(WebhookEventSchema).min(1).max(WEBHOOK_EVENTS.length);

/** Body of POST /webhooks. */
export const NewWebhookSchema = z
  .strictObject({ url, events: events.optional().describe('The events to send. Absent: all.') })
  .meta({ id: 'NewWebhookRequest' });
export type NewWebhook = z.infer<typeof NewWebhookSchema>;

/** Body of PATCH /webhooks/{id}. */
export const WebhookPatchSchema = z
  .strictObject({
    url: url.describe(
      'An https URL on the public internet. Waiting messages go to it, too, and a disabled webhook is enabled again.',
    ),
    events: events.describe('The events to send from now on.'),
  })
  .partial()
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), 'must change something')
  .meta({ id: 'WebhookPatchRequest' });
export type WebhookPatch = z.infer<typeof WebhookPatchSchema>;

export const WebhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(WebhookEventSchema),
    is_enabled: z
      .boolean()
      .describe('False once the receiver has responded with 410; it then receives no more events.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });
export type WebhookBody = z.infer<typeof WebhookSchema>;

/** Response of POST /webhooks. */
export const CreatedWebhookSchema = WebhookSchema.extend({
  secret: z.string().describe('The signing secret, `whsec_<base64>`. It is shown only once.'),
}).meta({ id: 'CreatedWebhook' });
export type CreatedWebhook = z.infer<typeof CreatedWebhookSchema>;

export const WebhookListSchema = z.object({ webhooks: z.array(WebhookSchema) }).meta({ id: 'WebhookList' });

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export const DeliverySchema = z
  .object({
    id: z.string().describe('The `webhook-id` header, which is the same in every attempt.'),
    event: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
    conversation_id: z.string().nullable().describe('Null for `webhook.test`.'),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.number().int().min(0),
    last_status: z
      .number()
      .int()
      .nullable()
      .describe('The HTTP status of the last attempt; null if the receiver did not respond.'),
    last_error: z.string().nullable().describe('Why the last attempt failed.'),
    created_at: z.iso.datetime(),
    last_attempt_at: z.iso.datetime().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery', description: 'One message to one webhook.' });
export type DeliveryBody = z.infer<typeof DeliverySchema>;

/** Response of GET /webhooks/{id}/deliveries, newest first. */
export const DeliveryListSchema = z.object({ deliveries: z.array(DeliverySchema) }).meta({ id: 'DeliveryList' });

const timestamp = z.iso.datetime();

const EventMessageSchema = z.object({
  type: WebhookEventSchema,
  timestamp,
  data: z.object({
    conversation_id: z.string(),
    error: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .describe('If the analysis failed: the error that a waiting request would have received.'),
    rule: MatchedRuleSchema.optional().describe('With `rule.matched`: the rule.'),
    view: MatchedViewSchema.optional().describe('With `view.matched`: the saved view.'),
    commitments: z
      .array(CommitmentSchema)
      .max(REPORTED_COMMITMENTS)
      .optional()
      .describe('With `commitment.made`: the first commitments of the conversation.'),
  }),
});
export type EventMessage = z.infer<typeof EventMessageSchema>;

const TestMessageSchema = z.object({
  type: z.literal(TEST_EVENT),
  timestamp,
  data: z.object({ webhook_id: z.string() }),
});
export type TestMessage = z.infer<typeof TestMessageSchema>;

/** The message of a delivery (Standard Webhooks: `type`, `timestamp`, `data`). */
export const WebhookMessageSchema = z
  .discriminatedUnion('type', [EventMessageSchema, TestMessageSchema])
  .meta({ id: 'WebhookMessage' });
