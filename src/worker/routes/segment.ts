import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { SegmentRequestSchema } from '../../contract/analysis.ts';
import { ServiceError } from '../../contract/errors.ts';
import { segmentConversation } from '../../conversation/phases.ts';
import type { AppEnv } from '../env.ts';
import { requireKey } from '../http/auth.ts';
import { rejectInvalid } from '../http/validation.ts';

/** Of a timeline: 5,000 utterances with their words take about 35 MB. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Segments a timeline again, without media. */
export const segment = new Hono<AppEnv>().post(
  '/segment/conversation',
  requireKey,
  bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new ServiceError('INVALID_REQUEST', `The body exceeds ${MAX_BODY_BYTES} bytes`);
    },
  }),
  zValidator('json', SegmentRequestSchema, rejectInvalid),
  (c) => {
    const { timeline, context } = c.req.valid('json');
    return c.json({ segmentation: segmentConversation(timeline, { context }) });
  },
);
