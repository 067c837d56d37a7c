import * as z from 'zod';
import { LIMITS, lineOf, textOf } from './limits.ts';
import { HitConversationSchema } from './patterns.ts';
import { RECORDED_AT } from './recorded-at.ts';

const seconds = z.number().min(0).max(10_000_000);
const id = z.string().min(1, 'must not be empty').max(128, 'is longer than 128 characters');
const name = lineOf(LIMITS.labelChars);
const note = textOf(LIMITS.commentChars).describe('Your own words about the piece; empty if there are none.');
const position = z
  .number()
  .int()
  .min(0)
  .max(LIMITS.playlistItems)
  .describe('The place in the list, counted from 0. Later items move back; a number past the end is the end.');

/** Body of POST /playlists. */
export const NewPlaylistSchema = z.strictObject({ name }).meta({ id: 'NewPlaylistRequest' });
export type NewPlaylist = z.infer<typeof NewPlaylistSchema>;

/** Body of PATCH /playlists/{id}. */
export const PlaylistPatchSchema = z.strictObject({ name }).meta({ id: 'PlaylistPatchRequest' });
export type PlaylistPatch = z.infer<typeof PlaylistPatchSchema>;

const isForwards = ({ from, to }: { from?: number | undefined; to?: number | undefined }): boolean =>
  from === undefined || to === undefined || to > from;
const FORWARDS = { message: 'must be later than `from`', path: ['to'] };

/** Body of POST /playlists/{id}/items. */
export const NewPlaylistItemSchema = z
  .strictObject({
    conversation_id: id,
    from: seconds.describe('Seconds from the start of the recording.'),
    to: seconds.describe('Seconds from the start of the recording.'),
    note: note.default(''),
    position: position.optional(),
  })
  .refine(isForwards, FORWARDS)
  .meta({ id: 'NewPlaylistItemRequest' });
export type NewPlaylistItem = z.infer<typeof NewPlaylistItemSchema>;

/** Body of PATCH /playlists/{id}/items/{item_id}. */
export const PlaylistItemPatchSchema = z
  .strictObject({ from: seconds, to: seconds, note, position })
  .partial()
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), 'must change something')
  .refine(isForwards, FORWARDS)
  .meta({ id: 'PlaylistItemPatchRequest' });
export type PlaylistItemPatch = z.infer<typeof PlaylistItemPatchSchema>;

export const PlaylistSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    items: z.number().int().min(0).describe('Number of items.'),
    seconds: z.number().min(0).describe('How long all items last together.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Playlist', description: 'A named list of pieces of conversations to hear one after another.' });
export type PlaylistBody = z.infer<typeof PlaylistSchema>;

/** Response of GET /playlists. */
export const PlaylistListSchema = z
  .object({ playlists: z.array(PlaylistSchema).describe('By name.') })
  .meta({ id: 'PlaylistList' });

export const PlaylistItemSchema = z
  .object({
    id: z.string(),
    conversation_id: z.string(),
    conversation: HitConversationSchema,
    from: z.number().min(0).describe('Seconds from the start of the recording.'),
    to: z.number().min(0).describe('Seconds from the start of the recording.'),
    note: z.string(),
    speaker: z.string().nullable().describe('Who speaks first in the piece; null if nobody does.'),
    quote: z.string().nullable().describe('The first line in the piece, as it is shown now; null if there is none.'),
    media: z.string().describe('Path of the recording, with these seconds as a media fragment.'),
    page: z.string().describe('Path of the page that shows these seconds.'),
    added_at: z.iso.datetime(),
  })
  .meta({ id: 'PlaylistItem', description: 'A piece of a conversation in a playlist.' });
export type PlaylistItem = z.infer<typeof PlaylistItemSchema>;

export const SharedPieceSchema = z
  .object({
    id: z.string(),
    conversation: z
      .int()
      .min(1)
      .describe('Number of its conversation among those of the pieces, in the order of their first piece.'),
    seconds: z.number().min(0).describe('How long the piece lasts.'),
    note: z.string(),
    title: z.string().nullable().describe('The title of the conversation; null where names are hidden.'),
    ...RECORDED_AT,
    speaker: z.string().nullable().describe('The first speaker; a label such as `Speaker_0` where names are hidden.'),
    quote: z.string().nullable().describe('The first line in the piece, which ends where the piece does.'),
    media: z.string().describe('Path of the sound of the piece.'),
  })
  .meta({ id: 'SharedPiece', description: 'A piece of a conversation, without anything around it.' });
export type SharedPiece = z.infer<typeof SharedPieceSchema>;

/** Response of GET /playlists/{id}/pieces. */
export const SharedPlaylistSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    hide_names: z.boolean(),
    expires_at: z.iso.datetime().nullable().describe('When the share ends; null for a key.'),
    pieces: z.array(SharedPieceSchema).describe('The pieces in their order.'),
  })
  .meta({ id: 'SharedPlaylist', description: 'A playlist as a share shows it.' });
export type SharedPlaylistBody = z.infer<typeof SharedPlaylistSchema>;

/** Query of GET /playlists/{id}/pieces. */
export const SharedPlaylistQuerySchema = z.object({
  hide_names: z
    .enum(['true', 'false'])
    .default('true')
    .describe('For a key: whether names are hidden. A share has its own setting.'),
});

/** Response of GET /playlists/{id}. */
export const PlaylistDetailSchema = PlaylistSchema.extend({
  list: z.array(PlaylistItemSchema).describe('The items in their order.'),
}).meta({ id: 'PlaylistDetail' });
export type PlaylistDetail = z.infer<typeof PlaylistDetailSchema>;
