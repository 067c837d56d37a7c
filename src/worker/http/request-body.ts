import { ServiceError } from '../../contract/errors.ts';
import { within } from '../deadline.ts';

/** Slowest allowed rate, averaged over the stall time: 1 kB/s over a minute. A slower body counts as stalled. */
const MIN_BYTES_PER_SECOND = 1000;
/** Limit on the bytes of one read. It keeps the reads few for a fast body and the memory small for a waiting one. */
const READ_BYTES = 128 * 1024;
/**
 * How long the service goes on reading a refused body, ms. This lets a client that is still sending receive the
 * response.
 */
const DRAIN_MS = 60_000;

export interface BodyOptions {
  /** How long a body may be slower than the minimum rate. */
  stallSeconds: number;
  /** Size limit of the body, and the error for a larger one. */
  maxBytes: number;
  tooLarge: () => ServiceError;
  /** The error for a body whose connection closes too early. */
  endedEarly: (cause: unknown) => ServiceError;
  /** Whether the sender is a server responding to us rather than a client. Its refused body is not drained. */
  isAnswer?: boolean;
}

/** The receiver of a body's bytes. */
export interface BodyTaker {
  /** Resolves when the receiver is ready for more. */
  take(bytes: Uint8Array): Promise<void>;
  /** Called when the body or `take` failed. */
  abort(): Promise<void>;
}

/**
 * Passes a body on as it arrives, and no faster than `take` accepts it. Only the client's own slowness counts as
 * stalling, not the time its bytes wait for `take`. When `take` or the body fails, the rest of the body is read before
 * this throws, because a connection reset would otherwise lose the response. A body whose Content-Length is too large
 * is not read at all.
 * @throws ServiceError UPLOAD_STALLED, `tooLarge`, `endedEarly`, or whatever `take` throws
 */
export async function receiveBody(
  request: Pick<Request, 'body' | 'headers'>,
  options: BodyOptions,
  taker: BodyTaker,
): Promise<void> {
  if (!request.body) return;
  if (Number(request.headers.get('Content-Length') ?? 0) > options.maxBytes) throw options.tooLarge();
  const reader = request.body.getReader({ mode: 'byob' });
  try {
    let size = 0;
    for await (const bytes of chunksOf(reader, options)) {
      size += bytes.length;
      if (size > options.maxBytes) throw options.tooLarge();
      await taker.take(bytes);
    }
  } catch (error) {
    await taker.abort();
    if (options.isAnswer) await reader.cancel().catch(() => undefined);
    else await drain(reader, options);
    throw error;
  } finally {
    reader.releaseLock();
  }
}

/**
 * Each read must deliver as much as the slowest allowed body would within the stall time. Only the last may deliver
 * less.
 */
async function* chunksOf(reader: ReadableStreamBYOBReader, options: BodyOptions): AsyncGenerator<Uint8Array> {
  const { stallSeconds } = options;
  const atLeast = Math.min(READ_BYTES, Math.ceil(MIN_BYTES_PER_SECOND * stallSeconds));
  for (;;) {
    const reading = reader.readAtLeast(atLeast, new Uint8Array(READ_BYTES)).catch((cause: unknown) => {
      throw options.endedEarly(cause);
    });
    const read = await within(reading, stallSeconds * 1000);
    if (read === 'late') {
      reading.catch(() => undefined);
      await reader.cancel().catch(() => undefined);
      throw new ServiceError('UPLOAD_STALLED');
    }
    if (read.value && read.value.length > 0) yield read.value;
    else if (read.done) return;
  }
}

/** Ends immediately when the body stalls or its connection breaks. */
async function drain(reader: ReadableStreamBYOBReader, options: BodyOptions): Promise<void> {
  const until = Date.now() + DRAIN_MS;
  try {
    for await (const _ of chunksOf(reader, options)) if (Date.now() > until) return;
  } catch {
    // The client has disconnected, so it cannot receive a response.
  }
}
