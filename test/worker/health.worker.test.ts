import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../support/service-under-test.ts';

const OFFERS = [
  { id: 'endpoint', name: 'whisper at an endpoint', kind: 'endpoint', languages: ['en', 'pt'] },
  { id: 'moonshine-tiny', name: 'Moonshine tiny', kind: 'built_in', languages: ['en'] },
];

const open: Server[] = [];
let service: TestService | undefined;
afterEach(async () => {
  await service?.stop();
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A pipeline with a given health response, and the number of its requests. */
async function pipeline(answer: RequestListener): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    answer(request, response);
  });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const says =
  (body: unknown): RequestListener =>
  (_, response) =>
    response.end(typeof body === 'string' ? body : JSON.stringify(body));

/** The response of a service with these pipelines. */
async function answers(runtimeUrl: string, times = 1): Promise<{ health: unknown; ready: [number, unknown] }> {
  service = await startService({ RUNTIME_URL: runtimeUrl });
  const health = await (await fetch(new URL('/health', service.url))).json();
  let ready: [number, unknown] = [0, undefined];
  for (let time = 0; time < times; time++) {
    const answer = await fetch(new URL('/ready', service.url));
    ready = [answer.status, await answer.json()];
  }
  return { health, ready };
}

describe('GET /ready', () => {
  it('names the recognisers, reads them once, and skips a pipeline that is unavailable', async () => {
    const { url, asked } = await pipeline(says({ status: 'ok', running: 1, recognisers: OFFERS }));
    expect(await answers(`http://127.0.0.1:9, ${url}`, 3)).toEqual({
      health: { status: 'ok' },
      ready: [200, { status: 'ready', recognisers: OFFERS }],
    });
    expect(asked).toEqual(['/healthz']);
  });

  it('asks one pipeline while it responds', async () => {
    const [first, second] = [await pipeline(says({ recognisers: OFFERS })), await pipeline(says({ recognisers: [] }))];
    const { ready } = await answers(`${first.url}, ${second.url}`);
    expect(ready).toEqual([200, { status: 'ready', recognisers: OFFERS }]);
    expect([first.asked, second.asked]).toEqual([['/healthz'], []]);
  });

  it('asks the next pipeline when one does not answer in time', async () => {
    const silent = await pipeline(() => undefined);
    const { url } = await pipeline(says({ recognisers: OFFERS }));
    expect((await answers(`${silent.url}, ${url}`)).ready).toEqual([200, { status: 'ready', recognisers: OFFERS }]);
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['names no recognisers', says({ status: 'ok' })],
    ['sends an invalid response', says('<html>')],
    ['closes the connection', (request) => request.socket.destroy()],
  ])('is a 503 with a pipeline that %s, and /health is ok', async (_, answer) => {
    expect(await answers((await pipeline(answer)).url)).toMatchObject({
      health: { status: 'ok' },
      ready: [503, { code: 'OVERLOADED', detail: 'No pipeline responds' }],
    });
  });
});
