import * as z from 'zod';
import { ERROR_CODES } from './errors.ts';
import { LIMITS, textOf } from './limits.ts';
import { AnalysisOptionsSchema } from './options.ts';

/** How the analysis of a conversation stands. `queued` and `running` go on; the others are ends. */
export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const isEnded = (status: JobStatus): boolean => status !== 'queued' && status !== 'running';

/** An analysis under way, or how it ended. */
export const JobSchema = z.object({
  conversation_id: z.string(),
  status: z.enum(JOB_STATUSES),
  /** What is being done: the phase of the last `status` event; null before the first. */
  phase: z.string().nullable(),
  /** 0..1 */
  progress: z.number().min(0).max(1),
  /** Of one that failed: the code and words that a request would have been answered. */
  error: z.object({ code: z.enum(ERROR_CODES), message: z.string() }).nullable(),
  /** Of one that a machine failed: until when its upload stays, so that it can be asked for again. */
  kept_until: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type JobBody = z.infer<typeof JobSchema>;

/** Answer of an analysis that goes on by itself (`Prefer: respond-async`), beside its `Location`. */
export const JobStartedSchema = JobSchema.pick({ conversation_id: true, status: true });

/** JSON body of POST /analyze: a file that the service is to read itself, and the options of its analysis. */
export const RemoteFileSchema = z.strictObject({
  /** http or https, at an address of the public network. */
  url: textOf(2_048),
  /** What the file is called; its extension says what it is, where neither the address nor its server does. */
  filename: textOf(LIMITS.filenameChars).optional(),
  ...AnalysisOptionsSchema.shape,
});
export type RemoteFileBody = z.infer<typeof RemoteFileSchema>;

/** An `Idempotency-Key`: 1 to 255 printable characters of ASCII, taken as they are. */
export const isIdempotencyKey = (text: string): boolean => /^[!-~]{1,255}$/.test(text);
