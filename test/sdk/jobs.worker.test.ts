import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AnalysisProgress, Undertone, type Upload } from '../../src/sdk/index.ts';
import { SPOKEN, sayError, sayEverything, sayHalf } from '../../support/fake-pipeline.ts';
import { clear, KEY, startService, type TestService } from '../../support/service-under-test.ts';

let service: TestService;
let undertone: Undertone;
beforeAll(async () => {
  service = await startService();
  undertone = new Undertone({ url: service.url, key: KEY });
});
afterAll(() => service.stop());
beforeEach(() => clear(service));

const MEBIBYTE = 1024 * 1024;
const call = () => new File(['a recording'], 'call.wav');
/** A recording of three parts. */
const long = () => new File([new Uint8Array(33 * MEBIBYTE).fill(7)], 'long.wav');

const texts = ({ timeline }: { timeline: { text: string }[] }) => timeline.map(({ text }) => text);

/** A `fetch` that can be made to fail, and records its calls. */
function watched(fails: (url: URL, init: RequestInit) => boolean = () => false) {
  const calls: string[] = [];
  const through: typeof fetch = async (input, init = {}) => {
    const url = new URL(String(input));
    if (fails(url, init)) throw new TypeError('the line is dead');
    calls.push(`${init.method} ${url.pathname}`);
    return fetch(url, init);
  };
  return { calls, fetch: through };
}

describe('a background analysis', () => {
  it('is started, waited for, and found', async () => {
    const { conversation_id: id, status } = await undertone.start(call(), { goal: 'prices' });
    expect(['queued', 'running', 'completed']).toContain(status);
    const analysis = await undertone.wait(id);
    expect(texts(analysis)).toEqual(SPOKEN);
    expect(analysis.goal).toBe('prices');
    expect(await undertone.conversations.get(id)).toEqual(analysis);
  });

  it('reports its progress', async () => {
    const said: AnalysisProgress[] = [];
    const { promise: seen, resolve: see } = Promise.withResolvers<void>();
    service.pipeline.answer = async (response, asked) => {
      await sayHalf(response, asked);
      await seen;
      await sayEverything(response, asked);
    };
    const analysis = await undertone.analyze(call(), {
      onProgress(progress) {
        said.push(progress);
        if (said.some(({ phase }) => !['uploading', 'queued'].includes(phase))) see();
      },
    });
    expect(analysis.utterances).toBeGreaterThan(0);
    expect(said[0]).toEqual({ phase: 'uploading', progress: 0 });
    expect(said).toContainEqual({ phase: 'uploading', progress: 1 });
    for (const { progress } of said) expect(progress).toBeGreaterThanOrEqual(0);
  });

  it('throws the error of a failed analysis', async () => {
    service.pipeline.answer = sayError('NO_UTTERANCES', 'Nobody speaks');
    const { conversation_id } = await undertone.start(call());
    await expect(undertone.wait(conversation_id)).rejects.toMatchObject({ code: 'NO_UTTERANCES' });
  });

  it('leaves nothing when its signal is aborted', async () => {
    const leave = new AbortController();
    service.pipeline.answer = async (response, seen) => {
      await sayHalf(response, seen);
      leave.abort();
    };
    const options = { signal: leave.signal, onProgress: () => undefined };
    await expect(undertone.analyze(call(), options)).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => service.objects(), { timeout: 30_000 }).toEqual([]);
    const { conversations } = await undertone.conversations.list({ status: 'running' });
    expect(conversations).toEqual([]);
  });

  it('is started for an address', async () => {
    // The service refuses a loopback address, which shows that the address was sent.
    await expect(undertone.analyze({ url: 'http://127.0.0.1:9/call.wav' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expect(undertone.start({ url: new URL('http://127.0.0.1:9/call.wav') })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('is started again from a kept upload', async () => {
    service.pipeline.answer = sayError('ANALYSIS_FAILURE', 'A machine fell');
    const error = await undertone.analyze(call()).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'ANALYSIS_FAILURE', conversationId: expect.any(String) });
    service.pipeline.answer = sayEverything;
    const analysis = await undertone.analyze({ conversation_id: error.conversationId });
    expect(texts(analysis)).toEqual(SPOKEN);
    expect(analysis.conversation_id).toBe(error.conversationId);
  });

  it('of a kept upload is not lost to a signal', async () => {
    service.pipeline.answer = sayError('ANALYSIS_FAILURE', 'A machine fell');
    const { conversationId } = await undertone.analyze(call()).catch((reason) => reason);
    const leave = new AbortController();
    service.pipeline.answer = async (response, seen) => {
      leave.abort();
      await sayEverything(response, seen);
    };
    const options = { signal: leave.signal, onProgress: () => undefined };
    const left = undertone.analyze({ conversation_id: conversationId }, options);
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    expect(texts(await undertone.wait(conversationId))).toEqual(SPOKEN);
  });
});

describe('a recording in parts', () => {
  it('is sent in parts when progress is requested, and arrives unchanged', async () => {
    const { calls, fetch } = watched();
    const client = new Undertone({ url: service.url, key: KEY, fetch });
    const shares: number[] = [];
    const file = long();
    const analysis = await client.analyze(file, {
      onProgress: ({ phase, progress }) => phase === 'uploading' && shares.push(progress),
    });
    expect(texts(analysis)).toEqual(SPOKEN);
    expect(service.pipeline.seen[0]?.bytes).toBe(file.size);
    expect(calls.filter((line) => line.startsWith('PUT'))).toHaveLength(3);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it('is resumed where it was interrupted', async () => {
    let upload: Upload | undefined;
    const dead = watched((url, { method }) => method === 'PUT' && !url.pathname.endsWith('/1'));
    const breaking = new Undertone({ url: service.url, key: KEY, fetch: dead.fetch, retries: 0 });
    const file = long();
    const onUpload = (opened: Upload) => {
      upload = opened;
    };
    const options = { parallel: 1, onUpload };
    await expect(breaking.uploads.send(file, options)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    const id = upload?.id ?? '';
    expect((await undertone.uploads.get(id)).parts).toEqual([{ number: 1, bytes: 16 * MEBIBYTE }]);

    const whole = watched();
    const again = new Undertone({ url: service.url, key: KEY, fetch: whole.fetch });
    await expect(again.uploads.send(call(), { resume: id })).rejects.toThrow('a different size');
    const analysis = await again.analyze(file, { resume: id });
    expect(whole.calls.filter((line) => line.startsWith('PUT'))).toHaveLength(2);
    expect(analysis.conversation_id).toBe(id);
    expect(service.pipeline.seen[0]?.bytes).toBe(file.size);
  });

  it('is aborted by a signal and removed', async () => {
    const leave = new AbortController();
    let id = '';
    const options = {
      signal: leave.signal,
      parallel: 1,
      onUpload(opened: Upload) {
        id = opened.id;
      },
      onProgress: ({ progress }: AnalysisProgress) => progress > 0 && leave.abort(),
    };
    await expect(undertone.start(long(), options)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(undertone.uploads.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('parts sent directly to the object store', () => {
  /** A service and an object store with one upload of two parts. */
  function scripted() {
    const stored = new Map<string, string>();
    const noted: unknown[] = [];
    let signatures = 1;
    const body = () => ({
      ...{ id: 'u', filename: 'call.wav', bytes: 6, part_bytes: 4, part_count: 2, expires_at: '2030-01-01T00:00:00Z' },
      parts: noted.map((_, i) => ({ number: i + 1, bytes: i === 0 ? 4 : 2 })),
      part_urls: [1, 2].map((number) => ({ number, url: `https://store.example/${number}?signed=${signatures}` })),
    });
    const answer: typeof fetch = async (input, init = {}) => {
      const url = new URL(String(input));
      const key = new Headers(init.headers).get('X-API-Key');
      if (url.hostname === 'store.example') {
        expect(key).toBeNull();
        // The first signatures expire before the second part.
        if (url.pathname === '/2' && signatures === 1) {
          signatures = 2;
          return new Response('<Error>expired</Error>', { status: 403 });
        }
        stored.set(url.pathname, await (init.body as Blob).text());
        return new Response(null, { headers: { ETag: `"etag-${url.pathname.slice(1)}"` } });
      }
      expect(key).toBe('a-key');
      if (url.pathname.startsWith('/uploads/u/parts/')) noted.push(JSON.parse(String(init.body)));
      return Response.json(body());
    };
    return { stored, noted, fetch: answer };
  }

  it('are sent without the key, and with new signatures after expiry', async () => {
    const { stored, noted, fetch } = scripted();
    const client = new Undertone({ url: 'https://service.example', key: 'a-key', fetch });
    await client.uploads.send(new Blob(['abcdef']), { filename: 'call.wav', presigned: true, parallel: 1 });
    expect(Object.fromEntries(stored)).toEqual({ '/1': 'abcd', '/2': 'ef' });
    expect(noted).toEqual([{ etag: '"etag-1"' }, { etag: '"etag-2"' }]);
  });
});

describe('webhooks', () => {
  it('are added, listed, changed, tested and removed', async () => {
    const { secret, ...webhook } = await undertone.webhooks.create({ url: 'https://example.com/hook' });
    expect(() => new Webhook(secret)).not.toThrow();
    expect(await undertone.webhooks.list()).toContainEqual(webhook);
    expect(await undertone.webhooks.deliveries(webhook.id)).toEqual([]);
    const events = ['analysis.failed'] as const;
    expect(await undertone.webhooks.update(webhook.id, { events: [...events] })).toEqual({ ...webhook, events });
    const { id } = await undertone.webhooks.test(webhook.id);
    expect(await undertone.webhooks.deliveries(webhook.id)).toMatchObject([
      { id, event: 'webhook.test', conversation_id: null },
    ]);
    await expect(undertone.webhooks.redeliver(webhook.id, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await undertone.webhooks.delete(webhook.id);
    expect((await undertone.webhooks.list()).map((one) => one.id)).not.toContain(webhook.id);
  });
});
