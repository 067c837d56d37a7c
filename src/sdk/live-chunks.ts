import type { Connection } from './connection.ts';
import { UndertoneError } from './error.ts';
import type { LivePosition, SessionLife } from './live-life.ts';
import { randomName } from './random-name.ts';
import type { ChunkAccepted } from './wire.ts';

/** Progress after a chunk was stored. */
export interface ChunkProgress {
  /** The number of the chunk, from 0, and its size. */
  chunk_seq: number;
  chunk_bytes: number;
  /** Bytes of the session so far, including this chunk. */
  received_bytes: number;
  /** Bytes still waiting to be sent. */
  queued_bytes: number;
  /** Time from the first attempt to the service's confirmation, ms. */
  latency_ms: number;
}

/** While more bytes than this are queued, `send` makes its caller wait. */
const QUEUE_BYTES = 1_048_576;
/**
 * Queued bytes are sent together up to this limit. A session accepts chunks of 1 MiB unless its operator chose another
 * limit.
 */
const MAX_CHUNK_BYTES = 262_144;
/** Time limit of a response, ms, and the slowest supported connection, 4 kB/s. */
const RESPONSE_MS = 10_000;
const BYTES_PER_MS = 4;

/**
 * Sends a stream of bytes as chunks, one after the other. If the response to a chunk was lost, the chunk is sent again
 * unchanged, with the same number and `Idempotency-Key`, so that the service repeats its first response.
 */
export class ChunkSender {
  readonly #connection: Connection;
  readonly #endpoint: string;
  readonly #life: SessionLife;
  readonly #onProgress: ((progress: ChunkProgress) => void) | undefined;
  /** Distinguishes this sender's chunks from those of another sender of the same session. */
  readonly #nonce = randomName();
  #nextSeq: number;
  #queue: Blob[] = [];
  #queuedBytes = 0;
  #pumping: Promise<void> | undefined;
  /** Callers of `send` that wait for room in the queue. */
  #waiting: (() => void)[] = [];
  #failure: { reason: unknown } | undefined;

  constructor(
    connection: Connection,
    { session, next_chunk_seq }: LivePosition,
    life: SessionLife,
    onProgress: ((progress: ChunkProgress) => void) | undefined,
  ) {
    this.#connection = connection;
    this.#endpoint = session.chunk_endpoint;
    this.#nextSeq = next_chunk_seq;
    this.#life = life;
    this.#onProgress = onProgress;
  }

  get nextSeq(): number {
    return this.#nextSeq;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  async send(bytes: Blob | BufferSource): Promise<void> {
    this.#throwFailure();
    // The bytes are copied, because the recorder may reuse the memory.
    const blob = bytes instanceof Blob ? bytes : new Blob([bytes]);
    if (blob.size === 0) return;
    this.#queue.push(blob);
    this.#queuedBytes += blob.size;
    this.#pumping ??= this.#pump();
    while (this.#queuedBytes > QUEUE_BYTES) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#throwFailure();
  }

  async flush(): Promise<void> {
    await this.#pumping;
    this.#throwFailure();
  }

  /** Accepts no more data and sends what is queued. @param isPartialEnough whether to tolerate a refused chunk */
  async close(isPartialEnough: boolean): Promise<void> {
    await this.#pumping;
    if (!isPartialEnough) this.#throwFailure();
    this.fail(new UndertoneError('SESSION_CLOSED', 'The live session no longer accepts data'));
  }

  /** Stops sending and rejects all further data. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#wake();
  }

  async #pump(): Promise<void> {
    try {
      while (this.#queue.length > 0) await this.#sendNext();
    } catch (reason) {
      this.fail(reason);
    } finally {
      this.#pumping = undefined;
    }
  }

  async #sendNext(): Promise<void> {
    const seq = this.#nextSeq;
    const chunk = this.#take();
    const begun = performance.now();
    const form = new FormData();
    form.set('chunk_seq', String(seq));
    form.set('chunk', chunk, 'chunk');
    // Sent as plain bytes, because a browser leaks memory with each Blob that it sends (Chromium 153: 11 kB).
    const encoded = new Response(form);
    const headers = {
      'Content-Type': encoded.headers.get('Content-Type') ?? '',
      'Idempotency-Key': `${this.#nonce}-${seq}`,
    };
    const bytes = await encoded.arrayBuffer();
    const { received_bytes } = await this.#connection.json<ChunkAccepted>(this.#endpoint, {
      method: 'POST',
      headers,
      body: () => bytes,
      repeatable: true,
      timeoutMs: RESPONSE_MS + chunk.size / BYTES_PER_MS,
      keepTrying: () => this.#life.mayBeOpen,
      signal: this.#life.signal,
    });
    this.#life.noteActivity();
    this.#nextSeq = seq + 1;
    this.#queuedBytes -= chunk.size;
    if (this.#queuedBytes <= QUEUE_BYTES) this.#wake();
    this.#onProgress?.({
      chunk_seq: seq,
      chunk_bytes: chunk.size,
      received_bytes,
      queued_bytes: this.#queuedBytes,
      latency_ms: performance.now() - begun,
    });
  }

  /** Removes the queued bytes and returns them as one chunk. */
  #take(): Blob {
    const parts: Blob[] = [];
    let room = MAX_CHUNK_BYTES;
    for (let next = this.#queue[0]; next && room > 0; next = this.#queue[0]) {
      parts.push(next.slice(0, room));
      if (next.size > room) this.#queue[0] = next.slice(room);
      else this.#queue.shift();
      room -= next.size;
    }
    return new Blob(parts);
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.reason;
  }
}
