import { expect, it, vi } from 'vitest';
import { frameEvent } from '../../../src/contract/sse.ts';
import { EventStream, type EventStreamOptions, sseResponse, writtenEvent } from '../../../src/worker/http/sse.ts';

const streamOf = (options: Partial<EventStreamOptions> = {}) => {
  const onLeave = vi.fn();
  const stream = new EventStream({ heartbeatMs: 10, pull: () => undefined, onLeave, ...options });
  return { stream, onLeave, reader: stream.response.body!.pipeThrough(new TextDecoderStream()).getReader() };
};

it('sends the reconnection time first, and comments while there are no events', async () => {
  const { stream, reader, onLeave } = streamOf();
  expect((await reader.read()).value).toBe('retry: 1000\n\n');
  expect((await reader.read()).value).toBe(': keep-alive\n\n');
  stream.send(frameEvent('done', { conversation_id: 'c' }, 7));
  let text = '';
  while (!text.includes('event: done')) text += (await reader.read()).value;
  expect(text).toContain('id: 7\nevent: done\ndata: {"conversation_id":"c"}\n\n');
  stream.close();
  while (!(await reader.read()).done);
  stream.close();
  stream.send('more');
  expect(stream.isOpen).toBe(false);
  expect(onLeave).not.toHaveBeenCalled();
});

it('learns once that its client left', async () => {
  const { stream, reader, onLeave } = streamOf();
  await reader.read();
  await reader.cancel();
  await vi.waitFor(() => expect(onLeave).toHaveBeenCalledOnce());
  stream.send('more');
  stream.close();
  expect(onLeave).toHaveBeenCalledOnce();
});

it('considers a client gone that reads nothing for too long, and no other', async () => {
  const { stream, onLeave } = streamOf({ stalledMs: 50 });
  stream.send(': waits\n\n');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(onLeave).not.toHaveBeenCalled();
  // More than the buffer's limit, and more than its reader's buffer.
  stream.send(`: ${'x'.repeat(200_000)}\n\n`);
  await vi.waitFor(() => expect(onLeave).toHaveBeenCalledOnce());
  expect(stream.isOpen).toBe(false);
});

it('breaks when its source does', async () => {
  const events = (async function* () {
    yield writtenEvent({ event: 'status', data: { phase: 'starting', progress: 0 } });
    throw new Error('broken');
  })();
  const onLeave = vi.fn();
  const text = new Response(sseResponse(events, onLeave).body).text();
  await expect(text).rejects.toThrow('broken');
  expect(onLeave).not.toHaveBeenCalled();
});

it('reads its source no faster than its client reads', async () => {
  let drawn = 0;
  const big = { conversation_id: 'x'.repeat(30_000) };
  const events = (async function* () {
    for (; drawn < 1000; drawn++) yield writtenEvent({ event: 'done', data: big });
  })();
  const reader = sseResponse(events, () => undefined).body!.getReader();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(drawn).toBeLessThan(10);
  await reader.cancel();
});
