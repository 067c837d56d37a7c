import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CLIENT_GONE } from '../../src/contract/pipeline.ts';
import { REQUEST_ID_HEADER } from '../../tools/front-door/front-door.ts';
import { Doors, type Listener } from './doors.ts';

// The connection between the Worker and the pipeline, and both doors together.

const doors = new Doors();

/** A Worker that passes the body on to the pipeline and answers when that has answered. */
const passOn: Listener = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = await fetch(`${doors.backUrl}/analyses`, {
    method: 'POST',
    body: Buffer.concat(chunks),
    headers: { 'X-Request-Id': request.headers[REQUEST_ID_HEADER] as string },
  }).catch(() => undefined);
  response.end(answer ? await answer.text().catch(() => 'lost') : 'lost');
};

it('passes a request and its answer on, both ways', async () => {
  doors.onWorker = passOn;
  doors.onPipeline = async (request, response) => {
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    response.end(`${length} bytes`);
  };
  const response = await fetch(`${doors.url}/analyze`, { method: 'POST', body: new Uint8Array(3_000_000) });
  expect(await response.text()).toBe('3000000 bytes');
});

it('ends the work of a client that leaves', async () => {
  doors.onWorker = passOn;
  const begun = Promise.withResolvers<ServerResponse>();
  doors.onPipeline = (_, response) => begun.resolve(response);
  const leave = new AbortController();
  const answer = fetch(`${doors.url}/analyze`, { method: 'POST', body: 'media', signal: leave.signal });
  const work = await begun.promise;
  leave.abort();
  await expect(answer).rejects.toThrow();
  if (!work.closed) await once(work, 'close');
  expect(work.writableFinished).toBe(false);
});

it('tells a Worker that restarts its work that the client has gone', async () => {
  const begun: ServerResponse[] = [];
  const told = Promise.withResolvers<number>();
  doors.onPipeline = (_, response) => void begun.push(response);
  doors.onWorker = (request) => {
    const id = String(request.headers[REQUEST_ID_HEADER]);
    const begin = () =>
      fetch(`${doors.backUrl}/analyses`, { method: 'POST', body: 'media', headers: { 'X-Request-Id': id } });
    begin()
      .catch(begin)
      .then(({ status }) => told.resolve(status), told.reject);
  };
  const leave = new AbortController();
  fetch(`${doors.url}/analyze`, { method: 'POST', body: 'media', signal: leave.signal }).catch(() => 'left');
  while (begun.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
  leave.abort();
  expect(await told.promise).toBe(CLIENT_GONE);
  expect(begun).toHaveLength(1);
});

it('continues the work of others when one client leaves', async () => {
  doors.onWorker = passOn;
  const begun: ServerResponse[] = [];
  doors.onPipeline = (_, response) => void begun.push(response);
  const leave = new AbortController();
  const left = fetch(`${doors.url}/analyze`, { method: 'POST', body: 'media', signal: leave.signal }).catch(
    () => 'left',
  );
  const stays = fetch(`${doors.url}/analyze`, { method: 'POST', body: 'media' });
  while (begun.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  leave.abort();
  expect(await left).toBe('left');
  while (!begun.some((work) => work.closed)) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const work of begun) if (!work.closed) work.end('done');
  expect(await (await stays).text()).toBe('done');
});

it('ends the work of a client that leaves with any id, and serves the next one with the same id', async () => {
  doors.onWorker = passOn;
  const begun: ServerResponse[] = [];
  doors.onPipeline = (_, response) => void begun.push(response);
  const options = { method: 'POST', body: 'media', headers: { 'X-Request-Id': 'a.b:c/{d}' } };
  const leave = new AbortController();
  const left = fetch(`${doors.url}/analyze`, { ...options, signal: leave.signal }).catch(() => 'left');
  while (begun.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
  leave.abort();
  expect(await left).toBe('left');
  if (!begun[0]!.closed) await once(begun[0]!, 'close');
  const again = fetch(`${doors.url}/analyze`, options);
  while (begun.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  begun[1]!.end('done');
  expect(await (await again).text()).toBe('done');
});

it('delivers a refusal that arrives while the Worker is still sending, which reads it later', async () => {
  doors.onPipeline = (_, response) => void response.writeHead(400).end('an unknown recogniser');
  const socket = connect(Number(new URL(doors.backUrl).port), '127.0.0.1').pause();
  const broken = once(socket, 'error');
  socket.write('POST /analyses HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n');
  const sending = setInterval(() => socket.write(new Uint8Array(10_000)), 5);
  await sleep(500);
  clearInterval(sending);
  const said = once(socket, 'data').then(([data]) => String(data));
  socket.resume();
  expect(await Promise.race([said, broken])).toMatch(/^HTTP\/1.1 400 .*an unknown recogniser/s);
  socket.destroy();
});
