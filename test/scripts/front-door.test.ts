import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFrontDoor, type FrontDoor, type Patience, REQUEST_ID_HEADER } from '../../scripts/start/front-door.ts';
import { ErrorBodySchema } from '../../src/contract/analysis.ts';
import { CLIENT_GONE } from '../../src/contract/pipeline.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const IMPATIENT: Patience = { headersMs: 1_000, upload: { windowMs: 1_000, leastBytes: 1024 } };

let onWorker: Listener;
let onPipeline: Listener;
let servers: Server[];
let door: FrontDoor;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const urlOf = (server: Server): string => `http://127.0.0.1:${portOf(server)}`;

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return server;
}

/** As the Worker does, every answer carries the id that the front door gave. */
const asWorker: Listener = (request, response) => {
  response.setHeader('X-Request-Id', String(request.headers[REQUEST_ID_HEADER]));
  onWorker(request, response);
};

beforeEach(async () => {
  servers = [];
  onWorker = (_, response) => void response.end('from the worker');
  const worker = await listening(createServer(asWorker));
  const pipeline = await listening(createServer((request, response) => onPipeline(request, response)));
  door = createFrontDoor({
    workerPort: portOf(worker),
    pipelinePort: async () => portOf(pipeline),
    patience: IMPATIENT,
  });
  await listening(door.front);
  await listening(door.back);
});
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A Worker that hands the body on to the pipeline and answers when that has answered. */
const passOn: Listener = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = await fetch(`${urlOf(door.back)}/analyses`, {
    method: 'POST',
    body: Buffer.concat(chunks),
    headers: { 'X-Request-Id': request.headers[REQUEST_ID_HEADER] as string },
  }).catch(() => undefined);
  response.end(answer ? await answer.text().catch(() => 'lost') : 'lost');
};

it('passes a request and its answer on, both ways', async () => {
  onWorker = passOn;
  onPipeline = async (request, response) => {
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    response.end(`${length} bytes`);
  };
  const response = await fetch(`${urlOf(door.front)}/analyze`, { method: 'POST', body: new Uint8Array(3_000_000) });
  expect(await response.text()).toBe('3000000 bytes');
});

it('asks once more for what only reads, when the connection was closed just then', async () => {
  let asked = 0;
  onWorker = (request, response) => {
    if (asked++ === 0) request.socket.destroy();
    else response.end('read');
  };
  expect(await (await fetch(`${urlOf(door.front)}/health`)).text()).toBe('read');
  asked = 0;
  const posted = await fetch(`${urlOf(door.front)}/analyze`, { method: 'DELETE' });
  expect([posted.status, asked]).toEqual([503, 1]);
});

it('asks the local runtime for no encoding, whatever the client takes', async () => {
  onWorker = ({ headers }, response) => response.setHeader('X-Asked', String(headers['accept-encoding'])).end();
  for (const encoding of ['*;q=0', 'identity;q=0', 'gzip, br']) {
    const response = await fetch(`${urlOf(door.front)}/health`, { headers: { 'Accept-Encoding': encoding } });
    expect(response.headers.get('X-Asked')).toBe('identity');
  }
});

it('passes headers on and gives every request an id of its own', async () => {
  const ids: unknown[] = [];
  onWorker = ({ headers, url }, response) => {
    ids.push(headers[REQUEST_ID_HEADER]);
    response.setHeader('X-Path', String(url)).setHeader('X-Key', String(headers['x-api-key'])).writeHead(404).end();
  };
  const response = await fetch(`${urlOf(door.front)}/analyze/a?b=c`, { headers: { 'X-API-Key': 'key' } });
  expect(response.status).toBe(404);
  expect(response.headers.get('X-Path')).toBe('/analyze/a?b=c');
  expect(response.headers.get('X-Key')).toBe('key');
  const named = { 'X-Request-Id': 'mine', [REQUEST_ID_HEADER]: 'mine' };
  expect((await fetch(`${urlOf(door.front)}/health`, { headers: named })).headers.get('X-Request-Id')).toBe(ids[1]);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
});

it('passes a stream on as it comes', async () => {
  let end = () => {};
  onWorker = (_, response) => {
    response.write('first');
    end = () => response.end('last');
  };
  const reader = (await fetch(`${urlOf(door.front)}/analyze`)).body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('first');
  end();
  expect((await reader.read()).value).toBe('last');
});

it('passes the rest of a request on when its answer has begun', async () => {
  onWorker = (request, response) => {
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
  const response = await fetch(`${urlOf(door.front)}/analyze`, { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect(await response.text()).toBe('piece '.repeat(5));
});

it('closes the work of a client that leaves', async () => {
  onWorker = passOn;
  const begun = Promise.withResolvers<ServerResponse>();
  onPipeline = (_, response) => begun.resolve(response);
  const leave = new AbortController();
  const answer = fetch(`${urlOf(door.front)}/analyze`, { method: 'POST', body: 'media', signal: leave.signal });
  const work = await begun.promise;
  leave.abort();
  await expect(answer).rejects.toThrow();
  if (!work.closed) await once(work, 'close');
  expect(work.writableFinished).toBe(false);
});

it('says that the client has gone to a Worker that begins its work anew', async () => {
  const begun: ServerResponse[] = [];
  const told = Promise.withResolvers<number>();
  onPipeline = (_, response) => void begun.push(response);
  onWorker = (request) => {
    const id = String(request.headers[REQUEST_ID_HEADER]);
    const begin = () =>
      fetch(`${urlOf(door.back)}/analyses`, { method: 'POST', body: 'media', headers: { 'X-Request-Id': id } });
    begin()
      .catch(begin)
      .then(({ status }) => told.resolve(status), told.reject);
  };
  const leave = new AbortController();
  fetch(`${urlOf(door.front)}/analyze`, { method: 'POST', body: 'media', signal: leave.signal }).catch(() => 'left');
  while (begun.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
  leave.abort();
  expect(await told.promise).toBe(CLIENT_GONE);
  expect(begun).toHaveLength(1);
});

it('lets the work of others go on when one client leaves', async () => {
  onWorker = passOn;
  const begun: ServerResponse[] = [];
  onPipeline = (_, response) => void begun.push(response);
  const leave = new AbortController();
  const left = fetch(`${urlOf(door.front)}/analyze`, { method: 'POST', body: 'media', signal: leave.signal }).catch(
    () => 'left',
  );
  const stays = fetch(`${urlOf(door.front)}/analyze`, { method: 'POST', body: 'media' });
  while (begun.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  leave.abort();
  expect(await left).toBe('left');
  while (!begun.some((work) => work.closed)) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const work of begun) if (!work.closed) work.end('done');
  expect(await (await stays).text()).toBe('done');
});

it('closes the work of a client that leaves whatever id it sends, and serves the next one of the same id', async () => {
  onWorker = passOn;
  const begun: ServerResponse[] = [];
  onPipeline = (_, response) => void begun.push(response);
  const options = { method: 'POST', body: 'media', headers: { 'X-Request-Id': 'a.b:c/{d}' } };
  const leave = new AbortController();
  const left = fetch(`${urlOf(door.front)}/analyze`, { ...options, signal: leave.signal }).catch(() => 'left');
  while (begun.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
  leave.abort();
  expect(await left).toBe('left');
  if (!begun[0]!.closed) await once(begun[0]!, 'close');
  const again = fetch(`${urlOf(door.front)}/analyze`, options);
  while (begun.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  begun[1]!.end('done');
  expect(await (await again).text()).toBe('done');
});

/** What a raw client reads until the connection ends; `code` when it ended badly. */
async function converse(text: string, more: (socket: ReturnType<typeof connect>) => void = () => undefined) {
  const socket = connect({ port: portOf(door.front), host: '127.0.0.1', allowHalfOpen: true });
  let said = '';
  let code: string | undefined;
  socket.on('error', (error: NodeJS.ErrnoException) => {
    code = error.code;
  });
  socket.on('data', (data) => {
    said += data.toString('latin1');
  });
  socket.write(text, 'latin1');
  more(socket);
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  socket.destroy();
  const status = Number(/^HTTP\/1.1 (\d+)/.exec(said)?.[1]);
  const headers = said.slice(0, said.indexOf('\r\n\r\n')).toLowerCase();
  const body = said.slice(headers.length + 4);
  return { said, status, headers, body, code };
}

/** The error shape with its headers, as the Worker gives it. */
function expectError({ status, headers, body }: Awaited<ReturnType<typeof converse>>, expected: number, code: string) {
  const error = ErrorBodySchema.parse(JSON.parse(body));
  expect({ status, code: error.code }).toEqual({ status: expected, code });
  expect(headers).toContain(`x-request-id: ${error.request_id}`);
  expect(headers).toContain('access-control-allow-origin: *');
  expect(headers).toContain('access-control-expose-headers: x-request-id');
  expect(body).not.toMatch(/\bat \w|node_modules|\/work\//);
}

const get = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;

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
    'http://localhost',
    '/',
    '/nowhere?/analyze',
  ])('%s is unknown here', async (target) => {
    onWorker = () => expect.unreachable();
    expectError(await converse(get(target)), 404, 'NOT_FOUND');
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
    onWorker = ({ url }, response) => void response.end(url);
    expect((await converse(get(target))).body).toBe(expected);
  });

  it('keeps what only the platform may say, and what concerns one connection, from the Worker', async () => {
    onWorker = ({ headers }, response) => void response.end(JSON.stringify(headers));
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
    const { body } = await converse(get('/health', headers.map((header) => `${header}\r\n`).join('')));
    const seen = JSON.parse(body);
    const names = ['accept-encoding', 'cf-connecting-ip', 'connection', 'host', REQUEST_ID_HEADER, 'x-kept'];
    expect(Object.keys(seen).sort()).toEqual(names.sort());
    // The front door's own word.
    expect(seen['cf-connecting-ip']).toBe('127.0.0.1');
  });

  it('does not pass on an answer that the Worker did not give', async () => {
    for (const [status, expected, code] of [
      [200, 503, 'OVERLOADED'],
      [404, 400, 'INVALID_REQUEST'],
      [500, 503, 'OVERLOADED'],
    ] as const) {
      onWorker = (_, response) =>
        void response
          .setHeader('X-Request-Id', 'other')
          .writeHead(status)
          .end('Error\n    at fetch (file:///work/a.js)');
      expectError(await converse(get('/health')), expected, code);
    }
  });

  it('answers the preflight of any path', async () => {
    for (const path of ['/nowhere', '/cdn-cgi/local/explorer']) {
      const response = await fetch(`${urlOf(door.front)}${path}`, { method: 'OPTIONS' });
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
      'POST /analyze HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'INVALID_REQUEST',
    ],
    ['headers without end', 'GET /health HTTP/1.1\r\nHost: a\r\n', 400, 'UPLOAD_STALLED'],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['TRACE', 'TRACE /health HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ])('%s', async (_, text, status, code) => {
    onWorker = () => undefined;
    const close = text.replace('\r\n', '\r\nConnection: close\r\n');
    expectError(await converse(close), status, code);
  });

  it('an upgrade is a request like others', async () => {
    const upgrade = 'Upgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n';
    const answer = await converse(get('/health', upgrade).replace('Connection: close', 'Connection: close, Upgrade'));
    expect(answer.body).toContain('from the worker');
  });

  it('a body of a GET is left out', async () => {
    onWorker = async (request, response) => {
      let length = 0;
      for await (const chunk of request) length += chunk.length;
      response.end(`${length} ${request.headers['content-length']}`);
    };
    const answer = await converse(`${get('/health', 'Content-Length: 5\r\n')}hello`);
    expect(answer.body).toContain('0 undefined');
  });

  it('503 while the Worker is away, and when it falls while it works', async () => {
    onWorker = (request) => void request.socket.destroy();
    expectError(await converse(get('/health')), 503, 'OVERLOADED');
    servers[0]!.closeAllConnections();
    servers[0]!.close();
    const answer = await converse(get('/health'));
    expectError(answer, 503, 'OVERLOADED');
    expect(answer.headers).toContain('retry-after: ');
  });
});

describe('a refusal comes while the client still sends', () => {
  const upload = (target: string): string =>
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n`;
  /** Sends on until the connection ends; never the whole body. */
  const endlessly = (socket: ReturnType<typeof connect>): void => {
    const timer = setInterval(() => socket.writable && socket.write(Buffer.alloc(10_000)), 5);
    socket.once('close', () => clearInterval(timer));
  };
  /** workerd answers, closes and resets a connection whose body it does not read. */
  const refuseAsWorkerd: Listener = (request, response) => {
    request.pause();
    const headers = { Connection: 'close', 'Content-Length': 22 };
    response.writeHead(401, headers).end('{"code":"INVALID_KEY"}', () => request.socket.destroy());
  };

  it('of the Worker, of a body still to come', async () => {
    onWorker = refuseAsWorkerd;
    const answer = await converse(upload('/analyze'));
    expect(answer).toMatchObject({ status: 401, body: '{"code":"INVALID_KEY"}', code: undefined });
  });

  it('of the Worker, again and again', async () => {
    onWorker = refuseAsWorkerd;
    for (let round = 0; round < 50; round++)
      expect(await converse(upload('/analyze'), endlessly)).toMatchObject({ status: 401, code: undefined });
  });

  it('of the front door', async () => {
    const answer = await converse(upload('/nowhere'), endlessly);
    expectError(answer, 404, 'NOT_FOUND');
    expect(answer.headers).toContain('connection: close');
    expect(answer.code).toBeUndefined();
  });

  it('and without 100 Continue where the path is unknown', async () => {
    onWorker = refuseAsWorkerd;
    const expecting = (target: string): string => upload(target).replace('\r\n', '\r\nExpect: 100-continue\r\n');
    expectError(await converse(expecting('/nowhere')), 404, 'NOT_FOUND');
    expect((await converse(expecting('/analyze'))).said).toMatch(/^HTTP\/1.1 100 Continue.*HTTP\/1.1 401/s);
  });

  it('what follows a last answer on its connection is no request', async () => {
    const seen: unknown[] = [];
    onWorker = ({ url }, response) => {
      seen.push(url);
      response.end();
    };
    const text = upload('/nowhere').replace('100000000', '5');
    await converse(text, (socket) => setTimeout(() => socket.write(`hello${get('/health')}`), 200));
    expect(seen).toEqual([]);
  });

  it('as curl and fetch receive it', async () => {
    onWorker = refuseAsWorkerd;
    const url = `${urlOf(door.front)}/analyze`;
    for (let round = 0; round < 10; round++) {
      const args = ['-sS', '-w', ' %{http_code}', '-F', 'file=@/dev/zero;filename=a.wav', url];
      expect((await promisify(execFile)('curl', args)).stdout).toBe('{"code":"INVALID_KEY"} 401');
      const response = await fetch(url, { method: 'POST', body: new Uint8Array(20_000_000) });
      expect(await response.json()).toEqual({ code: 'INVALID_KEY' });
    }
  });
});

describe('a client that stops sending', () => {
  const begin = 'POST /analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n';

  it('is told so after the window', async () => {
    onWorker = (request) => void request.resume();
    expectError(await converse(begin), 400, 'UPLOAD_STALLED');
    expectError(await converse(`${begin}some`), 400, 'UPLOAD_STALLED');
  });

  it('or when it sends less than the least in a window', async () => {
    onWorker = (request) => void request.resume();
    const drip = (socket: ReturnType<typeof connect>): void => {
      const timer = setInterval(() => socket.writable && socket.write('x'), 100);
      socket.once('close', () => clearInterval(timer));
    };
    expectError(await converse(begin, drip), 400, 'UPLOAD_STALLED');
  });

  it('is not one that the Worker keeps waiting', async () => {
    onWorker = (request, response) => {
      request.pause();
      setTimeout(() => request.resume().on('end', () => response.end('all')), 3 * IMPATIENT.upload.windowMs);
    };
    const body = new Uint8Array(30_000_000);
    expect(await (await fetch(`${urlOf(door.front)}/analyze`, { method: 'POST', body })).text()).toBe('all');
  });

  it('or one whose first byte comes late: the Worker hears of it at once', async () => {
    const heard = Promise.withResolvers<void>();
    onWorker = (request, response) => {
      heard.resolve();
      request.resume().on('end', () => response.end('all'));
    };
    const late = begin.replace('100000', '5').replace('\r\n', '\r\nConnection: close\r\n');
    const answer = await converse(late, (socket) => void heard.promise.then(() => socket.write('hello')));
    expect(answer.body).toBe('all');
  });
});

it('hands over an early answer to a client that is still sending', async () => {
  onWorker = (_, response) => void response.writeHead(400).end('too large');
  const response = await fetch(`${urlOf(door.front)}/analyze`, { method: 'POST', body: new Uint8Array(20_000_000) });
  expect(response.status).toBe(400);
  expect(await response.text()).toBe('too large');
});

describe('static files, which the runtime answers without the Worker', () => {
  it('come through without the id of a request, and no other such answer does', async () => {
    onWorker = (_, response) => {
      response.removeHeader('X-Request-Id');
      response.end('of the runtime');
    };
    const file = await fetch(`${urlOf(door.front)}/assets/index.js`);
    expect({ status: file.status, text: await file.text() }).toEqual({ status: 200, text: 'of the runtime' });
    const other = await fetch(`${urlOf(door.front)}/health`);
    expect(other.status).toBe(503);
    expect(await other.text()).not.toContain('of the runtime');
  });

  it('that are not there are told as the service tells it', async () => {
    onWorker = (_, response) => {
      response.removeHeader('X-Request-Id');
      response.writeHead(404).end('of the runtime');
    };
    const missing = await fetch(`${urlOf(door.front)}/assets/nowhere.js`);
    expect(ErrorBodySchema.parse(await missing.json())).toMatchObject({ code: 'NOT_FOUND' });
    expect(missing.status).toBe(404);
  });
});
