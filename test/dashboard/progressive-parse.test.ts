import { expect, it } from 'vitest';
import { longConversation } from '../../bench/dashboard-conversation.ts';
import { parseProgressively } from '../../src/dashboard/conversation/progressive-parse.ts';
import type { TimelineEntry } from '../../src/sdk/wire.ts';

const LONG = longConversation(200).result;
const bytesOf = (value: unknown, space?: number) => new TextEncoder().encode(JSON.stringify(value, undefined, space));

/** An answer that arrives in chunks of the given size, bytes. */
function answer(bytes: Uint8Array, chunk: number): Response {
  let at = 0;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + chunk));
        at += chunk;
      },
    }),
  );
}

async function read(bytes: Uint8Array, chunk: number) {
  const told: (readonly TimelineEntry[])[] = [];
  const whole = await parseProgressively(answer(bytes, chunk), (entries) => told.push(entries));
  return { whole, told };
}

it.each([777, 16_384, 10_000_000])('reads the same as when it is whole, in chunks of %i bytes', async (chunk) => {
  expect((await read(bytesOf(LONG), chunk)).whole).toEqual(LONG);
});

it('yields the first words long before everything has arrived', async () => {
  const bytes = bytesOf(LONG);
  let sent = 0;
  let sentAtFirst = 0;
  const body = answer(bytes, 8_192).body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.length;
        controller.enqueue(chunk);
      },
    }),
  );
  let first: readonly TimelineEntry[] = [];
  await parseProgressively(new Response(body), (entries) => {
    if (first.length > 0) return;
    first = entries;
    sentAtFirst = sent;
  });
  expect(first).toEqual(LONG.timeline.slice(0, first.length));
  expect(first.length).toBeGreaterThan(0);
  expect(sentAtFirst).toBeLessThan(bytes.length / 10);
});

it('is not confused by spoken texts, in any script', async () => {
  const text = 'שלום 山田 🙂 "timeline":[ ,{"utterance_id": }],{"utterance_id":"x"} \\';
  const result = { ...LONG, timeline: LONG.timeline.map((entry) => ({ ...entry, text })) };
  const { whole, told } = await read(bytesOf(result), 1_001);
  expect(whole).toEqual(result);
  expect(told.length).toBeGreaterThan(0);
});

it('also reads other spellings: with spaces, in another order, or nested', async () => {
  const { timeline, ...others } = LONG;
  const more = [{ list: 1 }, { utterance_id: 'x' }, { utterance_id: 'y' }];
  const nested = { before: { timeline: more }, ...LONG, after: more };
  for (const bytes of [bytesOf(LONG, 1), bytesOf({ ...others, timeline }), bytesOf(nested)])
    expect((await read(bytes, 4_096)).whole).toEqual(JSON.parse(new TextDecoder().decode(bytes)));
  const empty = { ...LONG, timeline: [] };
  expect((await read(bytesOf(empty), 4_096)).whole).toEqual(empty);
});

it('reads the status of an analysis, and refuses a truncated answer', async () => {
  const job = { status: 'running', progress: 0.5 };
  expect(await read(bytesOf(job), 7)).toEqual({ whole: job, told: [] });
  const bytes = bytesOf(LONG);
  await expect(read(bytes.slice(0, bytes.length - 200), 4_096)).rejects.toThrow(SyntaxError);
});
