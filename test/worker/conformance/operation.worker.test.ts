import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { SegmentResponseSchema } from '../../../src/contract/segmentation.ts';
import {
  clear,
  DEMO_KEY,
  form,
  KEY,
  OTHER_KEY,
  startService,
  type TestService,
} from '../../../support/service-under-test.ts';
import { timelineEntry } from '../../../support/timeline-entry.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const call = (path: string, init: RequestInit = {}) => fetch(new URL(path, service.url), init);
const withKey = { headers: { 'X-API-Key': KEY } };

async function expectError(response: Response, status: number, code: string, detail: string | RegExp): Promise<void> {
  expect(response.status).toBe(status);
  expect(response.headers.get('Content-Type')).toContain('application/json');
  const body = ErrorBodySchema.strict().parse(await response.json());
  expect(body.code).toBe(code);
  expect(body.request_id).toBe(response.headers.get('X-Request-Id'));
  if (typeof detail === 'string') expect(body.detail).toBe(detail);
  else expect(body.detail).toMatch(detail);
}

describe('authentication', () => {
  const PROTECTED = [
    ['POST', '/analyze'],
    ['POST', '/analyze?stream=true'],
    ['POST', '/analyze?stream=nonsense'],
    ['POST', '/analyze/stream'],
    ['POST', '/segment/conversation'],
    ['GET', '/metrics'],
  ] as const;

  it.each(PROTECTED)('%s %s answers 401 without a key', async (method, path) => {
    await expectError(await call(path, { method }), 401, 'INVALID_KEY', 'Invalid or missing API key');
  });

  it.each(['', 'wrong', KEY.toUpperCase(), `${KEY} `.repeat(2), `${KEY},`, `${KEY}, ${OTHER_KEY}`])(
    'refuses the key "%s"',
    async (key) => {
      const response = await call('/metrics', { headers: { 'X-API-Key': key } });
      await expectError(response, 401, 'INVALID_KEY', 'Invalid or missing API key');
    },
  );

  it.each([KEY, OTHER_KEY, DEMO_KEY])('takes "%s" as header and as query', async (key) => {
    expect((await call('/metrics', { headers: { 'X-API-Key': key } })).status).toBe(200);
    expect((await call(`/metrics?api_key=${key}`)).status).toBe(200);
  });

  it('prefers the header to the query', async () => {
    expect((await call(`/metrics?api_key=${KEY}`, { headers: { 'X-API-Key': 'wrong' } })).status).toBe(401);
  });

  it('treats an empty header as absent', async () => {
    expect((await call(`/metrics?api_key=${KEY}`, { headers: { 'X-API-Key': '' } })).status).toBe(200);
    expect((await call('/metrics?api_key=', { headers: { 'X-API-Key': '' } })).status).toBe(401);
  });

  it('refuses an upload before reading it', async () => {
    const response = await call('/analyze', { method: 'POST', body: form('a.wav', new Uint8Array(3_000_000)) });
    await expectError(response, 401, 'INVALID_KEY', 'Invalid or missing API key');
    expect(await service.objects()).toEqual([]);
  });

  it('never repeats a key in an answer or an artifact', async () => {
    const response = await call(`/analyze?api_key=${KEY}`, { method: 'POST', body: form('a.wav', 'media') });
    expect(await response.text()).not.toContain(KEY);
    for (const key of await service.objects()) {
      expect(key).not.toContain(KEY);
      expect(await service.text(key)).not.toContain(KEY);
    }
    const failed = await call(`/analyze?stream=2&api_key=${KEY}`, { method: 'POST', body: form('a.wav', 'media') });
    expect(await failed.text()).not.toContain(KEY);
  });
});

it('logs no part of a key in the address, not even for a request that fails', async () => {
  service.pipeline.answer = (response) => void response.writeHead(500).end();
  const response = await call('/analyze?api_key=test-key-one', { method: 'POST', body: form('a.wav', 'media') });
  expect(response.status).toBe(500);
  await response.text();
  const logs = JSON.stringify(service.harness.getLogs());
  expect(logs).toContain('ANALYSIS_FAILURE');
  expect(logs).not.toContain(KEY);
});

describe('CORS', () => {
  it('answers a preflight without a key', async () => {
    const response = await call('/analyze', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-api-key',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Access-Control-Allow-Methods')).toContain('POST');
    const allowed = response.headers.get('Access-Control-Allow-Headers');
    for (const name of ['X-API-Key', 'Content-Type', 'Accept', 'Last-Event-ID', 'Idempotency-Key', 'X-Request-Id'])
      expect(allowed).toContain(name);
  });

  it.each(['/health', '/metrics', '/nowhere'])('lets any origin read the answer of %s, errors too', async (path) => {
    const response = await call(path, { headers: { Origin: 'https://app.example' } });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const exposed = response.headers.get('Access-Control-Expose-Headers');
    for (const name of ['X-Request-Id', 'Retry-After', 'Location']) expect(exposed).toContain(name);
  });

  it('lets any origin read a stream', async () => {
    const response = await service.post('/analyze/stream', form('a.wav', 'media'), { Origin: 'https://app.example' });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    await response.text();
  });
});

describe('paths and methods', () => {
  it.each(['/nowhere', '/analyze/', '/analyze/stream/more', '/v1/analyze'])('%s is not found', async (path) => {
    await expectError(await call(path, withKey), 404, 'NOT_FOUND', 'Not found');
  });

  it.each([
    ['GET', '/analyze', 'POST'],
    ['DELETE', '/analyze/stream', 'POST'],
    ['GET', '/segment/conversation', 'POST'],
    ['POST', '/health', 'GET'],
    ['PUT', '/metrics', 'GET'],
  ])('%s %s is not allowed', async (method, path, allowed) => {
    const response = await call(path, { method, ...withKey });
    expect(response.headers.get('Allow')).toContain(allowed);
    await expectError(response, 405, 'METHOD_NOT_ALLOWED', 'Method not allowed');
  });

  it('gives every request its own id, whatever the client calls it', async () => {
    const headers = { 'X-Request-Id': 'mine-1' };
    const ids = await Promise.all(
      [{ headers }, { headers }, {}].map(async (init) => (await call('/health', init)).headers.get('X-Request-Id')),
    );
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(3);
  });
});

it.each(['/health', '/metrics', '/nowhere'])('answers HEAD of %s as GET, without a body', async (path) => {
  const [head, get] = [await call(path, { ...withKey, method: 'HEAD' }), await call(path, withKey)];
  expect(head.status).toBe(get.status);
  expect(head.headers.get('Content-Type')).toBe(get.headers.get('Content-Type'));
  expect(await head.text()).toBe('');
});

it('/health is open and says ok', async () => {
  const response = await call('/health');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'ok' });
});

describe('segmentation without media', () => {
  const timeline = ['Hello, how are you?', 'Fine, thanks.', 'Let us talk about the price.'].map((text, n) =>
    timelineEntry('c', n, text),
  );
  const segment = (body: unknown) =>
    service.post('/segment/conversation', typeof body === 'string' ? body : JSON.stringify(body), {
      'Content-Type': 'application/json',
    });

  it('answers the segmentation of a timeline', async () => {
    const response = await segment({ timeline, context: 'pricing' });
    expect(response.status).toBe(200);
    const { segmentation } = SegmentResponseSchema.strict().parse(await response.json());
    expect(segmentation.total_phases).toBe(segmentation.phases.length);
    expect(segmentation.phases.reduce((sum, phase) => sum + phase.utterance_count, 0)).toBe(3);
  });

  it('accepts entries with only speaker, times and text', async () => {
    const bare = timeline.map(({ utterance_id, speaker, t_start, t_end, text }) => ({
      utterance_id,
      speaker,
      t_start,
      t_end,
      text,
    }));
    expect((await segment({ timeline: bare })).status).toBe(200);
  });

  it.each([
    ['no timeline', {}, /^timeline: /],
    ['an empty timeline', { timeline: [] }, /^timeline: /],
    ['a timeline that is no list', { timeline: 'x' }, /^timeline: /],
    ['an entry without text', { timeline: [timeline[0], { ...timeline[1], text: undefined }] }, /^timeline\.1\.text: /],
    ['an entry that ends before it starts', { timeline: [{ ...timeline[0], t_start: 9 }] }, /^timeline\.0\.t_end: /],
    ['a measure out of range', { timeline: [{ ...timeline[0], engagement: 2 }] }, /^timeline\.0\.engagement: /],
    ['a context that is no text', { timeline, context: 5 }, /^context: /],
    ['JSON that does not parse', '{"timeline": [', /JSON/],
  ])('refuses %s and names the place', async (_, body, detail) => {
    await expectError(await segment(body), 400, 'INVALID_REQUEST', detail);
  });
});
