import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { FolderStore } from '../../../support/folder-store.ts';
import { describeObjectStore } from './contract.ts';

let folder: string;
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describeObjectStore('a folder on disk', () => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-store-'));
  return new FolderStore(folder);
});
