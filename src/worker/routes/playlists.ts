import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import {
  NewPlaylistItemSchema,
  NewPlaylistSchema,
  PlaylistItemPatchSchema,
  PlaylistPatchSchema,
  SharedPlaylistQuerySchema,
} from '../../contract/playlists.ts';
import { unwrapped } from '../../contract/result.ts';
import { NewPlaylistShareSchema } from '../../contract/shares.ts';
import { pieceResponse, requireCompleted } from '../conversations/answers.ts';
import { requireFound } from '../conversations/editing.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { madeShare } from './shares.ts';

/** Limit on a JSON body, bytes. */
const MAX_JSON_BYTES = 16 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Playlists: named lists of pieces of conversations. */
export const playlists = new Hono<AppEnv>()
  .post('/playlists', async (c) => {
    // The demo key is public, so anybody could change its tenant's playlists.
    if (c.var.caller.kind === 'demo') throw new ServiceError('FORBIDDEN', 'The demo key cannot have playlists');
    return c.json(unwrapped(await playlistsOf(c).add(await jsonBody(c, NewPlaylistSchema, MAX_JSON_BYTES))), 201);
  })

  .get('/playlists', async (c) => c.json({ playlists: await playlistsOf(c).list() }, 200, NO_STORE))

  .get('/playlists/:playlist_id', async (c) => c.json(unwrapped(await playlistsOf(c).read(idOf(c))), 200, NO_STORE))

  .patch('/playlists/:playlist_id', async (c) =>
    c.json(unwrapped(await playlistsOf(c).patch(idOf(c), await jsonBody(c, PlaylistPatchSchema, MAX_JSON_BYTES)))),
  )

  .delete('/playlists/:playlist_id', async (c) => {
    unwrapped(await playlistsOf(c).remove(idOf(c)));
    return c.body(null, 204);
  })

  .post('/playlists/:playlist_id/items', async (c) => {
    const item = await jsonBody(c, NewPlaylistItemSchema, MAX_JSON_BYTES);
    c.set('accessed', item.conversation_id);
    return c.json(unwrapped(await playlistsOf(c).addItem(idOf(c), item)), 201);
  })

  .patch('/playlists/:playlist_id/items/:item_id', async (c) => {
    const patch = await jsonBody(c, PlaylistItemPatchSchema, MAX_JSON_BYTES);
    const item = unwrapped(await playlistsOf(c).patchItem(idOf(c), c.req.param('item_id'), patch));
    c.set('accessed', item.conversation_id);
    return c.json(item);
  })

  .delete('/playlists/:playlist_id/items/:item_id', async (c) => {
    unwrapped(await playlistsOf(c).removeItem(idOf(c), c.req.param('item_id')));
    return c.body(null, 204);
  })

  .get('/playlists/:playlist_id/pieces', zValidator('query', SharedPlaylistQuerySchema, rejectInvalid), async (c) => {
    const hidesNames = c.req.valid('query').hide_names === 'true';
    const found = await playlistsOf(c).pieces(idOf(c), c.var.caller.grant?.share, hidesNames);
    return c.json(unwrapped(found), 200, NO_STORE);
  })

  .get('/playlists/:playlist_id/items/:item_id/media', async (c) => {
    const { tenant, caller } = c.var;
    const place = unwrapped(await playlistsOf(c).place(idOf(c), c.req.param('item_id'), caller.grant?.share));
    const { conversation: id, from, to, duration } = place;
    c.set('accessed', id);
    c.set('part', { from: from / duration, to: Math.min(1, to / duration) });
    return pieceResponse(c, requireCompleted(await requireFound({ env: c.env, tenant, id })), place);
  })

  .post('/playlists/:playlist_id/shares', (c) =>
    madeShare(c, async () => ({
      ...(await jsonBody(c, NewPlaylistShareSchema, MAX_JSON_BYTES)),
      playlist_id: idOf(c),
    })),
  );

const playlistsOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).playlists;
const idOf = (c: Context<AppEnv>): string => c.req.param('playlist_id') ?? '';
