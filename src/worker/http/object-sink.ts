/** R2 takes parts of 5 MiB and more, all equal but the last; at most two are held at a time. */
export const PART_BYTES = 5 * 1024 * 1024;

/** Where the bytes of an upload go. Every promise is awaited before more is read, so memory stays bounded. */
export interface Sink {
  write(chunk: Uint8Array): Promise<void>;
  /** After it, the object is there. */
  close(): Promise<void>;
  /** After it, nothing is there. */
  abort(): Promise<void>;
}

/**
 * Writes an object of unknown length: one `put` when it fits in a part, else a multipart upload whose next part is
 * filled while the last one is on its way.
 */
export function objectSink(bucket: R2Bucket, key: string): Sink {
  let buffer = new Uint8Array(PART_BYTES);
  let filled = 0;
  let upload: R2MultipartUpload | undefined;
  let sent = 0;
  let onItsWay: Promise<void> = Promise.resolve();
  const parts: R2UploadedPart[] = [];

  async function send(): Promise<void> {
    upload ??= await bucket.createMultipartUpload(key);
    await onItsWay;
    const part = buffer.subarray(0, filled);
    const number = ++sent;
    buffer = new Uint8Array(PART_BYTES);
    filled = 0;
    onItsWay = upload.uploadPart(number, part).then((done) => void parts.push(done));
    // The failure is met where `onItsWay` is awaited next; until then it must not count as unhandled.
    onItsWay.catch(() => undefined);
  }

  return {
    async write(chunk) {
      for (let offset = 0; offset < chunk.length; ) {
        const taken = Math.min(PART_BYTES - filled, chunk.length - offset);
        buffer.set(chunk.subarray(offset, offset + taken), filled);
        filled += taken;
        offset += taken;
        if (filled === PART_BYTES) await send();
      }
    },
    async close() {
      if (!upload) {
        await bucket.put(key, buffer.subarray(0, filled));
        return;
      }
      if (filled > 0) await send();
      await onItsWay;
      await upload.complete(parts);
    },
    async abort() {
      await onItsWay.catch(() => undefined);
      if (upload) await upload.abort();
    },
  };
}
