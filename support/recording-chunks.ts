/**
 * Divides bytes into chunks and yields each when it is due. @param bytesPerSecond Infinity for as fast as the receiver
 * accepts them
 */
export async function* paced(
  bytes: Uint8Array<ArrayBuffer>,
  chunkBytes: number,
  bytesPerSecond: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const begun = performance.now();
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    // A chunk is due when its last byte would have been recorded.
    const due = begun + ((at + chunk.length) / bytesPerSecond) * 1000;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    yield chunk;
  }
}
