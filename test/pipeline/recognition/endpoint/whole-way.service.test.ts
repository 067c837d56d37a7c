import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PipelineServer } from '../../../../containers/pipeline/server.ts';
import { LiveClient } from '../../../../support/live-client.ts';
import { fixtureBytes } from '../../../../support/recordings.ts';
import { KEY, startService, type TestService } from '../../../../support/service-under-test.ts';

// An analysis from the Worker to an endpoint and back: the client's options reach the endpoint, and segments that the
// endpoint does not answer are transcribed by the built-in recogniser, which the result names.

/** The fields of the requests so far, except for the audio. */
let asked: Record<string, string>[] = [];
/** Number of segments that are answered; the others are refused. */
let answered = 0;
const endpoint = createServer(async (request, response) => {
  // Any program can send to a port of the machine, which runs other tests meanwhile.
  if (request.url !== '/v1/audio/transcriptions') return response.writeHead(404).end();
  const headers = { 'Content-Type': request.headers['content-type'] ?? '' };
  const form = await new Response(await buffer(request), { headers }).formData();
  asked.push(
    Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
  );
  if (asked.length > answered) return response.writeHead(400).end();
  const words = ['Zorblax', 'calling'].map((word, i) => ({ word, start: 0.4 + i / 2, end: 0.8 + i / 2 }));
  return response.end(JSON.stringify({ text: 'Zorblax calling', words }));
});
const VARIABLES = ['ASR_URL', 'ASR_MODEL', 'ASR_LANGUAGES', 'RECOGNITION_WORKERS'];
let pipeline: PipelineServer;
let service: TestService;
beforeAll(async () => {
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const values = [`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`, 'whisper-large', 'en, pt', '1'];
  for (const [i, name] of VARIABLES.entries()) process.env[name] = values[i];
  pipeline = await PipelineServer.start();
  const url = `http://127.0.0.1:${await pipeline.listen(0, '127.0.0.1')}`;
  service = await startService({ RUNTIME_URL: url });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  for (const name of VARIABLES) delete process.env[name];
  await service?.stop();
  await pipeline?.close();
  endpoint.closeAllConnections();
  endpoint.close();
});

it('is named by /ready beside the built-in one', async () => {
  const ready = (await (await fetch(new URL('/ready', service.url))).json()) as { recognisers: { id: string }[] };
  expect(ready.recognisers).toEqual([
    { id: 'moonshine-tiny', name: 'Moonshine tiny (Useful Sensors)', kind: 'built_in', languages: ['en'] },
    {
      id: 'endpoint',
      name: "whisper-large at the operator's endpoint",
      kind: 'endpoint',
      languages: ['en', 'pt'],
    },
  ]);
});

const chunksOf = (bytes: Uint8Array, size = 500_000) =>
  Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, n) => new Uint8Array(bytes.subarray(n * size, (n + 1) * size)),
  );

it('transcribes a live session with the words and the language of its start, live and at its end', async () => {
  answered = Number.POSITIVE_INFINITY;
  const client = new LiveClient(service.url, KEY);
  const session = await client.start({
    suffix: '.wav',
    recogniser: 'endpoint',
    language: 'en-GB',
    words: ['Zorblax', 'Undertone'],
  });
  const reader = await client.attach(session);
  for (const [seq, chunk] of chunksOf(fixtureBytes('call.wav')).entries())
    expect((await client.chunk(session, seq, chunk)).status).toBe(200);
  await client.control(session, 'finalize');
  const finals = (await reader.end()).filter(({ event }) => event === 'final_transcript');
  expect(finals.length).toBeGreaterThan(0);
  for (const { data } of finals) expect(data.text).toContain('Zorblax');
  // Each segment is transcribed while the session runs, and again when it is concluded.
  expect(asked.length).toBeGreaterThan(finals.length);
  for (const fields of asked) expect(fields).toMatchObject({ language: 'en', prompt: 'Zorblax, Undertone' });
});

// This test comes last, because the endpoint fails twice here and is not called afterwards.
it('transcribes a file; the result names its recogniser, and that of each utterance that differs', async () => {
  answered = 2;
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(fixtureBytes('call.wav'))]), 'call.wav');
  form.set('recogniser', 'endpoint');
  form.set('language', 'pt-BR');
  form.set('words', JSON.stringify(['Zorblax', 'Undertone']));
  const answer = await service.post('/analyze', form);
  expect(answer.status).toBe(200);
  const { options, timeline, warnings } = (await answer.json()) as {
    options: { heard_by: Record<string, number> };
    timeline: { text: string; heard_by?: string }[];
    warnings: string[];
  };
  const others = timeline.filter(({ heard_by }) => heard_by === 'moonshine-tiny');
  expect(others.length).toBeGreaterThan(0);
  expect(timeline.filter(({ heard_by }) => heard_by === undefined)).toHaveLength(timeline.length - others.length);
  for (const { text, heard_by } of timeline) expect(text.includes('Zorblax')).toBe(heard_by === undefined);
  expect(options.heard_by).toEqual({ endpoint: timeline.length - others.length, 'moonshine-tiny': others.length });
  expect(warnings).toContain(
    `${others.length} of ${timeline.length} utterances were transcribed by moonshine-tiny because endpoint did not respond.`,
  );
  expect(asked[0]).toMatchObject({ language: 'pt', prompt: 'Zorblax, Undertone' });
});
