import { type CallOptions, Connection, jsonCall, type UndertoneOptions } from './connection.ts';
import { Conversations } from './conversations.ts';
import { UndertoneError } from './error.ts';
import { readEvents, type StreamEvent } from './events.ts';
import { Keys, Tenants, Tokens } from './keys.ts';
import { Live } from './live.ts';
import { analysisCall, isRecording, type Media, type MediaOptions, type ProgressOptions, sizeOf } from './media.ts';
import { randomName } from './random-name.ts';
import { type UploadOptions, Uploads } from './uploads.ts';
import { wait } from './waiting.ts';
import { WebhookEndpoints } from './webhook-endpoints.ts';
import type { AnalysisResponse, Health, JobStarted, Metrics, SegmentRequest, SegmentResponse, Upload } from './wire.ts';

export type AnalyzeOptions = UploadOptions;

/** A recording of more bytes than this goes in parts: what stands before a service may refuse it in one. */
const MOST_AT_ONCE_BYTES = 64 * 1024 * 1024;
/** How long an analysis that goes on by itself is left alone before it is asked after again, ms. */
const ASK_MS = { first: 300, longest: 4_000 };

/** One service, called with one key. All methods throw `UndertoneError`, or the reason of a signal that was aborted. */
export class Undertone {
  readonly #connection: Connection;
  /** Capture as it happens. */
  readonly live: Live;
  /** What was analysed, and stays. */
  readonly conversations: Conversations;
  /** Recordings in parts. */
  readonly uploads: Uploads;
  readonly webhooks: WebhookEndpoints;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly tenants: Tenants;

  constructor(options: UndertoneOptions) {
    this.#connection = new Connection(options);
    this.live = new Live(this.#connection);
    this.conversations = new Conversations(this.#connection);
    this.uploads = new Uploads(this.#connection);
    this.webhooks = new WebhookEndpoints(this.#connection);
    this.keys = new Keys(this.#connection);
    this.tokens = new Tokens(this.#connection);
    this.tenants = new Tenants(this.#connection);
  }

  /**
   * Analyses a recording and waits for the whole answer. A signal that is aborted ends the work, and nothing of it stays;
   * one that the service kept goes on. A large one goes in parts; so does one with `onProgress` or `resume`, and is asked
   * after while it goes on: the key has to allow `read`.
   */
  async analyze(media: Media, options: AnalyzeOptions = {}): Promise<AnalysisResponse> {
    const { signal, onProgress, resume } = options;
    const isLarge = isRecording(media) && sizeOf(media) > MOST_AT_ONCE_BYTES;
    if (!isLarge && onProgress === undefined && resume === undefined)
      // Not repeated without a word of the service: it may be at work on it.
      return this.#connection.json('analyze', { ...analysisCall(media, options), repeatable: false, signal });
    const { conversation_id: id } = await this.start(media, options);
    try {
      return await this.wait(id, { signal, onProgress });
    } catch (error) {
      // One that was kept goes on, as it would for whoever leaves: its upload is not to be lost to a Ctrl-C.
      if (signal?.aborted && !('conversation_id' in media)) await this.#discard(id);
      throw error;
    }
  }

  /**
   * Has a recording analysed, without waiting: it goes on by itself, whoever leaves. `wait` gives the result, by the
   * `conversation_id`.
   */
  async start(media: Media, options: AnalyzeOptions = {}): Promise<JobStarted> {
    const { signal, onUpload } = options;
    if (!isRecording(media)) {
      const { headers, ...call } = analysisCall(media, options);
      const once = { ...headers, Prefer: 'respond-async', 'Idempotency-Key': randomName() };
      return this.#connection.json('analyze', { ...call, headers: once, repeatable: true, signal });
    }
    let id: string | undefined;
    try {
      const opened = (upload: Upload) => {
        id = upload.id;
        onUpload?.(upload);
      };
      const upload = await this.uploads.send(media, { ...options, onUpload: opened });
      return await this.uploads.complete(upload.id, { signal });
    } catch (error) {
      if (signal?.aborted && id !== undefined) await this.#discard(id);
      throw error;
    }
  }

  /** Waits for the result of an analysis that goes on by itself. @throws UndertoneError what it failed with; CANCELLED */
  async wait(conversationId: string, { signal, onProgress }: ProgressOptions = {}): Promise<AnalysisResponse> {
    for (let pause = ASK_MS.first; ; pause = Math.min(ASK_MS.longest, pause * 1.5)) {
      const found = await this.conversations.peek(conversationId, { signal });
      if ('timeline' in found) return found;
      const { status, phase, progress, error, kept_until } = found;
      if (error) {
        const kept = kept_until === null ? undefined : conversationId;
        throw new UndertoneError(error.code, error.message, { conversationId: kept });
      }
      if (status === 'cancelled') throw new UndertoneError('CANCELLED', 'The analysis was cancelled');
      onProgress?.({ phase: phase ?? status, progress });
      await wait(pause, signal);
    }
  }

  /** Analyses a recording and tells it as it is understood, event by event, to `done`. Leaving the loop ends the work. */
  async *replay(media: Media, options: MediaOptions = {}): AsyncGenerator<StreamEvent, void> {
    const { signal } = options;
    const { headers, ...rest } = analysisCall(media, options);
    const call = { ...rest, headers: { ...headers, Accept: 'text/event-stream' }, repeatable: false, signal };
    const response = await this.#connection.send('analyze/stream', call);
    for await (const event of readEvents(response, signal)) {
      yield event;
      if (event.event === 'done') return;
    }
    throw new UndertoneError('CONNECTION_FAILED', 'The stream of events broke off');
  }

  /** Divides a timeline into phases again: a whole analysis, or one that was edited or stripped. */
  segment(
    { timeline, context, moments, transitions }: SegmentRequest,
    { signal }: CallOptions = {},
  ): Promise<SegmentResponse> {
    const call = { ...jsonCall('POST', { timeline, context, moments, transitions }), repeatable: true, signal };
    return this.#connection.json('segment/conversation', call);
  }

  /** Whether the service lives; needs no key. */
  health({ signal }: CallOptions = {}): Promise<Health> {
    return this.#connection.json('health', { repeatable: true, signal });
  }

  /** Counters of the service. */
  metrics({ signal }: CallOptions = {}): Promise<Metrics> {
    return this.#connection.json('metrics', { headers: { Accept: 'application/json' }, repeatable: true, signal });
  }

  /** An upload, or the conversation that it has become; where the key may not delete, that it was cancelled stays. */
  async #discard(id: string): Promise<void> {
    await this.uploads.abort(id).catch(() => undefined);
    await this.conversations.cancel(id).catch(() => undefined);
    await this.conversations.delete(id).catch(() => undefined);
  }
}
