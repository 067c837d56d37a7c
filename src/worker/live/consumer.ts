import { frameComment } from '../../contract/sse.ts';
import { EventStream } from '../http/sse.ts';
import type { EventBatch } from './log.ts';

/**
 * The decisions require a comment every 15 s. A dead consumer is noticed only at the second comment, so comments are
 * sent twice as often.
 */
const HEARTBEAT_MS = 7_000;
/** A consumer that reads nothing for this long, ms, is disconnected; it can resume later. */
const STALLED_MS = 30_000;
/**
 * A disconnect becomes visible only when something is written. These are the number of probes before a second consumer
 * is refused with 409, and the interval between them.
 */
const PROBES = 6;
const PROBE_GAP_MS = 40;
const BATCH = 64;

/** Reads the stored events after a number. */
export type ReadEvents = (cursor: number, limit: number) => EventBatch | null;

interface Attached {
  readonly stream: EventStream;
  cursor: number;
}

/**
 * The only SSE consumer of a session. It pulls events from the log as the client reads them, so that nothing is
 * buffered for a slow client. A client that reads nothing at all is disconnected like a dead one.
 */
export class Consumer {
  readonly #read: ReadEvents;
  readonly #onDelivered: () => void;
  #attached: Attached | null = null;

  /** @param onDelivered called when the terminal event has been sent */
  constructor(read: ReadEvents, onDelivered: () => void) {
    this.#read = read;
    this.#onDelivered = onDelivered;
  }

  /** Whether no consumer is attached. Writes to the stream, which detects a consumer that has silently died. */
  async isFree(): Promise<boolean> {
    for (let probe = 0; this.#attached && probe < PROBES; probe++) {
      this.#attached.stream.send(frameComment('probe'));
      await scheduler.wait(PROBE_GAP_MS);
    }
    return this.#attached === null;
  }

  /** Attaches a consumer, if there is none, and streams the events after number `cursor` (-1 for all). */
  attach(cursor: number, signal: AbortSignal): Response {
    const leave = (): void => this.#detach(attached);
    const stream = new EventStream({
      heartbeatMs: HEARTBEAT_MS,
      stalledMs: STALLED_MS,
      pull: () => this.#flush(attached),
      onLeave: leave,
    });
    const attached: Attached = { stream, cursor };
    this.#attached = attached;
    signal.addEventListener('abort', leave);
    return stream.response;
  }

  /** Sends new events of the log. */
  notify(): void {
    if (this.#attached) this.#flush(this.#attached);
  }

  /**
   * Sends the rest of the log, however slow the client is, and ends the stream, because the log is about to be removed.
   */
  drain(): void {
    if (this.#attached) this.#flush(this.#attached, true);
    this.drop();
  }

  /** Ends the stream at its current position. */
  drop(): void {
    if (this.#attached) this.#detach(this.#attached);
  }

  #flush(attached: Attached, isLast = false): void {
    while (this.#attached === attached && (isLast || attached.stream.hasRoom)) {
      const batch = this.#read(attached.cursor, BATCH);
      if (!batch) return;
      attached.cursor = batch.last;
      attached.stream.send(batch.frames);
      if (batch.ends) {
        this.#detach(attached);
        this.#onDelivered();
      }
    }
  }

  /** Ends a stream. It is idempotent, and a late call for an earlier consumer does not detach the current one. */
  #detach(attached: Attached): void {
    attached.stream.close();
    if (this.#attached === attached) this.#attached = null;
  }
}
