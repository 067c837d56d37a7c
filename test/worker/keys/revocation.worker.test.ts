import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { RotatedKeySchema } from '../../../src/contract/keys.ts';
import { sayHalf } from '../../../support/fake-pipeline.ts';
import { clear, form, startService, type TestService } from '../../../support/service-under-test.ts';
import { readEvents } from '../../../support/stream-client.ts';

/** Time for which an isolate trusts an answer in these tests, ms. */
const TRUST_MS = 1_000;

let service: TestService;
beforeAll(async () => {
  service = await startService({ KEY_TRUST_SECONDS: String(TRUST_MS / 1000) });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

describe('an analysis under way whose key is revoked', () => {
  it('ends with 401, and leaves nothing', async () => {
    const { id, key } = await service.issue();
    service.pipeline.answer = sayHalf;
    const analysis = service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': key });
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1), 10_000);
    await service.admin('DELETE', `/keys/${id}`);
    const answer = await analysis;
    expect(answer.status).toBe(401);
    expect(ErrorBodySchema.parse(await answer.json()).code).toBe('INVALID_KEY');
    await vi.waitFor(async () => expect(await service.objects()).toEqual([]), 10_000);
  });

  it('ends its stream with the error that says so', async () => {
    const { id, key } = await service.issue();
    service.pipeline.answer = sayHalf;
    const stream = service.post('/analyze/stream', form('call.wav', 'media'), { 'X-API-Key': key });
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1), 10_000);
    await service.admin('DELETE', `/keys/${id}`);
    const events = await readEvents(await stream);
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'INVALID_KEY' } });
    expect(events.filter(({ event }) => event === 'error' || event === 'done')).toHaveLength(1);
    await vi.waitFor(async () => expect(await service.objects()).toEqual([]), 10_000);
  });

  it('ends when the key expires, too', async () => {
    const { key } = await service.issue({ expires_at: new Date(Date.now() + 3_000).toISOString() });
    service.pipeline.answer = sayHalf;
    const answer = await service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': key });
    expect(answer.status).toBe(401);
    await answer.text();
  });
});

describe('under load', () => {
  interface Asked {
    begunAt: number;
    status: number;
  }

  /** Sends requests with the current key, one after the other on each connection, until stopped. */
  function load(currentKey: () => string) {
    const asked: (Asked & { key: string })[] = [];
    let isOver = false;
    const line = async (): Promise<void> => {
      while (!isOver) {
        const key = currentKey();
        const begunAt = Date.now();
        const answer = await fetch(new URL('/metrics', service.url), { headers: { 'X-API-Key': key } });
        await answer.text();
        asked.push({ key, begunAt, status: answer.status });
      }
    };
    const lines = Array.from({ length: 8 }, line);
    return {
      asked,
      async stop() {
        isOver = true;
        await Promise.all(lines);
      },
    };
  }
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it('a rotation fails no request with either key until the exact end of the old one', async () => {
    const old = await service.issue();
    let current = old.key;
    const clients = load(() => current);
    const laggard = load(() => old.key);
    await vi.waitFor(() => expect(clients.asked.length).toBeGreaterThan(50), 30_000);
    const answer = await service.admin('POST', `/keys/${old.id}/rotate`, { overlap_seconds: 3 });
    const fresh = RotatedKeySchema.parse(await answer.json());
    current = fresh.key;
    const end = Date.parse(fresh.replaces.expires_at ?? '');
    await wait(end - Date.now() + TRUST_MS);
    await Promise.all([clients.stop(), laggard.stop()]);
    expect(clients.asked.filter(({ status }) => status !== 200)).toEqual([]);
    const withNew = clients.asked.filter(({ key }) => key === fresh.key);
    expect(withNew.length).toBeGreaterThan(50);
    // A client that never changes its key is served until the end of the overlap, and not after the end is known.
    const late = laggard.asked.filter(({ begunAt }) => begunAt > end + TRUST_MS);
    expect(late.filter(({ status }) => status !== 401)).toEqual([]);
    expect(laggard.asked.some(({ status }) => status === 401)).toBe(true);
  });

  it('a revoked key is accepted nowhere after the trust period', async () => {
    const { id, key } = await service.issue();
    const clients = load(() => key);
    await vi.waitFor(() => expect(clients.asked.length).toBeGreaterThan(50), 30_000);
    await service.admin('DELETE', `/keys/${id}`);
    const revokedAt = Date.now();
    await wait(TRUST_MS + 1_000);
    await clients.stop();
    const late = clients.asked.filter(({ begunAt }) => begunAt > revokedAt + TRUST_MS);
    expect(late.length).toBeGreaterThan(10);
    expect(late.filter(({ status }) => status !== 401)).toEqual([]);
    expect(
      clients.asked.filter(({ begunAt }) => begunAt < revokedAt - 2_000).every(({ status }) => status === 200),
    ).toBe(true);
  });
});
