/**
 * Lines of newline-delimited JSON out of a stream of UTF-8 bytes, split anywhere.
 * @throws SyntaxError for a line that is not JSON. A last line without a line break is given too.
 */
export async function* readNdjson(bytes: AsyncIterable<Uint8Array>, decoder: Utf8Decoder): AsyncGenerator<unknown> {
  let rest = '';
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    rest += text;
    // A line of many chunks is not searched again with each.
    if (!text.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
  if (rest !== '') yield JSON.parse(rest);
}

export const ndjsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** The part of TextDecoder used here: contract has no runtime's types. */
export interface Utf8Decoder {
  decode(bytes: Uint8Array, options: { stream: boolean }): string;
}
