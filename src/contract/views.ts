import * as z from 'zod';
import { LIMITS, lineOf, textOf } from './limits.ts';
import { MomentHitSchema } from './patterns.ts';

const name = lineOf(LIMITS.labelChars).describe('The name of the view. No two views of a page have the same.');
const page = z.enum(['conversations', 'patterns', 'commitments']).describe('The page of the dashboard.');
const tell = z
  .boolean()
  .describe(
    'Whether the webhook `view.matched` reports new conversations with moments that match. Only views of `patterns` have it.',
  );
const query = textOf(LIMITS.viewChars).describe('The filters of the page, as in its address: `category=objection`.');

/** Body of POST /views. */
export const NewViewSchema = z
  .strictObject({ name, page, query, tell: tell.default(false) })
  .meta({ id: 'NewViewRequest' });
export type NewView = z.infer<typeof NewViewSchema>;

/** Body of PATCH /views/{id}. */
export const ViewPatchSchema = z
  .strictObject({ name, query, tell })
  .partial()
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), 'must change something')
  .meta({ id: 'ViewPatchRequest' });
export type ViewPatch = z.infer<typeof ViewPatchSchema>;

export const ViewSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    page,
    query: z.string(),
    tell,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'View', description: 'Filters of a page under a name, for everybody with a key of the tenant.' });
export type ViewBody = z.infer<typeof ViewSchema>;

/** The view in a message `view.matched`. */
export const MatchedViewSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    moments: z
      .array(
        MomentHitSchema.pick({
          ...{ moment_id: true, category: true, confidence: true, quote: true, speaker: true },
          ...{ t_start: true, t_end: true, page: true },
        }),
      )
      .describe('The first three.'),
    count: z.number().int().min(1).describe('Moments of the conversation that match.'),
  })
  .meta({ id: 'MatchedView' });
export type MatchedView = z.infer<typeof MatchedViewSchema>;

/** Response of GET /views. */
export const ViewListSchema = z.object({ views: z.array(ViewSchema).describe('By name.') }).meta({ id: 'ViewList' });
