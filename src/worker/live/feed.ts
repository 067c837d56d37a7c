import { ServiceError } from '../../contract/errors.ts';
import {
  CHUNKS_TOGETHER,
  CHUNKS_UNDER_WAY,
  type PipelineOptions,
  SessionPositionSchema,
  SILENCE_MS,
} from '../../contract/pipeline.ts';
import { logFault } from '../http/errors.ts';
import type { PipelineHost } from '../pipeline/hosts.ts';
import { ask, verdictOf } from '../pipeline/pipeline.ts';
import { PipelineReader } from '../pipeline/reader.ts';
import type { SessionOptions } from './log.ts';

/** What there is to tell the pipeline. */
export interface FeedSource {
  /** The bytes of a stored chunk, or null when it has not come yet. */
  chunk(seq: number): Uint8Array<ArrayBuffer> | null;
  /** True when no further chunk will come. */
  isFinalized(): boolean;
}

/**
 * Hears the pipeline, from its first line on; called again with all of them when another container took over or the
 * connection broke. A ServiceError it throws ends the feeding, anything else counts as a lost connection.
 */
export type Read = (reader: PipelineReader) => Promise<void>;

/** Waits before trying again: doubles from the first to the last. */
const RETRY_MS = { first: 200, last: 5_000 };
/** A finalized session is concluded by whatever pipeline comes back within this time. */
const GIVE_UP_MS = 24 * 3600 * 1000;
/**
 * A pipeline that catches up takes chunks no faster than it hears them, one request after the other, and shows meanwhile by its
 * lines that it lives: two minutes for each that is under way.
 */
const TAKE_MS = CHUNKS_UNDER_WAY * 120_000;
/** Failures in a row, some 6 s, after which the log says that a session waits. */
const TELL_AFTER = 5;

/**
 * Feeds a session's stored chunks to the pipeline and reads its lines: idempotent POSTs of chunks and one long NDJSON GET.
 * A container that disappears is replaced, told everything again from the first chunk it lacks, and read again from the
 * first line; the reader skips what it already had.
 */
export class PipelineFeed {
  readonly #hosts: PipelineHost[];
  readonly #session: Pick<SessionOptions, 'sessionId' | 'requestId'>;
  readonly #options: PipelineOptions;
  readonly #source: FeedSource;
  #wakeUp = Promise.withResolvers<void>();
  #connection = new AbortController();
  #stopped = false;
  /** Connections that failed, and those in a row without one more chunk taken. */
  #failed = 0;
  #failures = 0;
  #awaySince: number | null = null;
  #acknowledged = -1;

  constructor(
    hosts: PipelineHost[],
    session: Pick<SessionOptions, 'sessionId' | 'requestId'>,
    options: PipelineOptions,
    source: FeedSource,
  ) {
    this.#hosts = hosts;
    this.#session = session;
    this.#options = options;
    this.#source = source;
  }

  /** A chunk or the end of the chunks was stored. */
  wake(): void {
    this.#wakeUp.resolve();
    this.#wakeUp = Promise.withResolvers();
  }

  /**
   * Until the pipeline's last line was read, or `stop`.
   * A pipeline that stays away is waited for, while the session lives and longer when it was finalized.
   * @throws ServiceError LIVE_ASR_FAILURE when it stays away for a day, and what the reading throws
   */
  async run(read: Read): Promise<void> {
    while (!this.#stopped) {
      try {
        return await this.#connect(read);
      } catch (cause) {
        if (this.#stopped) return;
        if (cause instanceof ServiceError) throw cause;
        this.#awaySince ??= Date.now();
        if (Date.now() - this.#awaySince > GIVE_UP_MS) throw new ServiceError('LIVE_ASR_FAILURE', undefined, { cause });
        this.#failed++;
        this.#failures++;
        if (this.#failures === TELL_AFTER) this.#tellAway(cause);
        await scheduler.wait(Math.min(RETRY_MS.last, RETRY_MS.first * 2 ** (this.#failures - 1)));
      }
    }
  }

  /** Ends the work on both sides; the container forgets the session. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#disconnect();
    await this.#call('', { method: 'DELETE' }).catch(() => undefined);
  }

  async #connect(read: Read): Promise<void> {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    const opened = await this.#call('', { method: 'PUT', body: JSON.stringify(this.#options), signal });
    const position = SessionPositionSchema.parse(await opened.json());
    const sending = this.#send(position.next_chunk_seq, signal);
    const reading = this.#read(read, signal);
    try {
      await Promise.race([reading, sending.then(() => reading)]);
    } finally {
      this.#disconnect();
      await Promise.allSettled([reading, sending]);
    }
  }

  /** Some requests at a time: a chunk waits neither for the way to the pipeline and back nor for more to come. */
  async #send(from: number, signal: AbortSignal): Promise<void> {
    const underWay = new Set<Promise<void>>();
    for (let seq = from; !signal.aborted; ) {
      const isFull = underWay.size === CHUNKS_UNDER_WAY;
      const chunks = isFull ? [] : this.#waiting(seq);
      if (chunks.length > 0) {
        const sending = this.#sendChunks(seq, chunks, signal).then(() => void underWay.delete(sending));
        // One that breaks is seen when it is waited for; of the others nobody asks any more.
        sending.catch(() => undefined);
        underWay.add(sending);
        seq += chunks.length;
      } else if (!isFull && this.#source.isFinalized()) {
        await Promise.all(underWay);
        await (await this.#call('/finalize', { method: 'POST', signal })).arrayBuffer();
        return;
      } else await Promise.race(isFull ? underWay : [this.#wakeUp.promise, ...underWay]);
    }
  }

  async #sendChunks(seq: number, chunks: Uint8Array<ArrayBuffer>[], signal: AbortSignal): Promise<void> {
    const sizes = chunks.map((chunk) => chunk.length).join();
    const sent = { method: 'POST', body: new Blob(chunks), signal };
    await (await this.#call(`/chunks/${seq}?sizes=${sizes}`, sent, TAKE_MS)).arrayBuffer();
    const last = seq + chunks.length - 1;
    if (last <= this.#acknowledged) return;
    this.#failures = 0;
    this.#awaySince = null;
    this.#acknowledged = last;
  }

  /** The chunks from `seq` on that may be sent together: at least one, if it has come. */
  #waiting(seq: number): Uint8Array<ArrayBuffer>[] {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    while (chunks.length < CHUNKS_TOGETHER.chunks) {
      const chunk = this.#source.chunk(seq + chunks.length);
      bytes += chunk?.length ?? 0;
      if (!chunk || (chunks.length > 0 && bytes > CHUNKS_TOGETHER.bytes)) break;
      chunks.push(chunk);
    }
    return chunks;
  }

  async #read(read: Read, signal: AbortSignal): Promise<void> {
    const { body } = await this.#call('/lines', { method: 'GET', signal });
    if (!body) throw new Error('the pipeline answered without lines');
    const reader = new PipelineReader(body, SILENCE_MS);
    try {
      await read(reader);
    } finally {
      await reader.close();
    }
  }

  async #call(path: string, init: RequestInit, withinMs?: number): Promise<Response> {
    const host = this.#hosts[this.#failed % this.#hosts.length]!;
    const { sessionId, requestId } = this.#session;
    const headers: HeadersInit = requestId === undefined ? {} : { 'X-Request-Id': requestId };
    const response = await ask(host, `/sessions/${sessionId}${path}`, { ...init, headers }, withinMs);
    if (response.ok) return response;
    const said = await verdictOf(response);
    // What this one will not do, no other one will; all else is a machine's fault, and is tried again.
    if (response.status === 400 && said instanceof ServiceError) throw said;
    throw new Error(`the pipeline answered ${response.status} to ${init.method} ${path}`);
  }

  #tellAway(cause: unknown): void {
    const { sessionId, requestId } = this.#session;
    const waits = new ServiceError('LIVE_ASR_FAILURE', 'A live session waits for a pipeline', { cause });
    logFault(waits, { request_id: requestId, session_id: sessionId });
  }

  #disconnect(): void {
    this.#connection.abort();
    this.wake();
  }
}
