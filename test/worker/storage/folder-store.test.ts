import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe } from 'vitest';
import { FolderStore } from '../../../support/folder-store.ts';
import { itIsAnObjectStore } from './contract.ts';

let folder: string;
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a folder on disk as an object storage', () => {
  itIsAnObjectStore(() => {
    folder = mkdtempSync(join(tmpdir(), 'undertone-store-'));
    return new FolderStore(folder);
  });
});
