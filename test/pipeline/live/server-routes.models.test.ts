import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LiveSessions, UNREAD_MS } from '../../../containers/pipeline/live/server-routes.ts';
import { LIVE_ALIVE_MS, type PipelineLine } from '../../../src/contract/pipeline.ts';
import { PipelineReader } from '../../../src/worker/pipeline/reader.ts';
import { OPTIONS } from '../../../support/pipeline-server.ts';
import { wav } from '../media/hostile-media.ts';
import { fakeStages, sound } from './fake-stages.ts';

let sessions: LiveSessions;
let server: Server;
let base: string;
/** Delays the end of a conclusion after its last line. */
let afterwards: Promise<void> = Promise.resolve();
beforeAll(async () => {
  const stages = fakeStages(() => 'something was said');
  sessions = new LiveSessions({
    ...stages,
    async *analyse(...asked) {
      yield* stages.analyse(...asked);
      await afterwards;
    },
  });
  [server, base] = await served(sessions);
});

/** A server for the sessions, and its address. */
async function served(of: LiveSessions): Promise<[Server, string]> {
  const listening = createServer((request, response) => {
    of.handle(request, response)
      .then((known) => known || response.writeHead(404).end())
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return [listening, `http://127.0.0.1:${(listening.address() as AddressInfo).port}`];
}
afterAll(async () => {
  await sessions.close();
  server.closeAllConnections();
  server.close();
});

const AUDIO = Buffer.from(Int16Array.from(sound([0, 0.3], [0.5, 1.5], [0, 1]), (sample) => sample * 32_767).buffer);
const call = (method: string, path: string, body?: Uint8Array<ArrayBuffer> | string): Promise<Response> =>
  fetch(`${base}/sessions/${path}`, { method, body });
const open = (id: string, suffix = '.pcm'): Promise<Response> =>
  call('PUT', id, JSON.stringify({ ...OPTIONS, suffix }));

/** The kind of a line: the name of an event, or the type of another line. */
const kind = (line: PipelineLine): string => (line.type === 'event' ? line.event : line.type);

/** Reads lines up to the first of a kind. */
async function linesTo(id: string, last: string): Promise<PipelineLine[]> {
  const response = await fetch(`${base}/sessions/${id}/lines`);
  const reader = new PipelineReader(response.body!, 60_000);
  const lines: PipelineLine[] = [];
  for await (const line of reader.lines()) {
    lines.push(line);
    if (kind(line) === last) break;
  }
  await reader.close();
  return lines;
}

it('opens a session once, and finds it again with its position', async () => {
  expect(await (await open('a')).json()).toEqual({ next_chunk_seq: 0 });
  await call('POST', 'a/chunks/0?sizes=1000', AUDIO.subarray(0, 1000));
  expect(await (await open('a')).json()).toEqual({ next_chunk_seq: 1 });
});

it('answers a repeated chunk as before', async () => {
  await open('b');
  for (let repeat = 0; repeat < 2; repeat++) {
    const answer = await call('POST', 'b/chunks/0?sizes=1000', AUDIO.subarray(0, 1000));
    expect([answer.status, await answer.json()]).toEqual([200, { next_chunk_seq: 1 }]);
  }
});

it('makes chunks that arrive early wait for those before them, until the session ends', async () => {
  await open('c');
  const second = call('POST', 'c/chunks/1?sizes=1000', AUDIO.subarray(0, 1000));
  const third = call('POST', 'c/chunks/2?sizes=1000', AUDIO.subarray(0, 1000));
  const never = call('POST', 'c/chunks/4?sizes=1000', AUDIO.subarray(0, 1000));
  expect(await (await open('c')).json()).toEqual({ next_chunk_seq: 0 });
  await call('POST', 'c/chunks/0?sizes=1000', AUDIO.subarray(0, 1000));
  for (const answer of [await second, await third]) expect(answer.status).toBe(200);
  expect(await (await open('c')).json()).toEqual({ next_chunk_seq: 3 });
  await call('DELETE', 'c');
  expect((await never).status).toBe(409);
});

it('sends utterances while chunks come, then concludes, and repeats all lines to a new reader', async () => {
  await open('d');
  const before = linesTo('d', 'final_transcript');
  await call('POST', `d/chunks/0?sizes=${AUDIO.length}`, AUDIO);
  await call('POST', `d/chunks/1?sizes=${AUDIO.length}`, AUDIO);
  expect((await before).at(-1)).toMatchObject({ n: 0, data: { text: 'something was said' } });
  await call('POST', 'd/finalize');
  const utterance = ['final_transcript', 'emotion', 'cognitive'];
  const lasting = (lines: PipelineLine[]) => lines.filter((line) => line.type !== 'event' || line.n !== undefined);
  const all = lasting(await linesTo('d', 'result'));
  expect(all.map(kind)).toEqual([...utterance, ...utterance, 'summary_update', 'result']);
  expect(lasting(await linesTo('d', 'result'))).toEqual(all);
});

it('takes transcriptions, and ignores what is none', async () => {
  await open('t');
  const line = { type: 'transcription', key: 'k', end_s: 1, output: { text: 'said', confidence: 0.5 } };
  const body = `${JSON.stringify(line)}\n{"type":"transcription"}\nnothing\n`;
  const answer = await call('POST', 't/transcriptions', body);
  expect([answer.status, await answer.json()]).toEqual([200, { next_chunk_seq: 0 }]);
});

it('takes several chunks at once, and only the new ones of them', async () => {
  await open('h');
  await call('POST', 'h/chunks/0?sizes=400,600', AUDIO.subarray(0, 1000));
  const answer = await call('POST', 'h/chunks/1?sizes=600,1000', AUDIO.subarray(400, 2000));
  expect([answer.status, await answer.json()]).toEqual([200, { next_chunk_seq: 3 }]);
});

it('counts a session towards its limit until its final analysis begins', async () => {
  const held = Promise.withResolvers<void>();
  const stages = fakeStages(() => 'something was said');
  const small = new LiveSessions(
    {
      ...stages,
      async *analyse(...asked) {
        await held.promise;
        yield* stages.analyse(...asked);
      },
    },
    1,
  );
  const [listening, address] = await served(small);
  const put = async (id: string) => {
    const body = JSON.stringify({ ...OPTIONS, suffix: '.pcm' });
    return (await fetch(`${address}/sessions/${id}`, { method: 'PUT', body })).status;
  };
  expect([await put('a'), await put('b')]).toEqual([200, 503]);
  await fetch(`${address}/sessions/a/finalize`, { method: 'POST' });
  expect([await put('b'), await put('c')]).toEqual([200, 503]);
  expect(small.ids).toEqual(['a', 'b']);
  held.resolve();
  await small.close();
  listening.closeAllConnections();
  listening.close();
});

it('is behind by the audio that waits for recognition', async () => {
  const recognised = Promise.withResolvers<void>();
  const stages = fakeStages(() => 'something was said');
  const behind = new LiveSessions({
    ...stages,
    openRecogniser: (...asked) => {
      const recogniser = stages.openRecogniser(...asked);
      return {
        ...recogniser,
        transcribe: (...given) => recognised.promise.then(() => recogniser.transcribe(...given)),
      };
    },
  });
  const [listening, address] = await served(behind);
  const body = JSON.stringify({ ...OPTIONS, suffix: '.pcm' });
  await fetch(`${address}/sessions/a`, { method: 'PUT', body });
  expect(behind.lagSeconds).toBe(0);
  for (let seq = 0; seq < 2; seq++)
    await fetch(`${address}/sessions/a/chunks/${seq}?sizes=${AUDIO.length}`, { method: 'POST', body: AUDIO });
  await vi.waitFor(() => expect(behind.lagSeconds).toBeGreaterThan(0.5));
  recognised.resolve();
  await vi.waitFor(() => expect(behind.lagSeconds).toBeCloseTo(0));
  await behind.close();
  listening.closeAllConnections();
  listening.close();
});

it.each([
  { kinds: undefined, sent: 'sends what was recognised of a session' },
  { kinds: ['card'], sent: 'sends nothing that was recognised of a session that redacts' },
])('$sent', async ({ kinds }) => {
  const stages = fakeStages(() => 'something was said');
  const told = new LiveSessions({
    ...stages,
    openRecogniser: (options, transcriptions, ended) => {
      const recogniser = stages.openRecogniser(options, transcriptions, ended);
      return {
        ...recogniser,
        engine: { ...recogniser.engine, mishearsOtherLanguages: true },
        pass: (samples) => transcriptions.pass({ samples, recogniser: 'fake' }, () => recogniser.interim(samples)),
      };
    },
  });
  const [listening, address] = await served(told);
  const send = (method: string, path: string, body?: Uint8Array<ArrayBuffer> | string) =>
    fetch(`${address}/sessions/a${path}`, { method, body });
  await send('PUT', '', JSON.stringify({ ...OPTIONS, suffix: '.pcm', redact: kinds }));
  await send('POST', `/chunks/0?sizes=${AUDIO.length}`, AUDIO);
  await send('POST', '/finalize');
  const text = await (await send('GET', '/lines')).text();
  expect(text).toContain('final_transcript');
  expect(text.includes('"transcription"')).toBe(kinds === undefined);
  await told.close();
  listening.closeAllConnections();
  listening.close();
});

it('finalizes idempotently', async () => {
  await open('e');
  await call('POST', `e/chunks/0?sizes=${AUDIO.length}`, AUDIO);
  await call('POST', 'e/finalize');
  expect((await call('POST', 'e/finalize')).status).toBe(200);
  expect((await linesTo('e', 'result')).map(kind).filter((name) => name === 'summary_update')).toHaveLength(1);
});

it('forgets a deleted session, and ends its lines', async () => {
  await open('f');
  const lines = fetch(`${base}/sessions/f/lines`).then((response) => response.text());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await call('DELETE', 'f')).status).toBe(200);
  expect(await lines).toBe('');
  expect((await call('POST', `f/chunks/0?sizes=${AUDIO.length}`, AUDIO)).status).toBe(404);
});

it('opens another session under the id of a deleted one, and keeps it', async () => {
  const [begun, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  await open('k');
  const lines = fetch(`${base}/sessions/k/lines`).then((response) => response.text());
  await new Promise((resolve) => setTimeout(resolve, 50));
  await call('DELETE', 'k');
  await lines;
  await new Promise((resolve) => setTimeout(resolve, 50));
  const ended = new Set(cleared.mock.calls.map(([timer]) => timer));
  const left = begun.mock.calls.filter(([, ms], i) => ms === UNREAD_MS && !ended.has(begun.mock.results[i]!.value));
  await open('k');
  await call('POST', 'k/chunks/0?sizes=1000', AUDIO.subarray(0, 1000));
  // Two minutes later.
  for (const [go] of left) go();
  expect(await (await open('k')).json()).toEqual({ next_chunk_seq: 1 });
  vi.restoreAllMocks();
});

it.each([
  ['PUT', 'g', 400],
  ['POST', 'nobody/finalize', 404],
  ['GET', 'nobody/lines', 404],
  ['POST', 'nobody/transcriptions', 404],
  ['POST', 'a/nothing', 405],
  ['POST', 'a/chunks/x?sizes=0', 400],
  ['POST', 'a/chunks/0?sizes=1', 400],
  ['POST', 'a/chunks/0?sizes=1,-1', 400],
])('%s /sessions/%s is %i', async (method, path, status) => {
  expect((await call(method, path)).status).toBe(status);
});

it('ends a session whose media passes a limit of decoding, with the limit’s name', async () => {
  await open('i', '.wav');
  const media = new Uint8Array(wav({ rate: 1 }, Buffer.alloc(100_000)));
  await call('POST', `i/chunks/0?sizes=${media.length}`, media);
  await expect(linesTo('i', 'error')).rejects.toMatchObject({
    code: 'INVALID_MEDIA',
    detail: expect.stringContaining('sample rate is 1 Hz'),
  });
  expect((await call('POST', `i/chunks/1?sizes=${AUDIO.length}`, AUDIO)).status).toBe(200);
});

it('sends the bytes of its documents right after a result', async () => {
  const held = Promise.withResolvers<void>();
  afterwards = held.promise;
  await open('w');
  await call('POST', `w/chunks/0?sizes=${AUDIO.length}`, AUDIO);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const reader = new PipelineReader((await fetch(`${base}/sessions/w/lines`)).body!, 60_000);
    await call('POST', 'w/finalize');
    for await (const line of reader.lines()) {
      if (line.type !== 'result') continue;
      vi.advanceTimersByTime(2 * LIVE_ALIVE_MS);
      held.resolve();
      let text = '';
      for (const document of line.documents) {
        const written = new TransformStream<Uint8Array, Uint8Array>();
        const [read] = await Promise.all([
          new Response(written.readable).text(),
          reader.write(document, written.writable.getWriter()),
        ]);
        text = read;
      }
      expect(JSON.parse(text)).toMatchObject({ utterances: 1 });
    }
    await reader.close();
  } finally {
    vi.useRealTimers();
    afterwards = Promise.resolve();
  }
});

it('asks open sessions to move when it drains, and keeps those that have all their chunks', async () => {
  await open('m');
  await open('f');
  const moving = linesTo('m', 'moving');
  const concluded = linesTo('f', 'result');
  await call('POST', `m/chunks/0?sizes=${AUDIO.length}`, AUDIO);
  await call('POST', `f/chunks/0?sizes=${AUDIO.length}`, AUDIO);
  await call('POST', 'f/finalize');
  sessions.drain();
  expect((await moving).map(kind)).toContain('moving');
  expect((await concluded).map(kind)).not.toContain('moving');
  expect((await open('new')).status).toBe(503);
  // No other process accepted it, so it returns and continues here.
  expect(await (await open('m')).json()).toEqual({ next_chunk_seq: 1 });
  await call('POST', 'm/finalize');
  expect((await linesTo('m', 'result')).map(kind)).toContain('final_transcript');
});
