import { type CallOptions, type Connection, jsonCall, path } from './connection.ts';
import type {
  MadeShare,
  NewPlaylistItemRequest,
  NewPlaylistShareRequest,
  Playlist,
  PlaylistDetail,
  PlaylistItem,
  PlaylistItemPatchRequest,
  PlaylistList,
  SharedPlaylist,
} from './wire.ts';

/** Named lists of pieces of conversations. */
export class Playlists {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Adds a playlist.
   *
   * @example
   * const list = await undertone.playlists.create('Money, answered well');
   * await undertone.playlists.add(list.id, { conversation_id: id, from: 41.2, to: 58 });
   */
  create(name: string, { signal }: CallOptions = {}): Promise<Playlist> {
    return this.#connection.json('playlists', { ...jsonCall('POST', { name }), repeatable: false, signal });
  }

  /** All playlists, by name. */
  async list({ signal }: CallOptions = {}): Promise<Playlist[]> {
    return (await this.#connection.json<PlaylistList>('playlists', { repeatable: true, signal })).playlists;
  }

  /** A playlist with its items in their order. */
  get(id: string, { signal }: CallOptions = {}): Promise<PlaylistDetail> {
    return this.#connection.json(path`playlists/${id}`, { repeatable: true, signal });
  }

  rename(id: string, name: string, { signal }: CallOptions = {}): Promise<Playlist> {
    return this.#connection.json(path`playlists/${id}`, { ...jsonCall('PATCH', { name }), repeatable: true, signal });
  }

  delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`playlists/${id}`, { method: 'DELETE', repeatable: false, signal });
  }

  /** Adds a piece of a conversation. */
  add(id: string, item: NewPlaylistItemRequest, { signal }: CallOptions = {}): Promise<PlaylistItem> {
    return this.#connection.json(path`playlists/${id}/items`, { ...jsonCall('POST', item), repeatable: false, signal });
  }

  /** Moves, cuts or annotates an item. */
  edit(id: string, item: string, patch: PlaylistItemPatchRequest, { signal }: CallOptions = {}): Promise<PlaylistItem> {
    const call = { ...jsonCall('PATCH', patch), repeatable: true, signal };
    return this.#connection.json(path`playlists/${id}/items/${item}`, call);
  }

  remove(id: string, item: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`playlists/${id}/items/${item}`, { method: 'DELETE', repeatable: false, signal });
  }

  /** The sound of an item, as a file of its own. */
  media(id: string, item: string, { signal }: CallOptions = {}): Promise<Blob> {
    return this.#connection.blob(path`playlists/${id}/items/${item}/media`, { repeatable: true, signal });
  }

  /** A playlist as a share shows it. */
  pieces(id: string, { signal }: CallOptions = {}): Promise<SharedPlaylist> {
    return this.#connection.json(path`playlists/${id}/pieces`, { repeatable: true, signal });
  }

  /** Shares a playlist. The token is shown only once. */
  share(id: string, share: NewPlaylistShareRequest, { signal }: CallOptions = {}): Promise<MadeShare> {
    return this.#connection.json(path`playlists/${id}/shares`, {
      ...jsonCall('POST', share),
      repeatable: false,
      signal,
    });
  }
}
