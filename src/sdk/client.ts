import { Commitments } from './commitments.ts';
import { type CallOptions, Connection, jsonCall, type UndertoneOptions } from './connection.ts';
import { Conversations } from './conversations.ts';
import { UndertoneError } from './error.ts';
import { readEvents, type StreamEvent } from './events.ts';
import { Holds } from './holds.ts';
import { Keys, Tenants, Tokens } from './keys.ts';
import { Live } from './live.ts';
import { analysisCall, isRecording, type Media, type MediaOptions, type ProgressOptions, sizeOf } from './media.ts';
import { Patterns } from './patterns.ts';
import { People } from './people.ts';
import { Playlists } from './playlists.ts';
import { randomName } from './random-name.ts';
import { Redactions } from './redactions.ts';
import { Rules } from './rules.ts';
import { Shares } from './shares.ts';
import { type UploadOptions, Uploads } from './uploads.ts';
import { Views } from './views.ts';
import { wait } from './waiting.ts';
import { WebhookEndpoints } from './webhook-endpoints.ts';
import type {
  AnalysisResponse,
  Health,
  JobStarted,
  Metrics,
  Ready,
  ReceiptKeys,
  SegmentRequest,
  SegmentResponse,
  Upload,
} from './wire.ts';

export type AnalyzeOptions = UploadOptions;

/** Larger recordings are sent in parts, because a proxy in front of the service may limit the size of a request. */
const SINGLE_REQUEST_BYTES = 64 * 1024 * 1024;
/** Pauses between status requests for a background analysis, ms. They grow from the first to the longest. */
const POLL_MS = { first: 300, longest: 4_000 };

/**
 * The client of one service, with one key. All methods throw `UndertoneError`, or the reason of an aborted signal.
 *
 * @example
 * const undertone = new Undertone({ url: 'http://localhost:8787', key: 'your-key' });
 */
export class Undertone {
  readonly #connection: Connection;
  /** Live capture. */
  readonly live: Live;
  /** Stored conversations. */
  readonly conversations: Conversations;
  /** Uploads in parts. */
  readonly uploads: Uploads;
  readonly webhooks: WebhookEndpoints;
  /** Commitments of all conversations. */
  readonly commitments: Commitments;
  /** Moments and lines of all conversations. */
  readonly patterns: Patterns;
  /** People, who may be speakers in any conversation. */
  readonly people: People;
  /** Rules over every conversation. */
  readonly rules: Rules;
  /** Named lists of pieces of conversations. */
  readonly playlists: Playlists;
  /** Filters of the dashboard's pages under names. */
  readonly views: Views;
  /** Links to conversations that work for days without a key. */
  readonly shares: Shares;
  /** Holds, which keep conversations from being deleted. */
  readonly holds: Holds;
  /** Redactions of what is stored, and receipts. */
  readonly redactions: Redactions;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly tenants: Tenants;

  constructor(options: UndertoneOptions) {
    this.#connection = new Connection(options);
    this.live = new Live(this.#connection);
    this.conversations = new Conversations(this.#connection);
    this.uploads = new Uploads(this.#connection);
    this.webhooks = new WebhookEndpoints(this.#connection);
    this.commitments = new Commitments(this.#connection);
    this.patterns = new Patterns(this.#connection);
    this.people = new People(this.#connection);
    this.rules = new Rules(this.#connection);
    this.playlists = new Playlists(this.#connection);
    this.views = new Views(this.#connection);
    this.shares = new Shares(this.#connection);
    this.holds = new Holds(this.#connection);
    this.redactions = new Redactions(this.#connection);
    this.keys = new Keys(this.#connection);
    this.tokens = new Tokens(this.#connection);
    this.tenants = new Tenants(this.#connection);
  }

  /**
   * Analyses a recording and waits for the result. Aborting the signal stops the work and removes everything, except that
   * the analysis of a kept upload (`conversation_id`) continues. Large recordings, and calls with `onProgress` or `resume`,
   * are sent in parts, and the client polls the status: the key then needs the scope `read`.
   *
   * @example
   * const file = await openAsBlob('call.wav');
   * const analysis = await undertone.analyze(file, { filename: 'call.wav', goal: 'What was agreed?' });
   * console.log(analysis.summary.overview);
   */
  async analyze(media: Media, options: AnalyzeOptions = {}): Promise<AnalysisResponse> {
    const { signal, onProgress, resume } = options;
    const isLarge = isRecording(media) && sizeOf(media) > SINGLE_REQUEST_BYTES;
    if (!isLarge && onProgress === undefined && resume === undefined) {
      const [path, call] = analysisCall('analyze', media, options);
      // Not retried without a response, because the service may already be working on it.
      return this.#connection.json(path, { ...call, repeatable: false, signal });
    }
    const { conversation_id: id } = await this.start(media, options);
    try {
      return await this.wait(id, { signal, onProgress });
    } catch (error) {
      // The analysis of a retained upload continues, so that Ctrl-C does not lose the upload.
      if (signal?.aborted && !('conversation_id' in media)) await this.#discard(id);
      throw error;
    }
  }

  /**
   * Starts an analysis in the background. It continues when the client leaves; `wait` returns its result.
   *
   * @example
   * const { conversation_id } = await undertone.start({ url: 'https://example.com/call.wav' });
   * const analysis = await undertone.wait(conversation_id);
   */
  async start(media: Media, options: AnalyzeOptions = {}): Promise<JobStarted> {
    const { signal, onUpload } = options;
    if (!isRecording(media)) {
      const [path, { headers, ...call }] = analysisCall('analyze', media, options);
      const once = { ...headers, Prefer: 'respond-async', 'Idempotency-Key': randomName() };
      return this.#connection.json(path, { ...call, headers: once, repeatable: true, signal });
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

  /**
   * Waits for the result of a background analysis.
   * @throws UndertoneError if the analysis failed or was cancelled
   */
  async wait(conversationId: string, { signal, onProgress }: ProgressOptions = {}): Promise<AnalysisResponse> {
    for (let pause = POLL_MS.first; ; pause = Math.min(POLL_MS.longest, pause * 1.5)) {
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

  /**
   * Analyses a recording and yields its events as they happen, up to `done`. Leaving the loop stops the analysis.
   *
   * @example
   * for await (const event of undertone.replay(file, { filename: 'call.wav' }))
   *   if (event.event === 'final_transcript') console.log(event.data.speaker, event.data.text);
   */
  async *replay(media: Media, options: MediaOptions = {}): AsyncGenerator<StreamEvent, void> {
    const { signal } = options;
    const [path, { headers, ...rest }] = analysisCall('analyze/stream', media, options);
    const call = { ...rest, headers: { ...headers, Accept: 'text/event-stream' }, repeatable: false, signal };
    const response = await this.#connection.send(path, call);
    for await (const event of readEvents(response, signal)) {
      yield event;
      if (event.event === 'done') return;
    }
    throw new UndertoneError('CONNECTION_FAILED', 'The event stream ended early');
  }

  /**
   * Re-segments a timeline into phases. The input can be a complete analysis, or an edited or shortened timeline.
   *
   * @example
   * const { segmentation } = await undertone.segment(analysis);
   */
  segment(
    { timeline, context, moments, transitions }: SegmentRequest,
    { signal }: CallOptions = {},
  ): Promise<SegmentResponse> {
    const call = { ...jsonCall('POST', { timeline, context, moments, transitions }), repeatable: true, signal };
    return this.#connection.json('segment/conversation', call);
  }

  /** Checks that the service is up. It needs no key. */
  health({ signal }: CallOptions = {}): Promise<Health> {
    return this.#connection.json('health', { repeatable: true, signal });
  }

  /** Checks that a pipeline responds, and lists its recognisers. It needs no key. @throws UndertoneError OVERLOADED */
  ready({ signal }: CallOptions = {}): Promise<Ready> {
    return this.#connection.json('ready', { repeatable: false, keepTrying: () => false, signal });
  }

  /** The public keys that check signed receipts. It needs no key. */
  receiptKeys({ signal }: CallOptions = {}): Promise<ReceiptKeys> {
    return this.#connection.json('receipts/keys', { repeatable: true, signal });
  }

  /** Counters of the service. */
  metrics({ signal }: CallOptions = {}): Promise<Metrics> {
    return this.#connection.json('metrics', { headers: { Accept: 'application/json' }, repeatable: true, signal });
  }

  /**
   * Discards an upload or the conversation that it became. A key without the scope `delete` leaves a cancelled
   * conversation behind.
   */
  async #discard(id: string): Promise<void> {
    await this.uploads.abort(id).catch(() => undefined);
    await this.conversations.cancel(id).catch(() => undefined);
    await this.conversations.delete(id).catch(() => undefined);
  }
}
