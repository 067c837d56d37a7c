import {
  NewPlaylistItemSchema,
  NewPlaylistSchema,
  PlaylistDetailSchema,
  PlaylistItemPatchSchema,
  PlaylistItemSchema,
  PlaylistListSchema,
  PlaylistPatchSchema,
  PlaylistSchema,
  SharedPlaylistSchema,
} from '../../contract/playlists.ts';
import { MadeShareSchema, NewPlaylistShareSchema } from '../../contract/shares.ts';
import { ID, PLAYLIST, PLAYLIST_ITEM, SHARE, SHARE_TOKEN, SHARED_PLAYLIST } from '../examples.ts';
import { bytes, type Descriptions, json } from '../operation.ts';

const SOUND = {
  'audio/wav': { schema: bytes('Samples.') },
  'audio/mpeg': { schema: bytes('Frames.') },
  'audio/webm': { schema: bytes('Blocks of Opus.') },
};
const playlist = { description: 'The playlist.', content: json(PlaylistSchema, PLAYLIST) };
const item = { description: 'The item.', content: json(PlaylistItemSchema, PLAYLIST_ITEM) };

export const playlists: Descriptions = {
  'POST /playlists': {
    id: 'addPlaylist',
    tag: 'playlists',
    summary: 'Add a playlist',
    description: 'A tenant can have 200 playlists.',
    body: { content: json(NewPlaylistSchema, { name: 'Money, answered well' }) },
    answers: { 201: { ...playlist, content: json(PlaylistSchema, { ...PLAYLIST, items: 0, seconds: 0 }) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED'],
  },
  'GET /playlists': {
    id: 'listPlaylists',
    tag: 'playlists',
    summary: 'List playlists',
    answers: {
      200: { description: 'All playlists, by name.', content: json(PlaylistListSchema, { playlists: [PLAYLIST] }) },
    },
  },
  'GET /playlists/:playlist_id': {
    id: 'getPlaylist',
    tag: 'playlists',
    summary: 'Read a playlist with its items',
    answers: {
      200: {
        description: 'The playlist, with its items in their order.',
        content: json(PlaylistDetailSchema, { ...PLAYLIST, list: [PLAYLIST_ITEM] }),
      },
    },
    errors: ['NOT_FOUND'],
  },
  'PATCH /playlists/:playlist_id': {
    id: 'changePlaylist',
    tag: 'playlists',
    summary: 'Rename a playlist',
    body: { content: json(PlaylistPatchSchema, { name: 'Money, answered well' }) },
    answers: { 200: playlist },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND'],
  },
  'DELETE /playlists/:playlist_id': {
    id: 'deletePlaylist',
    tag: 'playlists',
    summary: 'Delete a playlist',
    description: 'The conversations stay as they are.',
    answers: { 204: { description: 'The playlist no longer exists.' } },
    errors: ['NOT_FOUND'],
  },
  'POST /playlists/:playlist_id/items': {
    id: 'addPlaylistItem',
    tag: 'playlists',
    summary: 'Add a piece of a conversation',
    description: 'At the end, or at a `position`. A playlist can have 500 items. Deleting a conversation removes them.',
    body: {
      content: json(NewPlaylistItemSchema, { conversation_id: ID, from: 4.2, to: 19.8, note: 'Listen to the pause' }),
    },
    answers: { 201: item },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'NOT_COMPLETED'],
  },
  'PATCH /playlists/:playlist_id/items/:item_id': {
    id: 'changePlaylistItem',
    tag: 'playlists',
    summary: 'Move, cut or annotate an item',
    body: { content: json(PlaylistItemPatchSchema, { position: 0 }) },
    answers: { 200: item },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'NOT_COMPLETED'],
  },
  'DELETE /playlists/:playlist_id/items/:item_id': {
    id: 'deletePlaylistItem',
    tag: 'playlists',
    summary: 'Remove an item',
    answers: { 204: { description: 'The item is no longer in the playlist.' } },
    errors: ['NOT_FOUND'],
  },
  'GET /playlists/:playlist_id/pieces': {
    id: 'getPlaylistPieces',
    tag: 'playlists',
    summary: 'Read a playlist as a share shows it',
    description:
      'For a share: the pieces that were in the playlist when the share was made and still are. For a key: all of them, as a share made now would show them.',
    answers: {
      200: { description: 'The pieces in their order.', content: json(SharedPlaylistSchema, SHARED_PLAYLIST) },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'GET /playlists/:playlist_id/items/:item_id/media': {
    id: 'getPieceMedia',
    tag: 'playlists',
    summary: 'Play a piece',
    description:
      'Returns the sound between `from` and `to` as a file of its own. Recordings as WAV or MP3, and all that have a rendition, can be cut; others get `NOT_FOUND`.',
    answers: { 200: { description: 'The sound.', content: SOUND } },
    errors: ['NOT_FOUND', 'NOT_COMPLETED'],
  },
  'POST /playlists/:playlist_id/shares': {
    id: 'sharePlaylist',
    tag: 'shares',
    summary: 'Share a playlist for days',
    description:
      'The token, shown only once, lets anyone who has it read and hear the pieces that are in the playlist, and nothing else, until the share expires or is taken back. Pieces that are added later are left out.',
    body: { content: json(NewPlaylistShareSchema, { days: 7, hide_names: true }) },
    answers: {
      201: {
        description: 'The share, with its token.',
        content: json(MadeShareSchema, {
          ...SHARE,
          conversation_id: null,
          playlist_id: PLAYLIST.id,
          title: PLAYLIST.name,
          opens: 0,
          last_opened_at: null,
          token: SHARE_TOKEN,
          path: `/app/shared/${PLAYLIST.id}#token=${SHARE_TOKEN}`,
        }),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'KEYS_DISABLED'],
  },
};
