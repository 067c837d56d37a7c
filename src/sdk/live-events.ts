import { type Connection, isPassing } from './connection.ts';
import { UndertoneError } from './error.ts';
import { readEvents, type StreamEvent } from './events.ts';
import type { Life, LivePosition } from './live-life.ts';

/** How long the service may take to begin its answer, ms. */
const ANSWER_MS = 15_000;
/** The other reader may be this one's own lost connection, which the service has not missed yet. */
const TAKEN = 'CONSUMER_ATTACHED';

/** The events of a session, over as many connections as it takes. */
export class LiveEvents {
  readonly #connection: Connection;
  readonly #endpoint: string;
  readonly #life: Life;
  #lastId: number | undefined;

  constructor(connection: Connection, { session, last_event_id }: LivePosition, life: Life) {
    this.#connection = connection;
    this.#endpoint = session.events_endpoint;
    this.#lastId = last_event_id;
    this.#life = life;
  }

  /** Number of the last event that was given. */
  get lastId(): number | undefined {
    return this.#lastId;
  }

  /** The events after the last one given, to the end of the session. @throws UndertoneError */
  async *read(): AsyncGenerator<StreamEvent, void> {
    const { signal } = this.#life;
    for (let failures = 0; ; ) {
      try {
        const response = await this.#attach();
        // Nothing follows the last event, and that was given.
        if (response.status === 204) return;
        for await (const event of readEvents(response, signal, () => this.#life.heard())) {
          failures = 0;
          if (event.id <= (this.#lastId ?? -1)) continue;
          this.#lastId = event.id;
          yield event;
        }
        throw new UndertoneError('CONNECTION_FAILED', 'The stream of events broke off');
      } catch (error) {
        signal.throwIfAborted();
        failures++;
        if (!(error instanceof UndertoneError) || !isLost(error, failures) || !this.#life.lasts) throw error;
        await this.#connection.pause(error, failures, signal);
      }
    }
  }

  async #attach(): Promise<Response> {
    const late = new AbortController();
    const silent = new UndertoneError('CONNECTION_FAILED', 'The events do not answer');
    const timer = setTimeout(() => late.abort(silent), ANSWER_MS);
    try {
      const after: Record<string, string> = this.#lastId === undefined ? {} : { 'Last-Event-ID': String(this.#lastId) };
      return await this.#connection.send(this.#endpoint, {
        headers: { Accept: 'text/event-stream', ...after },
        repeatable: true,
        goesOn: () => false,
        signal: AbortSignal.any([this.#life.signal, late.signal]),
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether another connection may succeed. @param failures in a row, from 1 */
function isLost(error: UndertoneError, failures: number): boolean {
  return isPassing(error) || (error.code === TAKEN && failures > 1);
}
