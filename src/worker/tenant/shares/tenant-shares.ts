import { RpcTarget } from 'cloudflare:workers';
import { LIMITS } from '../../../contract/limits.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type {
  NewPlaylistShare,
  ShareBody,
  ShareList,
  ShareOpens,
  ShareOpensQuery,
  ShareQuery,
} from '../../../contract/shares.ts';
import type { CallerName, Grant } from '../../identity/caller.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import type { AccessRecords } from '../access-log.ts';

/**
 * `shares` contains the links to conversations and playlists that work without a key. `digest` is the HMAC of the token.
 * `conversation` is '' for a playlist. A share that has ended is kept for a while, with who opened it, unless what it
 * shares is deleted.
 */
export const SHARE_TABLES = [
  `CREATE TABLE shares (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, digest BLOB NOT NULL, conversation TEXT NOT NULL,
    label TEXT, key TEXT NOT NULL, kind TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    revoked_at INTEGER
  );
  CREATE INDEX shares_of ON shares (conversation, n);
  CREATE TRIGGER shares_forget AFTER DELETE ON conversations BEGIN
    DELETE FROM shares WHERE conversation = old.id;
  END;`,
  `ALTER TABLE shares ADD COLUMN playlist TEXT;
  ALTER TABLE shares ADD COLUMN hides_names INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX shares_of_playlist ON shares (playlist, n) WHERE playlist IS NOT NULL;`,
];

/** How long a share that has ended is listed, ms. */
const KEPT_MS = 400 * 86_400_000;
const DAY_MS = 86_400_000;
const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown share');

/** The parts of the tenant's object that shares use. */
export interface SharesHost {
  sql: Sql;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  access: Pick<AccessRecords, 'opensOf'>;
}

/** A share as its token is checked. Times are Unix time, ms. */
export interface ShareRecord {
  digest: ArrayBuffer;
  of: Pick<Grant, 'kind' | 'id'>;
  key: string;
  kind: CallerName['kind'];
  expiresAt: number;
  isRevoked: boolean;
}

/** A new share, of a conversation or a playlist. */
export interface NewStoredShare extends Partial<NewPlaylistShare> {
  conversation_id?: string | undefined;
  playlist_id?: string | undefined;
  days: number;
  id: string;
  digest: ArrayBuffer;
  caller: CallerName;
}

interface ShareRow extends Record<string, SqlValue> {
  n: number;
  id: string;
  digest: ArrayBuffer;
  conversation: string;
  playlist: string | null;
  title: string | null;
  label: string | null;
  key: string;
  kind: CallerName['kind'];
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  opens: number;
  last_opened_at: number | null;
}

const SELECT = `SELECT shares.*, coalesce(texts.title, playlists.name) AS title,
  (SELECT count(*) FROM access WHERE share = shares.id AND act = 'opened') AS opens,
  (SELECT max(until) FROM access WHERE share = shares.id AND act = 'opened') AS last_opened_at
  FROM shares LEFT JOIN conversations ON conversations.id = shares.conversation
  LEFT JOIN texts ON texts.n = conversations.n LEFT JOIN playlists ON playlists.id = shares.playlist`;

/** The shares of one tenant. */
export class TenantShares extends RpcTarget {
  readonly #host: SharesHost;

  constructor(host: SharesHost) {
    super();
    this.#host = host;
  }

  async add(share: NewStoredShare): Promise<Result<ShareBody>> {
    const { id, digest, conversation_id, playlist_id, days, label = null, hide_names = false, caller } = share;
    const [kind, of] = playlist_id === undefined ? ['conversation', conversation_id ?? ''] : ['playlist', playlist_id];
    const isKnown = this.#host.exists() && this.#exists(`${kind}s WHERE id = ?`, of);
    if (!isKnown) return fail('NOT_FOUND', `Unknown ${kind}`);
    const now = Date.now();
    const { active } = this.#sql
      .exec<{ active: number }>(
        'SELECT count(*) AS active FROM shares WHERE revoked_at IS NULL AND expires_at > ?',
        now,
      )
      .one();
    if (active >= LIMITS.shares)
      return fail('INVALID_REQUEST', `This tenant already has ${LIMITS.shares} shares, its limit: take some back`);
    this.#sql.exec(
      `INSERT INTO shares (id, digest, conversation, playlist, hides_names, label, key, kind, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      digest,
      conversation_id ?? '',
      playlist_id ?? null,
      hide_names ? 1 : 0,
      label,
      caller.keyId,
      caller.kind,
      now,
      now + days * DAY_MS,
    );
    // The newest that have ended stay listed.
    this.#sql.exec(
      `DELETE FROM shares WHERE n IN (SELECT n FROM shares WHERE revoked_at IS NOT NULL OR expires_at <= ?
         ORDER BY n DESC LIMIT -1 OFFSET ?)`,
      now,
      LIMITS.shares,
    );
    return this.#body(id);
  }

  /** Newest first. */
  async list({ conversation_id, playlist_id, cursor, limit }: ShareQuery): Promise<ShareList> {
    if (!this.#host.exists()) return { shares: [], next_cursor: null };
    const rows = this.#sql
      .exec<ShareRow>(
        `${SELECT} WHERE (?1 IS NULL OR conversation = ?1) AND (?2 IS NULL OR shares.n < ?2)
         AND (?4 IS NULL OR playlist = ?4) ORDER BY shares.n DESC LIMIT ?3`,
        conversation_id ?? null,
        cursor ?? null,
        limit + 1,
        playlist_id ?? null,
      )
      .toArray();
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return { shares: page.map(bodyOf), next_cursor: rows.length > limit && last ? String(last.n) : null };
  }

  /** Ends a share at once. It stays in the list. */
  async revoke(id: string): Promise<Result<ShareBody>> {
    if (!this.#find(id)) return UNKNOWN;
    this.#sql.exec('UPDATE shares SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?', Date.now(), id);
    return this.#body(id);
  }

  /** Requests that were made with a share, newest first. */
  async opens(id: string, query: ShareOpensQuery): Promise<Result<ShareOpens>> {
    return this.#find(id) ? ok(this.#host.access.opensOf(id, query)) : UNKNOWN;
  }

  /** The share as its token is checked. Null if there is none. */
  async find(id: string): Promise<ShareRecord | null> {
    const row = this.#find(id);
    if (!row) return null;
    const { digest, conversation, playlist, key, kind, expires_at, revoked_at } = row;
    const of: ShareRecord['of'] =
      playlist === null ? { kind: 'conversation', id: conversation } : { kind: 'playlist', id: playlist };
    return { digest, of, key, kind, expiresAt: expires_at, isRevoked: revoked_at !== null };
  }

  /** Whether a conversation has or had shares. */
  isShared(conversationId: string): boolean {
    return this.#exists('shares WHERE conversation = ?', conversationId);
  }

  forget(now: number): void {
    this.#sql.exec('DELETE FROM shares WHERE expires_at < ?', now - KEPT_MS);
  }

  #body(id: string): Result<ShareBody> {
    const row = this.#find(id);
    return row ? ok(bodyOf(row)) : UNKNOWN;
  }

  #find(id: string): ShareRow | undefined {
    if (!this.#host.exists()) return undefined;
    return this.#sql.exec<ShareRow>(`${SELECT} WHERE shares.id = ?`, id).toArray()[0];
  }

  #exists(what: string, id: string): boolean {
    return this.#sql.exec(`SELECT 1 AS one FROM ${what} LIMIT 1`, id).toArray().length > 0;
  }

  get #sql(): Sql {
    return this.#host.sql;
  }
}

function bodyOf(row: ShareRow): ShareBody {
  const iso = (at: number): string => new Date(at).toISOString();
  return {
    id: row.id,
    conversation_id: row.playlist === null ? row.conversation : null,
    playlist_id: row.playlist,
    title: row.title,
    label: row.label,
    status: row.revoked_at !== null ? 'revoked' : row.expires_at <= Date.now() ? 'expired' : 'active',
    created_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
    revoked_at: row.revoked_at === null ? null : iso(row.revoked_at),
    key_id: row.key,
    opens: row.opens,
    last_opened_at: row.last_opened_at === null ? null : iso(row.last_opened_at),
  };
}
