import { PENDING, type RecordedRunKeys, runKeys, runOfPending } from './keys.ts';
import type { ObjectInfo, ObjectStore } from './object-store.ts';

/** Age at which a marker counts as abandoned, ms. Receiving a recording takes a few hours at most. */
const ABANDONED_MS = 24 * 3_600_000;
/** The marker's field with the id of the open multipart upload. */
const MULTIPART_ID = 'multipart_id';
const UPLOAD_KEY = 'upload_key';

/** Writes the marker. Call it before the first byte of the upload is stored. */
export async function markPending(
  store: ObjectStore,
  keys: RecordedRunKeys,
  multipartId: string | undefined,
): Promise<void> {
  const metadata = multipartId === undefined ? undefined : { [UPLOAD_KEY]: keys.upload, [MULTIPART_ID]: multipartId };
  await store.put(keys.pending, '', metadata && { metadata });
}

/** Whether a run has an open job. */
export type IsOpen = (tenant: string, run: string) => Promise<boolean>;

/**
 * Removes the objects of recordings that were never received completely because the receiver died. A run with an open
 * job or a stored result is complete, so only its marker is removed.
 * @param startedAt start of this service if nothing from before it can still be running; Unix time, ms
 * @returns number of markers that could not be cleared; the next sweep tries them again
 */
export async function sweepPending(store: ObjectStore, isOpen: IsOpen, now: number, startedAt = 0): Promise<number> {
  const before = Math.max(startedAt, now - ABANDONED_MS);
  let failures = 0;
  for await (const marker of store.list(PENDING)) {
    if (marker.uploadedAt.getTime() >= before) continue;
    try {
      await clear(store, isOpen, marker);
    } catch {
      failures++;
    }
  }
  return failures;
}

/** Removes the marker last, so that a failed removal is tried again. */
async function clear(store: ObjectStore, isOpen: IsOpen, marker: ObjectInfo): Promise<void> {
  const { [UPLOAD_KEY]: upload, [MULTIPART_ID]: multipartId } = marker.metadata;
  // The store rejects an upload that was already completed or aborted.
  if (upload && multipartId)
    await store
      .resumeMultipartUpload(upload, multipartId)
      .abort()
      .catch(() => undefined);
  const { tenant, run } = runOfPending(marker.key);
  if (!(await isOpen(tenant, run))) {
    const { directory, documents } = runKeys(tenant, run);
    const keys: string[] = [];
    for await (const { key } of store.list(directory)) keys.push(key);
    if (!keys.includes(documents['result.json'])) await store.delete(keys);
  }
  await store.delete([marker.key]);
}
