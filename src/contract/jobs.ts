import * as z from 'zod';
import { ErrorCodeSchema } from './errors.ts';
import { FilenameSchema, textOf } from './limits.ts';
import { AnalysisOptionsSchema } from './options.ts';

/** The status of an analysis. All except `queued` and `running` are final. */
const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const JobStatusSchema = z.enum(JOB_STATUSES).meta({ id: 'JobStatus' });
export type JobStatus = z.infer<typeof JobStatusSchema>;

export const isEnded = (status: JobStatus): boolean => status !== 'queued' && status !== 'running';

export const JobSchema = z
  .object({
    conversation_id: z.string(),
    status: JobStatusSchema,
    phase: z.string().nullable().describe('The phase of the last `status` event; null before the first.'),
    progress: z.number().min(0).max(1).describe('Completed share of the phase, 0..1.'),
    error: z
      .object({ code: ErrorCodeSchema, message: z.string() })
      .nullable()
      .describe('If it failed: the error that a waiting request would have received.'),
    kept_until: z.iso
      .datetime()
      .nullable()
      .describe('If the service failed: how long the upload is kept, so that the analysis can be requested again.'),
    queue: z
      .object({
        position: z.number().int().min(1).describe('Its place in the queue; 1 is next.'),
        eta_seconds: z.number().min(0).describe('How long it is expected to wait, s.'),
      })
      .optional()
      .describe('While it waits for a pipeline.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Job', description: 'A running analysis, or how it ended.' });
export type JobBody = z.infer<typeof JobSchema>;

/** Response of GET /conversations/{id} when there is no result. Its `status` distinguishes it from a result. */
export const UnfinishedJobSchema = JobSchema.extend({ status: JobStatusSchema.exclude(['completed']) }).meta({
  id: 'UnfinishedJob',
  description: 'An analysis that is running or ended without a result.',
});

/** Response to an analysis that runs in the background (`Prefer: respond-async`). It comes with a `Location` header. */
export const JobStartedSchema = JobSchema.pick({ conversation_id: true, status: true }).meta({ id: 'JobStarted' });

/** Body of POST /analyze/url: the URL of a file for the service to download, and the options of its analysis. */
export const RemoteFileSchema = z
  .strictObject({
    url: textOf(2_048).describe('An http or https URL on the public internet.'),
    filename: FilenameSchema.optional().describe(
      'Its extension determines the format if neither the URL nor the server does.',
    ),
    ...AnalysisOptionsSchema.shape,
  })
  .meta({ id: 'RemoteFileRequest' });
export type RemoteFileBody = z.infer<typeof RemoteFileSchema>;

/** Body of POST /analyze/kept: the conversation whose analysis failed because of the service. */
export const KeptUploadSchema = z
  .strictObject({
    conversation_id: z
      .uuid('must be the `conversation_id` of the error')
      .describe('The `conversation_id` of the error.'),
  })
  .meta({ id: 'KeptUploadRequest' });

/** Whether a string is a valid `Idempotency-Key`: 1 to 255 printable ASCII characters. */
export const isIdempotencyKey = (text: string): boolean => /^[!-~]{1,255}$/.test(text);
