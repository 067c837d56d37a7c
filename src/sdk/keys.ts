import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import type { ExportedConversation } from './conversations.ts';
import { readNdjson } from './ndjson.ts';
import type {
  AccessAct,
  AccessLog,
  AuditList,
  CurrentKey,
  Delivery,
  IssuedKey,
  Job,
  Key,
  KeyList,
  KeyPatchRequest,
  KeyUsage,
  Member,
  MemberList,
  MemberRole,
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

/**
 * Manages keys. A key with the scope `admin` manages the keys of its own tenant; the operator manages those of all
 * tenants.
 */
export class Keys {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Issues a key. Its secret is shown only once.
   *
   * @example
   * const { key } = await undertone.keys.issue({ label: 'call centre', scopes: ['analyze', 'read'] });
   */
  issue(key: NewKeyRequest, { signal }: CallOptions = {}): Promise<IssuedKey> {
    return this.#connection.json('keys', { ...jsonCall('POST', key), repeatable: false, signal });
  }

  /** @param options.tenant lists only the keys of this tenant (operator only) */
  list({
    tenant,
    cursor,
    signal,
  }: CallOptions & { tenant?: string | undefined; cursor?: string | undefined } = {}): Promise<KeyList> {
    return this.#connection.json(withQuery('keys', { tenant, cursor }), { repeatable: true, signal });
  }

  /** The key that this client uses: its tenant and what it permits. */
  current({ signal }: CallOptions = {}): Promise<CurrentKey> {
    return this.#connection.json('keys/current', { repeatable: true, signal });
  }

  change(id: string, patch: KeyPatchRequest, { signal }: CallOptions = {}): Promise<Key> {
    return this.#connection.json(path`keys/${id}`, { ...jsonCall('PATCH', patch), repeatable: true, signal });
  }

  /** Issues a key to replace this one. Both are valid for a while. */
  rotate(id: string, rotation: RotationRequest = {}, { signal }: CallOptions = {}): Promise<RotatedKey> {
    const call = { ...jsonCall('POST', rotation), repeatable: false, signal };
    return this.#connection.json(path`keys/${id}/rotate`, call);
  }

  /** Revokes a key. This takes effect everywhere within a minute. */
  revoke(id: string, { signal }: CallOptions = {}): Promise<Key> {
    return this.#connection.json(path`keys/${id}`, { method: 'DELETE', repeatable: true, signal });
  }

  /** The usage of a key by day. */
  usage(id: string, { days, signal }: CallOptions & { days?: number | undefined } = {}): Promise<KeyUsage> {
    return this.#connection.json(withQuery(path`keys/${id}/usage`, { days }), { repeatable: true, signal });
  }
}

/** Short-lived tokens for web pages, each for one purpose. */
export class Tokens {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Creates a token that lets a page run one live session, make one upload, or read one conversation.
   *
   * @example
   * const { token } = await undertone.tokens.mint({ for: { session: 'new' } });
   */
  mint(token: NewTokenRequest, { signal }: CallOptions = {}): Promise<Token> {
    return this.#connection.json('tokens', { ...jsonCall('POST', token), repeatable: true, signal });
  }
}

/** Manages tenants, for the operator. The audit log is also available to a key with the scope `admin`. */
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

  /** The service's activity in the last hours. */
  operations({ hours, signal }: CallOptions & { hours?: number | undefined } = {}): Promise<Operations> {
    return this.#connection.json(withQuery('operations', { hours }), { repeatable: true, signal });
  }

  /** Removes a tenant and everything it owns, including its keys. */
  delete(id: string, { signal }: CallOptions = {}): Promise<TenantReceipt> {
    return this.#connection.json(path`tenants/${id}`, { method: 'DELETE', repeatable: false, signal });
  }

  /**
   * All conversations of a tenant with their results, ordered by id.
   * @param options.after the id of the conversation after which to continue
   */
  async *export(
    id: string,
    { after, signal }: CallOptions & { after?: string | undefined } = {},
  ): AsyncGenerator<ExportedConversation, void> {
    const address = withQuery(path`tenants/${id}/export`, { after });
    yield* readNdjson(await this.#connection.send(address, { repeatable: true, signal }), signal);
  }

  /** Rebuilds one page of a tenant's catalogue from storage. Repeat this until `next_cursor` is null. */
  reindex(id: string, { cursor, signal }: CallOptions & { cursor?: string | undefined } = {}): Promise<ReindexAnswer> {
    const address = withQuery(path`tenants/${id}/reindex`, { cursor });
    return this.#connection.json(address, { method: 'POST', repeatable: true, signal });
  }

  /** Repeats an analysis that failed because of the service, as long as its recording is kept. */
  retry(id: string, conversation: string, { signal }: CallOptions = {}): Promise<Job> {
    const address = path`tenants/${id}/conversations/${conversation}/retry`;
    return this.#connection.json(address, { method: 'POST', repeatable: true, signal });
  }

  /**
   * Actions of administrators, newest first. @param options.tenant lists only those that concern this tenant (operator
   * only)
   */
  audit({ signal, ...page }: CallOptions & Page & { tenant?: string | undefined } = {}): Promise<AuditList> {
    return this.#connection.json(withQuery('audit', page), { repeatable: true, signal });
  }

  /** The access log: who read, exported, edited or deleted which conversation, newest first. */
  accessLog({ signal, ...query }: CallOptions & AccessLogSelection = {}): Promise<AccessLog> {
    return this.#connection.json(withQuery('access-log', query), { repeatable: true, signal });
  }

  /** All entries of the access log that match, as a CSV file. */
  exportAccessLog({
    signal,
    ...query
  }: CallOptions & Omit<AccessLogSelection, 'cursor' | 'limit'> = {}): Promise<Blob> {
    return this.#connection.blob(withQuery('access-log/export', query), { repeatable: true, signal });
  }

  /** The people who may sign in. @param options.tenant operator only */
  async members({ tenant, signal }: CallOptions & { tenant?: string | undefined } = {}): Promise<Member[]> {
    const call = { repeatable: true, signal };
    return (await this.#connection.json<MemberList>(withQuery('members', { tenant }), call)).members;
  }

  /** Adds a member, or changes the role of one. @param options.tenant operator only */
  putMember(
    email: string,
    role: MemberRole,
    { tenant, signal }: CallOptions & { tenant?: string | undefined } = {},
  ): Promise<Member> {
    const call = { ...jsonCall('PUT', { role }), repeatable: true, signal };
    return this.#connection.json(withQuery(path`members/${email}`, { tenant }), call);
  }

  /** Removes a member, whose sessions end. @param options.tenant operator only */
  removeMember(email: string, { tenant, signal }: CallOptions & { tenant?: string | undefined } = {}): Promise<void> {
    const call = { method: 'DELETE', repeatable: true, signal } as const;
    return this.#connection.json(withQuery(path`members/${email}`, { tenant }), call);
  }

  /** Sends a webhook message again whose attempts are used up. */
  redeliver(id: string, webhook: string, delivery: string, { signal }: CallOptions = {}): Promise<Delivery> {
    const address = path`tenants/${id}/webhooks/${webhook}/deliveries/${delivery}/redeliver`;
    return this.#connection.json(address, { method: 'POST', repeatable: true, signal });
  }
}

/** Entries of the access log to list. */
export interface AccessLogSelection extends Page {
  /** Operator only: the tenant. A key lists its own. */
  tenant?: string | undefined;
  conversation_id?: string | undefined;
  /** The id of a person: only conversations in which this person speaks. */
  person?: string | undefined;
  key_id?: string | undefined;
  share_id?: string | undefined;
  act?: AccessAct | undefined;
  /** ISO 8601. */
  since?: string | undefined;
}

interface Page {
  cursor?: string | undefined;
  limit?: number | undefined;
}
