import { type Connection, jsonCall } from './connection.ts';
import { UndertoneError } from './error.ts';
import type { StreamEvent } from './events.ts';
import { type ChunkProgress, ChunkSender } from './live-chunks.ts';
import { type LivePosition, SessionLife } from './live-life.ts';
import { randomName } from './random-name.ts';
import { ResumedEvents } from './resumed-events.ts';
import type { ControlRequest, LiveSession, LiveStartRequest } from './wire.ts';

export interface LiveOptions {
  /** Aborting it ends the session, both here and in the service. */
  signal?: AbortSignal | undefined;
  /** Called whenever the service has stored a chunk. */
  onProgress?: ((progress: ChunkProgress) => void) | undefined;
}

export interface LiveStartOptions extends LiveStartRequest, LiveOptions {}

/** Time limit of a control request, ms. */
const RESPONSE_MS = 15_000;
/** Number of keepalives sent within the session's time to live. */
const KEEPALIVES = 3;

/** Live capture. */
export class Live {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Opens a session.
   * @throws UndertoneError
   *
   * @example
   * const capture = await undertone.live.start({ suffix: '.webm', goal: 'What was agreed?' });
   * const sending = (async () => {
   *   for await (const chunk of recorder) await capture.send(chunk);
   *   await capture.finalize();
   * })();
   * for await (const event of capture) console.log(event.event);
   * await sending;
   */
  async start({ signal, onProgress, ...body }: LiveStartOptions = {}): Promise<LiveCapture> {
    const { headers, ...call } = jsonCall('POST', body);
    const once = { ...headers, 'Idempotency-Key': randomName() };
    const session = await this.#connection.json<LiveSession>('analyze/live/start', {
      ...call,
      headers: once,
      repeatable: true,
      signal,
    });
    const position = { session, next_chunk_seq: session.next_chunk_seq };
    return new LiveCapture(this.#connection, position, { signal, onProgress });
  }

  /** Continues a session from a position in another page or process. */
  resume(position: LivePosition, options: LiveOptions = {}): LiveCapture {
    return new LiveCapture(this.#connection, position, options);
  }
}

/**
 * One live session. Its chunks form one stream of bytes, which can be split anywhere. Call `send` with them as they are
 * recorded, then `finalize`, and read the events (`for await (const event of capture)`) up to `done`. Lost connections
 * are reopened for as long as the session is open. No byte is stored twice, and no event is received twice.
 */
export class LiveCapture implements AsyncIterable<StreamEvent> {
  readonly session: LiveSession;
  readonly #connection: Connection;
  /** Aborted when the client has finished with the session. */
  readonly #leave = new AbortController();
  readonly #life: SessionLife;
  readonly #chunks: ChunkSender;
  readonly #events: ResumedEvents;
  #keepalive: ReturnType<typeof setInterval> | undefined;
  #isDone = false;

  constructor(connection: Connection, position: LivePosition, { signal, onProgress }: LiveOptions) {
    this.#connection = connection;
    this.session = position.session;
    this.#life = new SessionLife(position.session, this.#leave.signal);
    this.#chunks = new ChunkSender(connection, position, this.#life, onProgress);
    this.#events = new ResumedEvents(connection, position.session.events_endpoint, {
      signal: this.#life.signal,
      lastId: position.last_event_id,
      keepTrying: () => this.#life.mayBeOpen,
      onActivity: () => this.#life.noteActivity(),
    });
    this.#keepalive = setInterval(() => this.#stayAlive(), this.#life.ttlMs / KEEPALIVES);
    // The timer must not keep a process running.
    (this.#keepalive as { unref?: () => void }).unref?.();
    if (signal?.aborted) this.#abandon(signal.reason);
    else signal?.addEventListener('abort', () => this.#abandon(signal.reason), { once: true });
  }

  /** The current position of the session. */
  get position(): LivePosition {
    return { session: this.session, next_chunk_seq: this.#chunks.nextSeq, last_event_id: this.#events.lastId };
  }

  /** Bytes waiting to be stored. */
  get queuedBytes(): number {
    return this.#chunks.queuedBytes;
  }

  /**
   * Queues the next bytes, which are sent in the order of the calls, whether or not these are awaited. Resolves when
   * there is room for more.
   * @throws UndertoneError an earlier chunk was refused, or the session ended; or the reason of its signal
   */
  send(bytes: Blob | BufferSource): Promise<void> {
    return this.#chunks.send(bytes);
  }

  /** Waits until everything that was sent is stored. @throws as `send` does */
  flush(): Promise<void> {
    return this.#chunks.flush();
  }

  /**
   * Ends the recording. The remaining events lead to the summary and `done`.
   * @param options.partial if a chunk was refused, finalizes with the chunks that were stored before it
   * @throws as `send` does
   */
  async finalize({ partial = false }: { partial?: boolean } = {}): Promise<void> {
    await this.#chunks.close(partial);
    await this.#control({ action: 'finalize' });
    clearInterval(this.#keepalive);
  }

  /** Discards the session and everything sent. Its events end immediately. @throws UndertoneError */
  async cancel(reason?: string): Promise<void> {
    this.#end(new UndertoneError('SESSION_CLOSED', 'The live session was cancelled'));
    await this.#control({ action: 'cancel', ...(reason !== undefined && { reason }) });
  }

  /**
   * The events up to `done`, each once and in order. A new loop continues where the last one stopped. Only one loop may
   * read at a time.
   * @throws UndertoneError the session failed; or the reason of its signal
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void> {
    try {
      for await (const event of this.#events.read()) {
        this.#isDone = event.event === 'done';
        if (this.#isDone) this.#end(new UndertoneError('SESSION_CLOSED', 'The live session has ended'));
        yield event;
        if (this.#isDone) return;
      }
    } catch (error) {
      if (isClosed(error)) return;
      this.#end(error);
      throw error;
    }
  }

  #end(reason: unknown): void {
    clearInterval(this.#keepalive);
    this.#chunks.fail(reason);
    this.#leave.abort(reason);
  }

  #abandon(reason: unknown): void {
    this.#end(reason);
    // Otherwise the service would keep the session until it expires.
    this.#control({ action: 'cancel' }).catch(() => undefined);
  }

  async #stayAlive(): Promise<void> {
    try {
      await this.#control({ action: 'keepalive' });
    } catch {
      // `send` and the events report what happened to the session.
    }
  }

  /** If a control request succeeds but its response is lost, its repetition is refused. That counts as success. */
  async #control(control: ControlRequest): Promise<void> {
    let isRepeated = false;
    const signal = control.action === 'cancel' ? undefined : this.#life.signal;
    const limit = control.action === 'finalize' ? Number.POSITIVE_INFINITY : 3;
    const keepTrying = (failures: number) => {
      isRepeated = true;
      return failures < limit && this.#life.mayBeOpen;
    };
    try {
      const call = { ...jsonCall('POST', control), repeatable: true, timeoutMs: RESPONSE_MS, signal, keepTrying };
      await this.#connection.json(this.session.control_endpoint, call);
      this.#life.noteActivity();
    } catch (error) {
      // The events may end before the response to `finalize` arrives.
      if (control.action === 'finalize' && this.#isDone) return;
      const isFinalized = error instanceof UndertoneError && error.code === 'SESSION_FINALIZED';
      if (!(isRepeated && isFinalized && control.action !== 'keepalive')) throw error;
    }
  }
}

const isClosed = (error: unknown): boolean => error instanceof UndertoneError && error.code === 'SESSION_CLOSED';
