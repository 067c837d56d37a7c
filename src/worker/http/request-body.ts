import { ServiceError } from '../../contract/errors.ts';
import { within } from '../deadline.ts';

/** A body slower than this, averaged over the stall time, has stalled (1 kB/s over a minute). */
const MIN_BYTES_PER_SECOND = 1000;
/** Limit of bytes per read: few turns for a fast body, little memory for one that waits. */
const READ_BYTES = 128 * 1024;
/** How long a refused body is still read, so that a client that is still sending receives the answer, ms. */
const DRAIN_MS = 60_000;

export interface BodyOptions {
  /** How long a body may be slower than required. */
  stallSeconds: number;
  /** Size limit of the body, and the error for a larger one. */
  maxBytes: number;
  tooLarge: () => ServiceError;
  /** The error for a body whose connection closes early. */
  endedEarly: (cause: unknown) => ServiceError;
  /** Whether the sender is a server answering us rather than a client: a refused body is then not drained. */
  isAnswer?: boolean;
}

/** The receiver of a body's bytes. */
export interface BodyTaker {
  /** Awaited before more is read. */
  take(bytes: Uint8Array): Promise<void>;
  /** Ends the reception: the body failed, or `take` did. */
  abort(): Promise<void>;
}

/**
 * Hands over a body as it arrives, no faster than it is taken. Only the client's own slowness counts as stalling, not
 * the time its bytes wait to be taken. When `take` or the body fails, the rest of the body is read before this throws,
 * because an answer to a half-read body is lost to a connection reset. A body whose Content-Length is too large is not
 * read at all.
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

/** Each read must deliver what the slowest allowed body would within the stall time; only the last may deliver less. */
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

/** Ends at once when the body stalls or breaks off. */
async function drain(reader: ReadableStreamBYOBReader, options: BodyOptions): Promise<void> {
  const until = Date.now() + DRAIN_MS;
  try {
    for await (const _ of chunksOf(reader, options)) if (Date.now() > until) return;
  } catch {
    // The client has disconnected, so no response is possible.
  }
}
