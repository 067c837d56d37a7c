import type { AccessAct, AccessEntry, AccessLog, ConversationAccess } from '../../contract/access-log.ts';
import type { AccessLogQuery, ConversationAccessQuery } from '../../contract/queries.ts';
import type { ShareOpen, ShareOpens, ShareOpensQuery } from '../../contract/shares.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import type { Sql, SqlValue } from '../sqlite/migrations.ts';

export const ACCESS_TABLES = [
  `CREATE TABLE access (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, until INTEGER NOT NULL, requests INTEGER NOT NULL,
    key TEXT NOT NULL, by_token INTEGER NOT NULL, address TEXT NOT NULL, act TEXT NOT NULL, route TEXT NOT NULL,
    conversation TEXT, from_share REAL, to_share REAL
  );
  CREATE INDEX access_of_conversation ON access (conversation, id);`,
  `ALTER TABLE access ADD COLUMN share TEXT;
  CREATE INDEX access_of_share ON access (share, id) WHERE share IS NOT NULL;`,
];

const DAY_MS = 86_400_000;
/** Equal requests within this time of the first one are one entry, ms. */
const MERGED_MS = 600_000;

/** A request that accessed stored conversations. */
export interface Accessed {
  /** The key, or the operator as the audit names it. */
  keyId: string;
  byToken: boolean;
  address: string;
  act: AccessAct;
  /** `METHOD /path/:name`. */
  route: string;
  /** Null for several conversations. */
  conversation: string | null;
  /** The requested part of the recording's bytes, from 0 to 1. */
  part?: { from: number; to: number } | undefined;
  /** Id of the share whose token was used. */
  share?: string | undefined;
}

interface Row extends Record<string, SqlValue> {
  id: number;
  at: number;
  until: number;
  requests: number;
  key: string;
  label: string | null;
  by_token: number;
  address: string;
  act: AccessAct;
  route: string;
  conversation: string | null;
  title: string | null;
  duration: number | null;
  from_share: number | null;
  to_share: number | null;
  share: string | null;
}

/** The log of who read, changed or deleted which conversation. It holds ids and no words of a conversation. */
export class AccessRecords {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  record({ keyId, byToken, address, act, route, conversation, part, share }: Accessed, now: number): void {
    const merged = this.#sql
      .exec(
        // A repeated act moves to the end of the log, which is in the order of the last requests.
        `UPDATE access SET id = (SELECT max(id) FROM access) + (id < (SELECT max(id) FROM access)), until = ?1, requests = requests + 1, route = ?2, from_share = min(from_share, ?3),
           to_share = max(to_share, ?4)
         WHERE id = (SELECT id FROM access WHERE conversation IS ?5 AND at > ?6 AND key = ?7 AND by_token = ?8 AND act = ?9
           AND address = ?10 AND share IS ?11 AND (from_share IS NULL) = (?3 IS NULL)
           AND (conversation IS NOT NULL OR route = ?2) ORDER BY id DESC LIMIT 1)
         RETURNING id`,
        now,
        route,
        part?.from ?? null,
        part?.to ?? null,
        conversation,
        now - MERGED_MS,
        keyId,
        byToken ? 1 : 0,
        act,
        address,
        share ?? null,
      )
      .toArray();
    if (merged.length > 0) return;
    this.#sql.exec(
      `INSERT INTO access (at, until, requests, key, by_token, address, act, route, conversation, from_share, to_share, share)
       VALUES (?1, ?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`,
      now,
      keyId,
      byToken ? 1 : 0,
      address,
      act,
      route,
      conversation,
      part?.from ?? null,
      part?.to ?? null,
      share ?? null,
    );
  }

  /** Requests that were made with a share, newest first. */
  opensOf(share: string, { cursor, limit }: ShareOpensQuery): ShareOpens {
    const rows = this.#sql
      .exec<Row>(
        `SELECT access.*, NULL AS label, NULL AS title, conversations.duration
         FROM access LEFT JOIN conversations ON conversations.id = access.conversation
         WHERE share = ?1 AND act <> 'refused' AND access.id < coalesce(?2, access.id + 1)
         ORDER BY access.id DESC LIMIT ?3`,
        share,
        cursor ?? null,
        limit + 1,
      )
      .toArray();
    const opens = rows.slice(0, limit).map(openOf);
    return { opens, next_cursor: rows.length > limit ? (opens.at(-1)?.id ?? null) : null };
  }

  /** Entries that match the query, newest first. */
  list(query: Omit<AccessLogQuery, 'tenant'>): AccessLog {
    const { cursor = null, limit, conversation_id = null, key_id = null, act = null, since } = query;
    const { person = null, share_id = null } = query;
    const rows = this.#sql
      .exec<Row>(
        `SELECT access.*, keys.label, conversations.duration, texts.title
         FROM access LEFT JOIN keys ON keys.id = access.key LEFT JOIN conversations ON conversations.id = access.conversation
           LEFT JOIN texts USING (n)
         WHERE access.id < coalesce(?1, access.id + 1) AND (?2 IS NULL OR conversation = ?2) AND (?3 IS NULL OR key = ?3)
           AND (?4 IS NULL OR act = ?4) AND until >= ?5 AND (?6 IS NULL OR share = ?6)
           AND (?7 IS NULL OR conversation IN (SELECT conversations.id FROM facets JOIN conversations USING (n)
             WHERE kind = 'person' AND value = ?7))
         ORDER BY access.id DESC LIMIT ?8`,
        cursor,
        conversation_id,
        key_id,
        act,
        since === undefined ? 0 : Date.parse(since),
        share_id,
        person,
        limit + 1,
      )
      .toArray();
    const entries = rows.slice(0, limit).map(entryOf);
    return { entries, next_cursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
  }

  /** Entries about one conversation, newest first. */
  of(conversation: string, page: ConversationAccessQuery): ConversationAccess {
    const { entries, next_cursor } = this.list({ ...page, conversation_id: conversation });
    return {
      entries: entries.map(({ address, conversation_id: _id, title: _title, ...entry }) => ({
        ...entry,
        address_prefix: prefixOf(address),
      })),
      next_cursor,
    };
  }

  /** @param days how long entries are kept */
  forget(now: number, days: number): void {
    this.#sql.exec('DELETE FROM access WHERE until < ?', now - days * DAY_MS);
  }
}

function openOf(row: Row): ShareOpen {
  const { id, at, until, requests, act, from_s, to_s, address } = entryOf(row);
  return { id, at, until, requests, act, from_s, to_s, address_prefix: prefixOf(address) };
}

/** The network of an address: enough to tell places apart, and too little to name a person. */
export function prefixOf(address: string): string {
  const v4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address);
  if (v4) return `${v4[1]}.0/24`;
  const [head = '', tail] = address.split('::');
  if (!/^[\da-f:]+$/i.test(head) || !address.includes(':')) return '';
  const groups = head.split(':').slice(0, 3);
  if (tail !== undefined) while (groups.length < 3) groups.push('0');
  return `${groups.join(':').toLowerCase()}::/48`;
}

function entryOf(row: Row): AccessEntry {
  const secondOf = (share: number | null): number | null =>
    share === null || row.duration === null ? null : rounded(share * row.duration);
  return {
    id: String(row.id),
    at: new Date(row.at).toISOString(),
    until: new Date(row.until).toISOString(),
    requests: row.requests,
    key_id: row.key,
    key_label: row.label,
    by_token: row.by_token === 1,
    address: row.address,
    act: row.act,
    route: row.route,
    share_id: row.share,
    conversation_id: row.conversation,
    title: row.title,
    from_s: secondOf(row.from_share),
    to_s: secondOf(row.to_share),
  };
}
