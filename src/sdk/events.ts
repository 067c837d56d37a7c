import { createParser } from 'eventsource-parser';
import { UndertoneError } from './error.ts';
import type { ServiceEvent } from './wire.ts';

/**
 * One event of a stream. The service's `error` event is thrown as an `UndertoneError` instead. A newer service may send
 * events that this version does not know.
 */
export type StreamEvent = Exclude<ServiceEvent, { event: 'error' }> & {
  /** Its number in the stream, from 0. */
  id: number;
};

/** Silence after which the connection counts as lost, ms. The service sends something at least every 7 s. */
const MAX_SILENCE_MS = 25_000;

/**
 * Reads an event stream as fast as its consumer, and closes it when the loop ends. Returns when the stream ends,
 * whether or not that was its last event.
 * @param onActivity called whenever bytes arrive, even for a sign of life
 * @throws UndertoneError the service's own error, or CONNECTION_FAILED
 */
export async function* readEvents(
  response: Response,
  signal?: AbortSignal,
  onActivity?: () => void,
): AsyncGenerator<StreamEvent, void> {
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  const received: { id: string | undefined; event: string | undefined; data: string }[] = [];
  const parser = createParser({ onEvent: ({ id, event, data }) => received.push({ id, event, data }) });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await nextBytes(reader, requestId);
      if (done) return;
      onActivity?.();
      parser.feed(decoder.decode(value, { stream: true }));
      for (const { id, event, data } of received.splice(0)) {
        const next = { id: Number(id), event, data: parsed(data, requestId) } as { id: number } & ServiceEvent;
        if (next.event === 'error') {
          const { code, message, conversation_id: conversationId } = next.data;
          throw new UndertoneError(code, message, { requestId, conversationId });
        }
        yield next;
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof UndertoneError) throw cause;
    throw new UndertoneError('CONNECTION_FAILED', 'The event stream ended early', { requestId, cause });
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The next bytes. @throws UndertoneError if none arrive for too long, because a connection can die without notice */
async function nextBytes(reader: ReadableStreamDefaultReader<Uint8Array>, requestId: string | undefined) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const error = () =>
      reject(
        new UndertoneError('CONNECTION_FAILED', `The event stream sent nothing for ${MAX_SILENCE_MS / 1000} s`, {
          requestId,
        }),
      );
    timer = setTimeout(error, MAX_SILENCE_MS);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

function parsed(data: string, requestId: string | undefined): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new UndertoneError('UNEXPECTED_ANSWER', 'An event is not JSON', { requestId, cause });
  }
}
