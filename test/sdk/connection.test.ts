import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Retry, Undertone, UndertoneError } from '../../src/sdk/index.ts';
import { cut, json, refuse, type ScriptedService, scriptedService } from './scripted-service.ts';

let service: ScriptedService;
let undertone: Undertone;
let retries: Retry[];
beforeAll(async () => {
  service = await scriptedService();
});
afterAll(() => service.close());
beforeEach(() => {
  service.seen.length = 0;
  retries = [];
  undertone = new Undertone({ url: service.url, key: 'a-key', onRetry: (retry) => retries.push(retry) });
});

const wav = (): Blob => new Blob(['RIFF']);
const healthy = json(200, { status: 'ok' });
const timeline = [{ utterance_id: 'u', speaker: 'A', t_start: 0, t_end: 1, text: 'Hello.' }];

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const breaksOff: ScriptedService['answers'][number] = (response, end) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write('{"status":', () => end());
};

/** The error of a call. */
async function thrown(call: Promise<unknown>): Promise<UndertoneError> {
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(UndertoneError);
  return error as UndertoneError;
}

describe('a request', () => {
  it('sends the key in a header, not in the address', async () => {
    service.answers = [healthy];
    await undertone.health();
    expect(service.seen[0]).toMatchObject({ method: 'GET', path: '/health', headers: { 'x-api-key': 'a-key' } });
  });

  it('calls a key function for each request', async () => {
    service.answers = [healthy];
    let made = 0;
    const renewed = new Undertone({ url: service.url, key: async () => `token-${++made}` });
    await renewed.health();
    await renewed.health();
    expect(service.seen.map(({ headers }) => headers['x-api-key'])).toEqual(['token-1', 'token-2']);
  });

  it('is sent without a key if there is none', async () => {
    service.answers = [healthy];
    await new Undertone({ url: service.url }).health();
    expect(service.seen[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('keeps the base path of the address', async () => {
    service.answers = [healthy];
    await new Undertone({ url: `${service.url}/voice/v1` }).health();
    expect(service.seen[0]?.path).toBe('/voice/v1/health');
  });
});

describe('a client', () => {
  it.each(['localhost:8801', '/voice', 'ftp://example.com', ''])('refuses the address "%s" at once', (url) => {
    expect(() => new Undertone({ url })).toThrow(
      new TypeError(`url is "${url}": it must be a complete URL, such as http://localhost:8787`),
    );
  });
});

describe('an upload', () => {
  it.each([
    ['a path', 'call.wav'],
    ['nothing', null],
    ['an object', { path: 'call.wav' }],
  ])('refuses %s and says what a recording is', async (_, media) => {
    const wrong = media as unknown as Blob;
    const options = { filename: 'call.wav' };
    const says = /File, a Blob, bytes, \{url\} or \{conversation_id\}; openAsBlob\(path\)/;
    await expect(undertone.analyze(wrong, options)).rejects.toThrow(says);
    await expect(undertone.start(wrong, options)).rejects.toThrow(says);
    await expect(undertone.replay(wrong, options).next()).rejects.toThrow(says);
    await expect(undertone.uploads.send(wrong, options)).rejects.toThrow(says);
    expect(service.seen).toEqual([]);
  });

  it('takes the name from the file or the options, or throws', async () => {
    service.answers = [json(200, {})];
    await undertone.analyze(new File(['RIFF'], 'call.wav'), { goal: 'Ein Ziel', speakers: 2 });
    expect(service.seen[0]?.body).toContain('filename="call.wav"');
    expect(service.seen[0]?.body).toMatch(/name="goal"\r\n\r\nEin Ziel/);
    expect(service.seen[0]?.body).toMatch(/name="speakers"\r\n\r\n2/);
    await undertone.analyze(new Uint8Array([82, 73]), { filename: 'other.mp3' });
    expect(service.seen[1]?.body).toContain('filename="other.mp3"');
    await expect(undertone.analyze(wav())).rejects.toThrow(TypeError);
    const affect = { Speaker_0: 'none', '*': 'full' } as const;
    await undertone.analyze(new File(['RIFF'], 'call.wav'), { affect, recogniser: 'moonshine-tiny' });
    expect(service.seen[2]?.body).toContain(`name="affect"\r\n\r\n${JSON.stringify(affect)}`);
    expect(service.seen[2]?.body).toMatch(/name="recogniser"\r\n\r\nmoonshine-tiny/);
    await undertone.analyze(new File(['RIFF'], 'call.wav'), { affect: 'none' });
    expect(service.seen[3]?.body).toMatch(/name="affect"\r\n\r\nnone\r/);
  });

  it('is repeated after a refusal, after the requested time', async () => {
    const away = [refuse(503, 'OVERLOADED', { 'Retry-After': '1' }), refuse(429, 'RATE_LIMITED')];
    service.answers = [...away, json(200, { conversation_id: 'c' })];
    expect(await undertone.analyze(wav(), { filename: 'a.wav' })).toEqual({ conversation_id: 'c' });
    expect(service.seen).toHaveLength(3);
    expect(service.seen[2]?.body).toContain('RIFF');
    expect(retries.map(({ error, failures }) => [error.code, failures])).toEqual([
      ['OVERLOADED', 1],
      ['RATE_LIMITED', 2],
    ]);
    expect(retries[0]?.pauseMs).toBeGreaterThanOrEqual(1000);
  });

  it.each([
    ['whose answer was lost', cut, 'CONNECTION_FAILED'],
    ['that failed', refuse(500, 'ANALYSIS_FAILURE'), 'ANALYSIS_FAILURE'],
    ['whose upload was kept', json(503, { detail: 'Kept', code: 'OVERLOADED', conversation_id: 'c' }), 'OVERLOADED'],
    ['a proxy gave up on', json(503, 'no upstream'), 'UNEXPECTED_ANSWER'],
    ['that was refused', refuse(400, 'INVALID_MEDIA'), 'INVALID_MEDIA'],
  ])('%s is not repeated', async (_, answer, code) => {
    service.answers = [answer];
    expect((await thrown(undertone.analyze(wav(), { filename: 'a.wav' }))).code).toBe(code);
    const events = undertone.replay(wav(), { filename: 'a.wav' });
    expect((await thrown(events.next())).code).toBe(code);
    expect(service.seen).toHaveLength(2);
    expect(retries).toEqual([]);
  });
});

describe('an idempotent request', () => {
  it.each([
    ['lost', cut],
    ['failed', refuse(500, 'ANALYSIS_FAILURE')],
    ['a proxy gave up on', json(502, '<h1>Bad gateway</h1>')],
  ])('is repeated when it was %s', async (_, answer) => {
    service.answers = [answer, json(200, { segmentation: {} })];
    expect(await undertone.segment({ timeline })).toEqual({ segmentation: {} });
    expect(service.seen).toHaveLength(2);
    expect(service.seen[1]?.body).toBe(service.seen[0]?.body);
  });

  it('is not repeated when it is wrong', async () => {
    service.answers = [refuse(400, 'INVALID_REQUEST')];
    await thrown(undertone.segment({ timeline }));
    expect(service.seen).toHaveLength(1);
  });

  it('is repeated up to the number of retries', async () => {
    service.answers = [cut];
    const patient = new Undertone({ url: service.url, retries: 2 });
    await thrown(patient.health());
    expect(service.seen).toHaveLength(3);
    await thrown(new Undertone({ url: service.url, retries: 0 }).health());
    expect(service.seen).toHaveLength(4);
  });

  it('throws instead of waiting for an hour', async () => {
    service.answers = [refuse(429, 'RATE_LIMITED', { 'Retry-After': '3600' })];
    expect(await thrown(undertone.health())).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 3600 });
    expect(service.seen).toHaveLength(1);
    service.answers = [refuse(503, 'OVERLOADED', { 'Retry-After': new Date(Date.now() + 7_200_000).toUTCString() })];
    expect((await thrown(undertone.health())).retryAfter).toBeGreaterThan(3600);
  });
});

describe('an error', () => {
  it('has the code, status, request id and message of the service', async () => {
    service.answers = [refuse(401, 'INVALID_KEY')];
    const error = await thrown(undertone.metrics());
    expect(error).toMatchObject({ code: 'INVALID_KEY', status: 401, requestId: 'req-1', message: 'No: INVALID_KEY' });
    expect(String(error)).toBe('UndertoneError: No: INVALID_KEY');
  });

  it('reports that a web page is not the service', async () => {
    service.answers = [(response) => response.writeHead(404, { 'X-Request-Id': 'edge-7' }).end('<html>nothing here')];
    expect(await thrown(undertone.health())).toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      status: 404,
      requestId: 'edge-7',
    });
  });

  it('reports a redirect and does not send the key there', async () => {
    const elsewhere = await scriptedService();
    elsewhere.answers = [healthy];
    service.answers = [(response) => response.writeHead(308, { Location: `${elsewhere.url}/health` }).end()];
    const error = await thrown(undertone.health());
    expect(error.code).toBe('UNEXPECTED_ANSWER');
    expect(error.message).toContain(elsewhere.url);
    expect(elsewhere.seen).toEqual([]);
    elsewhere.close();
  });

  it('of a truncated response says so, and the request is repeated', async () => {
    service.answers = [breaksOff];
    const upload = undertone.analyze(wav(), { filename: 'a.wav' });
    expect(await thrown(upload)).toMatchObject({ code: 'CONNECTION_FAILED', message: 'The response ended early' });
    service.answers = [breaksOff, healthy];
    expect(await undertone.health()).toEqual({ status: 'ok' });
  });

  it('of an unreachable service names its address', async () => {
    const gone = await scriptedService();
    gone.close();
    const error = await thrown(new Undertone({ url: gone.url, retries: 0 }).health());
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: undefined });
    expect(error.message).toContain(gone.url);
  });
});

describe('a signal', () => {
  it('that is already aborted prevents the request', async () => {
    service.answers = [healthy];
    const reason = new Error('not now');
    await expect(undertone.health({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(service.seen).toEqual([]);
  });

  it('aborts a request, and a pause between two', async () => {
    const leave = new AbortController();
    service.answers = [() => leave.abort()];
    await expect(undertone.health({ signal: leave.signal })).rejects.toMatchObject({ name: 'AbortError' });

    service.answers = [refuse(503, 'OVERLOADED', { 'Retry-After': '50' })];
    const pause = new AbortController();
    const waiting = new Undertone({ url: service.url, onRetry: () => pause.abort() });
    await expect(waiting.health({ signal: pause.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a stream of events', () => {
  const stream =
    (text: string): Parameters<typeof service.answers.push>[0] =>
    (response) =>
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text);
  const replay = () => undertone.replay(wav(), { filename: 'a.wav' });
  const done = 'id: 1\nevent: done\ndata: {"conversation_id":"c"}\n\n';

  it('yields each event with its number, unknown ones too', async () => {
    service.answers = [stream(`retry: 1000\n\n: hello\n\nid: 0\nevent: weather\ndata: {"sun":1}\n\n${done}`)];
    const events = await all(replay());
    expect(events).toEqual([
      { id: 0, event: 'weather', data: { sun: 1 } },
      { id: 1, event: 'done', data: { conversation_id: 'c' } },
    ]);
  });

  it('throws the error event of the service', async () => {
    service.answers = [stream('id: 0\nevent: error\ndata: {"code":"NO_UTTERANCES","message":"Silence"}\n\n')];
    const error = await thrown(all(replay()));
    expect(error).toMatchObject({ code: 'NO_UTTERANCES', message: 'Silence', status: undefined });
  });

  it('fails if it ends early', async () => {
    service.answers = [stream('id: 0\nevent: status\ndata: {"phase":"starting","progress":0}\n\n')];
    expect((await thrown(all(replay()))).code).toBe('CONNECTION_FAILED');
  });

  it('is closed when the loop ends', async () => {
    let closed: Promise<unknown> | undefined;
    service.answers = [
      (response) => {
        closed = new Promise((resolve) => response.on('close', resolve));
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('id: 0\nevent: status\ndata: {"phase":"starting","progress":0}\n\n');
      },
    ];
    for await (const event of replay()) if (event.event === 'status') break;
    await closed;
  });
});
