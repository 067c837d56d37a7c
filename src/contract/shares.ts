import * as z from 'zod';
import { AccessEntrySchema, AddressPrefixSchema } from './access-log.ts';
import { LIMITS, lineOf } from './limits.ts';

/** Limits and default of the days that a share lasts. */
const SHARE_DAYS = { min: 1, max: 90, default: 7 } as const;
/** Limit on the entries of one page of opens or shares. */
const PAGE = 100;

const days = z
  .number()
  .int()
  .min(SHARE_DAYS.min)
  .max(SHARE_DAYS.max)
  .default(SHARE_DAYS.default)
  .describe('Days after which the share ends by itself.');
const label = lineOf(LIMITS.labelChars).nullable().optional().describe('Whom it is for, in your own words.');

/** Body of POST /shares. */
export const NewShareSchema = z
  .strictObject({
    conversation_id: z.string().min(1, 'must not be empty').max(128, 'is longer than 128 characters'),
    days,
    label,
  })
  .meta({ id: 'NewShareRequest' });

/** Body of POST /playlists/{id}/shares. */
export const NewPlaylistShareSchema = z
  .strictObject({
    days,
    label,
    hide_names: z
      .boolean()
      .default(true)
      .describe('Leaves out the names of speakers and the titles of conversations. Names that are said remain.'),
  })
  .meta({ id: 'NewPlaylistShareRequest' });
export type NewPlaylistShare = z.infer<typeof NewPlaylistShareSchema>;

export const ShareSchema = z
  .object({
    id: z.string(),
    conversation_id: z.string().nullable().describe('Null for a share of a playlist.'),
    playlist_id: z.string().nullable().describe('Null for a share of a conversation.'),
    title: z.string().nullable().describe('The current title or name of what is shared; null: it has none.'),
    label: z.string().nullable(),
    status: z.enum(['active', 'expired', 'revoked']).describe('An active share also stops working when its key does.'),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
    key_id: z.string().describe('The key that made it.'),
    opens: z.number().int().min(0).describe('How often it was opened. Openings within ten minutes are one.'),
    last_opened_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Share', description: 'A link to one conversation or playlist that works for days without a key.' });
export type ShareBody = z.infer<typeof ShareSchema>;

/** Response of POST /shares: the only one that contains `token`. */
export const MadeShareSchema = ShareSchema.extend({
  token: z.string().describe('The secret, shown only once. It reads what is shared as a browser token does.'),
  path: z.string().describe('The address of the page for those who have the token, without the host.'),
}).meta({ id: 'MadeShare' });
export type MadeShare = z.infer<typeof MadeShareSchema>;

const cursor = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the next_cursor of an earlier response')
  .transform(Number)
  .optional()
  .describe('`next_cursor` of the previous page.');
const limit = z.coerce.number().int().min(1).max(PAGE).default(PAGE).describe('Entries per page.');

/** Query of GET /shares. */
export const ShareQuerySchema = z.object({
  conversation_id: z.string().min(1).max(128).optional().describe('Only shares of this conversation.'),
  playlist_id: z.string().min(1).max(128).optional().describe('Only shares of this playlist.'),
  cursor,
  limit,
});
export type ShareQuery = z.infer<typeof ShareQuerySchema>;

/** Response of GET /shares, newest first. */
export const ShareListSchema = z
  .object({ shares: z.array(ShareSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'ShareList' });
export type ShareList = z.infer<typeof ShareListSchema>;

/** Query of GET /shares/{id}/opens. */
export const ShareOpensQuerySchema = z.object({ cursor, limit });
export type ShareOpensQuery = z.infer<typeof ShareOpensQuerySchema>;

export const ShareOpenSchema = AccessEntrySchema.pick({
  id: true,
  at: true,
  until: true,
  requests: true,
  act: true,
  from_s: true,
  to_s: true,
})
  .extend({
    address_prefix: AddressPrefixSchema,
  })
  .meta({ id: 'ShareOpen', description: 'A use of a share.' });
export type ShareOpen = z.infer<typeof ShareOpenSchema>;

/** Response of GET /shares/{id}/opens, newest first. */
export const ShareOpensSchema = z
  .object({ opens: z.array(ShareOpenSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'ShareOpens' });
export type ShareOpens = z.infer<typeof ShareOpensSchema>;
