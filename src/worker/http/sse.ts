import type { ServiceEvent } from '../../contract/events.ts';
import { frameComment, frameJson, frameRetry } from '../../contract/sse.ts';

/** What a client waits before it connects again. */
const RETRY_MS = 1_000;
/** Bytes that may wait in a stream for its client. */
const BUFFER_BYTES = 65_536;
/** A stream of one request is silent for no longer (spec allows 15 s): a client that left is noticed only by writing. */
const HEARTBEAT_MS = 3_000;

export const SSE_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
} as const;

/** An event that may have a number already. */
export type NumberedEvent = ServiceEvent & { id?: number };

/** An event with its data as JSON. What waits for a slow client waits so: the data themselves hold several times the memory. */
export interface WrittenEvent {
  event: ServiceEvent['event'];
  json: string;
  id: number | undefined;
}

export const writtenEvent = ({ event, data, id }: NumberedEvent): WrittenEvent => ({
  event,
  json: JSON.stringify(data),
  id,
});

export async function* writtenEvents(events: AsyncIterable<NumberedEvent>): AsyncGenerator<WrittenEvent, void> {
  for await (const event of events) yield writtenEvent(event);
}

export interface EventStreamOptions {
  /** A stream that was silent for so long writes a comment. */
  heartbeatMs: number;
  /** A client that took nothing for so long is taken for gone; by default never. */
  stalledMs?: number;
  /** The client takes more. Asked again once it is done and there is room; what it throws breaks the stream off. */
  pull: (stream: EventStream) => void | Promise<void>;
  /** Called once when the client left, or is taken for gone, before the end. */
  onLeave: () => void;
}

/** The one writer of Server-Sent Events: the stream to one client, alive until it is closed or the client leaves. */
export class EventStream {
  readonly response: Response;
  readonly #options: EventStreamOptions;
  readonly #encoder = new TextEncoder();
  readonly #heart: ReturnType<typeof setInterval>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOpen = true;
  #wasSilent = false;
  /** When the client last took something. Unix time, ms. */
  #movedAt = Date.now();

  constructor(options: EventStreamOptions) {
    this.#options = options;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          this.send(frameRetry(RETRY_MS));
        },
        pull: () => this.#pull(),
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    );
    this.response = new Response(body, { headers: SSE_HEADERS });
    this.#heart = setInterval(() => this.#beat(), options.heartbeatMs);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether the client takes more now; what is sent all the same waits in memory. */
  get hasRoom(): boolean {
    return this.#isOpen && (this.#controller?.desiredSize ?? 0) > 0;
  }

  /** Writes framed events or comments; to a client that left, nothing. */
  send(frames: string): void {
    if (!this.#isOpen) return;
    this.#wasSilent = false;
    try {
      this.#controller?.enqueue(this.#encoder.encode(frames));
    } catch {
      this.#leave();
    }
  }

  /** Ends the stream after what was sent. */
  close(): void {
    if (!this.#stop()) return;
    try {
      this.#controller?.close();
    } catch {
      // The client was gone already.
    }
  }

  async #pull(): Promise<void> {
    this.#movedAt = Date.now();
    // workerd asks before whoever makes the stream has it.
    await Promise.resolve();
    if (!this.#isOpen) return;
    try {
      await this.#options.pull(this);
    } catch (error) {
      if (this.#stop()) this.#controller?.error(error);
    }
  }

  #beat(): void {
    const { stalledMs = Number.POSITIVE_INFINITY } = this.#options;
    if (!this.hasRoom && Date.now() - this.#movedAt > stalledMs) {
      this.close();
      this.#options.onLeave();
    } else if (this.#wasSilent) this.send(frameComment('keep-alive'));
    this.#wasSilent = true;
  }

  #leave(): void {
    if (this.#stop()) this.#options.onLeave();
  }

  /** @returns false when it was over before */
  #stop(): boolean {
    clearInterval(this.#heart);
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    return wasOpen;
  }
}

/**
 * Drains events into a Server-Sent Events response, under their numbers or numbered from 0, no faster than the client reads.
 * @param onLeave called once when the client went away before the end
 */
export function sseResponse(events: AsyncIterator<WrittenEvent>, onLeave: () => void): Response {
  let next = 0;
  const pull = async (stream: EventStream): Promise<void> => {
    const { done, value } = await events.next();
    if (done) return stream.close();
    const { event, json, id = next } = value;
    next = id + 1;
    stream.send(frameJson(event, json, id));
  };
  return new EventStream({ heartbeatMs: HEARTBEAT_MS, pull, onLeave }).response;
}
