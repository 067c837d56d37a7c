import type { Connection } from './connection.ts';
import { UndertoneError } from './error.ts';
import type { Life, LivePosition } from './live-life.ts';
import type { ChunkAccepted } from './wire.ts';

/** What became of a chunk that was stored. */
export interface ChunkProgress {
  /** Its number, from 0, and its bytes. */
  chunk_seq: number;
  chunk_bytes: number;
  /** Bytes of the session up to and with it. */
  received_bytes: number;
  /** Bytes that still wait. */
  queued_bytes: number;
  /** From when it was first sent until it was known to be stored, ms. */
  latency_ms: number;
}

/** `send` asks its caller to wait while more than this waits, bytes. */
const ENOUGH_QUEUED_BYTES = 1_048_576;
/** What waited is sent together, up to this; a session takes chunks of 1 MiB unless its operator chose otherwise. */
const MOST_CHUNK_BYTES = 262_144;
/** How long the service may take to answer, and how slow a line may be: 4 kB/s. */
const ANSWER_MS = 10_000;
const BYTES_PER_MS = 4;

/**
 * Sends a stream of bytes as chunks, one after the other. A chunk whose answer was lost is sent again as it was, under
 * the same number and `Idempotency-Key`: the service answers what it answered.
 */
export class ChunkSender {
  readonly #connection: Connection;
  readonly #endpoint: string;
  readonly #life: Life;
  readonly #onProgress: ((progress: ChunkProgress) => void) | undefined;
  /** Sets this sender's chunks apart from those of another one of the same session. */
  readonly #nonce = crypto.getRandomValues(new Uint32Array(2)).join('-');
  #nextSeq: number;
  #queue: Blob[] = [];
  #queuedBytes = 0;
  #pumping: Promise<void> | undefined;
  /** Woken when there is room. */
  #waiting: (() => void)[] = [];
  #failure: { reason: unknown } | undefined;

  constructor(
    connection: Connection,
    { session, next_chunk_seq }: LivePosition,
    life: Life,
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
    // Copied: whoever records may fill the same memory again.
    const blob = bytes instanceof Blob ? bytes : new Blob([bytes]);
    if (blob.size === 0) return;
    this.#queue.push(blob);
    this.#queuedBytes += blob.size;
    this.#pumping ??= this.#pump();
    while (this.#queuedBytes > ENOUGH_QUEUED_BYTES) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#throwFailure();
  }

  async flush(): Promise<void> {
    await this.#pumping;
    this.#throwFailure();
  }

  /** Takes no more, and waits for what it has. @param isPartialEnough whether a chunk may have been refused */
  async close(isPartialEnough: boolean): Promise<void> {
    await this.#pumping;
    if (!isPartialEnough) this.#throwFailure();
    this.fail(new UndertoneError('SESSION_CLOSED', 'The live session takes no more'));
  }

  /** Sends no more, whatever comes. */
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
    const { received_bytes } = await this.#connection.json<ChunkAccepted>(this.#endpoint, {
      method: 'POST',
      headers: { 'Idempotency-Key': `${this.#nonce}-${seq}` },
      body: () => {
        const form = new FormData();
        form.set('chunk_seq', String(seq));
        form.set('chunk', chunk, 'chunk');
        return form;
      },
      repeatable: true,
      timeoutMs: ANSWER_MS + chunk.size / BYTES_PER_MS,
      goesOn: () => this.#life.lasts,
      signal: this.#life.signal,
    });
    this.#life.heard();
    this.#nextSeq = seq + 1;
    this.#queuedBytes -= chunk.size;
    if (this.#queuedBytes <= ENOUGH_QUEUED_BYTES) this.#wake();
    this.#onProgress?.({
      chunk_seq: seq,
      chunk_bytes: chunk.size,
      received_bytes,
      queued_bytes: this.#queuedBytes,
      latency_ms: performance.now() - begun,
    });
  }

  /** What has gathered, as one chunk. */
  #take(): Blob {
    const parts: Blob[] = [];
    let room = MOST_CHUNK_BYTES;
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
