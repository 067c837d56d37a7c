import { ServiceError } from '../../contract/errors.ts';
import { readNdjson } from '../../contract/ndjson.ts';
import { type PipelineLine, PipelineLineSchema, SessionPositionSchema } from '../../contract/pipeline.ts';
import type { PipelineHost } from '../analysis/pipeline.ts';
import { within } from '../deadline.ts';
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
export type ReadLines = (lines: AsyncIterable<PipelineLine>) => Promise<void>;

/** Waits before trying again: doubles from the first to the last. */
const RETRY_MS = { first: 200, last: 5_000 };
/** Final processing tells its progress far more often. */
const SILENCE_MS = 300_000;
/** Failures in a row, without one more chunk taken between them, after which the session cannot continue: about two minutes. */
const MAX_FAILURES = 25;

/**
 * Feeds a session's stored chunks to the pipeline and reads its lines: an idempotent POST per chunk and one long NDJSON
 * GET. A container that disappears is replaced, told everything again from the first chunk it lacks, and read again from
 * the first line; the reader skips what it already had.
 */
export class PipelineFeed {
  readonly #host: PipelineHost;
  readonly #options: SessionOptions;
  readonly #source: FeedSource;
  #wakeUp = Promise.withResolvers<void>();
  #connection = new AbortController();
  #stopped = false;
  #failures = 0;
  #acknowledged = -1;

  constructor(host: PipelineHost, options: SessionOptions, source: FeedSource) {
    this.#host = host;
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
   * @throws ServiceError LIVE_ASR_FAILURE when the pipeline stays away, and what the reading throws
   */
  async run(read: ReadLines): Promise<void> {
    while (!this.#stopped) {
      try {
        return await this.#connect(read);
      } catch (cause) {
        if (this.#stopped) return;
        if (cause instanceof ServiceError) throw cause;
        if (++this.#failures > MAX_FAILURES) throw new ServiceError('LIVE_ASR_FAILURE', undefined, { cause });
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

  async #connect(read: ReadLines): Promise<void> {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    const { conversationId, suffix, speakers } = this.#options;
    const query = new URLSearchParams({ conversation_id: conversationId, suffix });
    if (speakers !== undefined) query.set('speakers', String(speakers));
    const opened = await this.#call(`?${query}`, { method: 'PUT', signal });
    const position = SessionPositionSchema.parse(await opened.json());
    const sending = this.#send(position.next_chunk_seq, signal);
    const reading = read(this.#lines(signal));
    try {
      await Promise.race([reading, sending.then(() => reading)]);
    } finally {
      this.#disconnect();
      await Promise.allSettled([reading, sending]);
    }
  }

  async #send(from: number, signal: AbortSignal): Promise<void> {
    for (let seq = from; !signal.aborted; ) {
      const bytes = this.#source.chunk(seq);
      if (bytes) {
        await (await this.#call(`/chunks/${seq}`, { method: 'POST', body: bytes, signal })).arrayBuffer();
        if (seq > this.#acknowledged) this.#failures = 0;
        this.#acknowledged = Math.max(this.#acknowledged, seq);
        seq++;
      } else if (this.#source.isFinalized()) {
        await (await this.#call('/finalize', { method: 'POST', signal })).arrayBuffer();
        return;
      } else await this.#wakeUp.promise;
    }
  }

  async *#lines(signal: AbortSignal): AsyncGenerator<PipelineLine> {
    const { body } = await this.#call('/lines', { method: 'GET', signal });
    if (!body) throw new Error('the pipeline answered without lines');
    for await (const json of this.#awake(readNdjson(body, new TextDecoder()))) {
      const line = PipelineLineSchema.parse(json);
      yield line;
      if (line.type === 'end' || line.type === 'error') return;
    }
    throw new Error('the lines of the pipeline ended early');
  }

  /** @throws when a pipeline that has everything says nothing for too long; before that, silence is the client's. */
  async *#awake<T>(values: AsyncGenerator<T>): AsyncGenerator<T> {
    for (;;) {
      const next = values.next();
      next.catch(() => undefined);
      let step = await within(next, SILENCE_MS);
      while (step === 'late' && !this.#source.isFinalized()) step = await within(next, SILENCE_MS);
      if (step === 'late') throw new Error('the pipeline fell silent');
      if (step.done) return;
      yield step.value;
    }
  }

  async #call(path: string, init: RequestInit): Promise<Response> {
    const response = await this.#host.fetch(`/sessions/${this.#options.sessionId}${path}`, init);
    if (response.ok) return response;
    await response.body?.cancel();
    throw new Error(`the pipeline answered ${response.status} to ${init.method} ${path}`);
  }

  #disconnect(): void {
    this.#connection.abort();
    this.wake();
  }
}
