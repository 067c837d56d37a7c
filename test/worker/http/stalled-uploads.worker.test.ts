import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { clear, form, KEY, OTHER_KEY, startService, type TestService } from '../../../support/service-under-test.ts';

const BOUNDARY = 'stalled';
const head = (name: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="a.wav"\r\n\r\n`;
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A request whose body arrives as the test sends it. */
class SlowRequest {
  readonly socket: Socket;
  #received = '';

  constructor(service: TestService, path: string, contentType: string, headers: Record<string, string> = {}) {
    this.socket = connect(Number(service.url.port), service.url.hostname);
    this.socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        this.#received += bytes;
      });
    const all = { Host: 'x', 'X-API-Key': KEY, 'Content-Type': contentType, 'Content-Length': '1000000', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  send(text: string): this {
    this.socket.write(text);
    return this;
  }

  /** The answer, read while the body is still outstanding. */
  async answer(): Promise<{ status: number; code: string }> {
    const body = await vi.waitFor(
      () => ErrorBodySchema.parse(JSON.parse(/\{.*\}/s.exec(this.#received)?.[0] ?? '')),
      20_000,
    );
    return { status: Number(this.#received.split(' ')[1]), code: body.code };
  }

  get isAnswered(): boolean {
    return this.#received !== '';
  }
}

const STALLED = { status: 400, code: 'UPLOAD_STALLED' };

describe('a body that stalls', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ UPLOAD_STALL_SECONDS: '1' });
  });
  afterEach(() => clear(service));
  afterAll(() => service.stop());

  it('ends with its own code: an upload before its first byte, in its file and after much of it', async () => {
    const sent = ['', head('file'), `${head('file')}${'x'.repeat(500_000)}`];
    const requests = ['/analyze', '/analyze/stream'].flatMap((path) =>
      sent.map((text) => new SlowRequest(service, path, MULTIPART).send(text)),
    );
    for (const request of requests) {
      expect(await request.answer()).toEqual(STALLED);
      request.socket.destroy();
    }
    expect(await service.objects()).toEqual([]);
    expect(service.pipeline.seen).toEqual([]);
  });

  it('ends when it trickles', async () => {
    const request = new SlowRequest(service, '/analyze', MULTIPART).send(head('file'));
    const trickle = setInterval(() => request.send('x'), 50);
    expect(await request.answer()).toEqual(STALLED);
    clearInterval(trickle);
    request.socket.destroy();
  });

  it('continues when it is slow', async () => {
    const request = new SlowRequest(service, '/analyze', MULTIPART).send(head('file'));
    for (let i = 0; i < 12; i++) {
      await wait(250);
      request.send('x'.repeat(2_000));
    }
    expect(request.isAnswered).toBe(false);
    request.socket.destroy();
  });

  it('ends with the same code for a live chunk or JSON', async () => {
    const start = await service.post('/analyze/live/start', '');
    const { chunk_endpoint, control_endpoint } = (await start.json()) as Record<string, string>;
    const chunk = new SlowRequest(service, chunk_endpoint ?? '', MULTIPART).send(head('chunk'));
    const json = { 'Content-Length': '100' };
    const control = new SlowRequest(service, control_endpoint ?? '', 'application/json', json).send('{"act');
    expect(await chunk.answer()).toEqual(STALLED);
    expect(await control.answer()).toEqual(STALLED);
    for (const { socket } of [chunk, control]) socket.destroy();
  });
});

describe('uploads at once', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ MAX_UPLOADS_PER_KEY: '2' });
  });
  afterEach(() => clear(service));
  afterAll(() => service.stop());

  const analyze = (key = KEY) => service.post('/analyze', form('b.wav', 'media'), { 'X-API-Key': key });
  const begin = () => new SlowRequest(service, '/analyze', MULTIPART).send(head('file'));

  /** Waits until further uploads of the key are refused. */
  async function refused(): Promise<Response> {
    return vi.waitFor(async () => {
      const response = await analyze();
      if (response.status !== 429) await response.text();
      expect(response.status).toBe(429);
      return response;
    }, 10_000);
  }
  /** Waits until another upload is accepted. */
  const taken = () =>
    vi.waitFor(async () => {
      const response = await analyze();
      await response.text();
      expect(response.status).toBe(200);
    }, 10_000);

  it('are limited for a key: one more gets a retry time, another key is not affected', async () => {
    const [first, second] = [begin(), begin()];
    const response = await refused();
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(ErrorBodySchema.parse(await response.json()).code).toBe('RATE_LIMITED');
    const other = await analyze(OTHER_KEY);
    expect(other.status).toBe(200);
    await other.text();
    for (const { socket } of [first, second]) socket.destroy();
    await taken();
  });

  it('release their slots when they end, successfully or not', async () => {
    for (let i = 0; i < 4; i++) {
      await (await analyze()).text();
      await (await service.post('/analyze', form('b.txt', 'media'))).text();
      await (await service.post('/analyze', 'nothing', { 'Content-Type': 'text/plain' })).text();
    }
    await taken();
  });

  it('are no longer under way once a recording is received', async () => {
    const heard = Promise.withResolvers<void>();
    const say = service.pipeline.answer;
    service.pipeline.answer = async (response, asked) => {
      await heard.promise;
      await say(response, asked);
    };
    const all = [1, 2, 3].map(analyzeAgain);
    async function analyzeAgain(n: number): Promise<number> {
      await vi.waitFor(() => expect(service.pipeline.seen.length).toBeGreaterThanOrEqual(n - 1), 10_000);
      return (await analyze()).status;
    }
    // The third is received while two are analysed; its own turn comes later.
    await vi.waitFor(
      async () => expect((await service.objects()).filter((key) => key.includes('/upload.'))).toHaveLength(3),
      10_000,
    );
    heard.resolve();
    expect(await Promise.all(all)).toEqual([200, 200, 200]);
  });

  it('are not used up by live chunks', async () => {
    const start = await service.post('/analyze/live/start', '');
    const { chunk_endpoint } = (await start.json()) as Record<string, string>;
    const chunks = [1, 2, 3].map(() => new SlowRequest(service, chunk_endpoint ?? '', MULTIPART).send(head('chunk')));
    await wait(300);
    await taken();
    expect(chunks.some(({ isAnswered }) => isAnswered)).toBe(false);
    for (const { socket } of chunks) socket.destroy();
  });
});
