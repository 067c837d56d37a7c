import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import type {
  AuditList,
  IssuedKey,
  Key,
  KeyList,
  KeyPatchRequest,
  KeyUsage,
  NewKeyRequest,
  NewTenantRequest,
  Operations,
  RotatedKey,
  RotationRequest,
  Tenant,
  TenantList,
  TenantPatchRequest,
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

/** Tenants, and what administrators did, for the operator. */
export class Tenants {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  create(tenant: NewTenantRequest, { signal }: CallOptions = {}): Promise<Tenant> {
    return this.#connection.json('tenants', { ...jsonCall('POST', tenant), repeatable: false, signal });
  }

  list({ cursor, signal }: CallOptions & { cursor?: string | undefined } = {}): Promise<TenantList> {
    return this.#connection.json(withQuery('tenants', { cursor }), { repeatable: true, signal });
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

  /** Acts of administrators, the newest first. */
  audit({ cursor, signal }: CallOptions & { cursor?: string | undefined } = {}): Promise<AuditList> {
    return this.#connection.json(withQuery('audit', { cursor }), { repeatable: true, signal });
  }
}
