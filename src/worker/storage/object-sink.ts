import {
  type MultipartUpload,
  type ObjectDescription,
  type ObjectStore,
  PART_BYTES,
  type UploadedPart,
} from './object-store.ts';

/**
 * Initial size of the part buffer, which is all the memory that an upload uses. Ten uploads must fit into the 128 MB of
 * an isolate. The buffer grows with the upload, so that a slow upload uses little memory.
 */
const FIRST_BUFFER_BYTES = 128 * 1024;

/**
 * Receives the bytes of an upload. The caller awaits every promise before it reads more, so that the memory stays
 * bounded.
 */
export interface Sink {
  write(chunk: Uint8Array): Promise<void>;
  /** Completes the object. */
  close(): Promise<void>;
  /** Discards everything written so far. */
  abort(): Promise<void>;
}

/**
 * Writes an object of unknown length. It uses one `put` if the object fits into a part, and a multipart upload
 * otherwise.
 * @param announce called once before the first byte is stored, with the id of the multipart upload if there is one
 */
export function objectSink(
  store: ObjectStore,
  key: string,
  announce: (multipartId: string | undefined) => Promise<void> = async () => undefined,
  description?: ObjectDescription,
): Sink {
  let buffer = new Uint8Array(0);
  let filled = 0;
  let upload: MultipartUpload | undefined;
  const parts: UploadedPart[] = [];

  function makeRoom(bytes: number): void {
    const needed = Math.min(PART_BYTES, filled + bytes);
    if (needed <= buffer.length) return;
    const grown = new Uint8Array(Math.min(PART_BYTES, Math.max(FIRST_BUFFER_BYTES, needed, buffer.length * 2)));
    grown.set(buffer.subarray(0, filled));
    buffer = grown;
  }

  async function sendPart(): Promise<void> {
    if (!upload) {
      upload = await store.createMultipartUpload(key, description);
      await announce(upload.id);
    }
    parts.push(await upload.uploadPart(parts.length + 1, buffer.subarray(0, filled)));
    filled = 0;
  }

  return {
    async write(chunk) {
      makeRoom(chunk.length);
      for (let offset = 0; offset < chunk.length; ) {
        const taken = Math.min(PART_BYTES - filled, chunk.length - offset);
        buffer.set(chunk.subarray(offset, offset + taken), filled);
        filled += taken;
        offset += taken;
        if (filled === PART_BYTES) await sendPart();
      }
    },
    async close() {
      if (!upload) {
        await announce(undefined);
        await store.put(key, buffer.subarray(0, filled), description);
        return;
      }
      if (filled > 0) await sendPart();
      await upload.complete(parts);
    },
    async abort() {
      buffer = new Uint8Array(0);
      await upload?.abort();
    },
  };
}
