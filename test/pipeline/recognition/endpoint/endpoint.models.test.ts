import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EndpointRecogniser } from '../../../../containers/pipeline/recognition/endpoint/endpoint.ts';
import { wavOf } from '../../../../containers/pipeline/recognition/endpoint/wav.ts';
import type { Recogniser, Recognition } from '../../../../containers/pipeline/recognition/recogniser.ts';

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const SECONDS = 2;
const samples = Float32Array.from({ length: SECONDS * 16_000 }, (_, i) => 0.5 * Math.sin(i / 10));
const GOOD = {
  text: ' Hello Zorblax.',
  language: 'english',
  segments: [{ text: ' Hello Zorblax.', start: 0, end: 2, avg_logprob: Math.log(0.9) }],
  words: [
    { word: ' Hello', start: 0.2, end: 0.6 },
    { word: 'Zorblax.', start: 0.7, end: 1.4 },
  ],
};

/** The server's behaviours, one request after another; the last one repeats. */
let behaviours: Behaviour[] = [];
let bodies: string[] = [];
let headers: IncomingMessage['headers'][] = [];
const server = createServer((request, response) => {
  response.on('error', () => undefined);
  const parts: Buffer[] = [];
  const behaviour = behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!;
  headers.push(request.headers);
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('error', () => undefined);
  request.on('end', () => {
    bodies.push(Buffer.concat(parts).toString('latin1'));
    behaviour(request, response);
  });
});
/** Requests to a server of the private network, to which a redirect may lead. */
let strayed = 0;
const inside = createServer((_, response) => {
  strayed++;
  response.end(JSON.stringify(GOOD));
});
let elsewhere = '';
let url = '';
beforeAll(async () => {
  inside.listen(0, '127.0.0.1');
  await once(inside, 'listening');
  elsewhere = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/v1/audio/transcriptions`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
});
afterEach(() => {
  vi.restoreAllMocks();
  behaviours = [];
  bodies = [];
  headers = [];
});
afterAll(() => {
  for (const one of [server, inside]) {
    one.closeAllConnections();
    one.close();
  }
  expect(strayed).toBe(0);
});

const says =
  (body: unknown, status = 200, more: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    response.writeHead(status, more).end(typeof body === 'string' ? body : JSON.stringify(body));

const LOCAL: Recognition = {
  text: 'hallo',
  confidence: 0.5,
  words: [{ word: 'hallo', start: 0, end: 1, confidence: 0.5, tokens: 1 }],
  cut: false,
};

/** A recogniser whose pauses end immediately, and the list of those pauses. */
function recogniser(timeoutMs = 10_000) {
  const pauses: number[] = [];
  let now = 0;
  const local: Recogniser = { recognise: async () => LOCAL, recogniseInterim: async () => LOCAL };
  const clock = {
    now: () => now,
    pause: async (ms: number) => pauses.push(ms),
  };
  const settings = { url, model: 'whisper-large', key: 'secret-key', timeoutMs };
  const one = new EndpointRecogniser(settings, 'endpoint', { id: 'local', recogniser: local }, clock);
  return { one, pauses, pass: (ms: number) => (now += ms) };
}
const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => undefined);

describe('an endpoint', () => {
  it('receives a WAV in an OpenAI-compatible request, and its words are used', async () => {
    behaviours = [says(GOOD)];
    const { one } = recogniser();
    const recognition = await one.recognise(samples, { language: 'pt-BR', words: ['Zorblax', 'x'.repeat(60)] });
    expect(recognition).toMatchObject({ text: 'Hello Zorblax.', transcribedBy: 'endpoint', cut: false });
    expect(recognition.confidence).toBeCloseTo(0.9, 6);
    expect(recognition.words).toMatchObject([
      { word: 'Hello', start: 0.2, end: 0.6 },
      { word: 'Zorblax.', start: 0.7, end: 1.4 },
    ]);
    const [body] = bodies;
    for (const [name, value] of [
      ['model', 'whisper-large'],
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'word'],
      ['language', 'pt'],
      ['prompt', `Zorblax, ${'x'.repeat(60)}`],
    ])
      expect(body).toContain(`name="${name}"\r\n\r\n${value}\r\n`);
    expect(body).toContain(Buffer.from(wavOf(samples)).toString('latin1'));
    expect(headers[0]?.authorization).toBe('Bearer secret-key');
  });

  it('may give times of segments alone, or none at all', async () => {
    behaviours = [says({ ...GOOD, words: null }), says({ text: 'one three' })];
    const { one } = recogniser();
    const bySegment = await one.recognise(samples);
    expect(bySegment.words.map(({ word }) => word)).toEqual(['Hello', 'Zorblax.']);
    expect(bySegment.words[1]!.end).toBeCloseTo(2, 6);
    const spread = await one.recognise(samples);
    expect(spread.words.map(({ start }) => start)).toEqual([0, 0.75]);
    expect(spread.confidence).toBeGreaterThan(0.5);
  });

  it('gives no words for an empty answer', async () => {
    behaviours = [says({ text: '', words: [], segments: [] })];
    expect(await recogniser().one.recognise(samples)).toMatchObject({ text: '', words: [], transcribedBy: 'endpoint' });
  });

  it('has its times ordered and moved inside the sound', async () => {
    const words = [
      { word: 'a', start: -5, end: 0.5 },
      { word: 'b', start: 0.1, end: 0.2 },
      { word: 'c', start: 900, end: 901 },
    ];
    behaviours = [says({ text: 'a b c', words })];
    const recognition = await recogniser().one.recognise(samples);
    expect(recognition.words.map(({ start, end }) => [start, end])).toEqual([
      [0, 0.5],
      [0.5, 0.5],
      [2, 2],
    ]);
  });

  it('has words with times out of order kept in its own order', async () => {
    const words = [
      { word: 'late', start: 1.5, end: 1.9 },
      { word: 'early', start: 0.1, end: 0.5 },
      { word: 'backwards', start: 1.95, end: 0.2 },
    ];
    behaviours = [says({ text: 'late early backwards', words })];
    const recognition = await recogniser().one.recognise(samples);
    expect(recognition.words.map(({ word, start, end }) => [word, start, end])).toEqual([
      ['late', 1.5, 1.9],
      ['early', 1.9, 1.9],
      ['backwards', 1.95, 1.95],
    ]);
  });

  it('is understood with any content type for its JSON', async () => {
    behaviours = [says(GOOD, 200, { 'Content-Type': 'text/html; charset=latin1' })];
    expect(await recogniser().one.recognise(samples)).toMatchObject({
      text: 'Hello Zorblax.',
      transcribedBy: 'endpoint',
    });
  });

  it('is asked again after a temporary fault, after its Retry-After', async () => {
    behaviours = [says('busy', 429, { 'Retry-After': '2' }), says('oh', 503), says(GOOD)];
    const { one, pauses } = recogniser();
    expect(await one.recognise(samples)).toMatchObject({ transcribedBy: 'endpoint' });
    expect(pauses).toEqual([2_000, 1_000]);
    behaviours = [says('busy', 503, { 'Retry-After': '86400' }), says(GOOD)];
    expect(await one.recognise(samples)).toMatchObject({ transcribedBy: 'endpoint' });
    expect(pauses.at(-1)).toBe(5_000);
  });

  it.each<[string, Behaviour, number]>([
    ['faults of its own', says('oh no', 500), 3],
    ['a refusal', says('wrong key secret-key', 401), 1],
    // The redirect leads to a service of this network that would answer like an endpoint. `elsewhere` must never be
    // called.
    ['a redirect', (_, response) => response.writeHead(307, { Location: elsewhere }).end(), 3],
    ['text that is not JSON', says('<html>'), 3],
    ['half of the JSON', says(JSON.stringify(GOOD).slice(0, 60)), 3],
    ['nothing', says(''), 3],
    ['NaN', says('{"text":"a","words":[{"word":"a","start":NaN,"end":1}]}'), 3],
    ['infinite times', says('{"text":"a","words":[{"word":"a","start":0,"end":1e999}]}'), 3],
    ['times as text', says({ text: 'a', words: [{ word: 'a', start: '0', end: '1' }] }), 3],
    ['an endless word', says({ text: 'a', words: [{ word: 'a'.repeat(500), start: 0, end: 1 }] }), 3],
    ['an invalid certainty', says({ text: 'a', words: [{ word: 'a', start: 0, end: 1, probability: 7 }] }), 3],
    ['too many requests every time', says('busy', 429, { 'Retry-After': 'Wed, 21 Oct 2099 07:28:00 GMT' }), 3],
    ['JSON of another form', says({ words: 'none' }), 3],
    ['an invalid time', says({ text: 'a', words: [{ word: 'a', start: null, end: 1 }] }), 3],
    ['more words than anybody says', says({ text: 'a', words: Array(500).fill({ word: 'a', start: 0, end: 1 }) }), 3],
    [
      'an endless answer',
      (_, response) => {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
      3,
    ],
    [
      'a megabyte of nothing, packed',
      (_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '))),
      3,
    ],
    [
      'an invalid content encoding',
      (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('{}'),
      3,
    ],
    ['a connection that breaks off', (request) => request.socket.destroy(), 3],
    ['a reset', (request) => request.socket.resetAndDestroy(), 3],
    ['text that is not HTTP', (request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 3],
    [
      'half an answer',
      (request, response) => {
        response.writeHead(200, { 'Content-Length': '5000' });
        response.write('{"text":', () => request.socket.destroy());
      },
      3,
    ],
  ])('that answers with %s leaves the segment to the built-in one', async (_, behaviour, requests) => {
    const error = quiet();
    behaviours = [behaviour];
    const recognition = await recogniser().one.recognise(samples);
    expect(recognition).toEqual({ ...LOCAL, transcribedBy: 'local' });
    expect(headers).toHaveLength(requests);
    expect(JSON.stringify(error.mock.calls)).not.toContain('secret-key');
  });

  it.each<[string, Behaviour]>([
    ['never answers', () => undefined],
    ['never ends its answer', (_, response) => void response.writeHead(200).write('{"text":')],
  ])('that %s is abandoned', async (_, behaviour) => {
    quiet();
    behaviours = [behaviour];
    expect(await recogniser(100).one.recognise(samples)).toEqual({ ...LOCAL, transcribedBy: 'local' });
  });

  it('that is slow is asked less often: a segment waits for 50 s at most', async () => {
    quiet();
    const { one, pass } = recogniser(30_000);
    behaviours = [
      (_, response) => {
        pass(29_000);
        response.writeHead(500).end();
      },
    ];
    expect(await one.recognise(samples)).toMatchObject({ transcribedBy: 'local' });
    expect(headers).toHaveLength(1);
  });

  it('that is unreachable does not fail the analysis', async () => {
    quiet();
    const local: Recogniser = { recognise: async () => LOCAL, recogniseInterim: async () => LOCAL };
    const gone = createServer();
    gone.listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const settings = { url: `http://127.0.0.1:${port}`, model: 'm', key: '', timeoutMs: 5_000 };
    const clock = { now: () => 0, pause: async () => undefined };
    const one = new EndpointRecogniser(settings, 'endpoint', { id: 'local', recogniser: local }, clock);
    expect(await one.recognise(samples)).toMatchObject({ transcribedBy: 'local' });
  });

  it('that fails twice in a row is left alone for half a minute', async () => {
    quiet();
    behaviours = [says('no', 400)];
    const { one, pass } = recogniser();
    for (let segment = 0; segment < 5; segment++) await one.recognise(samples);
    expect(headers).toHaveLength(2);
    pass(30_000);
    behaviours = [says(GOOD)];
    expect(await one.recognise(samples)).toMatchObject({ transcribedBy: 'endpoint' });
    expect(headers).toHaveLength(3);
  });

  it('is not asked for interim text', async () => {
    expect(await recogniser().one.recogniseInterim(samples)).toBe(LOCAL);
    expect(headers).toEqual([]);
  });
});
