import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AnalysisResponseSchema } from '../../../src/contract/analysis.ts';
import { ASYNC, ask, ended } from '../../../support/job-client.ts';
import { startServer } from '../../../support/local-server.ts';
import { clear, startService, type TestService } from '../../../support/service-under-test.ts';

let service: TestService;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const closings: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true', MAX_FILE_SIZE_MB: '1' });
});
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
  await clear(service);
});
afterAll(() => service.stop());

async function serve(answer: RequestListener): Promise<string> {
  const server = await startServer(answer);
  closings.push(server.close);
  return server.url;
}

describe('a file at a URL', () => {
  const analyze = (body: object, headers: Record<string, string> = {}) =>
    ask<Record<string, unknown>>(service, 'POST', '/analyze', body, headers);
  const media: RequestListener = (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'audio/wav' }).end('media');

  it('is downloaded and analysed, with options, while its client waits', async () => {
    const url = await serve(media);
    const { status, body } = await analyze({ url: `${url}/call`, goal: 'price', speakers: 2 });
    expect({ status, body }).toMatchObject({ status: 200, body: { goal: 'price', utterances: 3 } });
    expect(service.pipeline.seen).toMatchObject([{ bytes: 5, options: { suffix: '.wav', speakers: 2 } }]);
    expect(await service.text(AnalysisResponseSchema.parse(body).upload_path)).toBe('media');
  });

  it('has a path of its own, for a result and for a stream', async () => {
    const body = { url: `${await serve(media)}/call`, goal: 'price' };
    const waited = await ask<object>(service, 'POST', '/analyze/url', body);
    expect(waited).toMatchObject({ status: 200, body: { goal: 'price', status: 'completed' } });
    const accepted = await ask<object>(service, 'POST', '/analyze/stream/url', body, ASYNC);
    expect(accepted.status).toBe(202);
    const streamed = await service.post('/analyze/stream/url', JSON.stringify(body), JSON_TYPE);
    expect(await streamed.text()).toMatch(/event: done\n.*\n\n$/);
    // Each path refuses the other's input.
    for (const [path, other] of [
      ['/analyze/url', { conversation_id: crypto.randomUUID() }],
      ['/analyze/kept', body],
    ] as const)
      expect(await ask(service, 'POST', path, other)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/^Unknown field/) },
      });
  });

  it('is downloaded and analysed after its client left', async () => {
    const url = await serve(media);
    const { status, body } = await analyze({ url: `${url}/call.mp3` }, ASYNC);
    expect(status).toBe(202);
    expect(await ended(service, String(body.conversation_id))).toMatchObject({ utterances: 3 });
    expect(service.pipeline.seen).toMatchObject([{ options: { suffix: '.mp3' } }]);
  });

  it.each([
    ['the client’s file name', { filename: 'a.m4a' }, {}, '/x.mp3', '.m4a'],
    ['the server’s file name', {}, { 'Content-Disposition': 'attachment; filename="b.mov"' }, '/x.mp3', '.mov'],
    ['the address', {}, { 'Content-Type': 'text/plain' }, '/x.webm?y=z.mp3', '.webm'],
    ['its media type', {}, { 'Content-Type': 'audio/x-m4a; charset=binary' }, '/x', '.m4a'],
  ])('has the format of %s', async (_, named, headers, path, suffix) => {
    const url = await serve((_request, response) => void response.writeHead(200, headers).end('media'));
    expect((await analyze({ url: url + path, ...named })).status).toBe(200);
    expect(service.pipeline.seen.at(-1)?.options.suffix).toBe(suffix);
  });

  const answering = (status: number, text = 'no', headers = {}) =>
    ((_, response) => void response.writeHead(status, headers).end(text)) as RequestListener;

  it.each([
    ['does not exist', answering(404), 'INVALID_REQUEST', 'url: the server returned 404'],
    ['is unavailable', answering(503), 'SOURCE_FAILED', 'url: the server returned 503'],
    ['is empty', answering(200, '', { 'Content-Type': 'audio/wav' }), 'INVALID_MEDIA', 'url: the file is empty'],
    ['is a web page', answering(200, '<html>', { 'Content-Type': 'text/html' }), 'UNSUPPORTED_MEDIA', 'text/html'],
    [
      'is compressed',
      answering(200, 'media', { 'Content-Type': 'audio/wav', 'Content-Encoding': 'gzip' }),
      'INVALID_REQUEST',
      'Content-Encoding: gzip',
    ],
    [
      'is too large',
      answering(200, 'x'.repeat(2 ** 20 + 1), { 'Content-Type': 'audio/wav' }),
      'FILE_TOO_LARGE',
      '1 MB',
    ],
  ])('that %s is refused, and nothing is stored', async (_, answer, code, detail) => {
    const { status, body } = await analyze({ url: await serve(answer) });
    expect({ status, body }).toMatchObject({ status: 400, body: { code, detail: expect.stringContaining(detail) } });
    expect(await service.objects()).toEqual([]);
  });

  it('that is unavailable is tried again when no client waits', async () => {
    let asked = 0;
    const url = await serve((request, response) => {
      if (++asked === 1) response.writeHead(503).end();
      else media(request, response);
    });
    const { body } = await analyze({ url: `${url}/call.wav` }, ASYNC);
    expect(await ended(service, String(body.conversation_id))).toMatchObject({ utterances: 3 });
    expect(asked).toBe(2);
  });

  it.each([
    { url: 'call.wav' },
    { url: 'file:///etc/passwd' },
    { goal: 'price' },
    { url: 'http://x.example.com/', more: 1 },
  ])('as %o is refused at once', async (body) => {
    expect((await analyze(body, ASYNC)).status).toBe(400);
  });
});
