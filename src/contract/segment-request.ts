import * as z from 'zod';
import { LIMITS } from './limits.ts';
import { SEGMENT_LISTS, SegmentContextSchema } from './segmentation.ts';

const { timeline, moments, transitions } = SEGMENT_LISTS;

/** The body of POST /segment/conversation as a description needs it; the Worker reads it member by member as it streams. */
export const SegmentRequestSchema = z
  .object({
    timeline: z.array(timeline).min(1).max(LIMITS.utterances),
    context: SegmentContextSchema.optional().describe('What the segmentation is for.'),
    moments: z.array(moments).max(LIMITS.events).optional().describe('Those of the analysis, when they are known.'),
    transitions: z
      .array(transitions)
      .max(LIMITS.events)
      .optional()
      .describe('Those of the analysis; else they are found again.'),
  })
  .meta({ id: 'SegmentRequest', description: 'A timeline to be segmented, or a whole analysis as it is.' });
