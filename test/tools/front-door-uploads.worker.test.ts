import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Doors, expectError, get, IMPATIENT, type Listener } from './doors.ts';

const doors = new Doors();

describe('a refusal arrives while the client is still sending', () => {
  const upload = (target: string): string =>
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n`;
  /** Sends until the connection ends; never the whole body. */
  const endlessly = (socket: Socket): void => {
    const timer = setInterval(() => socket.writable && socket.write(Buffer.alloc(10_000)), 5);
    socket.once('close', () => clearInterval(timer));
  };
  /** workerd answers, closes and resets a connection whose body it does not read. */
  const refuseAsWorkerd: Listener = (request, response) => {
    request.pause();
    const headers = { Connection: 'close', 'Content-Length': 22 };
    response.writeHead(401, headers).end('{"code":"INVALID_KEY"}', () => request.socket.destroy());
  };

  it('from the Worker, of a body still to come', async () => {
    doors.onWorker = refuseAsWorkerd;
    const answer = await doors.converse(upload('/analyze'));
    expect(answer).toMatchObject({ status: 401, body: '{"code":"INVALID_KEY"}', code: undefined });
  });

  it('from the Worker, repeatedly', async () => {
    doors.onWorker = refuseAsWorkerd;
    for (let round = 0; round < 50; round++)
      expect(await doors.converse(upload('/analyze'), endlessly)).toMatchObject({ status: 401, code: undefined });
  });

  it('from the front door', async () => {
    const answer = await doors.converse(upload('/nowhere'), endlessly);
    expectError(answer, 404, 'NOT_FOUND');
    expect(answer.headers).toContain('connection: close');
    expect(answer.code).toBeUndefined();
  });

  it('and without 100 Continue where the path is unknown', async () => {
    doors.onWorker = refuseAsWorkerd;
    const expecting = (target: string): string => upload(target).replace('\r\n', '\r\nExpect: 100-continue\r\n');
    expectError(await doors.converse(expecting('/nowhere')), 404, 'NOT_FOUND');
    expect((await doors.converse(expecting('/analyze'))).said).toMatch(/^HTTP\/1.1 100 Continue.*HTTP\/1.1 401/s);
  });

  it('bytes after a last answer on its connection are not a request', async () => {
    const seen: unknown[] = [];
    doors.onWorker = ({ url }, response) => {
      seen.push(url);
      response.end();
    };
    const text = upload('/nowhere').replace('100000000', '5');
    await doors.converse(text, (socket) => setTimeout(() => socket.write(`hello${get('/health')}`), 200));
    expect(seen).toEqual([]);
  });

  it('as curl and fetch receive it', async () => {
    doors.onWorker = refuseAsWorkerd;
    const url = `${doors.url}/analyze`;
    for (let round = 0; round < 10; round++) {
      const args = ['-sS', '-w', ' %{http_code}', '-F', 'file=@/dev/zero;filename=a.wav', url];
      expect((await promisify(execFile)('curl', args)).stdout).toBe('{"code":"INVALID_KEY"} 401');
      const response = await fetch(url, { method: 'POST', body: new Uint8Array(20_000_000) });
      expect(await response.json()).toEqual({ code: 'INVALID_KEY' });
    }
  });
});

describe('a disk that is nearly full', () => {
  const analyze = (body: BodyInit = 'x') => fetch(`${doors.url}/analyze`, { method: 'POST', body });

  it('takes no recording until there is room, and does everything else', async () => {
    const seen: string[] = [];
    doors.onWorker = ({ method, url }, response) => {
      seen.push(`${method} ${url}`);
      response.end('done');
    };
    doors.freeSpace = 1_000_000;
    for (const [method, path] of [
      ['POST', '/analyze'],
      ['POST', '/analyze/stream?a=b'],
      ['POST', '/analyze/live/start'],
      ['POST', '/analyze/live/id/chunk'],
      ['POST', '/uploads'],
      ['PUT', '/uploads/id/parts/1'],
    ] as const) {
      const answer = await fetch(new URL(path, doors.url), { method, body: 'x' });
      expect({ path, status: answer.status }).toEqual({ path, status: 507 });
      expect(await answer.json()).toMatchObject({ code: 'STORAGE_FULL', detail: expect.stringContaining('256 MB') });
    }
    expect(seen).toEqual([]);
    const others = [
      ['GET', '/conversations'],
      ['DELETE', '/conversations/id'],
      ['DELETE', '/uploads/id'],
      ['POST', '/uploads/id/complete'],
      ['POST', '/analyze/live/id/finalize'],
      ['PATCH', '/conversations/id'],
    ] as const;
    for (const [method, path] of others) expect((await fetch(new URL(path, doors.url), { method })).status).toBe(200);
    expect(seen).toEqual(others.map((asked) => asked.join(' ')));
    doors.freeSpace = 1e9;
    expect((await analyze()).status).toBe(200);
  });

  it('ends an upload that would fill it, at the Worker too', async () => {
    const ended = Promise.withResolvers<boolean>();
    doors.onWorker = (request) => {
      request.resume().once('close', () => ended.resolve(request.complete));
      doors.freeSpace = 1_000_000;
    };
    const answer = await doors.converse(
      'POST /analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n',
      (socket) => {
        const timer = setInterval(() => socket.writable && socket.write(Buffer.alloc(10_000)), 5);
        socket.once('close', () => clearInterval(timer));
      },
    );
    expectError(answer, 507, 'STORAGE_FULL');
    expect(await ended.promise).toBe(false);
  });

  it('lets an analysis end whose recording has arrived', async () => {
    doors.onWorker = (request, response) =>
      void request.resume().once('end', () => {
        doors.freeSpace = 1_000_000;
        setTimeout(() => response.end('done'), 600);
      });
    expect((await analyze()).status).toBe(200);
  });
});

describe('a client that stops sending', () => {
  const begin = 'POST /analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n';

  it('gets an error after the window', async () => {
    doors.onWorker = (request) => void request.resume();
    expectError(await doors.converse(begin), 400, 'UPLOAD_STALLED');
    expectError(await doors.converse(`${begin}some`), 400, 'UPLOAD_STALLED');
  });

  it('gets an error when it sends less than the minimum in a window', async () => {
    doors.onWorker = (request) => void request.resume();
    const drip = (socket: Socket): void => {
      const timer = setInterval(() => socket.writable && socket.write('x'), 100);
      socket.once('close', () => clearInterval(timer));
    };
    expectError(await doors.converse(begin, drip), 400, 'UPLOAD_STALLED');
  });

  it('gets no error while the Worker keeps it waiting', async () => {
    doors.onWorker = (request, response) => {
      request.pause();
      setTimeout(() => request.resume().on('end', () => response.end('all')), 3 * IMPATIENT.upload.windowMs);
    };
    const body = new Uint8Array(30_000_000);
    expect(await (await fetch(`${doors.url}/analyze`, { method: 'POST', body })).text()).toBe('all');
  });

  it('gets no error when its first byte comes late: the Worker gets the request at once', async () => {
    const heard = Promise.withResolvers<void>();
    doors.onWorker = (request, response) => {
      heard.resolve();
      request.resume().on('end', () => response.end('all'));
    };
    const late = begin.replace('100000', '5').replace('\r\n', '\r\nConnection: close\r\n');
    const answer = await doors.converse(late, (socket) => void heard.promise.then(() => socket.write('hello')));
    expect(answer.body).toBe('all');
  });
});

it('delivers an early answer to a client that is still sending', async () => {
  doors.onWorker = (_, response) => void response.writeHead(400).end('too large');
  const response = await fetch(`${doors.url}/analyze`, { method: 'POST', body: new Uint8Array(20_000_000) });
  expect(response.status).toBe(400);
  expect(await response.text()).toBe('too large');
});
