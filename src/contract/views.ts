import * as z from 'zod';
import { LIMITS, lineOf, textOf } from './limits.ts';

const name = lineOf(LIMITS.labelChars).describe('The name of the view. No two views of a page have the same.');
const page = z.enum(['conversations', 'patterns', 'commitments']).describe('The page of the dashboard.');
const query = textOf(LIMITS.viewChars).describe('The filters of the page, as in its address: `category=objection`.');

/** Body of POST /views. */
export const NewViewSchema = z.strictObject({ name, page, query }).meta({ id: 'NewViewRequest' });
export type NewView = z.infer<typeof NewViewSchema>;

/** Body of PATCH /views/{id}. */
export const ViewPatchSchema = z
  .strictObject({ name, query })
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
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'View', description: 'Filters of a page under a name, for everybody with a key of the tenant.' });
export type ViewBody = z.infer<typeof ViewSchema>;

/** Response of GET /views. */
export const ViewListSchema = z.object({ views: z.array(ViewSchema).describe('By name.') }).meta({ id: 'ViewList' });
