import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Opens a temporary file without a name. It is unlinked immediately, so it disappears with its last descriptor, however
 * this process ends.
 */
export async function openScratchFile(): Promise<FileHandle> {
  const folder = mkdtempSync(join(tmpdir(), 'undertone-'));
  const path = join(folder, randomUUID());
  try {
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return file;
  } finally {
    rmdirSync(folder);
  }
}
