import { type CallOptions, Connection, jsonCall, type UndertoneOptions } from './connection.ts';
import { UndertoneError } from './error.ts';
import { readEvents, type StreamEvent } from './events.ts';
import { Live } from './live.ts';
import { type AnalyzeOptions, type Media, namedBlob, type RemoteMedia, uploadForm } from './media.ts';
import type { AnalysisResponse, Health, Metrics, SegmentRequest, SegmentResponse } from './wire.ts';

/** One service, called with one key. All methods throw `UndertoneError`, or the reason of a signal that was aborted. */
export class Undertone {
  readonly #connection: Connection;
  /** Capture as it happens. */
  readonly live: Live;

  constructor(options: UndertoneOptions) {
    this.#connection = new Connection(options);
    this.live = new Live(this.#connection);
  }

  /** Analyses a recording and waits for the whole answer. */
  async analyze(media: Exclude<Media, RemoteMedia>, options: AnalyzeOptions = {}): Promise<AnalysisResponse> {
    const body = uploadForm(namedBlob(media, options.filename), options);
    // Not repeated without a word of the service: it may be at work on it.
    return this.#connection.json('analyze', { method: 'POST', body, repeatable: false, signal: options.signal });
  }

  /** Analyses a recording and tells it as it is understood, event by event, to `done`. Leaving the loop ends the work. */
  async *replay(media: Exclude<Media, RemoteMedia>, options: AnalyzeOptions = {}): AsyncGenerator<StreamEvent, void> {
    const { signal } = options;
    const headers = { Accept: 'text/event-stream' };
    const call = {
      method: 'POST',
      headers,
      body: uploadForm(namedBlob(media, options.filename), options),
      repeatable: false,
      signal,
    } as const;
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
}
