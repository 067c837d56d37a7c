import { afterAll, beforeAll, expect, it } from 'vitest';
import { MetricsSchema } from '../../../src/contract/analysis.ts';
import { form, KEY, startService, type TestService } from '../../../support/service-under-test.ts';
import { readEvents } from '../../../support/stream-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const scrape = (accept: string) =>
  fetch(new URL('/metrics', service.url), { headers: { 'X-API-Key': KEY, Accept: accept } });
const read = async () => MetricsSchema.parse(await (await scrape('application/json')).json());

/** Events are counted after the response. */
async function readOnce(done: (metrics: Awaited<ReturnType<typeof read>>) => boolean) {
  for (;;) {
    const metrics = await read();
    if (done(metrics)) return metrics;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it('count every event a stream carried, by name, and average the latency of all requests', async () => {
  expect(await read()).toEqual({ version: '0.3.0', events: {}, agent_latency_ms: {} });
  await (await service.post('/analyze', form('a.wav', 'media'))).text();
  await readOnce(({ agent_latency_ms }) => agent_latency_ms.utterance !== undefined);
  const events = await readEvents(await service.post('/analyze/stream', form('a.wav', 'media')));
  const counts: Record<string, number> = {};
  for (const { event } of events) counts[event] = (counts[event] ?? 0) + 1;
  const metrics = await readOnce(({ events }) => events.done === 1);
  expect(metrics.events).toEqual(counts);
  expect(metrics.agent_latency_ms).toEqual({ utterance: 20 });
});

it('are Prometheus text on request', async () => {
  const prometheus = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1';
  for (const accept of ['text/plain', prometheus]) {
    const response = await scrape(accept);
    expect(response.headers.get('Content-Type')).toContain('text/plain; version=0.0.4');
    expect(await response.text()).toContain('undertone_info{version="0.3.0"} 1\n');
  }
  const plain = await scrape('*/*');
  expect(plain.headers.get('Content-Type')).toContain('application/json');
  await plain.text();
});
