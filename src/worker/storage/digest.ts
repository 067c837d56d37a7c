import { hexOf } from '../identity/digests.ts';
import type { Sink } from './object-sink.ts';

/** A sink that computes the SHA-256 of its bytes. */
export interface DigestedSink {
  sink: Sink;
  /** In hexadecimal. Resolves when the sink is closed. */
  digest: () => Promise<string>;
}

/** @param sink receives the bytes; null to discard them */
export function digested(sink: Sink | null): DigestedSink {
  const stream = new crypto.DigestStream('SHA-256');
  const writer = stream.getWriter();
  return {
    sink: {
      async write(chunk) {
        await writer.write(chunk);
        await sink?.write(chunk);
      },
      async close() {
        await writer.close();
        await sink?.close();
      },
      async abort() {
        stream.digest.catch(() => undefined);
        await writer.abort().catch(() => undefined);
        await sink?.abort();
      },
    },
    digest: async () => hexOf(await stream.digest),
  };
}
