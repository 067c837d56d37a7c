import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LiveSessions } from '../../../containers/pipeline/live/server-routes.ts';
import { readNdjson } from '../../../src/contract/ndjson.ts';
import type { PipelineLine } from '../../../src/contract/pipeline.ts';
import { fakeStages, sound } from './fake-stages.ts';

let sessions: LiveSessions;
let server: Server;
let base: string;
beforeAll(async () => {
  sessions = new LiveSessions(fakeStages(() => 'something was said'));
  server = createServer((request, response) => {
    sessions
      .handle(request, response)
      .then((known) => known || response.writeHead(404).end())
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await sessions.close();
  server.closeAllConnections();
  server.close();
});

const AUDIO = Buffer.from(Int16Array.from(sound([0, 0.3], [0.5, 1.5], [0, 1]), (sample) => sample * 32_767).buffer);
const call = (method: string, path: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(`${base}/sessions/${path}`, { method, body });
const open = (id: string): Promise<Response> => call('PUT', `${id}?conversation_id=c&suffix=.pcm`);

/** Reads lines until one of a type came. */
async function linesTo(id: string, type: PipelineLine['type']): Promise<PipelineLine[]> {
  const abort = new AbortController();
  const response = await fetch(`${base}/sessions/${id}/lines`, { signal: abort.signal });
  const lines: PipelineLine[] = [];
  try {
    for await (const line of readNdjson(response.body!, new TextDecoder())) {
      lines.push(line as PipelineLine);
      if (lines.at(-1)!.type === type) break;
    }
  } finally {
    abort.abort();
  }
  return lines;
}

it('opens a session once, and finds it again with its position', async () => {
  expect(await (await open('a')).json()).toEqual({ next_chunk_seq: 0 });
  await call('POST', 'a/chunks/0', AUDIO.subarray(0, 1000));
  expect(await (await open('a')).json()).toEqual({ next_chunk_seq: 1 });
});

it('answers a chunk it already had again, and one after a gap with 409 and its position', async () => {
  await open('b');
  for (let repeat = 0; repeat < 2; repeat++) {
    const answer = await call('POST', 'b/chunks/0', AUDIO.subarray(0, 1000));
    expect([answer.status, await answer.json()]).toEqual([200, { next_chunk_seq: 1 }]);
  }
  const gap = await call('POST', 'b/chunks/2', AUDIO.subarray(0, 1000));
  expect([gap.status, await gap.json()]).toEqual([409, { next_chunk_seq: 1 }]);
});

it('tells utterances while chunks come, then concludes, and tells all lines again from the first', async () => {
  await open('d');
  const before = linesTo('d', 'utterance');
  await call('POST', 'd/chunks/0', AUDIO);
  await call('POST', 'd/chunks/1', AUDIO);
  expect((await before).at(-1)).toMatchObject({ type: 'utterance', entry: { text: 'something was said' } });
  await call('POST', 'd/finalize');
  const all = await linesTo('d', 'end');
  const kept = all.filter(({ type }) => type !== 'partial' && type !== 'progress').map(({ type }) => type);
  expect(kept).toEqual(['utterance', 'utterance', 'conclude', 'utterance', 'end']);
  expect((await linesTo('d', 'end')).filter(({ type }) => type !== 'partial' && type !== 'progress')).toHaveLength(5);
});

it('finalizes twice as once', async () => {
  await open('e');
  await call('POST', 'e/chunks/0', AUDIO);
  await call('POST', 'e/finalize');
  expect((await call('POST', 'e/finalize')).status).toBe(200);
  expect((await linesTo('e', 'end')).filter(({ type }) => type === 'conclude')).toHaveLength(1);
});

it('forgets a deleted session, and ends its lines', async () => {
  await open('f');
  const lines = fetch(`${base}/sessions/f/lines`).then((response) => response.text());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await call('DELETE', 'f')).status).toBe(200);
  expect(await lines).toBe('');
  expect((await call('POST', 'f/chunks/0', AUDIO)).status).toBe(404);
});

it.each([
  ['PUT', 'g?suffix=.pcm', 400],
  ['PUT', 'g?conversation_id=c&suffix=.exe', 400],
  ['POST', 'nobody/finalize', 404],
  ['GET', 'nobody/lines', 404],
  ['POST', 'a/nothing', 405],
  ['POST', 'a/chunks/x', 400],
])('%s /sessions/%s is %i', async (method, path, status) => {
  expect((await call(method, path)).status).toBe(status);
});
