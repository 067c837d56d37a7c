import { type Connection, isTemporary } from './connection.ts';
import { UndertoneError } from './error.ts';
import { readEvents, type StreamEvent } from './events.ts';

export interface ResumptionOptions {
  signal?: AbortSignal | undefined;
  /** The number of the last event that another page or process received. */
  lastId?: number | undefined;
  /** Whether to reconnect after this many consecutive failures. */
  keepTrying: (failures: number) => boolean;
  /** Called whenever bytes arrive, even for a sign of life. */
  onActivity?: () => void;
}

/** Time limit for the start of a response, ms. */
const RESPONSE_MS = 15_000;
/** The other reader may be this client's own lost connection, whose end the service has not noticed yet. */
const TAKEN = 'CONSUMER_ATTACHED';

/** Reads numbered events that the service keeps, over as many connections as necessary. */
export class ResumedEvents {
  readonly #connection: Connection;
  readonly #endpoint: string;
  readonly #options: ResumptionOptions;
  #lastId: number | undefined;

  constructor(connection: Connection, endpoint: string, options: ResumptionOptions) {
    this.#connection = connection;
    this.#endpoint = endpoint;
    this.#options = options;
    this.#lastId = options.lastId;
  }

  /** The number of the last yielded event. */
  get lastId(): number | undefined {
    return this.#lastId;
  }

  /** The events after the last yielded one, up to `done`. @throws UndertoneError */
  async *read(): AsyncGenerator<StreamEvent, void> {
    const { signal, keepTrying, onActivity } = this.#options;
    for (let failures = 0; ; ) {
      try {
        const response = await this.#attach();
        // The last event has already been yielded.
        if (response.status === 204) return;
        for await (const event of readEvents(response, signal, onActivity)) {
          failures = 0;
          if (event.id <= (this.#lastId ?? -1)) continue;
          this.#lastId = event.id;
          yield event;
          if (event.event === 'done') return;
        }
        throw new UndertoneError('CONNECTION_FAILED', 'The event stream ended early');
      } catch (error) {
        signal?.throwIfAborted();
        failures++;
        if (!(error instanceof UndertoneError) || !isLost(error, failures) || !keepTrying(failures)) throw error;
        await this.#connection.pause(error, failures, signal);
      }
    }
  }

  async #attach(): Promise<Response> {
    const late = new AbortController();
    const silent = new UndertoneError(
      'CONNECTION_FAILED',
      `The event stream did not start within ${RESPONSE_MS / 1000} s`,
    );
    const timer = setTimeout(() => late.abort(silent), RESPONSE_MS);
    const { signal } = this.#options;
    try {
      const after: Record<string, string> = this.#lastId === undefined ? {} : { 'Last-Event-ID': String(this.#lastId) };
      return await this.#connection.send(this.#endpoint, {
        headers: { Accept: 'text/event-stream', ...after },
        repeatable: true,
        keepTrying: () => false,
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether another connection may succeed. @param failures consecutive failures, from 1 */
const isLost = (error: UndertoneError, failures: number): boolean =>
  isTemporary(error) || (error.code === TAKEN && failures > 1);
