import { UndertoneError } from './error.ts';

/** The lines of a response, each parsed as JSON. @throws UndertoneError if the response ends within a line */
export async function* readNdjson<T>(response: Response, signal?: AbortSignal): AsyncGenerator<T, void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) break;
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new UndertoneError('CONNECTION_FAILED', 'The response ended early', { cause });
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
  if (rest !== '') throw new UndertoneError('CONNECTION_FAILED', 'The response ended early');
}
