import * as z from 'zod';
import { LIMITS } from './limits.ts';
import { SEGMENT_LISTS, SegmentContextSchema } from './segmentation.ts';

const { timeline, moments, transitions } = SEGMENT_LISTS;

/**
 * The body of POST /segment/conversation, used for the API description. The Worker itself reads the body member by
 * member as it arrives.
 */
export const SegmentRequestSchema = z
  .object({
    timeline: z.array(timeline).min(1).max(LIMITS.utterances),
    context: SegmentContextSchema.optional().describe('The purpose of the segmentation.'),
    moments: z.array(moments).max(LIMITS.events).optional().describe('The moments of the analysis, if known.'),
    transitions: z
      .array(transitions)
      .max(LIMITS.events)
      .optional()
      .describe('The transitions of the analysis. If absent, they are detected again.'),
  })
  .meta({ id: 'SegmentRequest', description: 'A timeline to segment, or a complete analysis.' });
