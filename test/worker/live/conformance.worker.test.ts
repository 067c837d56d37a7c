import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChunkAcceptedSchema, ControlAnswerSchema, LiveSessionSchema } from '../../../src/contract/live.ts';
import { LiveClient, refusal } from '../../../support/live-client.ts';
import { KEY, type LiveStack, OTHER_KEY, startLiveStack } from '../../../support/live-service.ts';

let stack: LiveStack;
let client: LiveClient;
beforeAll(async () => {
  stack = await startLiveStack({ MAX_CHUNK_BYTES: '65536', MAX_SESSION_MB: '0.25' });
  client = stack.client;
});
afterAll(() => stack.stop());

describe('POST /analyze/live/start', () => {
  it('answers a LiveSession that waits for media', async () => {
    const before = Date.now();
    const session = LiveSessionSchema.parse(await client.start({}));
    expect(session).toMatchObject({ next_chunk_seq: 0, status: 'waiting_media' });
    expect(session.chunk_endpoint).toBe(`/analyze/live/${session.session_id}/chunk`);
    expect(session.events_endpoint).toBe(`/analyze/live/${session.session_id}/events`);
    expect(session.control_endpoint).toBe(`/analyze/live/${session.session_id}/control`);
    expect(Date.parse(session.expires_at) - before).toBeGreaterThan(890_000);
    expect(Date.parse(session.expires_at) - before).toBeLessThan(960_000);
  });

  it('accepts an absent body', async () => {
    expect((await client.request('/analyze/live/start', { method: 'POST' })).status).toBe(200);
  });

  it.each([60, 3600])('takes ttl_seconds %i', async (ttl) => {
    const session = await client.start({ ttl_seconds: ttl });
    expect(Math.abs(Date.parse(session.expires_at) - Date.now() - ttl * 1000)).toBeLessThan(30_000);
  });

  it.each([59, 3601, 90.5, '900', null])('refuses ttl_seconds %j', async (ttl) => {
    const answer = await refusal(client.json('/analyze/live/start', { ttl_seconds: ttl }));
    expect(answer).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      detail: expect.stringContaining('ttl_seconds'),
    });
  });

  it.each(['.wav', '.MP3', '.ogg', '.opus', '.pcm', '.webm', '.mp4'])('takes suffix %s', async (suffix) => {
    expect((await client.json('/analyze/live/start', { suffix })).status).toBe(200);
  });

  it.each(['.flac', 'wav', '', 7])('refuses suffix %j and names the supported ones', async (suffix) => {
    const answer = await refusal(client.json('/analyze/live/start', { suffix }));
    expect(answer).toMatchObject({ status: 400, detail: expect.stringContaining('suffix') });
    if (typeof suffix === 'string') expect(answer.detail).toContain('.ogg');
  });

  it('infers the extension from the file name, and refuses one that is not supported', async () => {
    expect((await client.json('/analyze/live/start', { filename: 'call 1.OGG' })).status).toBe(200);
    expect((await client.json('/analyze/live/start', { filename: 'call' })).status).toBe(200);
    expect(await refusal(client.json('/analyze/live/start', { filename: 'call.txt' }))).toMatchObject({
      status: 400,
      code: 'UNSUPPORTED_MEDIA',
    });
  });

  it('refuses a body that is not JSON', async () => {
    const answer = client.request('/analyze/live/start', { method: 'POST', body: '{"goal"' });
    expect(await refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'says what was expected of a body of %s',
    async (type) => {
      const init = { method: 'POST', headers: { 'Content-Type': type }, body: '{"suffix":".wav"}' };
      expect(await refusal(client.request('/analyze/live/start', init))).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
        detail: expect.stringContaining('application/json'),
      });
    },
  );

  it('accepts JSON however its type is written', async () => {
    for (const type of ['application/json;charset=UTF-8', 'Application/JSON', 'application/problem+json']) {
      const init = { method: 'POST', headers: { 'Content-Type': type }, body: '{"suffix":".wav"}' };
      expect((await client.request('/analyze/live/start', init)).status).toBe(200);
    }
  });

  it('refuses too much JSON, by its Content-Length and by its bytes', async () => {
    const long = JSON.stringify({ goal: 'x'.repeat(270_000) });
    const headers = { 'Content-Type': 'application/json' };
    for (const body of [long, new Blob([long]).stream()]) {
      const init = { method: 'POST', headers, body, duplex: 'half' };
      expect(await refusal(client.request('/analyze/live/start', init))).toMatchObject({
        status: 400,
        detail: expect.stringContaining('262144'),
      });
    }
  });

  it('shortens a file name that it repeats', async () => {
    const answer = await refusal(client.json('/analyze/live/start', { filename: `call.${'x'.repeat(400)}` }));
    expect(answer).toMatchObject({ status: 400, code: 'UNSUPPORTED_MEDIA' });
    expect(answer.detail.length).toBeLessThan(300);
  });

  it('needs a key', async () => {
    const answer = await refusal(new LiveClient(stack.url, 'nobody').json('/analyze/live/start', {}));
    expect(answer).toEqual({ status: 401, code: 'INVALID_KEY', detail: 'Invalid or missing API key' });
  });
});

describe('POST /analyze/live/{session_id}/chunk', () => {
  it('reports received bytes and the next chunk_seq', async () => {
    const session = await client.start();
    const first = await client.chunk(session, 0, new Uint8Array(1000));
    expect(ChunkAcceptedSchema.parse(await first.json())).toEqual({ received_bytes: 1000, next_chunk_seq: 1 });
    const second = await client.chunk(session, 1, new Uint8Array(500));
    expect(await second.json()).toEqual({ received_bytes: 1500, next_chunk_seq: 2 });
  });

  it.each([0, 2, 9])('refuses chunk_seq %i where 1 is expected', async (seq) => {
    const session = await client.ingesting();
    expect(await refusal(client.chunk(session, seq))).toEqual({
      status: 409,
      code: 'WRONG_CHUNK_SEQ',
      detail: 'Expected chunk_seq=1',
    });
    expect((await client.chunk(session, 1)).status).toBe(200);
  });

  it('refuses an empty chunk', async () => {
    const answer = await refusal(client.chunk(await client.start(), 0, new Uint8Array(0)));
    expect(answer).toMatchObject({ status: 400, code: 'EMPTY_CHUNK', detail: 'Empty chunk data' });
  });

  it('refuses a chunk over the limit, takes one at the limit', async () => {
    const session = await client.start();
    expect(await refusal(client.chunk(session, 0, new Uint8Array(65_537)))).toMatchObject({
      status: 400,
      detail: expect.stringContaining('chunk'),
    });
    expect((await client.chunk(session, 0, new Uint8Array(65_536))).status).toBe(200);
  });

  it('refuses bytes over the limit of a session', async () => {
    const session = await client.start();
    for (let seq = 0; seq < 4; seq++) await client.chunk(session, seq, new Uint8Array(65_536));
    expect(await refusal(client.chunk(session, 4, new Uint8Array(1)))).toMatchObject({
      status: 400,
      code: 'FILE_TOO_LARGE',
    });
  });

  it.each(['one', '-1', '1.5', ''])('refuses chunk_seq %j', async (seq) => {
    const answer = await refusal(client.chunk(await client.start(), seq));
    expect(answer).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      detail: expect.stringContaining('chunk_seq'),
    });
  });

  it.each(['chunk_seq', 'chunk'])('refuses a form without %s', async (missing) => {
    const session = await client.start();
    const form = new FormData();
    form.set('chunk_seq', '0');
    form.set('chunk', new File(['x'], 'chunk'));
    form.delete(missing);
    const answer = await refusal(client.request(session.chunk_endpoint, { method: 'POST', body: form }));
    expect(answer).toMatchObject({ status: 400, detail: expect.stringContaining(missing) });
  });

  it('refuses a body that is not multipart', async () => {
    const session = await client.start();
    expect((await refusal(client.json(session.chunk_endpoint, { chunk_seq: 0 }))).status).toBe(400);
  });

  it('repeats the first response for the Idempotency-Key of the accepted chunk, and stores nothing again', async () => {
    const session = await client.start();
    const headers = { 'Idempotency-Key': 'first' };
    const first = await (await client.chunk(session, 0, new Uint8Array(10), headers)).json();
    await client.chunk(session, 1, new Uint8Array(10));
    const again = await client.chunk(session, 0, new Uint8Array(10), headers);
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(first);
    expect(await (await client.chunk(session, 2, new Uint8Array(10))).json()).toEqual({
      received_bytes: 30,
      next_chunk_seq: 3,
    });
  });

  it('refuses the same chunk_seq under another Idempotency-Key', async () => {
    const session = await client.start();
    await client.chunk(session, 0, new Uint8Array(10), { 'Idempotency-Key': 'a' });
    const answer = await refusal(client.chunk(session, 0, new Uint8Array(10), { 'Idempotency-Key': 'b' }));
    expect(answer).toMatchObject({ status: 409, detail: 'Expected chunk_seq=1' });
  });

  it('takes exactly one of two senders racing with the same chunk_seq', async () => {
    const session = await client.start();
    for (let seq = 0; seq < 20; seq++) {
      const answers = await Promise.all([client.chunk(session, seq), client.chunk(session, seq)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });
});

describe('POST /analyze/live/{session_id}/control', () => {
  it('keepalive answers the current status and a later expiry', async () => {
    const session = await client.start({ ttl_seconds: 60 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const answer = ControlAnswerSchema.parse(await (await client.control(session, 'keepalive')).json());
    expect(answer).toMatchObject({ status: 'waiting_media', detail: 'Expiry extended' });
    expect(Date.parse(answer.expires_at)).toBeGreaterThan(Date.parse(session.expires_at));
    await client.chunk(session, 0);
    expect(await (await client.control(session, 'keepalive')).json()).toMatchObject({ status: 'ingesting' });
  });

  it('finalize answers processing', async () => {
    const answer = await client.control(await client.ingesting(), 'finalize');
    expect(ControlAnswerSchema.parse(await answer.json())).toMatchObject({
      status: 'processing',
      detail: 'Ingest stopped, final processing started',
    });
  });

  it('cancel answers aborted and the reason', async () => {
    const answer = await client.control(await client.ingesting(), 'cancel', 'wrong number');
    expect(await answer.json()).toMatchObject({ status: 'aborted', detail: 'wrong number' });
  });

  it.each(['finalize', 'cancel', 'keepalive'])('refuses %s after finalize, and after cancel', async (action) => {
    for (const end of ['finalize', 'cancel']) {
      const session = await client.ingesting();
      await client.control(session, end);
      expect(await refusal(client.control(session, action))).toEqual({
        status: 409,
        code: 'SESSION_FINALIZED',
        detail: 'Session already finalized',
      });
    }
  });

  it('refuses a chunk after finalize', async () => {
    const session = await client.ingesting();
    await client.control(session, 'finalize');
    expect(await refusal(client.chunk(session, 1))).toMatchObject({ status: 409, code: 'SESSION_FINALIZED' });
  });

  it.each([{ action: 'pause' }, {}, { action: 'cancel', reason: 7 }])('refuses %j', async (body) => {
    const session = await client.start();
    expect(await refusal(client.json(session.control_endpoint, body))).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
    });
  });

  it('decides a race of finalize and a chunk either way, and analyses exactly what was accepted', async () => {
    for (let round = 0; round < 10; round++) {
      const session = await client.ingesting();
      const [chunk] = await Promise.all([client.chunk(session, 1), client.control(session, 'finalize')]);
      const reader = await client.attach(session);
      await reader.until(({ event }) => event === 'done');
      expect([200, 409]).toContain(chunk.status);
      const finals = reader.received.filter(({ event }) => event === 'final_transcript');
      expect(finals).toHaveLength(chunk.status === 200 ? 2 : 1);
    }
  });
});

describe('GET /analyze/live/{session_id}/events', () => {
  it('sends the whole session in the order of the specification, numbered from 0 without a gap', async () => {
    const session = await client.start();
    const reader = await client.attach(session);
    expect(reader.response.headers.get('Content-Type')).toContain('text/event-stream');
    for (let seq = 0; seq < 2; seq++) await client.chunk(session, seq);
    await reader.until(({ event, data }) => event === 'final_transcript' && data.utterance_id.endsWith('_utt_1'));
    await client.control(session, 'finalize');
    const events = await reader.end();
    const utterance = ['final_transcript', 'emotion', 'cognitive'];
    const optional = ['partial_transcript', 'transition', 'moment'];
    expect(reader.names.filter((name) => !optional.includes(name))).toEqual([
      ...['status:starting', 'status:waiting_media', 'status:ingesting'],
      ...utterance,
      ...utterance,
      ...['status:processing', 'status:processing', 'status:processing', 'summary_update', 'status:completed', 'done'],
    ]);
    expect(events.filter(({ data }) => 'expected_s' in data).map(({ data }) => data)).toEqual([
      { phase: 'processing', progress: 0, expected_s: 2.06 },
    ]);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i));
    expect(events.at(-1)?.data).toEqual({ conversation_id: session.conversation_id });
    expect(reader.retry).toBeGreaterThan(0);
  });

  it('keeps events while no consumer is attached', async () => {
    const session = await client.ingesting(3);
    await client.control(session, 'finalize');
    const reader = await client.attach(session);
    await reader.end();
    expect(reader.names[0]).toBe('status:starting');
    expect(reader.names.at(-1)).toBe('done');
  });

  it('refuses a second consumer, and the first does not notice', async () => {
    const session = await client.start();
    const first = await client.attach(session);
    expect(await refusal(client.request(session.events_endpoint))).toEqual({
      status: 409,
      code: 'CONSUMER_ATTACHED',
      detail: 'Only one SSE consumer may be attached to a live session at a time',
    });
    await client.chunk(session, 0);
    await first.until(({ event }) => event === 'cognitive');
    await first.leave();
  });

  it('takes exactly one of two consumers that race', async () => {
    for (let round = 0; round < 5; round++) {
      const session = await client.start();
      const readers = await Promise.all([client.attach(session), client.attach(session)]);
      expect(readers.map(({ status }) => status).sort()).toEqual([200, 409]);
      await Promise.all(readers.map((reader) => reader.leave()));
    }
  });

  it('ends with an error that carries the reason after cancel', async () => {
    const session = await client.ingesting();
    const reader = await client.attach(session);
    await client.control(session, 'cancel', 'wrong number');
    const events = await reader.end();
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      data: { code: 'STREAM_FAILURE', message: 'wrong number', detail: 'wrong number' },
    });
  });

  it('ends with NO_UTTERANCES when nothing was sent', async () => {
    const session = await client.start();
    const reader = await client.attach(session);
    await client.control(session, 'finalize');
    expect((await reader.end()).at(-1)).toMatchObject({ event: 'error', data: { code: 'NO_UTTERANCES' } });
  });

  it.each(['0x10', '1e3', '-1', '1.5', '+1', '0, 1', 'last', '9'.repeat(20)])(
    'refuses Last-Event-ID "%s" and delivers nothing',
    async (id) => {
      const session = await client.ingesting();
      const events = client.request(session.events_endpoint, { headers: { 'Last-Event-ID': id } });
      expect(await refusal(events)).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
        detail: expect.stringContaining('Last-Event-ID'),
      });
      const reader = await client.attach(session);
      expect(reader.status).toBe(200);
      await reader.leave();
    },
  );

  it('refuses a Last-Event-ID beyond the last event of an open session, and takes the last one', async () => {
    const session = await client.start();
    const at = (id: string) => client.request(session.events_endpoint, { headers: { 'Last-Event-ID': id } });
    for (const id of ['2', '500'])
      expect(await refusal(at(id))).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    const reader = await client.attach(session, 1);
    await client.chunk(session, 0);
    expect((await reader.until(() => true)).id).toBe(2);
    await reader.leave();
  });

  it('takes an empty Last-Event-ID for none', async () => {
    const session = await client.ingesting();
    await client.control(session, 'cancel');
    const events = await client.request(session.events_endpoint, { headers: { 'Last-Event-ID': '' } });
    expect(await events.text()).toContain('id: 0\nevent: status');
  });

  it('answers HEAD as it would GET, without attaching or delivering', async () => {
    const session = await client.ingesting();
    const head = (key = KEY) => new LiveClient(stack.url, key).request(session.events_endpoint, { method: 'HEAD' });
    for (let i = 0; i < 2; i++) {
      const answer = await head();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toContain('text/event-stream');
    }
    expect((await head(OTHER_KEY)).status).toBe(404);
    const reader = await client.attach(session);
    expect(reader.status).toBe(200);
    expect((await head()).status).toBe(409);
    await client.control(session, 'cancel');
    expect((await reader.end())[0]).toMatchObject({ id: 0, event: 'status' });
  });

  it('takes the key in the query', async () => {
    const session = await client.ingesting();
    await client.control(session, 'cancel');
    const answer = await fetch(new URL(`${session.events_endpoint}?api_key=${KEY}`, stack.url));
    expect(await answer.text()).toContain('event: error');
  });
});
