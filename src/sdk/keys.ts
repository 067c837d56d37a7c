import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import type { ExportedConversation } from './conversations.ts';
import { readNdjson } from './ndjson.ts';
import type {
  AuditList,
  IssuedKey,
  Key,
  KeyList,
  KeyPatchRequest,
  KeyUsage,
  NewKeyRequest,
  NewTenantRequest,
  NewTokenRequest,
  Operations,
  ReindexAnswer,
  RotatedKey,
  RotationRequest,
  Tenant,
  TenantList,
  TenantPatchRequest,
  TenantReceipt,
  Token,
} from './wire.ts';

/** Keys of the own tenant, for a key with the scope `admin`; of all tenants, for the operator. */
export class Keys {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Makes a key; it is shown this once. */
  issue(key: NewKeyRequest, { signal }: CallOptions = {}): Promise<IssuedKey> {
    return this.#connection.json('keys', { ...jsonCall('POST', key), repeatable: false, signal });
  }

  /** @param options.tenant its keys alone, for the operator */
  list({
    tenant,
    cursor,
    signal,
  }: CallOptions & { tenant?: string | undefined; cursor?: string | undefined } = {}): Promise<KeyList> {
    return this.#connection.json(withQuery('keys', { tenant, cursor }), { repeatable: true, signal });
  }

  change(id: string, patch: KeyPatchRequest, { signal }: CallOptions = {}): Promise<Key> {
    return this.#connection.json(path`keys/${id}`, { ...jsonCall('PATCH', patch), repeatable: true, signal });
  }

  /** Makes a key in its place; both stand for a while. */
  rotate(id: string, rotation: RotationRequest = {}, { signal }: CallOptions = {}): Promise<RotatedKey> {
    const call = { ...jsonCall('POST', rotation), repeatable: false, signal };
    return this.#connection.json(path`keys/${id}/rotate`, call);
  }

  /** Ends it within a minute, everywhere. */
  revoke(id: string, { signal }: CallOptions = {}): Promise<Key> {
    return this.#connection.json(path`keys/${id}`, { method: 'DELETE', repeatable: true, signal });
  }

  /** What it did, day by day. */
  usage(id: string, { days, signal }: CallOptions & { days?: number | undefined } = {}): Promise<KeyUsage> {
    return this.#connection.json(withQuery(path`keys/${id}/usage`, { days }), { repeatable: true, signal });
  }
}

/** Short-lived tokens for web pages, each for one thing. */
export class Tokens {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Lends this key to a page: for a live session, for one upload or for a conversation to read. */
  mint(token: NewTokenRequest, { signal }: CallOptions = {}): Promise<Token> {
    return this.#connection.json('tokens', { ...jsonCall('POST', token), repeatable: true, signal });
  }
}

/** Tenants, for the operator; what administrators did, also for a key with the scope `admin`. */
export class Tenants {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  create(tenant: NewTenantRequest, { signal }: CallOptions = {}): Promise<Tenant> {
    return this.#connection.json('tenants', { ...jsonCall('POST', tenant), repeatable: false, signal });
  }

  list({ signal, ...page }: CallOptions & Page = {}): Promise<TenantList> {
    return this.#connection.json(withQuery('tenants', page), { repeatable: true, signal });
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Tenant> {
    return this.#connection.json(path`tenants/${id}`, { repeatable: true, signal });
  }

  change(id: string, patch: TenantPatchRequest, { signal }: CallOptions = {}): Promise<Tenant> {
    return this.#connection.json(path`tenants/${id}`, { ...jsonCall('PATCH', patch), repeatable: true, signal });
  }

  /** What the service did in the last hours, and does. */
  operations({ hours, signal }: CallOptions & { hours?: number | undefined } = {}): Promise<Operations> {
    return this.#connection.json(withQuery('operations', { hours }), { repeatable: true, signal });
  }

  /** Removes it with all that it has, its keys too. */
  delete(id: string, { signal }: CallOptions = {}): Promise<TenantReceipt> {
    return this.#connection.json(path`tenants/${id}`, { method: 'DELETE', repeatable: false, signal });
  }

  /** Everything that is stored of it, a conversation at a time in order of ids; @param options.after goes on behind one */
  async *export(
    id: string,
    { after, signal }: CallOptions & { after?: string | undefined } = {},
  ): AsyncGenerator<ExportedConversation, void> {
    const address = withQuery(path`tenants/${id}/export`, { after });
    yield* readNdjson(await this.#connection.send(address, { repeatable: true, signal }), signal);
  }

  /** Makes the next part of its catalogue anew from the store, to a `next_cursor` of null. */
  reindex(id: string, { cursor, signal }: CallOptions & { cursor?: string | undefined } = {}): Promise<ReindexAnswer> {
    const address = withQuery(path`tenants/${id}/reindex`, { cursor });
    return this.#connection.json(address, { method: 'POST', repeatable: true, signal });
  }

  /** Acts of administrators, the newest first; @param options.tenant those that concern it, for the operator */
  audit({ signal, ...page }: CallOptions & Page & { tenant?: string | undefined } = {}): Promise<AuditList> {
    return this.#connection.json(withQuery('audit', page), { repeatable: true, signal });
  }
}

interface Page {
  cursor?: string | undefined;
  limit?: number | undefined;
}
