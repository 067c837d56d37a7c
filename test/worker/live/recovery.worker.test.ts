import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { LiveSessionBody } from '../../../src/contract/live.ts';
import type { LiveClient, Received } from '../../../support/live-client.ts';
import { type LiveStack, startLiveStack } from '../../../support/live-service.ts';

let stack: LiveStack;
let client: LiveClient;
beforeAll(async () => {
  stack = await startLiveStack();
  client = stack.client;
});
afterAll(() => stack.stop());

const evict = (session: LiveSessionBody): Promise<void> => stack.crash(session.session_id);

const texts = (events: Received[]): string[] =>
  events.filter(({ event }) => event === 'final_transcript').map(({ data }) => data.text.split(' is ')[0]);
const expected = (chunks: number): string[] => Array.from({ length: chunks }, (_, seq) => `chunk ${seq}`);

async function finish(session: LiveSessionBody): Promise<Received[]> {
  await client.control(session, 'finalize');
  const reader = await client.attach(session);
  return reader.end();
}

it('a consumer that left is detached at once, and the next resumes after Last-Event-ID', async () => {
  const session = await client.start();
  const first = await client.attach(session);
  await client.chunk(session, 0);
  await first.until(({ event }) => event === 'cognitive');
  await first.leave();
  await client.chunk(session, 1);
  const last = first.received.at(-1)!.id;
  const second = await client.attach(session, last);
  expect(second.status).toBe(200);
  await client.control(session, 'finalize');
  const events = await second.end();
  expect(events[0]!.id).toBe(last + 1);
  expect(texts([...first.received, ...events])).toEqual(expected(2));
});

it('without Last-Event-ID the next consumer receives everything from the start', async () => {
  const session = await client.start();
  await client.chunk(session, 0);
  await (await client.attach(session)).leave();
  const events = await finish(session);
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i));
});

it('an evicted session resumes: next chunk, next event, same numbers', async () => {
  const session = await client.start();
  await client.chunk(session, 0);
  const before = await client.attach(session);
  await before.until(({ event }) => event === 'cognitive');
  await before.leave();
  await evict(session);
  expect((await client.chunk(session, 0)).status).toBe(409);
  expect((await client.chunk(session, 1)).status).toBe(200);
  const events = await finish(session);
  expect(events.slice(0, before.received.length)).toEqual(before.received);
  expect(texts(events)).toEqual(expected(2));
  expect(events.at(-1)!.event).toBe('done');
});

it('an evicted session has the same next chunk, bytes and expiry, though no chunk stored its state', async () => {
  const session = await client.start();
  const opened = await stack.known(session.session_id);
  for (let seq = 0; seq < 3; seq++) await client.chunk(session, seq, new Uint8Array(10));
  const before = await stack.known(session.session_id);
  expect(before.storedState).toBe(opened.storedState);
  expect(before.session).toMatchObject({ status: 'ingesting', next_chunk_seq: 3 });
  expect(before.session.expires_at > opened.session.expires_at).toBe(true);
  await evict(session);
  expect((await stack.known(session.session_id)).session).toEqual(before.session);
  const next = await client.chunk(session, 3, new Uint8Array(10));
  expect(await next.json()).toEqual({ received_bytes: 40, next_chunk_seq: 4 });
});

it('a consumer resumes after Last-Event-ID when the object was evicted', async () => {
  const session = await client.start();
  await client.chunk(session, 0);
  const first = await client.attach(session);
  const last = await first.until(({ event }) => event === 'final_transcript');
  await first.leave();
  await evict(session);
  const second = await client.attach(session, last.id);
  await client.control(session, 'finalize');
  const events = await second.end();
  expect(events[0]!.id).toBe(last.id + 1);
  expect(events.at(-1)!.event).toBe('done');
});

it('an evicted session in final processing completes by itself', async () => {
  const session = await client.start();
  for (let seq = 0; seq < 3; seq++) await client.chunk(session, seq);
  await client.control(session, 'finalize');
  await evict(session);
  const events = await (await client.attach(session)).end();
  expect(texts(events)).toEqual(expected(3));
  expect(events.filter(({ event }) => event === 'done')).toHaveLength(1);
});

it('a pipeline that dies is fed again from the stored chunks and transcriptions, and no event comes twice', async () => {
  const session = await client.start();
  const reader = await client.attach(session);
  const echoed = () => stack.echo.sessions.get(session.session_id);
  let transcribed: string[] = [];
  for (let seq = 0; seq < 6; seq++) {
    await client.chunk(session, seq);
    if (seq % 2 === 1) {
      await reader.until(({ event, data }) => event === 'final_transcript' && data.text.startsWith(`chunk ${seq} `));
      expect(echoed()?.recalled).toEqual(transcribed.toSorted());
      transcribed = [...echoed()!.digests];
      stack.echo.die();
    }
  }
  await client.control(session, 'finalize');
  const events = await reader.end();
  expect(texts(events)).toEqual(expected(6));
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  await vi.waitFor(() => expect(stack.echo.sessions.has(session.session_id)).toBe(false));
});

it('a chunk whose upload is interrupted is not stored, and is accepted when it is sent again', async () => {
  const session = await client.start();
  const abort = new AbortController();
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(
        new TextEncoder().encode('--b\r\nContent-Disposition: form-data; name="chunk_seq"\r\n\r\n0\r\n'),
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      abort.abort();
    },
  });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const init = { method: 'POST', body, headers, signal: abort.signal, duplex: 'half' } as RequestInit;
  await expect(client.request(session.chunk_endpoint, { ...init, headers })).rejects.toThrow();
  expect(await (await client.chunk(session, 0, new Uint8Array(5))).json()).toEqual({
    received_bytes: 5,
    next_chunk_seq: 1,
  });
});

it('an error of the pipeline ends the session with its code, and leaves no object', async () => {
  stack.echo.ending = { type: 'error', code: 'INVALID_MEDIA', message: 'not media' };
  const session = await client.start();
  await client.chunk(session, 0);
  const events = await finish(session);
  stack.echo.ending = undefined;
  expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'INVALID_MEDIA', message: 'not media' } });
  const { MEDIA } = await stack.worker.getWorker<{ MEDIA: R2Bucket }>().getEnv();
  const { objects } = await MEDIA.list();
  const left = objects.map(({ key }) => key).filter((key) => key.includes(session.conversation_id));
  expect(left.filter((key) => !key.includes('/records/'))).toEqual([]);
  // The log has all three.
  const fault = stack.worker.getLogs().find((line) => JSON.stringify(line).includes(session.session_id));
  expect(JSON.stringify(fault)).toMatch(/INVALID_MEDIA/);
  expect(JSON.stringify(fault)).toContain(session.conversation_id);
  expect(JSON.stringify(fault)).toMatch(/request_id\W+[0-9a-f-]{36}/);
});

it('live events are counted in the metrics', async () => {
  const session = await client.start();
  await client.chunk(session, 0);
  await finish(session);
  for (let attempt = 0; ; attempt++) {
    const { events } = (await (await client.request('/metrics')).json()) as { events: Record<string, number> };
    if ((events.done ?? 0) > 0 && (events.final_transcript ?? 0) > 0) break;
    if (attempt > 50) throw new Error('nothing was counted');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

interface R2Bucket {
  list(): Promise<{ objects: { key: string }[] }>;
}
