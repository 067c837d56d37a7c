/**
 * Parses newline-delimited JSON from a stream of UTF-8 bytes, however the stream is split. The last line needs no line
 * break.
 * @throws SyntaxError for a line that is not JSON
 */
export async function* readNdjson(bytes: AsyncIterable<Uint8Array>, decoder: Utf8Decoder): AsyncGenerator<unknown> {
  let rest = '';
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    rest += text;
    // Avoids searching text without a line break again.
    if (!text.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
  if (rest !== '') yield JSON.parse(rest);
}

export const ndjsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** The part of TextDecoder that is used here. The contract has no runtime types. */
export interface Utf8Decoder {
  decode(bytes: Uint8Array, options: { stream: boolean }): string;
}
