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
    database_share: z
      .number()
      .min(0)
      .optional()
      .describe(
        'The used share of its database of 10 GB, from 0 to 1. From 0.9 on, new recordings get 507 `STORAGE_FULL`.',
      ),
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
          started_at: z.iso.datetime().optional().describe('When the analysis was requested.'),
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

/** Number of dead letters listed, newest first. */
export const NAMED_DEAD_LETTERS = 20;

export const DeadLetterSchema = z
  .object({
    tenant: z.string(),
    conversation_id: z.string(),
    code: ErrorCodeSchema,
    reason: z.string().describe("The error's message."),
    started_at: z.iso.datetime().optional().describe('When the analysis was requested.'),
    failed_at: z.iso.datetime(),
    kept_until: z.iso.datetime().describe('How long the recording is kept for another analysis.'),
  })
  .meta({ id: 'DeadLetter', description: 'An analysis that the service gave up, and whose recording it keeps.' });
export type DeadLetter = z.infer<typeof DeadLetterSchema>;

export const PoolInstanceSchema = z
  .object({
    name: z.string().describe('The address of a process, or the application and the number of a container.'),
    state: z
      .enum(['starting', 'ready', 'draining', 'silent'])
      .describe('`draining` takes no new work; `silent` did not answer, and takes none until it does.'),
    live: z.object({ slots: count, used: count }).describe('Live sessions.'),
    files: z.object({ slots: count, used: count }).describe('Analyses of files and of finished live sessions.'),
    busy: z.number().min(0).max(1).describe('Share of its processor cores in use.'),
    lag_ms: z
      .number()
      .min(0)
      .describe('How far its live sessions are behind the audio that it has: the 95th percentile.'),
    memory_bytes: count.nullable().describe('Resident memory; null if it does not report it.'),
    reported_at: z.iso.datetime(),
  })
  .meta({ id: 'PoolInstance', description: 'A pipeline of the pool.' });
export type PoolInstanceBody = z.infer<typeof PoolInstanceSchema>;

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
    pool: z
      .object({
        instances: z.array(PoolInstanceSchema),
        waiting_live: count.describe('Live sessions that wait for a pipeline.'),
      })
      .optional()
      .describe('The pipelines that run, as they last reported.'),
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
    dead_letters: z
      .array(DeadLetterSchema)
      .max(NAMED_DEAD_LETTERS)
      .optional()
      .describe(
        'The newest analyses that the service gave up and whose recordings it keeps. `POST /tenants/{id}/conversations/{id}/retry` starts one again.',
      ),
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
