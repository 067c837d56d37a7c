import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ndjsonLine, readNdjson } from '../../src/contract/ndjson.ts';
import { frameComment, frameEvent, frameRetry } from '../../src/contract/sse.ts';

async function* cut(bytes: Uint8Array, sizes: number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

it('reads NDJSON however the bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 8 }),
      fc.array(fc.nat(7), { maxLength: 40 }),
      async (values, sizes) => {
        const bytes = new TextEncoder().encode(values.map(ndjsonLine).join(''));
        const read = [];
        for await (const value of readNdjson(cut(bytes, sizes), new TextDecoder())) read.push(value);
        expect(read).toEqual(JSON.parse(JSON.stringify(values)));
      },
    ),
    { numRuns: 100 },
  );
});

it('reads a last NDJSON line without a line break', async () => {
  const read = [];
  for await (const value of readNdjson(cut(new TextEncoder().encode('{"a":1}\n{"b":2}'), [9]), new TextDecoder()))
    read.push(value);
  expect(read).toEqual([{ a: 1 }, { b: 2 }]);
});

it('refuses an NDJSON line that is not JSON', async () => {
  const lines = readNdjson(cut(new TextEncoder().encode('{"a":\n'), []), new TextDecoder());
  await expect(lines.next()).rejects.toThrow(SyntaxError);
});

it('frames events that a standard parser reads back, line breaks in the data included', () => {
  const events: { id?: string; event?: string; data: string }[] = [];
  let retry: number | undefined;
  const comments: string[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onRetry: (value) => {
      retry = value;
    },
    onComment: (comment) => comments.push(comment),
  });
  parser.feed(
    frameRetry(1000) + frameComment('beat') + frameEvent('final_transcript', { text: 'one\ntwo\r\nthree' }, 7),
  );
  expect(retry).toBe(1000);
  expect(comments).toEqual(['beat']);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ id: '7', event: 'final_transcript' });
  expect(JSON.parse(events[0]?.data ?? '')).toEqual({ text: 'one\ntwo\r\nthree' });
});
