import { DurableObject } from 'cloudflare:workers';
import type { AuditList } from '../../contract/audit.ts';
import type { DayUsage, KeyBody, KeyPatch, Scope } from '../../contract/keys.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { TenantBody, TenantPatch, UsageLimits } from '../../contract/tenants.ts';
import type { Env } from '../env.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { isoOf, KEY_TABLES, KeyStore } from '../keys/key-store.ts';
import { type NewStoredKey, TenantKeys } from '../keys/tenant-keys.ts';
import { type Actor, AUDIT_TABLES, Audit } from './audit.ts';
import { directoryOf } from './directory.ts';
import { DUE_TABLES, DueTimes, type Tasks } from './due.ts';
import { PROFILE_TABLES, Profile } from './profile.ts';
import { hasTables, migrate, type Rooms } from './sql.ts';
import { USAGE_TABLES, Usage } from './usage.ts';

/** Every room of tables that a tenant has; one more is one more line here. */
const ROOMS: Rooms = {
  profile: PROFILE_TABLES,
  due: DUE_TABLES,
  keys: KEY_TABLES,
  usage: USAGE_TABLES,
  audit: AUDIT_TABLES,
};

const TIDY_MS = 86_400_000;
const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown tenant');

/** What an isolate learns of a key. `digest` is the HMAC of its token; times are Unix time, ms. */
export interface KeyRecord {
  digest: ArrayBuffer;
  scopes: Scope[];
  limits: { key: UsageLimits; tenant: UsageLimits };
  expiresAt: number | null;
  isRevoked: boolean;
}

/**
 * All that is kept of one tenant: a thin shell over modules that are given its SQLite. Nothing is written before the tenant
 * is created; asking after one that was never made leaves no trace. What one call checks and writes happens without a wait
 * in between, so it is stored whole or not at all.
 */
export class Tenant extends DurableObject<Env> {
  readonly #profile: Profile;
  readonly #due: DueTimes;
  readonly #store: KeyStore;
  readonly #keys: TenantKeys;
  readonly #usage: Usage;
  readonly #audit: Audit;
  #exists: boolean;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    this.#profile = new Profile(sql);
    this.#due = new DueTimes(sql, (at) => ctx.storage.setAlarm(at));
    this.#store = new KeyStore(sql);
    this.#usage = new Usage(sql);
    this.#audit = new Audit(sql);
    this.#keys = new TenantKeys(() => this.#profile.read().id, this.#store, this.#usage, this.#audit);
    this.#exists = hasTables(sql);
    if (this.#exists) ctx.storage.transactionSync(() => migrate(sql, ROOMS));
  }

  /** What the object does of itself, by name; each says when it is due next. */
  readonly #tasks: Tasks = {
    tidy: (now) => {
      for (const room of [this.#store, this.#usage, this.#audit]) room.forget(now);
      return now + TIDY_MS;
    },
  };

  /**
   * Makes the tenant, if it is not there: its place in the directory first, so that none exists unlisted.
   * @param id the name of this object
   * @param name '' for a tenant that the settings name: it is called by its id
   */
  async create(id: string, name = '', actor?: Actor): Promise<TenantBody> {
    if (!this.#exists) {
      const now = Date.now();
      await directoryOf(this.env).add({ id, name: name || id, createdAt: now }, actor);
      this.ctx.storage.transactionSync(() => {
        migrate(this.ctx.storage.sql, ROOMS);
        this.#profile.introduce(id, name || id, now);
        if (actor) this.#audit.record(actor, 'tenant.created', id, { name }, now);
      });
      this.#exists = true;
      await this.#due.set('tidy', now + TIDY_MS);
    }
    return this.#profile.read();
  }

  /** Null for one that was never made. */
  read(): TenantBody | null {
    return this.#exists ? this.#profile.read() : null;
  }

  async patch(patch: TenantPatch, actor: Actor): Promise<Result<TenantBody>> {
    if (!this.#exists) return UNKNOWN;
    const tenant = this.#profile.patch(patch);
    this.#audit.record(actor, 'tenant.changed', tenant.id, patch, Date.now());
    if (patch.name !== undefined) await directoryOf(this.env).rename(tenant.id, tenant.name);
    return { ok: true, value: tenant };
  }

  /** What an isolate needs to know a key by; null for one that is not there. Writes nothing: nothing is proven yet. */
  key(id: string): KeyRecord | null {
    const key = this.#exists ? this.#store.find(id) : null;
    if (!key) return null;
    const { digest, scopes, limits, expiresAt, revokedAt } = key;
    const { limits: tenant } = this.#profile.read();
    return { digest, scopes, limits: { key: limits, tenant }, expiresAt, isRevoked: revokedAt !== null };
  }

  keys(): KeyBody[] {
    return this.#exists ? this.#keys.list(Date.now()) : [];
  }

  issueKey(key: NewStoredKey, actor: Actor): Result<KeyBody> {
    return this.#exists ? this.#keys.issue(key, actor, Date.now()) : UNKNOWN;
  }

  patchKey(id: string, patch: KeyPatch, actor: Actor): Result<KeyBody> {
    return this.#exists ? this.#keys.patch(id, patch, actor, Date.now()) : UNKNOWN;
  }

  rotateKey(
    id: string,
    next: { id: string; digest: ArrayBuffer },
    overlapSeconds: number,
    actor: Actor,
  ): Result<{ issued: KeyBody; replaces: KeyBody }> {
    return this.#exists ? this.#keys.rotate(id, next, overlapSeconds, actor, Date.now()) : UNKNOWN;
  }

  revokeKey(id: string, actor: Actor): Result<KeyBody> {
    return this.#exists ? this.#keys.revoke(id, actor, Date.now()) : UNKNOWN;
  }

  /** What a key did on the days since `since` (Unix time, ms); of a key that is not there, nothing. */
  keyUsage(id: string, since: number): DayUsage[] {
    return this.#exists ? this.#usage.days(id, since) : [];
  }

  /** When a key last called, ISO 8601; null for one that never did. */
  lastUse(id: string): string | null {
    return this.#exists ? isoOf(this.#usage.lastUses().get(id) ?? null) : null;
  }

  /** Entries before the one with id `before`, the newest first. */
  audit(before: number | null, limit: number): AuditList {
    return this.#exists ? this.#audit.list(before, limit) : { entries: [], next_cursor: null };
  }

  override async alarm(): Promise<void> {
    if (!this.#exists) return;
    for (const error of await this.#due.run(this.#tasks, Date.now()))
      logFault(asServiceError(error), { task: 'tenant' });
  }
}

/** A tenant's object. A stub that met an exception may stay broken: each call has one of its own. */
export const tenantOf = (env: Env, id: string): DurableObjectStub<Tenant> => env.TENANT.get(env.TENANT.idFromName(id));
