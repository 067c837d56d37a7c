import type { ServiceEvent } from '../../contract/events.ts';
import { frameComment, frameJson, frameRetry } from '../../contract/sse.ts';

/** How long a client waits before it reconnects, ms. */
const RETRY_MS = 1_000;
/** Number of bytes that a stream buffers for its client. */
const BUFFER_BYTES = 65_536;
/**
 * Longest silence of a request's own stream (the specification allows 15 s). Only a write reveals that a client has
 * left.
 */
const HEARTBEAT_MS = 3_000;

export const SSE_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
} as const;

/** An event, with its number if it already has one. */
export type NumberedEvent = ServiceEvent & { id?: number };

/**
 * An event with its data as JSON. Events wait for a slow client in this form, because parsed data takes up several
 * times the memory.
 */
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
  /** Silence after which the stream writes a comment, ms. */
  heartbeatMs: number;
  /** A client that reads nothing for this long counts as gone, ms. By default there is no limit. */
  stalledMs?: number;
  /**
   * Called when the client can receive more, and called again after it returns while there is room. An exception breaks
   * off the stream.
   */
  pull: (stream: EventStream) => void | Promise<void>;
  /** Called once if the client leaves, or counts as gone, before the end. */
  onLeave: () => void;
}

/** The only writer of Server-Sent Events. It streams to one client until it is closed or the client leaves. */
export class EventStream {
  readonly response: Response;
  readonly #options: EventStreamOptions;
  readonly #encoder = new TextEncoder();
  readonly #heart: ReturnType<typeof setInterval>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOpen = true;
  #wasSilent = false;
  /** Unix time of the client's last read, ms. */
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

  /** Whether the client can receive more now. Anything sent while it cannot waits in memory. */
  get hasRoom(): boolean {
    return this.#isOpen && (this.#controller?.desiredSize ?? 0) > 0;
  }

  /** Writes framed events or comments; does nothing once the client has left. */
  send(frames: string): void {
    if (!this.#isOpen) return;
    this.#wasSilent = false;
    try {
      this.#controller?.enqueue(this.#encoder.encode(frames));
    } catch {
      this.#leave();
    }
  }

  /** Ends the stream after everything already sent. */
  close(): void {
    if (!this.#stop()) return;
    try {
      this.#controller?.close();
    } catch {
      // The client had already left.
    }
  }

  async #pull(): Promise<void> {
    this.#movedAt = Date.now();
    // workerd pulls before the creator of the stream has received it.
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

  /** @returns false when it had already ended */
  #stop(): boolean {
    clearInterval(this.#heart);
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    return wasOpen;
  }
}

/**
 * Streams events as a Server-Sent Events response, no faster than the client reads. Events without numbers are numbered
 * from 0.
 * @param onLeave called once when the client leaves before the end
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
