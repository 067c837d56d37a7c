import { DurableObject } from 'cloudflare:workers';
import { base64url } from 'jose';
import type { AuditList } from '../../contract/audit.ts';
import type { TenantList } from '../../contract/tenants.ts';
import type { Actor } from '../identity/caller.ts';
import { sha256 } from '../identity/digests.ts';
import type { Env } from '../identity/env.ts';
import { objectNamed } from '../settings/jurisdiction.ts';
import { type Migrations, migrate } from '../sqlite/migrations.ts';
import { dumpedLines, loadTables } from '../sqlite/rows.ts';
import { DIRECTORY_ROWS } from '../storage/keys.ts';
import { backupStore } from '../storage/media-store.ts';
import { readLines, writeLines } from '../storage/written-lines.ts';
import { AUDIT_TABLES, Audit } from './audit.ts';

const ROOMS: Migrations = {
  tenants: [
    'CREATE TABLE tenants (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL) WITHOUT ROWID',
  ],
  sessions: ['CREATE TABLE sessions (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID'],
  audit: AUDIT_TABLES,
  sign_ins: ['CREATE TABLE sign_ins (state TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID'],
  receipts: [
    `CREATE TABLE receipt_key (
      one INTEGER PRIMARY KEY CHECK (one = 0), kid TEXT NOT NULL, x TEXT NOT NULL, d TEXT NOT NULL, made_at INTEGER NOT NULL
    )`,
  ],
};

/** The key that signs receipts: the members of an Ed25519 JWK (RFC 8037), and its thumbprint. `d` is the secret. */
export interface ReceiptKey {
  kid: string;
  x: string;
  d: string;
}

/** A tenant as the directory stores it. `createdAt`: Unix time, ms. */
export interface ListedTenant {
  id: string;
  name: string;
  createdAt: number;
}

declare module '../identity/env.ts' {
  interface Env {
    DIRECTORY: DurableObjectNamespace<Directory>;
  }
}

/**
 * The list of tenants, and all data that concerns only the operator. The service has one such object. Each tenant's own
 * data is in its own object (`tenant.ts`).
 */
export class Directory extends DurableObject<Env> {
  readonly #audit: Audit;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#audit = new Audit(ctx.storage.sql);
    ctx.storage.transactionSync(() => migrate(ctx.storage.sql, ROOMS));
  }

  /** @param actor who created it; absent for a tenant from the settings */
  add({ id, name, createdAt }: ListedTenant, actor?: Actor): void {
    this.ctx.storage.sql.exec('INSERT OR IGNORE INTO tenants VALUES (?, ?, ?)', id, name, createdAt);
    if (actor) this.#audit.record(actor, 'tenant.created', id, { name }, createdAt);
  }

  /** Writes the list of tenants and the operator's actions to the bucket of the backup. */
  async backUp(): Promise<void> {
    const store = backupStore(this.env);
    if (store) await writeLines(store, DIRECTORY_ROWS, dumpedLines(this.ctx.storage.sql));
  }

  /** Brings back the operator's actions and the key of the receipts, where there are none yet. Each tenant lists itself. */
  async restore(): Promise<void> {
    const { sql } = this.ctx.storage;
    const store = backupStore(this.env);
    const lines = store && (await readLines(store, DIRECTORY_ROWS));
    const isEmpty = (table: string): boolean => sql.exec(`SELECT 1 FROM ${table} LIMIT 1`).toArray().length === 0;
    if (lines) await loadTables(sql, ['audit', 'receipt_key'].filter(isEmpty), lines);
  }

  /** The given ids that are not listed. */
  unlisted(ids: string[]): string[] {
    const known = this.ctx.storage.sql.exec<{ id: string }>(
      'SELECT id FROM tenants WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    );
    const listed = new Set([...known].map(({ id }) => id));
    return ids.filter((id) => !listed.has(id));
  }

  rename(id: string, name: string): void {
    this.ctx.storage.sql.exec('UPDATE tenants SET name = ? WHERE id = ?', name, id);
  }

  /** @param removed totals of its stored data */
  remove(id: string, removed: { objects: number; bytes: number }, actor: Actor): void {
    this.ctx.storage.sql.exec('DELETE FROM tenants WHERE id = ?', id);
    this.#audit.record(actor, 'tenant.deleted', id, removed, Date.now());
  }

  /** Tenants after the cursor ('' for all), ordered by id. */
  list(cursor: string, limit: number): TenantList {
    const rows = this.ctx.storage.sql
      .exec<{ id: string; name: string; created_at: number }>(
        'SELECT * FROM tenants WHERE id > ? ORDER BY id LIMIT ?',
        cursor,
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    return {
      tenants: page.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() })),
      next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /** The key that signs receipts. The first call makes it. */
  async receiptKey(): Promise<ReceiptKey> {
    const before = this.#receiptKey();
    if (before) return before;
    const { privateKey } = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
    const { x = '', d = '' } = (await crypto.subtle.exportKey('jwk', privateKey)) as JsonWebKey;
    // The thumbprint of RFC 7638, over these members in this order.
    const kid = base64url.encode(new Uint8Array(await sha256(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))));
    // Another call may have made one in the meantime.
    this.ctx.storage.sql.exec('INSERT OR IGNORE INTO receipt_key VALUES (0, ?, ?, ?, ?)', kid, x, d, Date.now());
    return this.#receiptKey()!;
  }

  #receiptKey(): ReceiptKey | undefined {
    return this.ctx.storage.sql
      .exec<{ kid: string; x: string; d: string }>('SELECT kid, x, d FROM receipt_key')
      .toArray()[0];
  }

  /**
   * Ends a sign-in of a person.
   * @param until when its cookie expires, Unix time, ms
   * @returns false when it was ended before
   */
  endSignIn(state: string, until: number): boolean {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM sign_ins WHERE until <= ?', Date.now());
    return sql.exec('INSERT OR IGNORE INTO sign_ins VALUES (?, ?) RETURNING state', state, until).toArray().length > 0;
  }

  /** Records a sign-in of the operator. `expiresAt`: Unix time, ms. */
  openSession(id: string, expiresAt: number, actor: Actor): void {
    const now = Date.now();
    this.ctx.storage.sql.exec('DELETE FROM sessions WHERE expires_at <= ?', now);
    this.ctx.storage.sql.exec('INSERT INTO sessions VALUES (?, ?)', id, expiresAt);
    this.#audit.record(actor, 'session.opened', id, {}, now);
    this.#audit.forget(now);
  }

  hasSession(id: string): boolean {
    const sql = 'SELECT id FROM sessions WHERE id = ? AND expires_at > ?';
    return this.ctx.storage.sql.exec(sql, id, Date.now()).toArray().length > 0;
  }

  closeSession(id: string, actor: Actor): void {
    this.ctx.storage.sql.exec('DELETE FROM sessions WHERE id = ?', id);
    this.#audit.record(actor, 'session.closed', id, {}, Date.now());
  }

  /**
   * The operator's actions that create a tenant or concern none: entries before the one with id `before`, newest first.
   */
  audit(before: number | null, limit: number): AuditList {
    return this.#audit.list(before, limit);
  }
}

/** The only directory object. */
export const directoryOf = (env: Env): DurableObjectStub<Directory> => objectNamed(env, env.DIRECTORY, 'directory');
