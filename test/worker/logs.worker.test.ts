import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { sayError } from '../../support/fake-pipeline.ts';
import { clear, form, KEY, startService, type TestService } from '../../support/service-under-test.ts';

/** Sent in every field in which a client may put a key by mistake. */
const SECRET = 'sk-live-0123456789';
const JSON_TYPE = { 'Content-Type': 'application/json' };

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  service.harness.clearLogs();
  await clear(service);
});
afterAll(() => service.stop());

const logs = (): string => JSON.stringify(service.harness.getLogs());
const post = async (path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<number> => {
  const response = await service.post(path, body, headers);
  await response.text();
  return response.status;
};

it('have neither content nor a stack of a refused request', async () => {
  const start = await (await service.post('/analyze/live/start', '{}', JSON_TYPE)).json();
  const { chunk_endpoint: chunk, control_endpoint: control } = start as Record<string, string>;
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const part = `--b\r\nContent-Disposition: form-data; name="file"; filename*=utf-8''%${SECRET}.wav\r\n\r\nx`;
  const statuses = [
    await post('/analyze/live/start', SECRET, JSON_TYPE),
    await post('/analyze/live/start', JSON.stringify({ suffix: SECRET, filename: SECRET }), JSON_TYPE),
    await post(control ?? '', `{"action":"${SECRET}`, JSON_TYPE),
    await post('/segment/conversation', SECRET, JSON_TYPE),
    await post('/segment/conversation', JSON.stringify({ timeline: [{ [SECRET]: SECRET }] }), JSON_TYPE),
    await post('/analyze', form(`a.${SECRET}`, 'media')),
    await post('/analyze', part, multipart),
    await post(chunk ?? '', part, multipart),
    await post(`/analyze?stream=${SECRET}`, form('a.wav', 'media')),
    await post(`/analyze?api_key=${SECRET}`, form('a.wav', 'media'), { 'X-API-Key': '' }),
    await post('/analyze', form('a.wav', 'media'), { 'X-API-Key': SECRET }),
    await post(`/nowhere?api_key=${SECRET}`, SECRET),
  ];
  expect(statuses).toEqual([...Array(9).fill(400), 401, 401, 404]);
  expect(logs()).not.toContain(SECRET);
  expect(logs()).not.toMatch(/\bat \w+ \(|\.ts:\d|\.js:\d/);
});

it('have no transcript when the pipeline sends invalid lines, but the place of the fault', async () => {
  service.pipeline.answer = (response) => void response.writeHead(200).end(`{"type":"utterance","text":${SECRET}}\n`);
  expect(await post(`/analyze?api_key=${KEY}`, form('a.wav', 'media'), { 'X-API-Key': '' })).toBe(500);
  await vi.waitFor(() => expect(logs()).toContain('ANALYSIS_FAILURE'));
  expect(logs()).toContain('not JSON');
  expect(logs()).not.toContain(SECRET);
  expect(logs()).not.toContain(KEY);
});

it("name a client's fault that ends a stream by its code and request, without a stack", async () => {
  service.pipeline.answer = sayError('INVALID_MEDIA', `The file is ${SECRET}`);
  const response = await service.post('/analyze/stream', form('a.wav', 'media'));
  expect(await response.text()).toContain('INVALID_MEDIA');
  // A line comes after the response.
  await vi.waitFor(() => expect(logs()).toContain('INVALID_MEDIA'));
  expect(logs()).toContain(response.headers.get('X-Request-Id'));
  expect(logs()).not.toContain(SECRET);
  expect(logs()).not.toContain('cause');
});
