import { DurableObject } from 'cloudflare:workers';
import type { TenantBody, TenantPatch } from '../../contract/tenants.ts';
import type { Env } from '../env.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { CLAIM_TABLES } from '../jobs/claims.ts';
import { JOB_TABLES } from '../jobs/job-book.ts';
import { TenantJobs } from '../jobs/tenant-jobs.ts';
import { UPLOAD_TABLES } from '../uploads/upload-book.ts';
import { WEBHOOK_TABLES } from '../webhooks/webhooks.ts';
import { directoryOf } from './directory.ts';
import { DUE_TABLES, DueTimes, type Tasks } from './due.ts';
import { PROFILE_TABLES, Profile } from './profile.ts';
import { hasTables, migrate, type Rooms } from './sql.ts';

/** Every room of tables that a tenant has; one more is one more line here. */
const ROOMS: Rooms = {
  profile: PROFILE_TABLES,
  due: DUE_TABLES,
  jobs: JOB_TABLES,
  claims: CLAIM_TABLES,
  uploads: UPLOAD_TABLES,
  webhooks: WEBHOOK_TABLES,
};

/**
 * All that is kept of one tenant: a thin shell over modules that are given its SQLite. Nothing is written before the tenant
 * is created; asking after one that was never made leaves no trace.
 */
export class Tenant extends DurableObject<Env> {
  readonly #profile: Profile;
  readonly #due: DueTimes;
  readonly #jobs: TenantJobs;
  #exists: boolean;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    this.#profile = new Profile(sql);
    this.#due = new DueTimes(sql, (at) => ctx.storage.setAlarm(at));
    const tenant = ctx.id.name ?? '';
    this.#jobs = new TenantJobs({
      sql,
      due: this.#due,
      env,
      tenant,
      ready: async () => this.#exists || this.create(tenant),
    });
    this.#exists = hasTables(sql);
    if (this.#exists) ctx.storage.transactionSync(() => migrate(sql, ROOMS));
  }

  /** What the object does of itself, by name. */
  get #tasks(): Tasks {
    return { ...this.#jobs.tasks };
  }

  /** Work that outlives its requests: to be called as `tenantOf(env, id).jobs.read(…)`. */
  get jobs(): TenantJobs {
    return this.#jobs;
  }

  /**
   * Makes the tenant, if it is not there: its place in the directory first, so that none exists unlisted.
   * @param id the name of this object
   * @param name '' for a tenant that the settings name: it is called by its id
   */
  async create(id: string, name = ''): Promise<TenantBody> {
    if (!this.#exists) {
      const now = Date.now();
      await directoryOf(this.env).add({ id, name: name || id, createdAt: now });
      this.ctx.storage.transactionSync(() => {
        migrate(this.ctx.storage.sql, ROOMS);
        this.#profile.introduce(id, name || id, now);
      });
      this.#exists = true;
    }
    return this.#profile.read();
  }

  /** Null for one that was never made. */
  read(): TenantBody | null {
    return this.#exists ? this.#profile.read() : null;
  }

  /** Null for one that was never made. */
  async patch(patch: TenantPatch): Promise<TenantBody | null> {
    if (!this.#exists) return null;
    const tenant = this.#profile.patch(patch);
    if (patch.name !== undefined) await directoryOf(this.env).rename(tenant.id, tenant.name);
    return tenant;
  }

  override async alarm(): Promise<void> {
    if (!this.#exists) return;
    for (const error of await this.#due.run(this.#tasks, Date.now()))
      logFault(asServiceError(error), { task: 'tenant' });
  }
}

/** A tenant's object. A stub that met an exception may stay broken: each call has one of its own. */
export const tenantOf = (env: Env, id: string): DurableObjectStub<Tenant> => env.TENANT.get(env.TENANT.idFromName(id));
