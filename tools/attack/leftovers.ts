import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The files of a completed analysis; anything else in its folder is an orphan. */
const COMPLETE = ['agent_outputs.json', 'events.ndjson', 'result.json'];

/** Keys of the bucket of the backup: rows, copies of objects, and the ids of what was erased or redacted. */
const OF_BACKUP = /^(?:rows|objects|erased|redacted)\/|^directory\.ndjson$/;

/** The contents of the bucket after the service has ended. */
export interface Stored {
  /** Folders of completed analyses. */
  complete: string[];
  /** Folders of analyses that are running, or kept to be repeated. */
  open: string[];
  /** Objects and unfinished uploads that belong to neither a completed analysis nor an open one. */
  orphans: string[];
  /** Files of bytes that belong to neither an object nor a part of an upload. */
  nameless: string[];
}

/** Reads how the local runtime stores R2: one SQLite file of names, and a folder of blobs. */
export function storedIn(stateFolder: string): Stored {
  const stored: Stored = { complete: [], open: [], orphans: [], nameless: [] };
  const paths = filesIn(join(stateFolder, 'v3/r2'));
  const blobs = new Set(paths.filter((path) => path.includes('/blobs/')).map((path) => basename(path)));
  const open = new Set(databases(filesIn(join(stateFolder, 'v3/do'))).flatMap((path) => read(path, openIn)));
  for (const path of databases(paths)) read(path, (rows, tables) => bucketOf(rows, tables, blobs, open, stored));
  stored.nameless.push(...blobs);
  return stored;
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name));
}

const databases = (paths: readonly string[]): string[] =>
  paths.filter((path) => path.endsWith('.sqlite') && !path.endsWith('metadata.sqlite'));

type Rows = (sql: string) => Record<string, unknown>[];

function read<T>(path: string, from: (rows: Rows, tables: unknown[]) => T): T {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows: Rows = (sql) => database.prepare(sql).all();
    return from(
      rows,
      rows("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name),
    );
  } finally {
    database.close();
  }
}

/** Open work of a tenant's object: multipart uploads, and analyses that are running or may be repeated. */
function openIn(rows: Rows, tables: unknown[]): string[] {
  if (!tables.includes('uploads') || !tables.includes('jobs')) return [];
  const jobs = "SELECT id FROM jobs WHERE status IN ('queued', 'running') OR kept_until IS NOT NULL";
  return [...rows('SELECT id FROM uploads'), ...rows(jobs)].map(({ id }) => String(id));
}

/** The id that a folder belongs to. A repeated analysis has a separate folder beside the upload's. */
const subjectOf = (folder: string): string => folder.replace(/^.*\//, '').replace(/_\d+$/, '');

function bucketOf(rows: Rows, tables: unknown[], blobs: Set<string>, open: ReadonlySet<string>, stored: Stored): void {
  if (!tables.includes('_mf_objects')) return;
  const folders = new Map<string, string[]>();
  for (const { key, blob_id } of rows('SELECT key, blob_id FROM _mf_objects')) {
    blobs.delete(String(blob_id));
    const [folder = '', name = ''] = String(key).split(/\/(?=[^/]*$)/);
    // Records exist for failed conversations, too.
    if (folder.endsWith('/records')) continue;
    if (OF_BACKUP.test(String(key))) continue;
    if (folder.startsWith('pending')) {
      if (!open.has(name)) stored.orphans.push(`the marker ${String(key)}`);
      continue;
    }
    const subject = folder.replace(/_\d+$/, '');
    folders.set(subject, [...(folders.get(subject) ?? []), name]);
  }
  for (const [folder, names] of folders) {
    const isComplete =
      COMPLETE.every((name) => names.includes(name)) && names.some((name) => name.startsWith('upload.'));
    if (isComplete) stored.complete.push(folder);
    else (open.has(subjectOf(folder)) ? stored.open : stored.orphans).push(`${folder}: ${names.join(', ')}`);
  }
  // 0: in progress (miniflare, R2's MultipartUploadState).
  const unfinished = new Map(
    rows('SELECT upload_id, key FROM _mf_multipart_uploads WHERE state = 0').map(({ upload_id, key }) => [
      upload_id,
      String(key),
    ]),
  );
  const isOpen = (key: string): boolean => open.has(subjectOf(key.replace(/\/[^/]*$/, '')));
  for (const key of unfinished.values()) if (!isOpen(key)) stored.orphans.push(`an unfinished upload of ${key}`);
  for (const { upload_id, object_key, blob_id } of rows(
    'SELECT upload_id, object_key, blob_id FROM _mf_multipart_parts',
  )) {
    blobs.delete(String(blob_id));
    const key = unfinished.get(upload_id);
    if (object_key === null && !(key !== undefined && isOpen(key)))
      stored.orphans.push(`a part of the unfinished upload ${String(upload_id)}`);
  }
}

/** Node's own cache of compiled modules is kept intentionally, for the next start. */
const KEPT = ['node-compile-cache'];

/** The names at the top of a temporary folder. */
export const leftIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !KEPT.includes(name)) : [];
