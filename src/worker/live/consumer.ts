import { frameComment } from '../../contract/sse.ts';
import { EventStream } from '../http/sse.ts';
import type { EventBatch } from './log.ts';

/** A comment at least every 15 s (decisions); two beats are what it takes to notice a dead consumer, so faster than that. */
const HEARTBEAT_MS = 7_000;
/** A consumer that took nothing for so long is dropped; it can resume. */
const STALLED_MS = 30_000;
/** A disconnect is seen only when something is written: write this often, so far apart, before saying 409. */
const PROBES = 6;
const PROBE_GAP_MS = 40;
const BATCH = 64;

/** What a consumer reads from: the stored events after a number. */
export type ReadEvents = (cursor: number, limit: number) => EventBatch | null;

interface Slot {
  readonly stream: EventStream;
  cursor: number;
}

/**
 * The one SSE reader of a session. Events are pulled out of the log as the client takes them, so a slow client buffers
 * nothing; one that takes nothing at all loses its place, as a dead one does.
 */
export class Consumer {
  readonly #read: ReadEvents;
  readonly #onDelivered: () => void;
  #slot: Slot | null = null;

  /** @param onDelivered the terminal event left for the client. */
  constructor(read: ReadEvents, onDelivered: () => void) {
    this.#read = read;
    this.#onDelivered = onDelivered;
  }

  /** True when the place is free; a consumer that died without a word is found out by writing to it. */
  async isFree(): Promise<boolean> {
    for (let probe = 0; this.#slot && probe < PROBES; probe++) {
      this.#slot.stream.send(frameComment('probe'));
      await scheduler.wait(PROBE_GAP_MS);
    }
    return this.#slot === null;
  }

  /** Takes the place, which must be free, and streams what follows event number `cursor` (-1 for all). */
  attach(cursor: number, signal: AbortSignal): Response {
    const leave = (): void => this.#free(slot);
    const stream = new EventStream({
      heartbeatMs: HEARTBEAT_MS,
      stalledMs: STALLED_MS,
      pull: () => this.#flush(slot),
      onLeave: leave,
    });
    const slot: Slot = { stream, cursor };
    this.#slot = slot;
    signal.addEventListener('abort', leave);
    return stream.response;
  }

  /** The log has more. */
  notify(): void {
    if (this.#slot) this.#flush(this.#slot);
  }

  /** Hands over all that is left, however slow the client, and ends the stream: the log is about to go. */
  drain(): void {
    if (this.#slot) this.#flush(this.#slot, true);
    this.drop();
  }

  /** Ends the stream where it is. */
  drop(): void {
    if (this.#slot) this.#free(this.#slot);
  }

  #flush(slot: Slot, isLast = false): void {
    while (this.#slot === slot && (isLast || slot.stream.hasRoom)) {
      const batch = this.#read(slot.cursor, BATCH);
      if (!batch) return;
      slot.cursor = batch.last;
      slot.stream.send(batch.frames);
      if (batch.ends) {
        this.#free(slot);
        this.#onDelivered();
      }
    }
  }

  /** Ends a stream. Idempotent, and blind to any slot but its own: a late leave of an old one frees nothing that is not its. */
  #free(slot: Slot): void {
    slot.stream.close();
    if (this.#slot === slot) this.#slot = null;
  }
}
