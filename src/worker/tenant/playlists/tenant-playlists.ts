import { RpcTarget } from 'cloudflare:workers';
import { LIMITS } from '../../../contract/limits.ts';
import { QUOTE_CHARS } from '../../../contract/patterns.ts';
import type {
  NewPlaylist,
  NewPlaylistItem,
  PlaylistBody,
  PlaylistDetail,
  PlaylistItem,
  PlaylistItemPatch,
  PlaylistPatch,
  SharedPiece,
  SharedPlaylistBody,
} from '../../../contract/playlists.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { rounded } from '../../../contract/wire-numbers.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { newId } from '../../sqlite/values.ts';
import { addressOf, type HitRow, hitConversation } from '../patterns/hit-place.ts';

/**
 * `playlists` contains the named lists of the tenant, `playlist_items` their pieces of conversations. Times of a piece
 * are seconds. `place` is its order, without gaps.
 */
export const PLAYLIST_TABLES = [
  `CREATE TABLE playlists (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE playlist_items (
    id TEXT PRIMARY KEY, playlist TEXT NOT NULL, place INTEGER NOT NULL, conversation TEXT NOT NULL, "from" REAL NOT NULL,
    "to" REAL NOT NULL, note TEXT NOT NULL, added_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX playlist_items_in_order ON playlist_items (playlist, place);
  CREATE INDEX playlist_items_of ON playlist_items (conversation);
  CREATE TRIGGER playlists_forget_items AFTER DELETE ON playlists BEGIN
    DELETE FROM playlist_items WHERE playlist = old.id;
  END;
  CREATE TRIGGER playlists_forget_conversation AFTER DELETE ON conversations BEGIN
    DELETE FROM playlist_items WHERE conversation = old.id;
  END;`,
  // The tables of shares are made before these.
  `CREATE TRIGGER playlists_forget_shares AFTER DELETE ON playlists BEGIN
    DELETE FROM shares WHERE playlist = old.id;
  END;`,
];

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown playlist');
const UNKNOWN_ITEM: Result<never> = fail('NOT_FOUND', 'Unknown item');

/** The parts of the tenant's object that playlists use. */
export interface PlaylistsHost {
  sql: Sql;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: () => Promise<boolean>;
}

interface PlaylistRow extends Record<string, SqlValue> {
  id: string;
  name: string;
  created_at: number;
  updated_at: number;
  items: number;
  seconds: number;
}

interface ItemRow extends Record<string, SqlValue> {
  id: string;
  place: number;
  conversation: string;
  from: number;
  to: number;
  note: string;
  added_at: number;
}

type ShownRow = ItemRow &
  HitRow & {
    words: string | null;
    starts: ArrayBuffer | null;
    ends: ArrayBuffer | null;
    speakers: ArrayBuffer | null;
    names: string;
  };

/** The view of a playlist through a share. Times are Unix time, ms. */
interface View {
  hidesNames: boolean;
  /** Pieces that were added later are left out. */
  until: number;
  expiresAt: number | null;
}

/** A piece of a recording. Times are seconds. */
export interface PiecePlace {
  conversation: string;
  from: number;
  to: number;
  duration: number;
}

const SELECT = `SELECT playlists.*, (SELECT count(*) FROM playlist_items WHERE playlist = playlists.id) AS items,
  (SELECT coalesce(sum("to" - "from"), 0) FROM playlist_items WHERE playlist = playlists.id) AS seconds FROM playlists`;

const SHOWN = `SELECT playlist_items.*, conversations.n AS n, record, language, coalesce(began, created_at) AS began,
  words, starts, ends, pattern_lines.speaker AS speakers,
  (SELECT json_group_array(name ORDER BY i) FROM pattern_speakers WHERE pattern_speakers.n = conversations.n) AS names
  FROM playlist_items JOIN conversations ON conversations.id = conversation
  LEFT JOIN texts ON texts.n = conversations.n LEFT JOIN pattern_lines ON pattern_lines.n = conversations.n
  LEFT JOIN pattern_conversations ON pattern_conversations.n = conversations.n`;

/** The playlists of one tenant. */
export class TenantPlaylists extends RpcTarget {
  readonly #host: PlaylistsHost;

  constructor(host: PlaylistsHost) {
    super();
    this.#host = host;
  }

  async add({ name }: NewPlaylist): Promise<Result<PlaylistBody>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    const { n } = this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM playlists').one();
    if (n >= LIMITS.playlists)
      return fail('INVALID_REQUEST', `This tenant already has ${LIMITS.playlists} playlists, its limit`);
    const id = newId('playlist');
    const now = Date.now();
    this.#sql.exec('INSERT INTO playlists VALUES (?, ?, ?, ?)', id, name, now, now);
    return this.#body(id);
  }

  /** By name. */
  async list(): Promise<PlaylistBody[]> {
    if (!this.#host.exists()) return [];
    return [...this.#sql.exec<PlaylistRow>(`${SELECT} ORDER BY name COLLATE NOCASE, id`)].map(bodyOf);
  }

  async read(id: string): Promise<Result<PlaylistDetail>> {
    const row = this.#find(id);
    if (!row) return UNKNOWN;
    const items = this.#sql.exec<ShownRow>(`${SHOWN} WHERE playlist = ? ORDER BY place`, id);
    return ok({ ...bodyOf(row), list: [...items].map(itemOf) });
  }

  /**
   * The pieces of a playlist, without anything around them.
   * @param share id of the share that shows them; undefined for a key
   * @param hidesNames whether names are hidden from a key
   */
  async pieces(id: string, share: string | undefined, hidesNames: boolean): Promise<Result<SharedPlaylistBody>> {
    const row = this.#find(id);
    if (!row) return UNKNOWN;
    const view = this.#view(share, hidesNames);
    const items = [...this.#sql.exec<ShownRow>(`${SHOWN} WHERE playlist = ? ORDER BY place`, id)];
    const shown = items.filter(({ added_at }) => added_at <= view.until);
    const numbers = [...new Set(shown.map(({ conversation }) => conversation))];
    return ok({
      id,
      name: row.name,
      hide_names: view.hidesNames,
      expires_at: view.expiresAt === null ? null : new Date(view.expiresAt).toISOString(),
      pieces: shown.map((item) => ({
        conversation: numbers.indexOf(item.conversation) + 1,
        ...pieceOf(item, id, view),
      })),
    });
  }

  /** The place of a piece, as far as a share shows it. */
  async place(id: string, item: string, share: string | undefined): Promise<Result<PiecePlace>> {
    const known = this.#findItem(id, item);
    if (!known || known.added_at > this.#view(share, true).until) return UNKNOWN_ITEM;
    const { conversation, from, to } = known;
    const sql = 'SELECT duration FROM conversations WHERE id = ?';
    const [row] = this.#sql.exec<{ duration: number | null }>(sql, conversation).toArray();
    return ok({ conversation, from, to, duration: row?.duration ?? to });
  }

  async patch(id: string, { name }: PlaylistPatch): Promise<Result<PlaylistBody>> {
    if (!this.#find(id)) return UNKNOWN;
    this.#sql.exec('UPDATE playlists SET name = ?, updated_at = ? WHERE id = ?', name, Date.now(), id);
    return this.#body(id);
  }

  async remove(id: string): Promise<Result<null>> {
    if (!this.#find(id)) return UNKNOWN;
    this.#sql.exec('DELETE FROM playlists WHERE id = ?', id);
    return ok(null);
  }

  async addItem(playlist: string, item: NewPlaylistItem): Promise<Result<PlaylistItem>> {
    const row = this.#find(playlist);
    if (!row) return UNKNOWN;
    if (row.items >= LIMITS.playlistItems)
      return fail('INVALID_REQUEST', `This playlist already has ${LIMITS.playlistItems} items, its limit`);
    const fault = this.#faultOf(item.conversation_id, item);
    if (fault) return fault;
    const id = newId('item');
    const now = Date.now();
    const { conversation_id, from, to, note, position } = item;
    this.#sql.exec(
      'INSERT INTO playlist_items VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[id, playlist, LIMITS.playlistItems, conversation_id, from, to, note, now],
    );
    this.#order(playlist, id, position);
    return this.#item(id);
  }

  async patchItem(playlist: string, id: string, patch: PlaylistItemPatch): Promise<Result<PlaylistItem>> {
    const row = this.#findItem(playlist, id);
    if (!row) return UNKNOWN_ITEM;
    const { from = row.from, to = row.to, note = row.note, position } = patch;
    if (to <= from) return fail('INVALID_REQUEST', 'to: must be later than `from`');
    const isMoved = patch.from !== undefined || patch.to !== undefined;
    const fault = isMoved ? this.#faultOf(row.conversation, { from, to }) : null;
    if (fault) return fault;
    this.#sql.exec('UPDATE playlist_items SET "from" = ?, "to" = ?, note = ? WHERE id = ?', from, to, note, id);
    this.#order(playlist, id, position ?? row.place);
    return this.#item(id);
  }

  async removeItem(playlist: string, id: string): Promise<Result<null>> {
    if (!this.#findItem(playlist, id)) return UNKNOWN_ITEM;
    this.#sql.exec('DELETE FROM playlist_items WHERE id = ?', id);
    this.#order(playlist, null, undefined);
    return ok(null);
  }

  /** Whether pieces of a conversation are in playlists. */
  isListed(conversationId: string): boolean {
    const sql = 'SELECT 1 AS one FROM playlist_items WHERE conversation = ? LIMIT 1';
    return this.#sql.exec(sql, conversationId).toArray().length > 0;
  }

  /** The notes on pieces of a conversation. */
  notesOn(conversationId: string): string[] {
    const sql = `SELECT note FROM playlist_items WHERE conversation = ? AND note <> '' ORDER BY id`;
    return this.#sql
      .exec<{ note: string }>(sql, conversationId)
      .toArray()
      .map(({ note }) => note);
  }

  /** Replaces the notes on pieces of a conversation. @returns how many changed */
  replaceNotes(conversationId: string, replaced: (note: string) => string): number {
    const sql = `SELECT id, note FROM playlist_items WHERE conversation = ? AND note <> ''`;
    const changed = this.#sql
      .exec<{ id: string; note: string }>(sql, conversationId)
      .toArray()
      .filter(({ note }) => replaced(note) !== note);
    for (const { id, note } of changed)
      this.#sql.exec('UPDATE playlist_items SET note = ? WHERE id = ?', replaced(note), id);
    return changed.length;
  }

  /** The reason why a conversation has no such piece. */
  #faultOf(conversation: string, { from, to }: { from: number; to: number }): Result<never> | null {
    const [known] = this.#sql
      .exec<{ duration: number | null }>('SELECT duration FROM conversations WHERE id = ?', conversation)
      .toArray();
    if (!known) return fail('NOT_FOUND', 'Unknown conversation');
    if (known.duration === null) return fail('NOT_COMPLETED', 'This conversation has no result yet');
    if (from >= known.duration)
      return fail('INVALID_REQUEST', `from: the conversation ends at ${rounded(known.duration)} s`);
    // A piece may end with the recording, whose length is rounded.
    if (to > known.duration + 1)
      return fail('INVALID_REQUEST', `to: the conversation ends at ${rounded(known.duration)} s`);
    return null;
  }

  /** Numbers the items of a playlist anew, with one of them at a position, or else where it stands. */
  #order(playlist: string, moved: string | null, position: number | undefined): void {
    const sql = 'SELECT id FROM playlist_items WHERE playlist = ? AND id IS NOT ? ORDER BY place, added_at, id';
    const ids = [...this.#sql.exec<{ id: string }>(sql, playlist, moved)].map((row) => row.id);
    if (moved !== null) ids.splice(position ?? ids.length, 0, moved);
    for (const [place, id] of ids.entries())
      this.#sql.exec('UPDATE playlist_items SET place = ?1 WHERE id = ?2 AND place <> ?1', place, id);
    this.#sql.exec('UPDATE playlists SET updated_at = ? WHERE id = ?', Date.now(), playlist);
  }

  #view(share: string | undefined, hidesNames: boolean): View {
    if (share === undefined) return { hidesNames, until: Number.POSITIVE_INFINITY, expiresAt: null };
    const [row] = this.#sql
      .exec<{ created_at: number; expires_at: number; hides_names: number }>(
        'SELECT created_at, expires_at, hides_names FROM shares WHERE id = ?',
        share,
      )
      .toArray();
    // A share that ended during the request shows nothing.
    if (!row) return { hidesNames: true, until: Number.NEGATIVE_INFINITY, expiresAt: 0 };
    return { hidesNames: row.hides_names === 1, until: row.created_at, expiresAt: row.expires_at };
  }

  #body(id: string): Result<PlaylistBody> {
    const row = this.#find(id);
    return row ? ok(bodyOf(row)) : UNKNOWN;
  }

  #item(id: string): Result<PlaylistItem> {
    const [row] = this.#sql.exec<ShownRow>(`${SHOWN} WHERE playlist_items.id = ?`, id).toArray();
    return row ? ok(itemOf(row)) : UNKNOWN_ITEM;
  }

  #find(id: string): PlaylistRow | undefined {
    if (!this.#host.exists()) return undefined;
    return this.#sql.exec<PlaylistRow>(`${SELECT} WHERE id = ?`, id).toArray()[0];
  }

  #findItem(playlist: string, id: string): ItemRow | undefined {
    if (!this.#host.exists()) return undefined;
    const sql = 'SELECT * FROM playlist_items WHERE playlist = ? AND id = ?';
    return this.#sql.exec<ItemRow>(sql, playlist, id).toArray()[0];
  }

  get #sql(): Sql {
    return this.#host.sql;
  }
}

const bodyOf = ({ id, name, items, seconds, created_at, updated_at }: PlaylistRow): PlaylistBody => ({
  id,
  name,
  items,
  seconds: rounded(seconds),
  created_at: new Date(created_at).toISOString(),
  updated_at: new Date(updated_at).toISOString(),
});

function itemOf(row: ShownRow): PlaylistItem {
  const { id, conversation, from, to, note, added_at } = row;
  return {
    id,
    conversation_id: conversation,
    conversation: hitConversation(row),
    from,
    to,
    note,
    ...firstLine(row),
    ...addressOf(conversation, from, to),
    added_at: new Date(added_at).toISOString(),
  };
}

function pieceOf(row: ShownRow, playlist: string, { hidesNames }: View): Omit<SharedPiece, 'conversation'> {
  const { id, from, to, note } = row;
  const { title, recorded_at, recorded_at_source } = hitConversation(row);
  const line = lineIn(row);
  const text = line?.text.split(' ').slice(0, wordsUntil(line, to)).join(' ');
  return {
    id,
    seconds: rounded(to - from),
    note,
    title: hidesNames ? null : title,
    ...{ recorded_at, recorded_at_source },
    speaker: line && (hidesNames ? `Speaker_${line.speaker}` : line.name),
    quote: line && text !== undefined ? shortened(text === line.text ? text : `${text} …`) : null,
    media: `/playlists/${playlist}/items/${id}/media`,
  };
}

interface Line {
  /** Index of the speaker in the conversation. */
  speaker: number;
  name: string | null;
  text: string;
  /** Seconds. */
  start: number;
  end: number;
}

/** The first line that begins in a piece. */
function lineIn({ from, to, words, starts, ends, speakers, names }: ShownRow): Line | null {
  const times = new Uint32Array(starts ?? new ArrayBuffer(0));
  // A piece may be cut a little after its line begins.
  const line = times.findIndex((start) => start >= from * 1000 - 250 && start < to * 1000);
  const text = line < 0 ? undefined : words?.split('\n')[line];
  if (text === undefined) return null;
  const speaker = (speakers && new Uint8Array(speakers)[line]) ?? 0;
  const name = speakers === null ? null : ((JSON.parse(names) as string[])[speaker] ?? null);
  const start = times[line]! / 1000;
  return { speaker, name, text, start, end: ends ? (new Uint32Array(ends)[line] ?? 0) / 1000 : start };
}

/** How many words of a line are said before a time, in seconds, if each takes equally long. */
function wordsUntil({ text, start, end }: Line, to: number): number | undefined {
  // The end of a line is rounded.
  if (end <= to + 0.05) return undefined;
  return Math.floor((text.split(' ').length * (to - start)) / (end - start));
}

function firstLine(row: ShownRow): Pick<PlaylistItem, 'speaker' | 'quote'> {
  const line = lineIn(row);
  return { speaker: line?.name ?? null, quote: line && shortened(line.text) };
}

const shortened = (text: string): string =>
  text.length <= QUOTE_CHARS ? text : `${text.slice(0, QUOTE_CHARS - 1).trimEnd()}…`.toWellFormed();
