import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import {
  NewPlaylistItemSchema,
  NewPlaylistSchema,
  PlaylistItemPatchSchema,
  PlaylistPatchSchema,
} from '../../contract/playlists.ts';
import { unwrapped } from '../../contract/result.ts';
import { jsonBody } from '../http/json-body.ts';
import type { AppEnv } from '../identity/env.ts';
import { tenantOf } from '../tenant/tenant.ts';

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
  });

const playlistsOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).playlists;
const idOf = (c: Context<AppEnv>): string => c.req.param('playlist_id') ?? '';
