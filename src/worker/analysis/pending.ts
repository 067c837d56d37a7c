import { type ArtifactKeys, PENDING } from './artifacts.ts';

/** A recording pending for longer has nobody who works on it: receiving and analysing one takes hours at most. */
const ABANDONED_MS = 24 * 3_600_000;
/** The marker's field that names the multipart upload under way. */
const MULTIPART_ID = 'multipart_id';
const UPLOAD_KEY = 'upload_key';

/** Leaves the marker. To be called before the first byte of the upload is stored. */
export async function markPending(
  bucket: R2Bucket,
  keys: ArtifactKeys,
  multipartId: string | undefined,
): Promise<void> {
  const underWay = multipartId === undefined ? undefined : { [UPLOAD_KEY]: keys.upload, [MULTIPART_ID]: multipartId };
  await bucket.put(keys.pending, '', { customMetadata: underWay });
}

/**
 * Removes what recordings left whose analysis nobody ends any more, because what ran it died. An analysis whose result
 * is stored has ended well, whatever kept its marker from being removed.
 * @param startedAt when this service began, if nothing of before can still run. Unix time, ms
 * @returns how many markers could not be cleared; the next sweep finds them again
 */
export async function sweepPending(bucket: R2Bucket, now: number, startedAt = 0): Promise<number> {
  const before = Math.max(startedAt, now - ABANDONED_MS);
  let failures = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await bucket.list({ prefix: PENDING, include: ['customMetadata'], cursor });
    for (const marker of page.objects) {
      if (marker.uploaded.getTime() >= before) continue;
      try {
        await clear(bucket, marker);
      } catch {
        failures++;
      }
    }
    if (!page.truncated) return failures;
    cursor = page.cursor;
  }
}

/** The marker goes last, so that what fails is tried again. */
async function clear(bucket: R2Bucket, marker: R2Object): Promise<void> {
  const { [UPLOAD_KEY]: upload, [MULTIPART_ID]: multipartId } = marker.customMetadata ?? {};
  // One that was completed or aborted already is known no more.
  if (upload && multipartId)
    await bucket
      .resumeMultipartUpload(upload, multipartId)
      .abort()
      .catch(() => undefined);
  const directory = `${marker.key.slice(PENDING.length)}/`;
  const left = (await bucket.list({ prefix: directory })).objects.map(({ key }) => key);
  if (left.length > 0 && !left.includes(`${directory}result.json`)) await bucket.delete(left);
  await bucket.delete(marker.key);
}
