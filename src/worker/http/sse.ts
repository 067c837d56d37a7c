import type { ServiceEvent } from '../../contract/events.ts';
import { frameComment, frameEvent, frameRetry } from '../../contract/sse.ts';
import { within } from '../deadline.ts';

/** A comment goes out after this much silence (spec allows 15 s): a client that left is noticed only by writing. */
export const HEARTBEAT_MS = 3_000;
/** What a client waits before it connects again. */
export const RETRY_MS = 1_000;

export const SSE_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
} as const;

/** An event that may have a number already. */
export type NumberedEvent = ServiceEvent & { id?: number };

/**
 * Drains events into a Server-Sent Events response, under their numbers or numbered from 0, no faster than the client reads.
 * @param onLeave called once when the client went away before the end
 */
export function sseResponse(events: AsyncIterator<NumberedEvent>, onLeave: () => void): Response {
  const encoder = new TextEncoder();
  let id = 0;
  let next: Promise<IteratorResult<NumberedEvent>> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(frameRetry(RETRY_MS))),
    async pull(controller) {
      next ??= events.next();
      const result = await within(next, HEARTBEAT_MS);
      if (result === 'late') {
        controller.enqueue(encoder.encode(frameComment('waiting')));
        return;
      }
      next = undefined;
      if (result.done) controller.close();
      else {
        const { event, data, id: own = id } = result.value;
        id = own + 1;
        controller.enqueue(encoder.encode(frameEvent(event, data, own)));
      }
    },
    cancel: onLeave,
  });
  return new Response(body, { headers: SSE_HEADERS });
}
