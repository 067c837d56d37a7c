import * as z from 'zod';
import { ErrorCodeSchema } from './errors.ts';

/** How far back it can be looked, hours. */
export const OPERATIONS_HOURS = { max: 168, default: 24 } as const;
/** Requests that are named of each kind of failure, the newest first. */
export const NAMED_REQUESTS = 5;

const count = z.number().int().min(0);

export const TenantOverviewSchema = z
  .object({
    queued: count,
    running: count,
    live_sessions: count.describe('That are open.'),
    stored_bytes: count,
    deliveries: z.object({ pending: count, delivered: count, failed: count }).describe('Of webhooks, in that time.'),
  })
  .meta({ id: 'TenantOverview' });

export const FailureSchema = z
  .object({
    code: ErrorCodeSchema,
    is_ours: z.boolean().describe("Whether it is the service's fault, and not the media's."),
    count,
    last_at: z.iso.datetime(),
    requests: z
      .array(z.object({ request_id: z.string(), conversation_id: z.string(), tenant: z.string() }))
      .describe('The newest of them.'),
  })
  .meta({ id: 'Failure', description: 'Analyses that ended with one code.' });
export type Failure = z.infer<typeof FailureSchema>;

export const OperationsSchema = z
  .object({
    version: z.string(),
    since: z.iso.datetime(),
    checked_at: z.iso.datetime(),
    hours: z
      .array(z.object({ at: z.iso.datetime(), completed: count, failed: count, cancelled: count }))
      .describe('Analyses by the hour in which they ended; without those in which none did.'),
    duration_ms: z
      .object({ median: z.number().min(0), p95: z.number().min(0) })
      .nullable()
      .describe('From the beginning of an analysis to its good end; null when there was none.'),
    failures: z.array(FailureSchema),
    tenants: z.array(TenantOverviewSchema.extend({ id: z.string(), name: z.string() })),
    is_whole: z.boolean().describe('False when there are more tenants than are looked at.'),
    events: z.record(z.string(), count).describe('Event -> how often it was told, since the deployment began.'),
    has_language_model: z.boolean().describe('Whether transcripts leave the service, for one that an operator set.'),
    has_live: z.boolean(),
  })
  .meta({ id: 'Operations', description: 'What the service did and does, for the operator.' });
export type OperationsBody = z.infer<typeof OperationsSchema>;
