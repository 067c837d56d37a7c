import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Where the local runtime's R2 keeps the names of files of bytes. */
const TABLES = ['_mf_objects', '_mf_multipart_parts'];

/**
 * Removes what the local runtime's R2 wrote of objects that came to nothing: it writes an object's bytes as a file first,
 * and its name after, so the bytes of a client that broke off stay, which nobody can ask for or delete. R2 itself keeps none.
 * Removes nothing where the names are not kept as they are known here. To be called while the runtime does not run.
 * @param state folder that the runtime persists to
 * @returns how many
 * @throws when the names cannot be read
 */
export function removeNamelessBlobs(state: string): number {
  const folder = join(state, 'v3/r2');
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  // The runtime's own list of its objects names no bytes.
  const buckets = files.filter((path) => path.endsWith('.sqlite') && basename(path) !== 'metadata.sqlite').map(blobsOf);
  if (buckets.length === 0 || buckets.includes(undefined)) return 0;
  const named = new Set(buckets.flat());
  const nameless = files.filter((path) => /[\\/]blobs[\\/]/.test(path) && !named.has(basename(path)));
  for (const path of nameless) rmSync(path);
  return nameless.length;
}

/** The files of bytes that a bucket's names stand for; undefined where the tables are others. */
function blobsOf(path: string): string[] | undefined {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const there = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    if (!TABLES.every((table) => there.some(({ name }) => name === table))) return undefined;
    return TABLES.flatMap((table) =>
      database
        .prepare(`SELECT blob_id FROM ${table} WHERE blob_id IS NOT NULL`)
        .all()
        .map(({ blob_id }) => String(blob_id)),
    );
  } finally {
    database.close();
  }
}
