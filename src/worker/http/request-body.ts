import { ServiceError } from '../../contract/errors.ts';
import { within } from './deadline.ts';

/** A body that brings fewer bytes a second than this, over the time it is given, has stalled (issue 17: 1 kB/s over a minute). */
const MIN_BYTES_PER_SECOND = 1000;
/** One read waits for at most this many bytes: few turns for a fast body, little memory for one that waits. */
const READ_BYTES = 128 * 1024;
/** How long a refused body is still read, so that the client, still sending, receives the answer. */
const DRAIN_MS = 60_000;

export interface BodyOptions {
  /** How long a body may bring less than it must. */
  stallSeconds: number;
  /** Most bytes of the body, and what one with more is called. */
  maxBytes: number;
  tooLarge: () => ServiceError;
  /** What a body is called whose connection ends before it does. */
  endedEarly: (cause: unknown) => ServiceError;
  /** Whether nobody waits for an answer at the other end: then what is refused is not read on. */
  isAnswer?: boolean;
}

/** Where the bytes of a body go. */
export interface BodyTaker {
  /** Awaited before more is read. */
  take(bytes: Uint8Array): Promise<void>;
  /** Nothing more comes: the body failed, or `take` did. */
  abort(): Promise<void>;
}

/**
 * Hands over a body as it arrives, no faster than it is taken. Only the client's own slowness counts as
 * stalling, not the time that its bytes wait to be taken. When `take` or the body fails, what is left of the body is read
 * before this throws, since an answer to a half-read body is lost to a connection reset; a body known to be too large from
 * its Content-Length is not touched at all.
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

/** Every read has to bring, within the time given, what the slowest body would; only the last may bring less. */
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

/** A body that stalled or broke off ends this at once. */
async function drain(reader: ReadableStreamBYOBReader, options: BodyOptions): Promise<void> {
  const until = Date.now() + DRAIN_MS;
  try {
    for await (const _ of chunksOf(reader, options)) if (Date.now() > until) return;
  } catch {
    // The client is gone: nobody is left to answer.
  }
}
