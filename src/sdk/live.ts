import { type Connection, jsonCall } from './connection.ts';
import { UndertoneError } from './error.ts';
import type { StreamEvent } from './events.ts';
import { type ChunkProgress, ChunkSender } from './live-chunks.ts';
import { Life, type LivePosition } from './live-life.ts';
import { randomName } from './random-name.ts';
import { ResumedEvents } from './resumed-events.ts';
import type { ControlRequest, LiveSession, LiveStartRequest } from './wire.ts';

export interface LiveOptions {
  /** Aborting it ends the session, at the service too. */
  signal?: AbortSignal | undefined;
  /** Told whenever the service has stored more. */
  onProgress?: ((progress: ChunkProgress) => void) | undefined;
}

export interface LiveStartOptions extends LiveStartRequest, LiveOptions {}

/** How long the service may take to answer a control, ms. */
const ANSWER_MS = 15_000;
/** Signs of life for each life of the session. */
const KEEPALIVES = 3;

/** Live capture. */
export class Live {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Opens a session. @throws UndertoneError */
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

  /** Goes on with a session that was opened elsewhere, from where that stood. */
  resume(position: LivePosition, options: LiveOptions = {}): LiveCapture {
    return new LiveCapture(this.#connection, position, options);
  }
}

/**
 * One live session. Its chunks are one stream of bytes, cut anywhere: `send` them as they come, `finalize`, and read the
 * events (`for await (const event of capture)`) to `done`. Lost connections are made again for as long as the session
 * lives; no byte is stored twice and no event told twice.
 */
export class LiveCapture implements AsyncIterable<StreamEvent> {
  readonly session: LiveSession;
  readonly #connection: Connection;
  /** Aborted when nothing of the session is wanted any more. */
  readonly #leave = new AbortController();
  readonly #life: Life;
  readonly #chunks: ChunkSender;
  readonly #events: ResumedEvents;
  #keepalive: ReturnType<typeof setInterval> | undefined;
  #isDone = false;

  constructor(connection: Connection, position: LivePosition, { signal, onProgress }: LiveOptions) {
    this.#connection = connection;
    this.session = position.session;
    this.#life = new Life(position.session, this.#leave.signal);
    this.#chunks = new ChunkSender(connection, position, this.#life, onProgress);
    this.#events = new ResumedEvents(connection, position.session.events_endpoint, {
      signal: this.#life.signal,
      lastId: position.last_event_id,
      goesOn: () => this.#life.lasts,
      onHeard: () => this.#life.heard(),
    });
    this.#keepalive = setInterval(() => this.#stayAlive(), this.#life.ttlMs / KEEPALIVES);
    // Nobody's process is kept from ending by it.
    (this.#keepalive as { unref?: () => void }).unref?.();
    if (signal?.aborted) this.#abandon(signal.reason);
    else signal?.addEventListener('abort', () => this.#abandon(signal.reason), { once: true });
  }

  /** Where the session stands now. */
  get position(): LivePosition {
    return { session: this.session, next_chunk_seq: this.#chunks.nextSeq, last_event_id: this.#events.lastId };
  }

  /** Bytes that wait to be stored. */
  get queuedBytes(): number {
    return this.#chunks.queuedBytes;
  }

  /**
   * Takes the next bytes; they are sent in the order of the calls, whether or not these wait for one another. Resolves when
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
   * No more will be sent: the events now lead to the summary and `done`.
   * @param options.partial also where a chunk was refused: what was stored before is concluded
   * @throws as `send` does
   */
  async finalize({ partial = false }: { partial?: boolean } = {}): Promise<void> {
    await this.#chunks.close(partial);
    await this.#control({ action: 'finalize' });
    clearInterval(this.#keepalive);
  }

  /** Throws the session away, with what was sent; its events end without another word. @throws UndertoneError */
  async cancel(reason?: string): Promise<void> {
    this.#end(new UndertoneError('SESSION_CLOSED', 'The live session was cancelled'));
    await this.#control({ action: 'cancel', ...(reason !== undefined && { reason }) });
  }

  /**
   * The events, each once and in order, to `done`; a loop that was left can be entered again. One reader at a time.
   * @throws UndertoneError the session failed; or the reason of its signal
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void> {
    try {
      for await (const event of this.#events.read()) {
        this.#isDone = event.event === 'done';
        if (this.#isDone) this.#end(new UndertoneError('SESSION_CLOSED', 'The live session is over'));
        yield event;
        if (this.#isDone) return;
      }
    } catch (error) {
      if (isOver(error)) return;
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
    // Without it the service would keep the session until its time is over.
    this.#control({ action: 'cancel' }).catch(() => undefined);
  }

  async #stayAlive(): Promise<void> {
    try {
      await this.#control({ action: 'keepalive' });
    } catch {
      // Whoever sends or reads is told what became of the session.
    }
  }

  /** A control whose answer was lost is sent again, and refused when it had been carried out: that is a success. */
  async #control(control: ControlRequest): Promise<void> {
    let isRepeated = false;
    const signal = control.action === 'cancel' ? undefined : this.#life.signal;
    const most = control.action === 'finalize' ? Number.POSITIVE_INFINITY : 3;
    const goesOn = (failures: number) => {
      isRepeated = true;
      return failures < most && this.#life.lasts;
    };
    try {
      const call = { ...jsonCall('POST', control), repeatable: true, timeoutMs: ANSWER_MS, signal, goesOn };
      await this.#connection.json(this.session.control_endpoint, call);
      this.#life.heard();
    } catch (error) {
      // The events may reach their end before the answer to what led there is had.
      if (control.action === 'finalize' && this.#isDone) return;
      const isFinalized = error instanceof UndertoneError && error.code === 'SESSION_FINALIZED';
      if (!(isRepeated && isFinalized && control.action !== 'keepalive')) throw error;
    }
  }
}

const isOver = (error: unknown): boolean => error instanceof UndertoneError && error.code === 'SESSION_CLOSED';
