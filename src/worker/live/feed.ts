import { ServiceError } from '../../contract/errors.ts';
import {
  CHUNKS_TOGETHER,
  CHUNKS_UNDER_WAY,
  type PipelineOptions,
  PROTOCOL_HEADER,
  SessionPositionSchema,
  SILENCE_MS,
  TRANSCRIPTIONS_PROTOCOL,
} from '../../contract/pipeline.ts';
import { logFault } from '../http/errors.ts';
import type { PipelineHost } from '../pipeline/hosts.ts';
import { requestPipeline, verdictOf } from '../pipeline/pipeline.ts';
import { PipelineReader } from '../pipeline/reader.ts';
import type { SessionOptions } from './log.ts';

/** The media of a session, as the feed reads it. */
export interface FeedSource {
  /** The bytes of a stored chunk; null when it has not arrived yet. */
  chunk(seq: number): Uint8Array<ArrayBuffer> | null;
  /**
   * When a stored chunk was accepted, Unix time, ms; 0 when that is unknown, null when the chunk has not arrived yet.
   */
  acceptedAt(seq: number): number | null;
  /** Whether no further chunk will arrive. */
  isFinalized(): boolean;
  /**
   * Stored transcriptions whose keys follow `key` ('' for the first), as lines that can be sent together, and the last
   * of their keys; null when there are no more.
   */
  transcriptionsAfter(key: string): { lines: string; last: string } | null;
}

/** Finds a pipeline for a session. */
export interface FeedPlace {
  /**
   * The pipeline; null when the session still waits for one.
   * @param isLost whether the session lost the pipeline that it had
   */
  next(isLost: boolean): Promise<PipelineHost | null>;
  /** The pipeline that `next` returns from now on, for when the present one is about to end; null without another one. */
  other(): Promise<PipelineHost | null>;
  /** The pipeline has all chunks so far. */
  caughtUp(): void;
  /**
   * Whether the pipeline that the session has is gone. Called when it is quiet; resolves once that is known.
   * @param signal aborts when the answer is no longer needed
   */
  isGone(signal: AbortSignal): Promise<boolean>;
}

/**
 * Reads the pipeline's lines from the first one. It is called again when another container takes over or the connection
 * is lost. If it throws a ServiceError, the feed ends; any other error counts as a lost connection.
 */
export type ReadLines = (reader: PipelineReader) => Promise<void>;

/** Waits between attempts, ms. Each wait is twice the previous one, from `first` up to `last`. */
const RETRY_MS = { first: 200, last: 5_000 };
/** Time after which a session without a pipeline fails, ms. */
const GIVE_UP_MS = 24 * 3600 * 1000;
/**
 * Time limit of a request with chunks, ms: two minutes for each request that can be in flight. A pipeline that is
 * catching up accepts chunks no faster than it transcribes them; meanwhile its lines show that it is alive.
 */
const TAKE_MS = CHUNKS_UNDER_WAY * 120_000;
/**
 * Age, ms, at which a waiting chunk shows that its session is catching up. The session then keeps only one request in
 * flight, because many catching-up sessions may share the memory of one isolate.
 */
const CATCHING_UP_MS = 60_000;
/** A prepared pipeline that is less behind than this takes over, s. It says so every second. */
const CAUGHT_UP_S = 1;
/** Number of consecutive failures, about 6 s, after which the log reports that a session is waiting. */
const LOG_AFTER = 5;

/** Another pipeline is prepared, and takes over. */
class TakeOver extends Error {}

/**
 * Feeds a session's stored chunks to the pipeline in idempotent POST requests, and reads the pipeline's lines from one
 * long NDJSON GET. When a container disappears, another one receives the stored transcriptions and the chunks, and its
 * lines are read from the first one. The reader skips the lines that it already has. When a container is about to end,
 * another one is fed beside it, and takes over once it has caught up.
 */
export class PipelineFeed {
  readonly #place: FeedPlace;
  #host: PipelineHost | null = null;
  readonly #session: Pick<SessionOptions, 'sessionId' | 'requestId'>;
  readonly #options: PipelineOptions;
  readonly #source: FeedSource;
  #wakeUp = Promise.withResolvers<void>();
  #connection = new AbortController();
  /** Ends the present connection. */
  #leave: (cause: Error) => void = () => undefined;
  #isPreparing = false;
  #stopped = false;
  /** Number of consecutive failed connections without an accepted chunk in between. */
  #failures = 0;
  #awaySince: number | null = null;
  #acknowledged = -1;
  /** The last chunk that the present pipeline has accepted. */
  #taken = -1;
  /** Whether the present pipeline has not had all chunks yet. */
  #isBehind = true;

  constructor(
    place: FeedPlace,
    session: Pick<SessionOptions, 'sessionId' | 'requestId'>,
    options: PipelineOptions,
    source: FeedSource,
  ) {
    this.#place = place;
    this.#session = session;
    this.#options = options;
    this.#source = source;
  }

  /** Sends newly stored chunks, or the end of the media. */
  wake(): void {
    this.#wakeUp.resolve();
    this.#wakeUp = Promise.withResolvers();
  }

  /**
   * Runs until it has read the pipeline's last line, or until `stop`. It waits while no pipeline is available.
   * @throws ServiceError LIVE_ASR_FAILURE when no pipeline could be reached for a day, and the errors of `read`
   */
  async run(read: ReadLines): Promise<void> {
    let isLost = false;
    while (!this.#stopped) {
      try {
        this.#host = await this.#place.next(isLost);
        if (this.#host) return await this.#connect(this.#host, read);
        if (!this.#stopped) this.#checkPatience(new Error('no pipeline has room'));
      } catch (cause) {
        if (this.#stopped) return;
        if (cause instanceof ServiceError) throw cause;
        isLost = !(cause instanceof TakeOver);
        if (!isLost) {
          void this.#forgetOn(this.#host);
          continue;
        }
        this.#checkPatience(cause);
        this.#failures++;
        if (this.#failures === LOG_AFTER) this.#logWaiting(cause);
        await scheduler.wait(Math.min(RETRY_MS.last, RETRY_MS.first * 2 ** (this.#failures - 1)));
      }
    }
  }

  /** Age of the oldest chunk that the pipeline has not accepted, s; 0 without one. */
  get unsentSeconds(): number {
    const acceptedAt = this.#source.acceptedAt(this.#taken + 1);
    return acceptedAt ? Math.max(0, Date.now() - acceptedAt) / 1000 : 0;
  }

  /** @throws ServiceError when the session has been without a pipeline for too long */
  #checkPatience(cause: unknown): void {
    this.#awaySince ??= Date.now();
    if (Date.now() - this.#awaySince > GIVE_UP_MS) throw new ServiceError('LIVE_ASR_FAILURE', undefined, { cause });
  }

  /** Stops the feed and the pipeline. The container forgets the session. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#disconnect();
    await this.#forgetOn(this.#host);
  }

  /** The pipeline is about to end. It goes on until another one is prepared; without any, it asks again. */
  move(): void {
    if (this.#isPreparing || this.#source.isFinalized()) return;
    this.#isPreparing = true;
    void this.#prepare(this.#connection.signal)
      .catch(() => undefined)
      .finally(() => {
        this.#isPreparing = false;
      });
  }

  /** @param leaving aborts when the session leaves its present pipeline for another reason */
  async #prepare(leaving: AbortSignal): Promise<void> {
    const host = await this.#place.other();
    if (!host || leaving.aborted) return;
    const ended = new AbortController();
    const signal = AbortSignal.any([leaving, ended.signal]);
    let isEnding = false;
    try {
      let seq = await this.#open(host, signal);
      let behindS = Number.POSITIVE_INFINITY;
      const watching = this.#read(host, signal, async (reader) => {
        for await (const line of reader.lines()) {
          isEnding ||= line.type === 'moving';
          if (isEnding) throw new Error('the prepared pipeline is about to end, too');
          if (line.type !== 'alive') continue;
          behindS = line.behind_s ?? 0;
          this.wake();
        }
      });
      watching.catch(() => {
        ended.abort();
        this.wake();
      });
      while (!signal.aborted && !this.#source.isFinalized()) {
        const chunks = this.#waiting(seq);
        if (chunks.length > 0) await this.#post(host, seq, chunks, signal);
        else if (behindS <= CAUGHT_UP_S) return this.#leave(new TakeOver());
        else await this.#wakeUp.promise;
        seq += chunks.length;
      }
    } finally {
      ended.abort();
      // The present pipeline concludes a session that was finalized meanwhile.
      const isKept = leaving.aborted || !this.#source.isFinalized();
      if (this.#stopped || isEnding || !isKept) await this.#forgetOn(host);
    }
  }

  async #forgetOn(host: PipelineHost | null): Promise<void> {
    if (host) await this.#call(host, '', { method: 'DELETE' }).catch(() => undefined);
  }

  async #connect(host: PipelineHost, read: ReadLines): Promise<void> {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    const from = await this.#open(host, signal);
    this.#taken = from - 1;
    this.#isBehind = true;
    const gone = Promise.withResolvers<never>();
    this.#leave = gone.reject;
    const sending = this.#send(host, from, signal);
    const reading = this.#read(host, signal, read, () => void this.#leaveIfGone(signal));
    try {
      await Promise.race([reading, sending.then(() => reading), gone.promise]);
    } finally {
      this.#disconnect();
      await Promise.allSettled([reading, sending]);
    }
  }

  /** Begins or continues the session on a pipeline. @returns the number of the first chunk that it does not have */
  async #open(host: PipelineHost, signal: AbortSignal): Promise<number> {
    const opened = await this.#call(host, '', { method: 'PUT', body: JSON.stringify(this.#options), signal });
    const { next_chunk_seq: from } = SessionPositionSchema.parse(await opened.json());
    const takesTranscriptions = Number(opened.headers.get(PROTOCOL_HEADER)) >= TRANSCRIPTIONS_PROTOCOL;
    if (takesTranscriptions && from === 0) await this.#sendTranscriptions(host, signal);
    return from;
  }

  async #sendTranscriptions(host: PipelineHost, signal: AbortSignal): Promise<void> {
    for (let key = ''; ; ) {
      const page = this.#source.transcriptionsAfter(key);
      if (!page) return;
      await (await this.#call(host, '/transcriptions', { method: 'POST', body: page.lines, signal })).arrayBuffer();
      key = page.last;
    }
  }

  /**
   * Keeps several requests in flight while the pipeline keeps up, so that a chunk never waits for a round trip or for
   * the next chunk.
   */
  async #send(host: PipelineHost, from: number, signal: AbortSignal): Promise<void> {
    const inFlight = new Set<Promise<void>>();
    for (let seq = from; !signal.aborted; ) {
      const isFull = inFlight.size >= (this.#isCatchingUp(seq) ? 1 : CHUNKS_UNDER_WAY);
      const chunks = isFull ? [] : this.#waiting(seq);
      if (chunks.length > 0) {
        const sending = this.#sendChunks(host, seq, chunks, signal).then(() => void inFlight.delete(sending));
        // The failure surfaces where this request is awaited, which makes later requests unnecessary.
        sending.catch(() => undefined);
        inFlight.add(sending);
        seq += chunks.length;
      } else if (!isFull && this.#source.isFinalized()) {
        await Promise.all(inFlight);
        await (await this.#call(host, '/finalize', { method: 'POST', signal })).arrayBuffer();
        return;
      } else await Promise.race(isFull ? inFlight : [this.#wakeUp.promise, ...inFlight]);
    }
  }

  async #post(host: PipelineHost, seq: number, chunks: Uint8Array<ArrayBuffer>[], signal: AbortSignal): Promise<void> {
    const sizes = chunks.map((chunk) => chunk.length).join();
    const sent = { method: 'POST', body: new Blob(chunks), signal };
    await (await this.#call(host, `/chunks/${seq}?sizes=${sizes}`, sent, TAKE_MS)).arrayBuffer();
  }

  async #sendChunks(
    host: PipelineHost,
    seq: number,
    chunks: Uint8Array<ArrayBuffer>[],
    signal: AbortSignal,
  ): Promise<void> {
    await this.#post(host, seq, chunks, signal);
    const last = seq + chunks.length - 1;
    this.#taken = Math.max(this.#taken, last);
    if (this.#isBehind && this.#source.acceptedAt(this.#taken + 1) === null) {
      this.#isBehind = false;
      this.#place.caughtUp();
    }
    if (last <= this.#acknowledged) return;
    this.#failures = 0;
    this.#awaySince = null;
    this.#acknowledged = last;
  }

  /** Whether the chunk arrived long ago and is still waiting. */
  #isCatchingUp(seq: number): boolean {
    const acceptedAt = this.#source.acceptedAt(seq);
    return acceptedAt !== null && Date.now() - acceptedAt > CATCHING_UP_MS;
  }

  /** The chunks starting at `seq` that can be sent together: at least one, if it has arrived. */
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

  /** A busy pipeline can be quiet for a while. The pool asks it, and decides. */
  async #leaveIfGone(signal: AbortSignal): Promise<void> {
    const isGone = await this.#place.isGone(signal).catch(() => false);
    if (isGone && !signal.aborted) this.#leave(new Error('the pipeline no longer answers'));
  }

  async #read(host: PipelineHost, signal: AbortSignal, read: ReadLines, onQuiet?: () => void): Promise<void> {
    const { body } = await this.#call(host, '/lines', { method: 'GET', signal });
    if (!body) throw new Error('the pipeline returned an empty response');
    const reader = new PipelineReader(body, SILENCE_MS, onQuiet);
    // Not every kind of host ends the stream of a request that is aborted.
    signal.addEventListener('abort', () => void reader.close(), { once: true });
    try {
      await read(reader);
    } finally {
      await reader.close();
    }
  }

  async #call(host: PipelineHost, path: string, init: RequestInit, withinMs?: number): Promise<Response> {
    const { sessionId, requestId } = this.#session;
    const headers: HeadersInit = requestId === undefined ? {} : { 'X-Request-Id': requestId };
    const response = await requestPipeline(host, `/sessions/${sessionId}${path}`, { ...init, headers }, withinMs);
    if (response.ok) return response;
    const verdict = await verdictOf(response);
    // Another pipeline would refuse this as well. Any other failure counts as an infrastructure fault and is retried.
    if (response.status === 400 && verdict instanceof ServiceError) throw verdict;
    throw new Error(`the pipeline returned ${response.status} for ${init.method} ${path}`);
  }

  #logWaiting(cause: unknown): void {
    const { sessionId, requestId } = this.#session;
    const waiting = new ServiceError('LIVE_ASR_FAILURE', 'A live session is waiting for a pipeline', { cause });
    logFault(waiting, { request_id: requestId, session_id: sessionId });
  }

  #disconnect(): void {
    this.#connection.abort();
    this.wake();
  }
}
