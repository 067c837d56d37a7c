import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RestartableProcess, workerProcess } from '../../bench/processes.ts';
import { type FakePipeline, sayEverything, sayHalf, startFakePipeline } from '../../support/fake-pipeline.ts';
import { ask } from '../../support/job-client.ts';
import { form, KEY } from '../../support/service-under-test.ts';
import { freePort } from '../../tools/machine.ts';

// Redirects and lost connections of the Worker's own requests: the test harness sends those through Node, here workerd
// sends them.

const PATIENCE = { timeout: 40_000, interval: 100 };

let folder: string;
let pipeline: FakePipeline;
let worker: RestartableProcess;
const service = { url: new URL('http://127.0.0.1') };
const elsewhere = createServer((request, response) => {
  if (request.url === '/old') response.writeHead(302, { Location: '/new.mp3' }).end();
  else if (request.url === '/inside') response.writeHead(302, { Location: 'http://user:secret@127.0.0.1/' }).end();
  else if (request.url === '/broken') {
    response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 100 });
    response.write('x', () => response.destroy());
  } else if (request.url === '/new.mp3') response.end('media');
  else response.writeHead(404).end();
});
const elsewhereUrl = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-jobs-'));
  pipeline = await startFakePipeline();
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const port = await freePort();
  service.url = new URL(`http://127.0.0.1:${port}`);
  const vars = { RUNTIME_URL: pipeline.url, API_KEYS: KEY, ALLOW_PRIVATE_TARGETS: 'true' };
  worker = workerProcess(port, folder, vars);
  await worker.start();
});
afterAll(async () => {
  await worker?.kill();
  pipeline?.close();
  elsewhere.closeAllConnections();
  elsewhere.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  pipeline.answer = sayEverything;
  pipeline.seen.length = 0;
});

describe('a file at a URL', () => {
  const analyze = (path: string) => ask(service, 'POST', '/analyze', { url: elsewhereUrl() + path });

  it('is found behind a redirect, and has the format of the last address', async () => {
    expect((await analyze('/old')).status).toBe(200);
    expect(pipeline.seen.at(-1)?.options.suffix).toBe('.mp3');
  });

  it('is refused behind a redirect to a forbidden address', async () => {
    expect(await analyze('/inside')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', detail: 'url: a redirect: must not contain a user name or password' },
    });
  });

  it('is reported when the connection is lost', async () => {
    expect(await analyze('/broken')).toMatchObject({
      status: 400,
      body: { code: 'SOURCE_FAILED', detail: 'url: the connection was lost' },
    });
  });
});

it('a cancelled job ends the work in the pipeline', async () => {
  pipeline.answer = sayHalf;
  const url = new URL('/analyze', service.url);
  const headers = { 'X-API-Key': KEY, Prefer: 'respond-async' };
  const response = await fetch(url, { method: 'POST', headers, body: form('call.wav', 'media') });
  const { conversation_id: id } = (await response.json()) as { conversation_id: string };
  await vi.waitFor(() => expect(pipeline.seen).toHaveLength(1), PATIENCE);
  await ask(service, 'POST', `/conversations/${id}/cancel`);
  await vi.waitFor(() => expect(pipeline.seen[0]?.left).toBe(true), PATIENCE);
});

it('a webhook that answers with a redirect is not followed', async () => {
  const { body: webhook } = await ask<{ id: string }>(service, 'POST', '/webhooks', { url: `${elsewhereUrl()}/old` });
  const response = await fetch(new URL('/analyze', service.url), {
    method: 'POST',
    headers: { 'X-API-Key': KEY },
    body: form('call.wav', 'media'),
  });
  expect(response.status).toBe(200);
  await vi.waitFor(async () => {
    const { body } = await ask(service, 'GET', `/webhooks/${webhook.id}/deliveries`);
    expect(body).toMatchObject({ deliveries: [{ status: 'pending', last_status: 302 }] });
  }, PATIENCE);
});
