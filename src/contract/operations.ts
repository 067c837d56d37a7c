import * as z from 'zod';
import { ErrorCodeSchema } from './errors.ts';
import { WebhookEventSchema } from './webhooks.ts';

/** Number of hours that the overview covers. */
export const OPERATIONS_HOURS = { max: 168, default: 24 } as const;
const QuantilesSchema = z.object({ median: z.number().min(0), p95: z.number().min(0) });
export type Quantiles = z.infer<typeof QuantilesSchema>;

/** Number of requests listed for each kind of failure, newest first. */
export const NAMED_REQUESTS = 5;

const count = z.number().int().min(0);

export const TenantOverviewSchema = z
  .object({
    queued: count,
    running: count,
    live_sessions: count.describe('Open live sessions.'),
    stored_bytes: count,
    deliveries: z
      .object({ pending: count, delivered: count, failed: count })
      .describe('Webhook deliveries in the requested hours.'),
  })
  .meta({ id: 'TenantOverview' });

export const FailureSchema = z
  .object({
    code: ErrorCodeSchema,
    is_ours: z.boolean().describe('Whether the service is at fault, not the media.'),
    count,
    last_at: z.iso.datetime(),
    requests: z
      .array(
        z.object({
          request_id: z.string(),
          conversation_id: z.string(),
          tenant: z.string(),
          at: z.iso.datetime().optional(),
          reason: z.string().optional().describe("The error's message."),
          can_retry: z
            .boolean()
            .optional()
            .describe(
              'Whether its recording is kept, so that `POST /tenants/{id}/conversations/{id}/retry` can analyse it again.',
            ),
        }),
      )
      .describe('The most recent failed requests.'),
  })
  .meta({ id: 'Failure', description: 'The analyses that failed with one error code.' });
export type Failure = z.infer<typeof FailureSchema>;

/** Number of undelivered webhook messages listed, newest first. */
export const NAMED_DELIVERIES = 20;

export const UndeliveredSchema = z
  .object({
    id: z.string().describe('The delivery.'),
    tenant: z.string(),
    webhook_id: z.string(),
    url: z.string(),
    event: WebhookEventSchema,
    conversation_id: z.string(),
    attempts: count,
    last_status: z.number().int().nullable().describe('The HTTP status of the last attempt; null if there was none.'),
    last_error: z.string().nullable(),
    last_attempt_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Undelivered', description: 'A webhook message whose attempts are used up.' });
export type Undelivered = z.infer<typeof UndeliveredSchema>;

export const OperationsSchema = z
  .object({
    version: z.string(),
    since: z.iso.datetime(),
    checked_at: z.iso.datetime(),
    hours: z
      .array(z.object({ at: z.iso.datetime(), completed: count, failed: count, cancelled: count }))
      .describe('Analyses by the hour in which they ended; hours without any are absent.'),
    duration_ms: QuantilesSchema.nullable().describe(
      'Duration of completed analyses of files, to two digits; null if there were none.',
    ),
    queue: z
      .object({ slots: count, running: count, waiting: count })
      .optional()
      .describe('Slots for analyses of files, and how many analyses hold or wait for one now.'),
    pipelines: z
      .object({ total: count, ready: count })
      .optional()
      .describe('Pipelines, and how many of them respond now. A container sleeps until an analysis starts it.'),
    idle_application: z
      .object({ ready: count, work: count })
      .optional()
      .describe(
        'The container application that gets no new work: its pipelines that respond, and the analyses and live sessions that still run there. Absent where there are no containers.',
      ),
    live_final_ms: QuantilesSchema.nullable()
      .optional()
      .describe(
        'From the end of speech in live sessions to its final transcript, since the first deployment; estimated from the histogram of `/metrics`.',
      ),
    failures: z.array(FailureSchema),
    undelivered: z
      .array(UndeliveredSchema)
      .max(NAMED_DELIVERIES)
      .optional()
      .describe(
        'The newest webhook messages whose attempts were used up in the requested hours. `POST /tenants/{id}/webhooks/{id}/deliveries/{id}/redeliver` sends one again.',
      ),
    tenants: z.array(TenantOverviewSchema.extend({ id: z.string(), name: z.string() })),
    is_whole: z.boolean().describe('False if there are more tenants than the overview covers.'),
    events: z
      .record(z.string(), count)
      .describe('Number of times each event was sent since the first deployment, by event name.'),
    has_language_model: z
      .boolean()
      .describe('Whether transcripts leave the service for a language model that the operator configured.'),
    has_live: z.boolean(),
  })
  .meta({ id: 'Operations', description: 'The activity of the service, for the operator.' });
export type OperationsBody = z.infer<typeof OperationsSchema>;
