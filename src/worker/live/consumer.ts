import { frameComment, frameRetry } from '../../contract/sse.ts';
import { SSE_HEADERS } from '../http/sse.ts';
import type { EventBatch } from './log.ts';

/** How long a client waits before it connects again. */
const RETRY_MS = 1_000;
/** A comment at least every 15 s (decisions); two beats are what it takes to notice a dead consumer, so faster than that. */
const HEARTBEAT_MS = 7_000;
/** A consumer that took nothing for so long is dropped; it can resume. */
const STALLED_MS = 30_000;
/** A disconnect is seen only when something is written: write this often, so far apart, before saying 409. */
const PROBES = 6;
const PROBE_GAP_MS = 40;
/** Bytes that may wait in the stream; the rest waits in the log, where it costs no memory. */
const BUFFER_BYTES = 65_536;
const BATCH = 64;

/** What a consumer reads from: the stored events after a number. */
export type ReadEvents = (cursor: number, limit: number) => EventBatch | null;

interface Slot {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  cursor: number;
  /** When the client last took something. Unix time, ms. */
  movedAt: number;
  beat: ReturnType<typeof setInterval>;
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
      this.#write(this.#slot, frameComment('probe'));
      await scheduler.wait(PROBE_GAP_MS);
    }
    return this.#slot === null;
  }

  /** Takes the place, which must be free, and streams what follows event number `cursor` (-1 for all). */
  attach(cursor: number, signal: AbortSignal): Response {
    let slot: Slot | undefined;
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          slot = { controller, cursor, movedAt: Date.now(), beat: setInterval(() => this.#beat(slot!), HEARTBEAT_MS) };
          this.#slot = slot;
          this.#write(slot, frameRetry(RETRY_MS));
        },
        pull: () => {
          slot!.movedAt = Date.now();
          this.#flush(slot!);
        },
        cancel: () => this.#release(slot!),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    );
    signal.addEventListener('abort', () => this.#release(slot!));
    return new Response(stream, { headers: SSE_HEADERS });
  }

  /** The log has more. */
  notify(): void {
    if (this.#slot) this.#flush(this.#slot);
  }

  /** Hands over all that is left, however slow the client, and ends the stream: the log is about to go. */
  drain(): void {
    if (!this.#slot) return;
    this.#flush(this.#slot, Number.NEGATIVE_INFINITY);
    if (this.#slot) this.#end(this.#slot);
  }

  /** Ends the stream where it is. */
  drop(): void {
    if (this.#slot) this.#end(this.#slot);
  }

  #flush(slot: Slot, room = 0): void {
    while (this.#slot === slot && (slot.controller.desiredSize ?? 0) > room) {
      const batch = this.#read(slot.cursor, BATCH);
      if (!batch) return;
      slot.cursor = batch.last;
      this.#write(slot, batch.frames);
      if (batch.ends) {
        this.#end(slot);
        this.#onDelivered();
      }
    }
  }

  #beat(slot: Slot): void {
    if (Date.now() - slot.movedAt > STALLED_MS && (slot.controller.desiredSize ?? 0) <= 0) this.#end(slot);
    else this.#write(slot, frameComment('keep-alive'));
  }

  #write(slot: Slot, text: string): void {
    try {
      slot.controller.enqueue(new TextEncoder().encode(text));
    } catch {
      this.#release(slot);
    }
  }

  #end(slot: Slot): void {
    this.#release(slot);
    try {
      slot.controller.close();
    } catch {
      // The client was gone already.
    }
  }

  /** Idempotent, and blind to any slot but its own: a late cancel of an old stream frees nothing that is not its. */
  #release(slot: Slot): void {
    clearInterval(slot.beat);
    if (this.#slot === slot) this.#slot = null;
  }
}
