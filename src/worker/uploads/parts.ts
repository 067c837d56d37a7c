import { ServiceError } from '../../contract/errors.ts';
import { within } from '../deadline.ts';
import { asServiceError } from '../http/errors.ts';
import { receiveBody } from '../http/request-body.ts';
import type { Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { runKeys } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { type MultipartUpload, PartsRefused, type UploadedPart } from '../storage/object-store.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { partCount, sizeOfPart, type UploadState } from '../tenant/upload-table.ts';

/** `Retry-After` for a part that the store did not accept, seconds. */
const RETRY_AFTER_S = 2;
/** Time limit for the store to accept a part, ms. On a full disk, the local runtime never responds. */
const TAKEN_MS = 30_000;

/** The store's multipart upload that belongs to one of our uploads. */
export function multipartOf(env: Env, tenant: string, upload: UploadState): MultipartUpload {
  const { upload: key } = runKeys(tenant, upload.id, upload.suffix);
  return mediaStore(env).resumeMultipartUpload(key, upload.multipartId);
}

/** @throws ServiceError INVALID_REQUEST unless the text is the number of a part */
export function partNumber(text: string, upload: UploadState): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (sizeOfPart(upload, number) > 0) return number;
  throw new ServiceError('INVALID_REQUEST', `number: must be from 1 to ${partCount(upload)} for this upload`);
}

/**
 * Streams a part to the store.
 * @throws ServiceError INVALID_REQUEST for a part with the wrong size, UPLOAD_STALLED, OVERLOADED when the store did
 * not
 *   accept it, STORAGE_FULL
 */
export async function receivePart(
  request: Request,
  env: Env,
  to: MultipartUpload,
  number: number,
  bytes: number,
): Promise<UploadedPart> {
  const length = request.headers.get('Content-Length');
  const wrongSize = () => new ServiceError('INVALID_REQUEST', `Part ${number} must be ${bytes} bytes long`);
  if (!request.body || (length !== null && Number(length) < bytes)) throw wrongSize();
  const { readable, writable } = new FixedLengthStream(bytes);
  const writer = writable.getWriter();
  const notStored = (cause?: unknown) =>
    new ServiceError('OVERLOADED', 'The part could not be stored: send it again', { retryAfter: RETRY_AFTER_S, cause });
  const storing = to.uploadPart(number, readable).catch((cause: unknown) => {
    if (cause instanceof PartsRefused) throw new ServiceError('NOT_FOUND', 'Unknown upload', { cause });
    const known = asServiceError(cause);
    throw known.code === 'STORAGE_FULL' ? known : notStored(cause);
  });
  const taken = async <T>(promise: Promise<T>): Promise<T> => {
    const value = await within(promise, TAKEN_MS);
    if (value === 'late') throw notStored();
    return value;
  };
  const options = {
    stallSeconds: settingsOf(env).uploadStallSeconds,
    maxBytes: bytes,
    tooLarge: wrongSize,
    endedEarly: (cause: unknown) =>
      new ServiceError('INVALID_REQUEST', 'The connection ended before the part was complete', { cause }),
  };
  storing.catch(() => undefined);
  let size = 0;
  const taker = {
    // When the store fails, its own error is reported rather than the error of the unread stream.
    take: async (chunk: Uint8Array) => {
      size += chunk.length;
      const written = writer.write(chunk);
      written.catch(() => undefined);
      await taken(Promise.race([written, storing]));
    },
    abort: () => writer.abort().catch(() => undefined),
  };
  await receiveBody(request, options, taker);
  if (size < bytes) {
    await taker.abort();
    throw wrongSize();
  }
  const closed = writer.close();
  closed.catch(() => undefined);
  return taken(storing);
}

/**
 * Assembles the parts of an upload. An upload that an earlier request assembled is left as it is.
 * @throws ServiceError INVALID_REQUEST with the missing parts, or when the parts do not fit together
 */
export async function assemble(env: Env, tenant: string, upload: UploadState): Promise<void> {
  const store = mediaStore(env);
  const { upload: key } = runKeys(tenant, upload.id, upload.suffix);
  const received = new Set(upload.parts.map(({ number }) => number));
  const missing = Array.from({ length: partCount(upload) }, (_, i) => i + 1).filter((number) => !received.has(number));
  if (missing.length > 0) throw new ServiceError('INVALID_REQUEST', `Parts are missing: ${missing.join(', ')}`);
  try {
    await multipartOf(env, tenant, upload).complete(upload.parts);
  } catch (cause) {
    if (!(cause instanceof PartsRefused)) throw cause;
    const whole = await store.head(key);
    if (!whole)
      throw new ServiceError('INVALID_REQUEST', 'The parts do not form a valid upload: send them again', { cause });
  }
  const size = (await store.head(key))?.size;
  if (size === upload.bytes) return;
  await tenantOf(env, tenant).jobs.uploads.abort(upload.id);
  throw new ServiceError(
    'INVALID_REQUEST',
    `The parts total ${size} bytes instead of ${upload.bytes}: start a new upload`,
  );
}
