import * as z from 'zod';
import { GoalSchema, LabelSchema } from './limits.ts';

const SPEAKERS = 'must be a whole number from 1 to 8';

/**
 * What a client may say of how a recording is analysed: fields of an upload's form, keys of a live session's start. They
 * are the same all the way: checked at the edge, carried to the pipeline.
 */
export const AnalysisOptionsSchema = z.object({
  goal: GoalSchema.default('').describe('What the analysis is for.'),
  speakers: z
    .number(SPEAKERS)
    .int(SPEAKERS)
    .min(1, SPEAKERS)
    .max(8, SPEAKERS)
    .optional()
    .describe('Their number, when it is known.'),
  recogniser: LabelSchema.min(1)
    .optional()
    .describe("The speech recogniser, by its id; the pipeline's own choice when absent."),
});
export type AnalysisOptions = z.infer<typeof AnalysisOptionsSchema>;
