import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What a completed analysis leaves; anything else of its folder is an orphan. */
const COMPLETE = ['agent_outputs.json', 'events.ndjson', 'result.json'];

/** What lies in the bucket after the service ended. */
export interface Stored {
  /** Folders of completed analyses. */
  complete: string[];
  /** Objects, unfinished uploads and files of bytes that belong to no completed analysis. */
  orphans: string[];
}

/** Reads how the local runtime keeps R2: one SQLite file of names, and a folder of blobs. */
export function storedIn(stateFolder: string): Stored {
  const r2 = join(stateFolder, 'v3/r2');
  if (!existsSync(r2)) return { complete: [], orphans: [] };
  const files = readdirSync(r2, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const blobs = new Set(paths.filter((path) => path.includes('/blobs/')).map((path) => basename(path)));
  const stored: Stored = { complete: [], orphans: [] };
  for (const path of paths.filter((name) => name.endsWith('.sqlite') && !name.endsWith('metadata.sqlite')))
    readBucket(path, blobs, stored);
  stored.orphans.push(...[...blobs].map((blob) => `bytes without a name: ${blob}`));
  return stored;
}

function readBucket(path: string, blobs: Set<string>, stored: Stored): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const all = (sql: string): Record<string, unknown>[] => database.prepare(sql).all();
    const tables = all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name);
    if (!tables.includes('_mf_objects')) return;
    const folders = new Map<string, string[]>();
    for (const { key, blob_id } of all('SELECT key, blob_id FROM _mf_objects')) {
      blobs.delete(String(blob_id));
      const [folder = '', name = ''] = String(key).split(/\/(?=[^/]*$)/);
      folders.set(folder, [...(folders.get(folder) ?? []), name]);
    }
    for (const [folder, names] of folders) {
      // That there was a conversation is told of failed ones, too.
      if (folder.endsWith('/records')) continue;
      const isComplete =
        COMPLETE.every((name) => names.includes(name)) && names.some((name) => name.startsWith('upload.'));
      if (isComplete) stored.complete.push(folder);
      else stored.orphans.push(`${folder}: ${names.join(', ')}`);
    }
    for (const { upload_id, object_key, blob_id } of all(
      'SELECT upload_id, object_key, blob_id FROM _mf_multipart_parts',
    )) {
      blobs.delete(String(blob_id));
      if (object_key === null) stored.orphans.push(`a part of the unfinished upload ${upload_id}`);
    }
    // 0: in progress (miniflare, R2's MultipartUploadState).
    for (const { key } of all('SELECT key FROM _mf_multipart_uploads WHERE state = 0'))
      stored.orphans.push(`an unfinished upload of ${key}`);
  } finally {
    database.close();
  }
}

/** Node's own cache of compiled modules stays by design, for the next start. */
const KEPT = ['node-compile-cache'];

/** What was left in a temporary folder: the names at its top. */
export const leftIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !KEPT.includes(name)) : [];
