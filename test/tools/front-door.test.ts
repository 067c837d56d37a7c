import { beforeEach, describe, expect, it } from 'vitest';
import { ErrorBodySchema } from '../../src/contract/analysis.ts';
import { REQUEST_ID_HEADER } from '../../tools/front-door/front-door.ts';
import { Doors, expectError, get } from './doors.ts';

const doors = new Doors();

it('repeats a read-only request when the connection was just closed', async () => {
  let asked = 0;
  doors.onWorker = (request, response) => {
    if (asked++ === 0) request.socket.destroy();
    else response.end('read');
  };
  expect(await (await fetch(`${doors.url}/health`)).text()).toBe('read');
  asked = 0;
  const posted = await fetch(`${doors.url}/analyze`, { method: 'DELETE' });
  expect([posted.status, asked]).toEqual([503, 1]);
});

it('leaves nothing on a connection to the Worker that it uses again', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', note);
  const connections = new Set<unknown>();
  doors.onWorker = ({ socket }, response) => {
    connections.add(socket);
    response.end('read');
  };
  for (let n = 0; n < 20; n++) await (await fetch(`${doors.url}/health`)).text();
  // A warning comes in a later turn.
  await new Promise((resolve) => setTimeout(resolve));
  process.off('warning', note);
  expect(connections.size).toBe(1);
  expect(warnings).toEqual([]);
});

it('asks the local runtime for no encoding, whatever the client accepts', async () => {
  doors.onWorker = ({ headers }, response) => response.setHeader('X-Asked', String(headers['accept-encoding'])).end();
  for (const encoding of ['*;q=0', 'identity;q=0', 'gzip, br']) {
    const response = await fetch(`${doors.url}/health`, { headers: { 'Accept-Encoding': encoding } });
    expect(response.headers.get('X-Asked')).toBe('identity');
  }
});

it('passes headers on and gives every request its own id', async () => {
  const ids: unknown[] = [];
  doors.onWorker = ({ headers, url }, response) => {
    ids.push(headers[REQUEST_ID_HEADER]);
    response.setHeader('X-Path', String(url)).setHeader('X-Key', String(headers['x-api-key'])).writeHead(404).end();
  };
  const response = await fetch(`${doors.url}/analyze/a?b=c`, { headers: { 'X-API-Key': 'key' } });
  expect(response.status).toBe(404);
  expect(response.headers.get('X-Path')).toBe('/analyze/a?b=c');
  expect(response.headers.get('X-Key')).toBe('key');
  const named = { 'X-Request-Id': 'mine', [REQUEST_ID_HEADER]: 'mine' };
  expect((await fetch(`${doors.url}/health`, { headers: named })).headers.get('X-Request-Id')).toBe(ids[1]);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
});

it('passes a stream on as it arrives', async () => {
  let end = () => {};
  doors.onWorker = (_, response) => {
    response.write('first');
    end = () => response.end('last');
  };
  const reader = (await fetch(`${doors.url}/analyze`)).body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('first');
  end();
  expect((await reader.read()).value).toBe('last');
});

it('passes the rest of a request on when its answer has begun', async () => {
  doors.onWorker = (request, response) => {
    response.writeHead(200).flushHeaders();
    request.pipe(response);
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.enqueue(new TextEncoder().encode('piece '));
      if (++pieces === 5) controller.close();
    },
  });
  let pieces = 0;
  const response = await fetch(`${doors.url}/analyze`, { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect(await response.text()).toBe('piece '.repeat(5));
});

describe('only the service can be reached', () => {
  it.each([
    '/cdn-cgi/local/r2/public/undertone-media/a/b',
    '/cdn-cgi/handler/scheduled',
    '/x/../cdn-cgi/local/explorer',
    '/analyze/../cdn-cgi/local/explorer',
    '/analyze/%2e%2e/cdn-cgi/local/explorer',
    '/analyze/.%2E/cdn-cgi/local/explorer',
    '/analyze\\..\\cdn-cgi/local/explorer',
    '//cdn-cgi/local/explorer',
    '/./cdn-cgi/local/explorer',
    '/%63dn-cgi/local/explorer',
    '/__cf_local/stream/x',
    'http://localhost/cdn-cgi/local/explorer',
    '/nowhere?/analyze',
  ])('%s is unknown here', async (target) => {
    doors.onWorker = () => expect.unreachable();
    expectError(await doors.converse(get(target)), 404, 'NOT_FOUND');
  });

  it.each([
    ['/analyze', '/analyze'],
    ['//health', '/health'],
    ['/x/../health?a=%2e&b#c', '/health?a=%2e&b'],
    ['/%61nalyze/live/a%20b/chunk', '/analyze/live/a%20b/chunk'],
    ['/analyze/..%2fcdn-cgi/x', '/analyze/..%2Fcdn-cgi/x'],
    ['/analyze/..%5ccdn-cgi/x', '/analyze/..%5Ccdn-cgi/x'],
    ['/analyze/%252e%252e/cdn-cgi/x', '/analyze/%252e%252e/cdn-cgi/x'],
    ['/analyze/%zz/', '/analyze/%25zz/'],
    ['http://localhost:1/health', '/health'],
  ])('%s goes to the Worker as %s', async (target, expected) => {
    doors.onWorker = ({ url }, response) => void response.end(url);
    expect((await doors.converse(get(target))).body).toBe(expected);
  });

  it('withholds the platform’s headers and hop-by-hop headers from the Worker', async () => {
    doors.onWorker = ({ headers }, response) => void response.end(JSON.stringify(headers));
    const headers = [
      'MF-Original-URL: http://localhost/cdn-cgi/local/explorer',
      'mf-anything: x',
      'CF-Connecting-IP: 1.2.3.4',
      'Keep-Alive: timeout=5',
      'Connection: x-mine, close, content-length',
      'X-Mine: x',
      'TE: trailers',
      'Upgrade: websocket',
      'X-Kept: x',
    ];
    const { body } = await doors.converse(get('/health', headers.map((header) => `${header}\r\n`).join('')));
    const seen = JSON.parse(body);
    const names = ['accept-encoding', 'cf-connecting-ip', 'connection', 'host', REQUEST_ID_HEADER, 'x-kept'];
    expect(Object.keys(seen).sort()).toEqual(names.sort());
    // Set by the front door itself.
    expect(seen['cf-connecting-ip']).toBe('127.0.0.1');
  });

  it('does not pass on an answer that does not come from the Worker', async () => {
    for (const [status, expected, code] of [
      [200, 503, 'OVERLOADED'],
      [404, 400, 'INVALID_REQUEST'],
      [500, 503, 'OVERLOADED'],
    ] as const) {
      doors.onWorker = (_, response) =>
        void response
          .setHeader('X-Request-Id', 'other')
          .writeHead(status)
          .end('Error\n    at fetch (file:///work/a.js)');
      expectError(await doors.converse(get('/health')), expected, code);
    }
  });

  it('answers the preflight of any path', async () => {
    for (const path of ['/nowhere', '/cdn-cgi/local/explorer']) {
      const response = await fetch(`${doors.url}${path}`, { method: 'OPTIONS' });
      expect(response.status).toBe(204);
      expect(response.headers.get('Access-Control-Allow-Headers')).toContain('X-API-Key');
    }
  });
});

describe("answers that are not the Worker's have the error shape", () => {
  it.each([
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['no path', 'GET ftp://a/b HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['no HTTP', 'hello\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a path as host', 'GET /health HTTP/1.1\r\nHost: a/cdn-cgi/x?\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'two lengths',
      'POST /analyze HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'INVALID_REQUEST',
    ],
    [
      'a strange expectation',
      'POST /analyze HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n',
      400,
      'INVALID_REQUEST',
    ],
    ['long headers', `GET /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 400, 'INVALID_REQUEST'],
    [
      'a bad chunk',
      'POST /analyze HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'INVALID_REQUEST',
    ],
    ['headers without end', 'GET /health HTTP/1.1\r\nHost: a\r\n', 400, 'UPLOAD_STALLED'],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['TRACE', 'TRACE /health HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ])('%s', async (_, text, status, code) => {
    doors.onWorker = () => undefined;
    const close = text.replace('\r\n', '\r\nConnection: close\r\n');
    expectError(await doors.converse(close), status, code);
  });

  it('a foreign host, whose page could otherwise read the answers', async () => {
    let asked = 0;
    doors.onWorker = (_, response) => response.end(String(asked++));
    for (const host of ['attacker.example', 'localhost.attacker.example', '127.0.0.1.attacker.example:80', '[::2]'])
      expectError(await doors.converse(get('/health').replace('localhost', host)), 421, 'WRONG_HOST');
    for (const host of ['LOCALHOST', 'localhost:8787', '127.0.0.1:1', '[::1]:8787'])
      expect((await doors.converse(get('/health').replace('localhost', host))).status).toBe(200);
    expect(asked).toBe(4);
  });

  it('an upgrade is an ordinary request', async () => {
    const upgrade = 'Upgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n';
    const answer = await doors.converse(
      get('/health', upgrade).replace('Connection: close', 'Connection: close, Upgrade'),
    );
    expect(answer.body).toContain('from the worker');
  });

  it('the body of a GET is dropped', async () => {
    doors.onWorker = async (request, response) => {
      let length = 0;
      for await (const chunk of request) length += chunk.length;
      response.end(`${length} ${request.headers['content-length']}`);
    };
    const answer = await doors.converse(`${get('/health', 'Content-Length: 5\r\n')}hello`);
    expect(answer.body).toContain('0 undefined');
  });

  it('503 while the Worker is away, and when it crashes during a request', async () => {
    doors.onWorker = (request) => void request.socket.destroy();
    expectError(await doors.converse(get('/health')), 503, 'OVERLOADED');
    doors.endWorker();
    const answer = await doors.converse(get('/health'));
    expectError(answer, 503, 'OVERLOADED');
    expect(answer.headers).toContain('retry-after: ');
  });
});

describe('a Worker that crashes, and a request that may not be repeated', () => {
  /** A POST with a body, of which the last `missing` bytes never come. */
  const post = (headers = '', missing = 0): string => {
    const body = 'recording';
    return `POST /analyze HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length + missing}\r\n${headers}\r\n${body}`;
  };
  let asked = 0;
  beforeEach(() => {
    asked = 0;
    doors.onWorker = async (request) => {
      if (asked++ === 0) await new Promise((resolve) => request.once('data', resolve));
      request.socket.destroy();
    };
  });

  it('500 once the request has arrived whole, because it may have been carried out', async () => {
    const answer = await doors.converse(post());
    expectError(answer, 500, 'ANALYSIS_FAILURE');
    expect(answer.body).toContain('may have been carried out');
    expect(answer.headers).not.toContain('retry-after: ');
  });

  it('500 for an answer of the runtime in its place, without asking again', async () => {
    doors.onWorker = (request, response) => {
      asked++;
      request.resume().once('end', () => response.setHeader('X-Request-Id', 'other').writeHead(503).end('restarted'));
    };
    expectError(await doors.converse(post()), 500, 'ANALYSIS_FAILURE');
    expect(asked).toBe(1);
  });

  it('503 with an Idempotency-Key, which makes it repeatable', async () => {
    const answer = await doors.converse(post('Idempotency-Key: mine\r\n'));
    expectError(answer, 503, 'OVERLOADED');
    expect(answer.headers).toContain('retry-after: ');
  });

  it('503 for a request that never arrived whole, and for one that found no Worker', async () => {
    expectError(await doors.converse(post('', 5)), 503, 'OVERLOADED');
    doors.endWorker();
    expectError(await doors.converse(post()), 503, 'OVERLOADED');
  });
});

describe('static files, which the runtime answers without the Worker', () => {
  it('pass without a request id, and no other such answer does', async () => {
    doors.onWorker = (_, response) => {
      response.removeHeader('X-Request-Id');
      response.end('of the runtime');
    };
    const file = await fetch(`${doors.url}/assets/index.js`);
    expect({ status: file.status, text: await file.text() }).toEqual({ status: 200, text: 'of the runtime' });
    const other = await fetch(`${doors.url}/health`);
    expect(other.status).toBe(503);
    expect(await other.text()).not.toContain('of the runtime');
  });

  it('that do not exist get the error of the service', async () => {
    doors.onWorker = (_, response) => {
      response.removeHeader('X-Request-Id');
      response.writeHead(404).end('of the runtime');
    };
    const missing = await fetch(`${doors.url}/assets/nowhere.js`);
    expect(ErrorBodySchema.parse(await missing.json())).toMatchObject({ code: 'NOT_FOUND' });
    expect(missing.status).toBe(404);
  });
});
