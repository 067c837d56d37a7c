import type { Env } from '../identity/env.ts';
import type { ObjectStore } from './object-store.ts';
import { R2Store } from './r2.ts';

/** The store of backups. Null when the deployment has none. */
export const backupStore = (env: Env): ObjectStore | null => (env.BACKUP ? new R2Store(env.BACKUP) : null);

/** The store of uploads, results, records and markers. */
export const mediaStore = (env: Env): ObjectStore => new R2Store(env.MEDIA);
