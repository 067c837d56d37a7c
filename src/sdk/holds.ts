import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import type { ConversationHoldRequest, ConversationHolds, Hold, HoldList, NewHoldRequest } from './wire.ts';

/** Holds: they keep conversations from being deleted until they end or are lifted. */
export class Holds {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Puts a conversation on hold, or changes its hold.
   *
   * @example
   * await undertone.holds.set(id, { reason: 'Complaint 2025-117' });
   */
  set(conversationId: string, hold: ConversationHoldRequest, { signal }: CallOptions = {}): Promise<Hold> {
    const call = { ...jsonCall('PUT', hold), repeatable: true, signal };
    return this.#connection.json(path`conversations/${conversationId}/hold`, call);
  }

  /** The holds that keep a conversation: its own, and those over filters. */
  async of(conversationId: string, { signal }: CallOptions = {}): Promise<Hold[]> {
    const call = { repeatable: true, signal };
    return (await this.#connection.json<ConversationHolds>(path`conversations/${conversationId}/hold`, call)).holds;
  }

  /** Lifts a conversation's own hold. */
  release(conversationId: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`conversations/${conversationId}/hold`, {
      method: 'DELETE',
      repeatable: false,
      signal,
    });
  }

  /**
   * Holds every conversation that matches a filter, also later.
   *
   * @example
   * await undertone.holds.create({ filter: { label: 'acme' }, reason: 'Acme v. Example' });
   */
  create(hold: NewHoldRequest, { signal }: CallOptions = {}): Promise<Hold> {
    return this.#connection.json('holds', { ...jsonCall('POST', hold), repeatable: false, signal });
  }

  /** A page of holds, newest first. */
  list({
    signal,
    ...page
  }: CallOptions & { cursor?: string | undefined; limit?: number | undefined } = {}): Promise<HoldList> {
    return this.#connection.json(withQuery('holds', page), { repeatable: true, signal });
  }

  /** Lifts a hold of either kind. */
  lift(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`holds/${id}`, { method: 'DELETE', repeatable: false, signal });
  }
}
