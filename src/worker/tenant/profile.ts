import type { TenantOptions } from '../../contract/options.ts';
import {
  DEFAULT_TENANT_SETTINGS,
  type TenantBody,
  type TenantPatch,
  TenantSettingsSchema,
} from '../../contract/tenants.ts';
import type { Sql } from '../sqlite/migrations.ts';

export const PROFILE_TABLES = [
  `CREATE TABLE profile (
    one INTEGER PRIMARY KEY CHECK (one = 0), id TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, settings TEXT NOT NULL
  )`,
];

/** The tenant's identity, and the settings that the operator chose for it. */
export class Profile {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Stores the tenant's identity. Only the first call has an effect. */
  introduce(id: string, name: string, createdAt: number): void {
    const settings = JSON.stringify(DEFAULT_TENANT_SETTINGS);
    this.#sql.exec('INSERT OR IGNORE INTO profile VALUES (0, ?, ?, ?, ?)', id, name, createdAt, settings);
  }

  read(): TenantBody {
    const row = this.#sql
      .exec<{ id: string; name: string; created_at: number; settings: string }>('SELECT * FROM profile')
      .one();
    const settings = TenantSettingsSchema.partial().parse(JSON.parse(row.settings));
    const { id, name } = row;
    return { id, name, created_at: new Date(row.created_at).toISOString(), ...DEFAULT_TENANT_SETTINGS, ...settings };
  }

  options(): TenantOptions {
    const { words, affect, redact, roles, keep_original: keepOriginal } = this.read();
    return { words, affect, redact, roles, ...(keepOriginal && { keepOriginal }) };
  }

  patch({ name, ...settings }: TenantPatch): TenantBody {
    const { id: _id, name: _name, created_at: _at, ...before } = this.read();
    const next = { ...before, ...settings };
    this.#sql.exec('UPDATE profile SET name = coalesce(?, name), settings = ?', name ?? null, JSON.stringify(next));
    return this.read();
  }
}
