import { type Connection, isPassing } from './connection.ts';
import { UndertoneError } from './error.ts';
import { readEvents, type StreamEvent } from './events.ts';

export interface ResumptionOptions {
  signal?: AbortSignal | undefined;
  /** Number of the last event that was had elsewhere. */
  lastId?: number | undefined;
  /** Whether to connect again after so many failures in a row. */
  goesOn: (failures: number) => boolean;
  /** Something came, be it only a sign of life. */
  onHeard?: () => void;
}

/** How long the service may take to begin its answer, ms. */
const ANSWER_MS = 15_000;
/** The other reader may be this one's own lost connection, which the service has not missed yet. */
const TAKEN = 'CONSUMER_ATTACHED';

/** Numbered events that the service keeps, over as many connections as it takes. */
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

  /** Number of the last event that was given. */
  get lastId(): number | undefined {
    return this.#lastId;
  }

  /** The events after the last one given, to `done`. @throws UndertoneError */
  async *read(): AsyncGenerator<StreamEvent, void> {
    const { signal, goesOn, onHeard } = this.#options;
    for (let failures = 0; ; ) {
      try {
        const response = await this.#attach();
        // Nothing follows the last event, and that was given.
        if (response.status === 204) return;
        for await (const event of readEvents(response, signal, onHeard)) {
          failures = 0;
          if (event.id <= (this.#lastId ?? -1)) continue;
          this.#lastId = event.id;
          yield event;
          if (event.event === 'done') return;
        }
        throw new UndertoneError('CONNECTION_FAILED', 'The stream of events broke off');
      } catch (error) {
        signal?.throwIfAborted();
        failures++;
        if (!(error instanceof UndertoneError) || !isLost(error, failures) || !goesOn(failures)) throw error;
        await this.#connection.pause(error, failures, signal);
      }
    }
  }

  async #attach(): Promise<Response> {
    const late = new AbortController();
    const silent = new UndertoneError('CONNECTION_FAILED', 'The events do not answer');
    const timer = setTimeout(() => late.abort(silent), ANSWER_MS);
    const { signal } = this.#options;
    try {
      const after: Record<string, string> = this.#lastId === undefined ? {} : { 'Last-Event-ID': String(this.#lastId) };
      return await this.#connection.send(this.#endpoint, {
        headers: { Accept: 'text/event-stream', ...after },
        repeatable: true,
        goesOn: () => false,
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether another connection may succeed. @param failures in a row, from 1 */
const isLost = (error: UndertoneError, failures: number): boolean =>
  isPassing(error) || (error.code === TAKEN && failures > 1);
