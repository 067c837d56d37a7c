import * as z from 'zod';
import { LIMITS, textOf } from './limits.ts';

/** Time after which a pipeline repeats its announcement, s. */
export const ANNOUNCE_EVERY_S = 10;

/**
 * Body of POST /pool, with which a pipeline outside Cloudflare joins the pool, stays in it and leaves it. `ended`: the
 * process is about to exit, and has nothing left.
 */
export const AnnouncementSchema = z
  .strictObject({
    url: textOf(LIMITS.memberUrlChars)
      .min(1)
      .describe('The address at which the service reaches the pipeline: scheme, host and port.'),
    status: z
      .enum(['ok', 'draining', 'ended'])
      .describe('`draining`: it takes nothing new. `ended`: it leaves the pool.'),
  })
  .meta({ id: 'AnnouncementRequest' });
export type Announcement = z.infer<typeof AnnouncementSchema>;

export const AnnouncementAnswerSchema = z
  .object({ again_in_s: z.number().min(1).max(300).describe('When to announce it again, seconds.') })
  .meta({ id: 'AnnouncementAnswer' });
export type AnnouncementAnswer = z.infer<typeof AnnouncementAnswerSchema>;
