import type { UploadExtension } from '../../contract/media.ts';
import type { AnalysisOptions } from '../../contract/options.ts';
import type { Sql } from '../sqlite/migrations.ts';
import type { UploadedPart } from '../storage/object-store.ts';

export const UPLOAD_TABLES = [
  `CREATE TABLE uploads (
    id TEXT PRIMARY KEY, multipart_id TEXT NOT NULL, filename TEXT NOT NULL, suffix TEXT NOT NULL, bytes INTEGER NOT NULL,
    part_bytes INTEGER NOT NULL, is_presigned INTEGER NOT NULL, options TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  'CREATE INDEX uploads_expiry ON uploads (expires_at)',
  `CREATE TABLE upload_parts (
    upload TEXT NOT NULL, number INTEGER NOT NULL, etag TEXT NOT NULL, PRIMARY KEY (upload, number)
  ) WITHOUT ROWID`,
];

/** Time without a new part after which an upload counts as abandoned, ms. */
const KEPT_MS = 24 * 3_600_000;
/** Limit on a tenant's open uploads. */
export const MAX_OPEN = 100;
/**
 * Size of a part. It is less than the 100 MB that Cloudflare's plans allow in one request, and large enough to keep the
 * number of parts small.
 */
const LEAST_PART_BYTES = 16 * 1024 * 1024;
const USUAL_PARTS = 1_000;
const MEBIBYTE = 1024 * 1024;

/** A multipart upload that was announced. */
export interface OpenUpload {
  id: string;
  multipartId: string;
  filename: string;
  suffix: UploadExtension;
  bytes: number;
  partBytes: number;
  isPresigned: boolean;
  /** Options of the analysis that follows the upload. */
  options: AnalysisOptions;
}

/** An upload and its progress. */
export interface UploadState extends OpenUpload {
  /** The parts that have arrived, in order. */
  parts: UploadedPart[];
  /** Unix time, ms. */
  expiresAt: number;
}

/** Parts have equal sizes in whole MiB, except for the last one. */
export const partBytesFor = (bytes: number): number =>
  Math.max(LEAST_PART_BYTES, Math.ceil(bytes / USUAL_PARTS / MEBIBYTE) * MEBIBYTE);

export const partCount = ({ bytes, partBytes }: Pick<OpenUpload, 'bytes' | 'partBytes'>): number =>
  Math.ceil(bytes / partBytes);

/** Size of part `number` (from 1), bytes; 0 when there is no such part. */
export function sizeOfPart(upload: Pick<OpenUpload, 'bytes' | 'partBytes'>, number: number): number {
  const count = partCount(upload);
  if (number < 1 || number > count) return 0;
  return number < count ? upload.partBytes : upload.bytes - (count - 1) * upload.partBytes;
}

/** The state of a completed upload. Every part has arrived. */
export function wholeUpload(announced: Omit<OpenUpload, 'multipartId'>, now: number): UploadState {
  const parts = Array.from({ length: partCount(announced) }, (_, i) => ({ number: i + 1, etag: '' }));
  return { ...announced, multipartId: '', parts, expiresAt: now + KEPT_MS };
}

interface UploadRow extends Record<string, string | number | null> {
  id: string;
  multipart_id: string;
  filename: string;
  suffix: UploadExtension;
  bytes: number;
  part_bytes: number;
  is_presigned: number;
  options: string;
  expires_at: number;
}

/** The incomplete multipart uploads of a tenant. The store itself cannot list them. */
export class UploadTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Adds an upload, unless it is already open. @returns false when the tenant has reached its limit of open uploads */
  open(upload: OpenUpload, now: number): boolean {
    if (this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM uploads').one().n >= MAX_OPEN) return false;
    const { id, multipartId, filename, suffix, bytes, partBytes, isPresigned } = upload;
    const options = JSON.stringify(upload.options);
    const row = [id, multipartId, filename, suffix, bytes, partBytes, isPresigned ? 1 : 0, options, now + KEPT_MS];
    this.#sql.exec('INSERT OR IGNORE INTO uploads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...row);
    return true;
  }

  read(id: string): UploadState | null {
    const [row] = this.#sql.exec<UploadRow>('SELECT * FROM uploads WHERE id = ?', id).toArray();
    if (!row) return null;
    const sql = 'SELECT number, etag FROM upload_parts WHERE upload = ? ORDER BY number';
    const parts = this.#sql.exec<{ number: number; etag: string }>(sql, id).toArray();
    return stateOf(row, parts);
  }

  /**
   * Records a part. A part that is sent again replaces the earlier one.
   * @returns false when the upload is not open
   */
  addPart(id: string, { number, etag }: UploadedPart, now: number): boolean {
    const sql = 'UPDATE uploads SET expires_at = ? WHERE id = ? RETURNING id';
    if (this.#sql.exec(sql, now + KEPT_MS, id).toArray().length === 0) return false;
    this.#sql.exec('INSERT OR REPLACE INTO upload_parts VALUES (?, ?, ?)', id, number, etag);
    return true;
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM uploads WHERE id = ?', id);
    this.#sql.exec('DELETE FROM upload_parts WHERE upload = ?', id);
  }

  expired(now: number): UploadState[] {
    const rows = this.#sql.exec<UploadRow>('SELECT * FROM uploads WHERE expires_at <= ?', now).toArray();
    return rows.map((row) => stateOf(row, []));
  }

  /** Announced bytes of the open uploads. */
  announcedBytes(): number {
    return this.#sql.exec<{ bytes: number }>('SELECT coalesce(sum(bytes), 0) AS bytes FROM uploads').one().bytes;
  }

  /** Unix time at which the next upload counts as abandoned, ms. Null when none is open. */
  expiryAt(): number | null {
    return this.#sql.exec<{ at: number | null }>('SELECT min(expires_at) AS at FROM uploads').one().at;
  }
}

const stateOf = (row: UploadRow, parts: UploadedPart[]): UploadState => ({
  id: row.id,
  multipartId: row.multipart_id,
  filename: row.filename,
  suffix: row.suffix,
  bytes: row.bytes,
  partBytes: row.part_bytes,
  isPresigned: row.is_presigned === 1,
  options: JSON.parse(row.options),
  parts,
  expiresAt: row.expires_at,
});
