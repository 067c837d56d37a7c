import * as z from 'zod';
import { ErrorCodeSchema } from './errors.ts';
import { LIMITS, textOf } from './limits.ts';
import { AnalysisOptionsSchema } from './options.ts';

/** How the analysis of a conversation stands. `queued` and `running` go on; the others are ends. */
export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const JobStatusSchema = z.enum(JOB_STATUSES).meta({ id: 'JobStatus' });
export type JobStatus = z.infer<typeof JobStatusSchema>;

export const isEnded = (status: JobStatus): boolean => status !== 'queued' && status !== 'running';

export const JobSchema = z
  .object({
    conversation_id: z.string(),
    status: JobStatusSchema,
    phase: z.string().nullable().describe('Of the last `status` event; null before the first.'),
    progress: z.number().min(0).max(1).describe('How much of the phase is done, 0..1.'),
    error: z
      .object({ code: ErrorCodeSchema, message: z.string() })
      .nullable()
      .describe('Of one that failed: what a request would have been answered.'),
    kept_until: z.iso
      .datetime()
      .nullable()
      .describe('Of one that a machine failed: until when its upload stays, so that it can be asked for again.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Job', description: 'An analysis under way, or how it ended.' });
export type JobBody = z.infer<typeof JobSchema>;

/** Answer of an analysis that goes on by itself (`Prefer: respond-async`), beside its `Location`. */
export const JobStartedSchema = JobSchema.pick({ conversation_id: true, status: true }).meta({ id: 'JobStarted' });

/** JSON body of POST /analyze: a file that the service is to read itself, and the options of its analysis. */
export const RemoteFileSchema = z
  .strictObject({
    url: textOf(2_048).describe('http or https, at an address of the public network.'),
    filename: textOf(LIMITS.filenameChars)
      .optional()
      .describe('Its extension says what it is, where neither the address nor its server does.'),
    ...AnalysisOptionsSchema.shape,
  })
  .meta({ id: 'RemoteFileRequest' });
export type RemoteFileBody = z.infer<typeof RemoteFileSchema>;

/** JSON body of POST /analyze and /analyze/stream that names a conversation: what a machine failed is made again. */
export const AskAgainSchema = z
  .strictObject({ conversation_id: z.uuid('must be the id that the error named').describe('As the error named it.') })
  .meta({ id: 'AskAgain' });

/** An `Idempotency-Key`: 1 to 255 printable characters of ASCII, taken as they are. */
export const isIdempotencyKey = (text: string): boolean => /^[!-~]{1,255}$/.test(text);
