import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HealthSchema } from '../../src/contract/analysis.ts';
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

async function health(runtimeUrl: string, times = 1): Promise<unknown> {
  service = await startService({ RUNTIME_URL: runtimeUrl });
  let body: unknown;
  for (let time = 0; time < times; time++) {
    const answer = await fetch(new URL('/health', service.url));
    expect(answer.status).toBe(200);
    body = HealthSchema.strict().parse(await answer.json());
  }
  return body;
}

describe('GET /health', () => {
  it('names the recognisers, reads them once, and skips a pipeline that is unavailable', async () => {
    const { url, asked } = await pipeline(says({ status: 'ok', running: 1, recognisers: OFFERS }));
    expect(await health(`http://127.0.0.1:9, ${url}`, 3)).toEqual({ status: 'ok', recognisers: OFFERS });
    expect(asked).toEqual(['/healthz']);
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['names no recognisers', says({ status: 'ok' })],
    ['sends an invalid response', says('<html>')],
    ['closes the connection', (request) => request.socket.destroy()],
  ])('is ok with a pipeline that %s', async (_, answer) => {
    expect(await health((await pipeline(answer)).url)).toEqual({ status: 'ok' });
  });
});
