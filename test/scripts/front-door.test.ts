import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFrontDoor, type FrontDoor } from '../../scripts/start/front-door.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

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

beforeEach(async () => {
  servers = [];
  const worker = await listening(createServer((request, response) => onWorker(request, response)));
  const pipeline = await listening(createServer((request, response) => onPipeline(request, response)));
  door = createFrontDoor({ workerPort: portOf(worker), pipelinePort: async () => portOf(pipeline) });
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
    headers: { 'X-Request-Id': request.headers['x-request-id'] as string },
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
  const response = await fetch(urlOf(door.front), { method: 'POST', body: new Uint8Array(3_000_000) });
  expect(await response.text()).toBe('3000000 bytes');
});

it('passes headers on and gives every request an id', async () => {
  onWorker = ({ headers, url }, response) => {
    response.setHeader('X-Seen', String(headers['x-request-id'])).setHeader('X-Path', String(url));
    response.writeHead(404).end();
  };
  const response = await fetch(`${urlOf(door.front)}/a?b=c`);
  expect(response.status).toBe(404);
  expect(response.headers.get('X-Path')).toBe('/a?b=c');
  expect(response.headers.get('X-Seen')).toMatch(/^[0-9a-f-]{36}$/);
  const named = await fetch(urlOf(door.front), { headers: { 'X-Request-Id': 'mine' } });
  expect(named.headers.get('X-Seen')).toBe('mine');
});

it('passes a stream on as it comes', async () => {
  let end = () => {};
  onWorker = (_, response) => {
    response.write('first');
    end = () => response.end('last');
  };
  const reader = (await fetch(urlOf(door.front))).body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('first');
  end();
  expect((await reader.read()).value).toBe('last');
});

it('closes the work of a client that leaves', async () => {
  onWorker = passOn;
  const begun = Promise.withResolvers<ServerResponse>();
  onPipeline = (_, response) => begun.resolve(response);
  const leave = new AbortController();
  const answer = fetch(urlOf(door.front), { method: 'POST', body: 'media', signal: leave.signal });
  const work = await begun.promise;
  leave.abort();
  await expect(answer).rejects.toThrow();
  if (!work.closed) await once(work, 'close');
  expect(work.writableFinished).toBe(false);
});

it('lets the work of others go on when one client leaves', async () => {
  onWorker = passOn;
  const begun: ServerResponse[] = [];
  onPipeline = (_, response) => void begun.push(response);
  const leave = new AbortController();
  const left = fetch(urlOf(door.front), { method: 'POST', body: 'media', signal: leave.signal }).catch(() => 'left');
  const stays = fetch(urlOf(door.front), { method: 'POST', body: 'media' });
  while (begun.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  leave.abort();
  expect(await left).toBe('left');
  while (!begun.some((work) => work.closed)) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const work of begun) if (!work.closed) work.end('done');
  expect(await (await stays).text()).toBe('done');
});

it('hands over an early answer to a client that is still sending', async () => {
  onWorker = (_, response) => void response.writeHead(400).end('too large');
  const response = await fetch(urlOf(door.front), { method: 'POST', body: new Uint8Array(20_000_000) });
  expect(response.status).toBe(400);
  expect(await response.text()).toBe('too large');
});

it('answers 502 while the worker is away', async () => {
  servers[0]!.closeAllConnections();
  servers[0]!.close();
  const response = await fetch(urlOf(door.front));
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ code: 'STREAM_FAILURE' });
});
