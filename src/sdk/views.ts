import { type CallOptions, type Connection, jsonCall, path } from './connection.ts';
import type { NewViewRequest, View, ViewList, ViewPatchRequest } from './wire.ts';

/** Filters of the dashboard's pages under names. */
export class Views {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  create(view: NewViewRequest, { signal }: CallOptions = {}): Promise<View> {
    return this.#connection.json('views', { ...jsonCall('POST', view), repeatable: false, signal });
  }

  /** All views, by name. */
  async list({ signal }: CallOptions = {}): Promise<View[]> {
    return (await this.#connection.json<ViewList>('views', { repeatable: true, signal })).views;
  }

  edit(id: string, patch: ViewPatchRequest, { signal }: CallOptions = {}): Promise<View> {
    return this.#connection.json(path`views/${id}`, { ...jsonCall('PATCH', patch), repeatable: true, signal });
  }

  delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`views/${id}`, { method: 'DELETE', repeatable: false, signal });
  }
}
