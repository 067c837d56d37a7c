import * as z from 'zod';
import { GoalSchema, LabelSchema } from './limits.ts';

const SPEAKERS = 'must be a whole number from 1 to 8';

/**
 * What a client may say of how a recording is analysed: fields of an upload's form, keys of a live session's start. They
 * are the same all the way: checked at the edge, carried to the pipeline.
 */
export const AnalysisOptionsSchema = z.object({
  /** The client's analysis focus; '' for none. */
  goal: GoalSchema.default(''),
  /** The number of speakers, when the client knows it. */
  speakers: z.number(SPEAKERS).int(SPEAKERS).min(1, SPEAKERS).max(8, SPEAKERS).optional(),
  /** The speech recogniser, by its id; the pipeline knows which there are. Its own choice when absent. */
  recogniser: LabelSchema.min(1).optional(),
});
export type AnalysisOptions = z.infer<typeof AnalysisOptionsSchema>;
