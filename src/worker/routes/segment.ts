import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { SegmentRequestSchema } from '../../contract/analysis.ts';
import { segmentConversation } from '../../conversation/phases.ts';
import type { AppEnv } from '../env.ts';
import { requireKey } from '../http/auth.ts';
import { rejectInvalid } from '../http/validation.ts';

/** Segments a timeline again, without media. */
export const segment = new Hono<AppEnv>().post(
  '/segment/conversation',
  requireKey,
  zValidator('json', SegmentRequestSchema, rejectInvalid),
  (c) => {
    const { timeline, context } = c.req.valid('json');
    return c.json({ segmentation: segmentConversation(timeline, { context }) });
  },
);
