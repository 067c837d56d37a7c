import { createParser } from 'eventsource-parser';
import { UndertoneError } from './error.ts';
import type { ServiceEvent } from './wire.ts';

/**
 * One event of a stream. The service's own `error` event is thrown as an `UndertoneError` instead; names that this
 * version does not know may come.
 */
export type StreamEvent = Exclude<ServiceEvent, { event: 'error' }> & {
  /** Its number in the stream, from 0. */
  id: number;
};

/** Told at once, unlike a stream that is only slow: the service says something at least every 7 s. */
const LONGEST_SILENCE_MS = 25_000;

/**
 * Reads a stream of events no faster than they are taken, and closes it when they are no longer wanted. Ends where the
 * stream ends, after its last event or not.
 * @param onHeard something came, be it only a sign of life
 * @throws UndertoneError the service's own error, or CONNECTION_FAILED
 */
export async function* readEvents(
  response: Response,
  signal?: AbortSignal,
  onHeard?: () => void,
): AsyncGenerator<StreamEvent, void> {
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  const received: { id: string | undefined; event: string | undefined; data: string }[] = [];
  const parser = createParser({ onEvent: ({ id, event, data }) => received.push({ id, event, data }) });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await heard(reader, requestId);
      if (done) return;
      onHeard?.();
      parser.feed(decoder.decode(value, { stream: true }));
      for (const { id, event, data } of received.splice(0)) {
        const told = { id: Number(id), event, data: parsed(data, requestId) } as { id: number } & ServiceEvent;
        if (told.event === 'error') {
          const { code, message, conversation_id: conversationId } = told.data;
          throw new UndertoneError(code, message, { requestId, conversationId });
        }
        yield told;
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof UndertoneError) throw cause;
    throw new UndertoneError('CONNECTION_FAILED', 'The stream of events broke off', { requestId, cause });
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The next bytes. @throws UndertoneError when none came for too long: a connection may be dead without saying so */
async function heard(reader: ReadableStreamDefaultReader<Uint8Array>, requestId: string | undefined) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const error = () =>
      reject(new UndertoneError('CONNECTION_FAILED', 'The stream of events fell silent', { requestId }));
    timer = setTimeout(error, LONGEST_SILENCE_MS);
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
