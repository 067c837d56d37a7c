import { PENDING, type RecordedRunKeys, runKeys, runOfPending } from './keys.ts';
import type { ObjectInfo, ObjectStore } from './object-store.ts';

/** A recording pending for longer has nobody who receives it: that takes hours at most. */
const ABANDONED_MS = 24 * 3_600_000;
/** The marker's field that names the multipart upload under way. */
const MULTIPART_ID = 'multipart_id';
const UPLOAD_KEY = 'upload_key';

/** Leaves the marker. To be called before the first byte of the upload is stored. */
export async function markPending(
  store: ObjectStore,
  keys: RecordedRunKeys,
  multipartId: string | undefined,
): Promise<void> {
  const underWay = multipartId === undefined ? undefined : { [UPLOAD_KEY]: keys.upload, [MULTIPART_ID]: multipartId };
  await store.put(keys.pending, '', underWay && { metadata: underWay });
}

/** Whether somebody works on a conversation, by its tenant and id. */
export type IsUnderWay = (tenant: string, conversationId: string) => Promise<boolean>;

/**
 * Removes what recordings left that never came whole, because what received them died. One that is noted as a job has come
 * whole and is worked on, and one whose result is stored has ended well, whatever kept its marker from being removed.
 * @param startedAt when this service began, if nothing of before can still run. Unix time, ms
 * @returns how many markers could not be cleared; the next sweep finds them again
 */
export async function sweepPending(
  store: ObjectStore,
  isUnderWay: IsUnderWay,
  now: number,
  startedAt = 0,
): Promise<number> {
  const before = Math.max(startedAt, now - ABANDONED_MS);
  let failures = 0;
  for await (const marker of store.list(PENDING)) {
    if (marker.uploadedAt.getTime() >= before) continue;
    try {
      await clear(store, isUnderWay, marker);
    } catch {
      failures++;
    }
  }
  return failures;
}

/** The marker goes last, so that what fails is tried again. */
async function clear(store: ObjectStore, isUnderWay: IsUnderWay, marker: ObjectInfo): Promise<void> {
  const { [UPLOAD_KEY]: upload, [MULTIPART_ID]: multipartId } = marker.metadata;
  // One that was completed or aborted already is known no more.
  if (upload && multipartId)
    await store
      .resumeMultipartUpload(upload, multipartId)
      .abort()
      .catch(() => undefined);
  const { tenant, run } = runOfPending(marker.key);
  if (!(await isUnderWay(tenant, run))) {
    const { directory, documents } = runKeys(tenant, run);
    const left: string[] = [];
    for await (const { key } of store.list(directory)) left.push(key);
    if (!left.includes(documents['result.json'])) await store.delete(left);
  }
  await store.delete([marker.key]);
}
