import type { Env } from '../identity/env.ts';
import type { ObjectStore } from './object-store.ts';
import { R2Store } from './r2.ts';

/** Where everything of a conversation lies: uploads, results and markers. */
export const mediaStore = (env: Env): ObjectStore => new R2Store(env.MEDIA);
