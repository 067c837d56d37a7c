import { ServiceError } from '../../contract/errors.ts';
import type { ObjectStore } from './object-store.ts';

/** Bytes read at a time. A whole body would wait in memory for a slow client. */
const RANGE_BYTES = 8 * 1024 * 1024;

/**
 * A stream of `prefix` followed by the bytes of an object. It reads the object in ranges, and reads the next range only
 * when the consumer is ready for it. Its length is known, so it can be sent with a Content-Length.
 * @throws ServiceError ANALYSIS_FAILURE when there is no such object
 */
export async function readObject(store: ObjectStore, key: string, prefix: Uint8Array): Promise<ReadableStream> {
  const head = await store.head(key);
  if (!head) throw new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the upload no longer exists');
  const { readable, writable } = new FixedLengthStream(prefix.length + head.size);
  pump(store, key, head.size, prefix, writable).catch((error) => writable.abort(error).catch(() => undefined));
  return readable;
}

async function pump(
  store: ObjectStore,
  key: string,
  size: number,
  prefix: Uint8Array,
  writable: WritableStream,
): Promise<void> {
  const writer = writable.getWriter();
  await writer.write(prefix);
  writer.releaseLock();
  for (let offset = 0; offset < size; offset += RANGE_BYTES) {
    const range = { offset, length: Math.min(RANGE_BYTES, size - offset) };
    const part = await store.get(key, range);
    if (!part) throw new Error(`${key} disappeared while it was being read`);
    await part.body.pipeTo(writable, { preventClose: true });
  }
  await writable.close();
}
