import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import type { MadeShare, NewShareRequest, Share, ShareList, ShareOpens } from './wire.ts';

interface SharePage {
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** Links to conversations and playlists that work for days without a key. */
export class Shares {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Shares a conversation. The token is shown only once.
   *
   * @example
   * const { path } = await undertone.shares.create({ conversation_id: id, days: 7 });
   * console.log(new URL(path, 'https://undertone.example').href);
   */
  create(share: NewShareRequest, { signal }: CallOptions = {}): Promise<MadeShare> {
    return this.#connection.json('shares', { ...jsonCall('POST', share), repeatable: false, signal });
  }

  /** A page of shares, newest first. @param options only shares of this conversation or playlist */
  list({
    signal,
    ...query
  }: CallOptions &
    SharePage & { conversation_id?: string | undefined; playlist_id?: string | undefined } = {}): Promise<ShareList> {
    return this.#connection.json(withQuery('shares', query), { repeatable: true, signal });
  }

  /** Takes a share back, which ends it at once. */
  revoke(id: string, { signal }: CallOptions = {}): Promise<Share> {
    return this.#connection.json(path`shares/${id}`, { method: 'DELETE', repeatable: true, signal });
  }

  /** A page of what was done with a share, newest first. */
  opens(id: string, { signal, ...page }: CallOptions & SharePage = {}): Promise<ShareOpens> {
    return this.#connection.json(withQuery(path`shares/${id}/opens`, page), { repeatable: true, signal });
  }
}
