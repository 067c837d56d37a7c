import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LiveCapture, type LivePosition, type StreamEvent, Undertone } from '../../src/sdk/index.ts';
import { KEY, type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { allOf } from '../../support/stream-events.ts';
import { cut, json, refuse, type ScriptedService, scriptedService } from './scripted-service.ts';
import { startUnrulyProxy, type UnrulyProxy } from './unruly-proxy.ts';

let stack: LiveStack;
let undertone: Undertone;
beforeAll(async () => {
  stack = await startLiveStack();
  undertone = new Undertone({ url: stack.url, key: KEY });
});
afterAll(() => stack.stop());

/** Bytes that encode their position in the stream. */
const numbered = (from: number, count: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Uint32Array.from({ length: count }, (_, n) => from + n).buffer);

const finals = (events: StreamEvent[]) => events.filter(({ event }) => event === 'final_transcript');
const ids = (events: StreamEvent[]) => events.map(({ id }) => id);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a live session', () => {
  it('sends chunks, finalizes and yields every event up to done', async () => {
    const progress: number[] = [];
    const capture = await undertone.live.start({ suffix: '.pcm', onProgress: (p) => progress.push(p.received_bytes) });
    const events = allOf(capture);
    for (let n = 0; n < 5; n++) {
      await capture.send(numbered(n * 100, 100));
      await capture.flush();
    }
    await capture.finalize();
    const told = await events;
    expect(ids(told)).toEqual(upTo(told.length));
    expect(finals(told)).toHaveLength(5);
    expect(told.at(-1)).toMatchObject({
      event: 'done',
      data: { conversation_id: capture.session.conversation_id },
    });
    expect(progress).toEqual([400, 800, 1200, 1600, 2000]);
    expect(await stack.upload(capture.session.conversation_id)).toEqual(numbered(0, 500));
    await expect(capture.send(numbered(0, 1))).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });

  it('keeps the order of sends that are not awaited, and joins queued bytes', async () => {
    const capture = await undertone.live.start({ suffix: '.pcm' });
    const sends = upTo(200).map((n) => capture.send(n % 2 ? new Blob([numbered(n * 10, 10)]) : numbered(n * 10, 10)));
    await Promise.all(sends);
    await capture.finalize();
    const told = await allOf(capture);
    expect(await stack.upload(capture.session.conversation_id)).toEqual(numbered(0, 2000));
    expect(finals(told).length).toBeLessThan(20);
  });

  it('splits large chunks and makes its caller wait', async () => {
    const capture = await undertone.live.start({ suffix: '.pcm' });
    const bytes = numbered(0, 500_000);
    let isTaken = false;
    const sent = capture.send(bytes).then(() => {
      isTaken = true;
    });
    expect(capture.queuedBytes).toBe(bytes.length);
    await vi.waitFor(() => expect(capture.position.next_chunk_seq).toBeGreaterThan(0), { timeout: 20_000 });
    expect(isTaken).toBe(capture.queuedBytes <= 1_048_576);
    await sent;
    expect(capture.queuedBytes).toBeLessThanOrEqual(1_048_576);
    await capture.finalize();
    await allOf(capture);
    expect(await stack.upload(capture.session.conversation_id)).toEqual(bytes);
  });

  it('copies the memory that a recorder reuses', async () => {
    const capture = await undertone.live.start({ suffix: '.pcm' });
    const memory = numbered(0, 10);
    const first = capture.send(memory);
    memory.fill(0);
    await first;
    await capture.finalize();
    await allOf(capture);
    expect(await stack.upload(capture.session.conversation_id)).toEqual(numbered(0, 10));
  });

  it('that is cancelled ends its events and accepts no more data', async () => {
    const capture = await undertone.live.start({ suffix: '.pcm' });
    const events = allOf(capture);
    await capture.send(numbered(0, 10));
    await capture.flush();
    await capture.cancel('no longer wanted');
    expect((await events).map(({ event }) => event)).not.toContain('done');
    await expect(capture.send(numbered(0, 1))).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
    const again = await stack.client.control(capture.session, 'finalize');
    expect(again.status).toBe(409);
  });

  it('whose signal is aborted is cancelled at the service; its events throw the reason', async () => {
    const leave = new AbortController();
    const capture = await undertone.live.start({ suffix: '.pcm', signal: leave.signal });
    const reader = capture[Symbol.asyncIterator]();
    await reader.next();
    const reason = new Error('the page is closed');
    leave.abort(reason);
    await expect(
      (async () => {
        for (;;) if ((await reader.next()).done) return;
      })(),
    ).rejects.toBe(reason);
    await expect(capture.send(numbered(0, 1))).rejects.toBe(reason);
    await vi.waitFor(async () => expect((await stack.client.control(capture.session, 'finalize')).status).toBe(409));
  });

  it('without speech throws the error of the service', async () => {
    const capture = await undertone.live.start();
    await capture.finalize();
    await expect(allOf(capture)).rejects.toMatchObject({ name: 'UndertoneError', code: 'NO_UTTERANCES' });
  });

  it('can be continued by another reader or another process', async () => {
    const capture = await undertone.live.start({ suffix: '.pcm' });
    await capture.send(numbered(0, 100));
    const first: StreamEvent[] = [];
    for await (const event of capture) {
      first.push(event);
      if (event.event === 'final_transcript') break;
    }
    await capture.flush();
    const saved = JSON.parse(JSON.stringify(capture.position)) as LivePosition;
    const resumed = undertone.live.resume(saved);
    await resumed.send(numbered(100, 100));
    await resumed.finalize();
    const rest = await allOf(resumed);
    expect(ids([...first, ...rest])).toEqual(upTo(first.length + rest.length));
    expect(await stack.upload(capture.session.conversation_id)).toEqual(numbered(0, 200));
  });

  it('reports a wrong suffix and a wrong key at once', async () => {
    await expect(undertone.live.start({ filename: 'notes.txt' })).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA' });
    const stranger = new Undertone({ url: stack.url, key: 'nobody' });
    await expect(stranger.live.start()).rejects.toMatchObject({ code: 'INVALID_KEY', status: 401 });
  });
});

describe('on a connection that breaks, delays, goes silent and goes down', () => {
  let line: UnrulyProxy;
  beforeAll(async () => {
    line = await startUnrulyProxy({ target: stack.url, everyMs: 700, lastsMs: 400, delayMs: 120 });
  });
  afterAll(() => line.close());

  it('no byte is lost or repeated, and every event arrives once and in order', async () => {
    const { position } = await undertone.live.start({ suffix: '.pcm' });
    const capture = new Undertone({ url: line.url, key: KEY }).live.resume(position);
    const events = allOf(capture);
    let sent = 0;
    // Runs until each kind of fault has occurred three times, even on a slow machine.
    while (line.did.cuts < 3 || line.did.outages < 3 || line.did.silences < 3) {
      await capture.send(numbered(sent, 800));
      sent += 800;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const finalized = capture.finalize();
    line.calm();
    await finalized;
    const told = await events;
    expect(ids(told)).toEqual(upTo(told.length));
    expect(finals(told)).toHaveLength(capture.position.next_chunk_seq);
    expect(told.at(-1)?.event).toBe('done');
    expect(await stack.upload(capture.session.conversation_id)).toEqual(numbered(0, sent));
  }, 240_000);
});

describe('with a scripted service', () => {
  let service: ScriptedService;
  let capture: LiveCapture;
  beforeAll(async () => {
    service = await scriptedService();
  });
  afterAll(() => service.close());

  /** A session whose service gives these responses. */
  async function opened(...answers: ScriptedService['answers']): Promise<LiveCapture> {
    const expires_at = new Date(Date.now() + 900_000).toISOString();
    const ends = { chunk_endpoint: '/chunk', events_endpoint: '/events', control_endpoint: '/control' };
    service.answers = [json(200, { ...ends, session_id: 's', next_chunk_seq: 0, expires_at, status: 'waiting_media' })];
    capture = await new Undertone({ url: service.url }).live.start();
    service.answers = answers;
    service.seen.length = 0;
    return capture;
  }
  const stored = json(200, { received_bytes: 4, next_chunk_seq: 1 });
  const controlled = json(200, { status: 'processing', detail: '', expires_at: new Date().toISOString() });

  it('a chunk is repeated unchanged, with its number and key, until it is stored', async () => {
    await opened(cut, refuse(503, 'OVERLOADED'), json(502, ''), refuse(500, 'ANALYSIS_FAILURE'), stored);
    await capture.send(numbered(7, 1));
    await capture.flush();
    expect(service.seen).toHaveLength(5);
    expect(new Set(service.seen.map(({ body }) => body)).size).toBe(1);
    expect(new Set(service.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('a refused chunk is reported, and the chunks before it can still be analysed', async () => {
    await opened(stored, refuse(400, 'FILE_TOO_LARGE'), controlled);
    await capture.send(numbered(0, 1));
    await capture.flush();
    await capture.send(numbered(1, 1));
    await expect(capture.flush()).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    await expect(capture.send(numbered(2, 1))).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    await expect(capture.finalize()).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    await capture.finalize({ partial: true });
    expect(service.seen.at(-1)).toMatchObject({ path: '/control', body: '{"action":"finalize"}' });
  });

  it('a repeated finalize whose first response was lost succeeds', async () => {
    await opened(cut, refuse(409, 'SESSION_FINALIZED'));
    await capture.finalize();
    await opened(refuse(409, 'SESSION_FINALIZED'));
    await expect(capture.finalize()).rejects.toMatchObject({ code: 'SESSION_FINALIZED' });
  });

  it('a finalize whose response arrives after done succeeds', async () => {
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    await opened(
      () => isAsked(),
      (response) =>
        response
          .writeHead(200, { 'Content-Type': 'text/event-stream' })
          .end('id: 0\nevent: done\ndata: {"conversation_id":"c"}\n\n'),
    );
    const finalized = capture.finalize();
    await asked;
    expect(await allOf(capture)).toHaveLength(1);
    await finalized;
  });

  it('events wait for their own lost connection to be released, not for another reader', async () => {
    const stream =
      (text: string): ScriptedService['answers'][number] =>
      (response) =>
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text);
    const event = (id: number, name: string, data: unknown) =>
      `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const status = { phase: 'starting', progress: 0 };
    await opened(
      stream(event(0, 'status', status)),
      refuse(409, 'CONSUMER_ATTACHED'),
      // A proxy that repeats a response.
      stream(event(0, 'status', status) + event(1, 'done', { conversation_id: 'c' })),
    );
    expect(ids(await allOf(capture))).toEqual([0, 1]);
    expect(service.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '0', '0']);

    await opened(refuse(409, 'CONSUMER_ATTACHED'));
    await expect(allOf(capture)).rejects.toMatchObject({ code: 'CONSUMER_ATTACHED' });
    await opened(refuse(404, 'UNKNOWN_SESSION'));
    await expect(allOf(capture)).rejects.toMatchObject({ code: 'UNKNOWN_SESSION' });
  });

  it('a session that has ended at the service accepts no more chunks', async () => {
    await opened((response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end('id: 0\nevent: error\ndata: {"code":"STREAM_FAILURE","message":"Session expired"}\n\n'),
    );
    await expect(allOf(capture)).rejects.toMatchObject({ code: 'STREAM_FAILURE' });
    await expect(capture.send(numbered(0, 1))).rejects.toMatchObject({ code: 'STREAM_FAILURE' });
  });
});
