import type { KeyBody, KeyPatch, Scope } from '../../../contract/keys.ts';
import type { UsageLimits } from '../../../contract/tenants.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { isoOf } from '../../sqlite/values.ts';

export const KEY_TABLES = [
  `CREATE TABLE keys (
    id TEXT PRIMARY KEY, digest BLOB NOT NULL, label TEXT NOT NULL, scopes TEXT NOT NULL, limits TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER, replaced_by TEXT
  ) WITHOUT ROWID`,
  'ALTER TABLE keys ADD COLUMN member TEXT',
];

/** How long a key stays listed after it is no longer valid, ms. */
const KEPT_MS = 400 * 86_400_000;

/** A stored key. `digest` is the HMAC of its token. Times are Unix time, ms. */
export interface StoredKey {
  id: string;
  digest: ArrayBuffer;
  label: string;
  scopes: Scope[];
  limits: UsageLimits;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  replacedBy: string | null;
  /** The person whose session it is; null for a key that was issued. */
  member: string | null;
}

type Row = {
  id: string;
  digest: ArrayBuffer;
  label: string;
  scopes: string;
  limits: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  replaced_by: string | null;
  member: string | null;
};

/** The keys of one tenant. */
export class KeyStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(key: Omit<StoredKey, 'revokedAt' | 'replacedBy' | 'member'> & { member?: string | null }): void {
    const { id, digest, label, scopes, limits, createdAt, expiresAt, member = null } = key;
    this.#sql.exec(
      'INSERT INTO keys (id, digest, label, scopes, limits, created_at, expires_at, member) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      digest,
      label,
      scopes.join(),
      JSON.stringify(limits),
      createdAt,
      expiresAt,
      member,
    );
  }

  find(id: string): StoredKey | null {
    const [row] = this.#sql.exec<Row>('SELECT * FROM keys WHERE id = ?', id).toArray();
    return row ? stored(row) : null;
  }

  /** All keys, newest first. */
  list(): StoredKey[] {
    return [...this.#sql.exec<Row>('SELECT * FROM keys ORDER BY created_at DESC, id')].map(stored);
  }

  /** Number of valid keys. */
  count(now: number): number {
    const sql = 'SELECT count(*) AS n FROM keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';
    return this.#sql.exec<{ n: number }>(sql, now).one().n;
  }

  patch(id: string, { label, scopes, limits, expires_at }: KeyPatch): void {
    const key = this.find(id);
    if (!key) return;
    this.#sql.exec(
      'UPDATE keys SET label = ?, scopes = ?, limits = ?, expires_at = ? WHERE id = ?',
      label ?? key.label,
      (scopes ?? key.scopes).join(),
      JSON.stringify(limits ?? key.limits),
      expires_at === undefined ? key.expiresAt : timeOf(expires_at),
      id,
    );
  }

  /** Limits how much longer a replaced key stays valid. */
  replace(id: string, replacedBy: string, until: number): void {
    const sql = 'UPDATE keys SET replaced_by = ?1, expires_at = min(coalesce(expires_at, ?2), ?2) WHERE id = ?3';
    this.#sql.exec(sql, replacedBy, until, id);
  }

  /** Revokes a key permanently. */
  revoke(id: string, now: number): void {
    this.#sql.exec('UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?', now, id);
  }

  /** Ends a session. */
  expire(id: string, now: number): void {
    this.#sql.exec('UPDATE keys SET expires_at = min(coalesce(expires_at, ?1), ?1) WHERE id = ?2', now, id);
  }

  /** Revokes the sessions of a person. */
  revokeOf(member: string, now: number): void {
    this.#sql.exec('UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE member = ?', now, member);
  }

  /** Forgets keys that have been invalid for a long time. */
  forget(now: number): void {
    const before = now - KEPT_MS;
    this.#sql.exec('DELETE FROM keys WHERE revoked_at < ? OR expires_at < ?', before, before);
  }
}

/** Whether a key is valid at a given time. */
export const isValidAt = ({ revokedAt, expiresAt }: Pick<StoredKey, 'revokedAt' | 'expiresAt'>, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

export const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/** A stored key in the form in which the API returns it. */
export function keyBody(tenant: string, key: StoredKey, lastUsedAt: number | null, now: number): KeyBody {
  const { id, label, scopes, limits, createdAt, expiresAt, revokedAt, replacedBy } = key;
  return {
    id: `${tenant}_${id}`,
    tenant,
    label,
    scopes,
    limits,
    source: key.member === null ? 'issued' : 'sign_in',
    status: revokedAt !== null ? 'revoked' : isValidAt(key, now) ? 'active' : 'expired',
    created_at: isoOf(createdAt),
    expires_at: isoOf(expiresAt),
    revoked_at: isoOf(revokedAt),
    last_used_at: isoOf(lastUsedAt),
    replaced_by: replacedBy === null ? null : `${tenant}_${replacedBy}`,
  };
}

const stored = (row: Row): StoredKey => ({
  id: row.id,
  digest: row.digest,
  label: row.label,
  scopes: row.scopes.split(',') as Scope[],
  limits: JSON.parse(row.limits),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  replacedBy: row.replaced_by,
  member: row.member,
});
