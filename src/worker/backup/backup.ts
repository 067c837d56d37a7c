import type { BackupAnswer } from '../../contract/backup.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isTenantId } from '../../contract/tenants.ts';
import type { Actor } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import {
  conversationIn,
  copiedPrefix,
  copyKey,
  isKept,
  keyOfCopy,
  rowsKey,
  rowsPrefix,
  tenantOfRows,
  tenantPrefix,
} from '../storage/keys.ts';
import { backupStore, mediaStore } from '../storage/media-store.ts';
import type { ObjectInfo, ObjectStore } from '../storage/object-store.ts';
import { directoryOf } from '../tenant/directory.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Limits of one step: objects that are looked at, objects that are copied, and bytes that are copied. */
const MOST = { seen: 1000, copied: 100, bytes: 1024 ** 3 };
/** Metadata of a copy: the ETag of its original. */
const SOURCE = 'source';

/** The next step of a backup or a restoration: the rows of a tenant, its objects after a key, or its catalogue. */
interface Place {
  what: 'rows' | 'objects' | 'index';
  tenant: string;
  after: string;
}

const cursorOf = ({ what, tenant, after }: Place): string => [what, tenant, after].join(':');

/** @throws ServiceError INVALID_REQUEST */
function placeOf(cursor: string): Place {
  const [, what, tenant = '', after = ''] = /^(rows|objects|index):([^:]*):(.*)$/s.exec(cursor) ?? [];
  if (what === undefined || !isTenantId(tenant)) throw new ServiceError('INVALID_REQUEST', 'cursor: invalid');
  return { what: what as Place['what'], tenant, after };
}

/** @throws ServiceError NOT_FOUND when the deployment has no bucket for backups */
function storeOf(env: Env): ObjectStore {
  const store = backupStore(env);
  if (!store) throw new ServiceError('NOT_FOUND', 'This deployment has no bucket for backups (BACKUP)');
  return store;
}

const NOTHING = { tenants: 0, objects: 0, bytes: 0, removed: 0 };

/**
 * One step of a backup into the bucket `BACKUP`: the rows of every tenant, then its objects that are new or have
 * changed. Rows come first, so that every row has its objects. Each step can be repeated.
 * @param cursor '' to begin, else that of the step before
 */
export async function backUp(env: Env, cursor: string): Promise<BackupAnswer> {
  const store = storeOf(env);
  if (cursor === '') {
    await directoryOf(env).backUp();
    return { ...NOTHING, next_cursor: await tenantAfter(env, '') };
  }
  const { what, tenant, after } = placeOf(cursor);
  if (what === 'rows') {
    const hasRows = await tenantOf(env, tenant).backUp();
    return { ...NOTHING, tenants: Number(hasRows), next_cursor: cursorOf({ what: 'objects', tenant, after: '' }) };
  }
  const { next, ...done } = await copyObjects(env, store, tenant, after);
  const next_cursor =
    next === null ? await tenantAfter(env, tenant) : cursorOf({ what: 'objects', tenant, after: next });
  return { ...NOTHING, ...done, next_cursor };
}

async function tenantAfter(env: Env, last: string): Promise<string | null> {
  const [next] = (await directoryOf(env).list(last, 1)).tenants;
  return next ? cursorOf({ what: 'rows', tenant: next.id, after: '' }) : null;
}

/**
 * One step of a restoration: brings back the tenants, objects and rows of the catalogue that are missing, except for
 * what was erased. It replaces nothing, so it also restores single objects of a running service.
 */
export async function restore(env: Env, cursor: string, actor: Actor): Promise<BackupAnswer> {
  const store = storeOf(env);
  if (cursor === '') {
    await directoryOf(env).restore();
    return { ...NOTHING, next_cursor: await rowsAfter(store, '') };
  }
  const { what, tenant, after } = placeOf(cursor);
  if (what === 'rows') {
    const isRestored = await tenantOf(env, tenant).restore(actor);
    return { ...NOTHING, tenants: Number(isRestored), next_cursor: cursorOf({ what: 'objects', tenant, after: '' }) };
  }
  if (what === 'objects') {
    const { next, ...done } = await bringObjects(env, store, tenant, after);
    const place: Place = next === null ? { what: 'index', tenant, after: '' } : { what, tenant, after: next };
    return { ...NOTHING, ...done, next_cursor: cursorOf(place) };
  }
  const { next } = await tenantOf(env, tenant).conversations.rebuild(after);
  const next_cursor = next === null ? await rowsAfter(store, tenant) : cursorOf({ what, tenant, after: next });
  return { ...NOTHING, next_cursor };
}

async function rowsAfter(store: ObjectStore, last: string): Promise<string | null> {
  for await (const { key } of store.list(rowsPrefix, last === '' ? undefined : rowsKey(last)))
    return cursorOf({ what: 'rows', tenant: tenantOfRows(key), after: '' });
  return null;
}

interface Copied {
  objects: number;
  bytes: number;
  removed: number;
  /** The key after which to continue; null at the end. */
  next: string | null;
}

/** Copies what is new or has changed, and removes copies of what nothing refers to. */
async function copyObjects(env: Env, store: ObjectStore, tenant: string, after: string): Promise<Copied> {
  const media = mediaStore(env);
  const { conversations } = tenantOf(env, tenant);
  return walk(env, store, tenant, after, async ({ key, original, copy }, remove) => {
    if (!original) {
      const found = await conversations.find(conversationIn(key));
      if (!found || !isKept(found.record, key)) remove(copyKey(key));
      return 0;
    }
    if (copy?.size === original.size && copy.metadata[SOURCE] === original.etag) return 0;
    const object = await media.get(key);
    // It was removed in the meantime.
    if (!object) return 0;
    const { contentType, metadata, etag } = object;
    await store.put(copyKey(key), object.body, {
      ...(contentType !== undefined && { contentType }),
      metadata: { ...metadata, [SOURCE]: etag },
    });
    return object.size;
  });
}

/** Brings back what is missing, and removes copies of what was erased. */
async function bringObjects(env: Env, store: ObjectStore, tenant: string, after: string): Promise<Copied> {
  const media = mediaStore(env);
  return walk(env, store, tenant, after, async ({ key, original, copy }, remove) => {
    if (original || !copy) return 0;
    if (await tenantOf(env, tenant).isErased(conversationIn(key))) {
      remove(copy.key);
      return 0;
    }
    const object = await store.get(copy.key);
    if (!object) return 0;
    const { contentType, metadata } = object;
    const { [SOURCE]: _, ...own } = metadata;
    await media.put(key, object.body, { ...(contentType !== undefined && { contentType }), metadata: own });
    return object.size;
  });
}

interface Pair {
  key: string;
  original?: ObjectInfo;
  copy?: ObjectInfo;
}

/** @param work returns the bytes that it copied, 0 for none */
async function walk(
  env: Env,
  store: ObjectStore,
  tenant: string,
  after: string,
  work: (pair: Pair, remove: (key: string) => void) => Promise<number>,
): Promise<Copied> {
  const going: string[] = [];
  const done = { objects: 0, bytes: 0 };
  let seen = 0;
  let next: string | null = null;
  for await (const pair of pairs(env, store, tenant, after)) {
    const bytes = await work(pair, (key) => going.push(key));
    done.bytes += bytes;
    if (bytes > 0) done.objects++;
    if (++seen < MOST.seen && done.objects < MOST.copied && done.bytes < MOST.bytes) continue;
    next = pair.key;
    break;
  }
  await store.delete(going);
  return { ...done, removed: going.length, next };
}

/** The originals and the copies of a tenant's objects by their keys, in the order of the keys. */
async function* pairs(env: Env, store: ObjectStore, tenant: string, after: string): AsyncGenerator<Pair, void> {
  const from = after === '' ? undefined : after;
  const originals = mediaStore(env).list(tenantPrefix(tenant), from)[Symbol.asyncIterator]();
  const copies = store.list(copiedPrefix(tenant), from && copyKey(from))[Symbol.asyncIterator]();
  let [original, copy] = [await originals.next(), await copies.next()];
  while (!original.done || !copy.done) {
    const left = original.done ? undefined : original.value.key;
    const right = copy.done ? undefined : keyOfCopy(copy.value.key);
    const key = left === undefined || (right !== undefined && right < left) ? right! : left;
    yield {
      key,
      ...(left === key && !original.done && { original: original.value }),
      ...(right === key && !copy.done && { copy: copy.value }),
    };
    if (left === key) original = await originals.next();
    if (right === key) copy = await copies.next();
  }
}
