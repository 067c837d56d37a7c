import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Removes what the local runtime's R2 wrote of objects that came to nothing: it writes an object's bytes as a file first,
 * and its name after, so the bytes of a client that broke off stay, which nobody can ask for or delete. R2 itself keeps none.
 * To be called while the runtime does not run.
 * @param state folder that the runtime persists to
 * @returns how many
 */
export function removeNamelessBlobs(state: string): number {
  const folder = join(state, 'v3/r2');
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const named = new Set(files.filter((path) => path.endsWith('.sqlite')).flatMap(blobsOf));
  const nameless = files.filter((path) => /[\\/]blobs[\\/]/.test(path) && !named.has(basename(path)));
  for (const path of nameless) rmSync(path);
  return nameless.length;
}

/** The files of bytes that a bucket's names stand for. */
function blobsOf(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const of = (table: string): string[] =>
      database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '${table}'`).get()
        ? database
            .prepare(`SELECT blob_id FROM ${table} WHERE blob_id IS NOT NULL`)
            .all()
            .map(({ blob_id }) => String(blob_id))
        : [];
    return [...of('_mf_objects'), ...of('_mf_multipart_parts')];
  } finally {
    database.close();
  }
}
