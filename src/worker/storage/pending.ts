import type * as z from 'zod';
import { MediaExtensionSchema } from '../../contract/media.ts';
import { AnalysisOptionsSchema } from '../../contract/options.ts';
import { type ArtifactKeys, PENDING, pendingKey } from './artifacts.ts';
import type { ObjectInfo, ObjectStore } from './object-store.ts';

/** A recording pending for longer has nobody who receives it: that takes hours at most. */
const ABANDONED_MS = 24 * 3_600_000;
/** The marker's field that names the multipart upload under way. */
const MULTIPART_ID = 'multipart_id';
const UPLOAD_KEY = 'upload_key';
/** The marker's field that says that its upload is kept until somebody asks for it again. */
const KEPT = 'kept';

/** What is known of an upload that is kept: the marker's body. */
const KeptUploadSchema = AnalysisOptionsSchema.extend({ suffix: MediaExtensionSchema });
export type KeptUpload = z.infer<typeof KeptUploadSchema>;

/** Leaves the marker. To be called before the first byte of the upload is stored. */
export async function markPending(
  store: ObjectStore,
  keys: ArtifactKeys,
  multipartId: string | undefined,
): Promise<void> {
  const underWay = multipartId === undefined ? undefined : { [UPLOAD_KEY]: keys.upload, [MULTIPART_ID]: multipartId };
  await store.put(keys.pending, '', underWay && { metadata: underWay });
}

/** Keeps an upload from now on, for the time that the sweep is told: it can be asked for again. */
export async function markKept(store: ObjectStore, { pending }: ArtifactKeys, upload: KeptUpload): Promise<void> {
  const body = JSON.stringify(KeptUploadSchema.parse(upload));
  await store.put(pending, body, { contentType: 'application/json', metadata: { [KEPT]: 'true' } });
}

/** What is kept under a tenant's conversation; null when nothing is. */
export async function readKept(store: ObjectStore, tenant: string, conversationId: string): Promise<KeptUpload | null> {
  const marker = await store.get(pendingKey(tenant, conversationId));
  if (!marker) return null;
  const text = await new Response(marker.body).text();
  return marker.metadata[KEPT] === undefined ? null : KeptUploadSchema.parse(JSON.parse(text));
}

/** Whether somebody works on a conversation, by its tenant and id. */
export type IsUnderWay = (tenant: string, conversationId: string) => Promise<boolean>;

/** When what was left behind is old enough to go. Times are Unix times, ms. */
export interface Sweep {
  isUnderWay: IsUnderWay;
  now: number;
  /** How long an upload is kept to be asked for again, ms. */
  keptMs: number;
  /** When this service began, if nothing of before can still run. */
  startedAt?: number | undefined;
}

/**
 * Removes what recordings left that never came whole, because what received them died, and uploads that were kept and not
 * asked for. One that is noted as a job has come whole and is worked on, and one whose result is stored has ended well,
 * whatever kept its marker from being removed.
 * @returns how many markers could not be cleared; the next sweep finds them again
 */
export async function sweepPending(
  store: ObjectStore,
  { isUnderWay, now, keptMs, startedAt = 0 }: Sweep,
): Promise<number> {
  let failures = 0;
  for await (const marker of store.list(PENDING)) {
    const before = marker.metadata[KEPT] === undefined ? Math.max(startedAt, now - ABANDONED_MS) : now - keptMs;
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
  const [tenant = '', conversationId = ''] = marker.key.slice(PENDING.length).split('/');
  if (!(await isUnderWay(tenant, conversationId))) {
    const directory = `${tenant}/${conversationId}/`;
    const left: string[] = [];
    for await (const { key } of store.list(directory)) left.push(key);
    if (!left.includes(`${directory}result.json`)) await store.delete(left);
  }
  await store.delete([marker.key]);
}
