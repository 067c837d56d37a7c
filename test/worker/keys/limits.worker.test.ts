import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { KeyListSchema, KeyUsageSchema } from '../../../src/contract/keys.ts';
import { TenantSchema } from '../../../src/contract/tenants.ts';
import { linesOf, SPOKEN, write } from '../../../support/fake-pipeline.ts';
import { clear, DEMO_KEY, form, startService, type TestService } from '../../../support/service-under-test.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({
    KEY_TRUST_SECONDS: '0.2',
    DEMO_REQUESTS_PER_MINUTE: '50',
    DEMO_FILE_SIZE_MB: '0.001',
    DEMO_SESSIONS: '1',
    DEMO_AUDIO_MINUTES_PER_DAY: '0.2',
  });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const newTenant = async (limits = {}) => {
  const { id } = TenantSchema.parse(await (await service.admin('POST', '/tenants', { name: 'limited' })).json());
  if (Object.keys(limits).length > 0) await service.admin('PATCH', `/tenants/${id}`, { limits });
  return id;
};
const analyze = (key: string, bytes: string | Uint8Array<ArrayBuffer> = 'media') =>
  service.post('/analyze', form('call.wav', bytes), { 'X-API-Key': key });
const metrics = (key: string) => fetch(new URL('/metrics', service.url), { headers: { 'X-API-Key': key } });
const start = (key: string) => service.post('/analyze/live/start', '', { 'X-API-Key': key });
/** Sends a number of requests, one after the other. @returns the statuses */
async function statuses(times: number, ask: () => Promise<Response>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) {
    const answer = await ask();
    await answer.text();
    all.push(answer.status);
  }
  return all;
}
const usageOf = async (id: string) =>
  KeyUsageSchema.parse(await (await service.admin('GET', `/keys/${id}/usage`)).json()).days;

describe('requests a minute', () => {
  it('are in the headers of every response, and requests beyond the limit are refused', async () => {
    const { key } = await service.issue({ tenant: await newTenant(), limits: { requests_per_minute: 3 } });
    // Not across the boundary of a minute.
    await vi.waitFor(() => expect(Date.now() % 60_000).toBeLessThan(50_000), 20_000);
    const answer = await metrics(key);
    await answer.text();
    expect(answer.headers.get('RateLimit-Policy')).toBe('"key";q=3;w=60, "tenant";q=60000;w=60');
    expect(answer.headers.get('RateLimit')).toMatch(/^"key";r=2;t=\d+, "tenant";r=59999;t=\d+$/);
    expect(answer.headers.get('Access-Control-Expose-Headers')).toMatch(/RateLimit,RateLimit-Policy/);
    expect(await statuses(2, () => metrics(key))).toEqual([200, 200]);
    const refused = await metrics(key);
    expect(refused.status).toBe(429);
    expect(ErrorBodySchema.parse(await refused.json())).toMatchObject({
      code: 'RATE_LIMITED',
      detail: expect.stringContaining('3 requests'),
    });
    expect(refused.headers.get('RateLimit')).toMatch(/^"key";r=0;t=\d+$/);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  }, 90_000);

  it('of a tenant are the sum over its keys', async () => {
    const tenant = await newTenant({ requests_per_minute: 4 });
    const keys = [await service.issue({ tenant }), await service.issue({ tenant })];
    await vi.waitFor(() => expect(Date.now() % 60_000).toBeLessThan(50_000), 20_000);
    const answered = [];
    for (const { key } of [...keys, ...keys, ...keys]) answered.push(...(await statuses(1, () => metrics(key))));
    expect(answered).toEqual([200, 200, 200, 200, 429, 429]);
  }, 90_000);
});

describe('the usage of a key', () => {
  it('is reported by day: requests, refusals, minutes of audio, and the last call', async () => {
    const issued = await service.issue({ tenant: await newTenant(), scopes: ['analyze', 'read'] });
    expect(await usageOf(issued.id)).toEqual([]);
    expect(await statuses(3, () => metrics(issued.key))).toEqual([200, 200, 200]);
    expect((await start(issued.key)).status).toBe(403);
    expect(await statuses(2, () => analyze(issued.key))).toEqual([200, 200]);
    const day = new Date().toISOString().slice(0, 10);
    // Each of the fake pipeline's conversations is six seconds long.
    expect(await usageOf(issued.id)).toEqual([{ day, requests: 5, refusals: 1, audio_minutes: 0.2 }]);
    const listed = KeyListSchema.parse(await (await service.admin('GET', `/keys?tenant=${issued.tenant}`)).json()).keys;
    expect(Date.now() - Date.parse(listed[0]?.last_used_at ?? '')).toBeLessThan(60_000);
  });

  it('counts the audio of an abandoned analysis', async () => {
    const issued = await service.issue({ tenant: await newTenant() });
    service.pipeline.answer = (response, { options }) =>
      write(response, linesOf(options.conversation_id, SPOKEN).slice(0, 4));
    const leave = new AbortController();
    const response = await fetch(new URL('/analyze/stream', service.url), {
      method: 'POST',
      headers: { 'X-API-Key': issued.key },
      body: form('call.wav', 'media'),
      signal: leave.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; !text.includes('event: final_transcript'); ) text += (await reader.read()).value;
    leave.abort();
    await vi.waitFor(async () => expect((await usageOf(issued.id))[0]?.audio_minutes).toBeGreaterThan(0), 30_000);
  });

  it('shows that a key that is no longer valid is still used', async () => {
    const issued = await service.issue({ tenant: await newTenant() });
    await statuses(1, () => metrics(issued.key));
    await service.admin('DELETE', `/keys/${issued.id}`);
    await vi.waitFor(async () => expect((await metrics(issued.key)).status).toBe(401), 10_000);
    await vi.waitFor(async () => expect((await usageOf(issued.id))[0]?.refusals).toBeGreaterThan(0), 10_000);
  });
});

describe('a limit set for a tenant or a key', () => {
  it('limits the size of a file', async () => {
    const { key } = await service.issue({ tenant: await newTenant({ file_megabytes: 0.01 }) });
    expect((await analyze(key, new Uint8Array(9_000))).status).toBe(200);
    const refused = await analyze(key, new Uint8Array(12_000));
    expect(ErrorBodySchema.parse(await refused.json()).code).toBe('FILE_TOO_LARGE');
  });

  it('limits files in parts like any other', async () => {
    const issued = await service.issue({
      tenant: await newTenant({ file_megabytes: 0.01 }),
      limits: { audio_minutes_per_day: 0.05 },
    });
    const open = (bytes: number) =>
      service.post('/uploads', JSON.stringify({ filename: 'a.wav', bytes }), {
        'X-API-Key': issued.key,
        'Content-Type': 'application/json',
      });
    expect(ErrorBodySchema.parse(await (await open(12_000)).json()).code).toBe('FILE_TOO_LARGE');
    const { id } = (await (await open(5)).json()) as { id: string };
    expect(await statuses(1, () => analyze(issued.key))).toEqual([200]);
    expect((await open(5)).status).toBe(429);
    const headers = { 'X-API-Key': issued.key };
    expect((await service.post(`/uploads/${id}/complete`, '', headers)).status).toBe(429);
  });

  it('limits the minutes of audio a day; a file that crosses the limit is finished', async () => {
    const { key } = await service.issue({ tenant: await newTenant(), limits: { audio_minutes_per_day: 0.15 } });
    expect(await statuses(3, () => analyze(key))).toEqual([200, 200, 429]);
    const refused = await start(key);
    expect(refused.headers.get('RateLimit-Policy')).toContain('"key-audio";q=0;qu="audio-minutes";w=86400');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  it('limits live sessions and running analyses', async () => {
    const { key } = await service.issue({
      tenant: await newTenant(),
      limits: { live_sessions: 1, running_analyses: 1 },
    });
    expect(await statuses(2, () => start(key))).toEqual([200, 429]);
    const heard = Promise.withResolvers<void>();
    const say = service.pipeline.answer;
    service.pipeline.answer = async (response, asked) => {
      await heard.promise;
      await say(response, asked);
    };
    const running = analyze(key);
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1), 10_000);
    const refused = await analyze(key);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('RateLimit')).toContain('"key-analyses";r=0');
    heard.resolve();
    expect((await running).status).toBe(200);
    expect(await statuses(2, () => analyze(key))).toEqual([200, 200]);
  });
});

describe('the public demo key', () => {
  it('has tight limits of its own, and its data is kept for a day', async () => {
    expect((await analyze(DEMO_KEY, new Uint8Array(900))).status).toBe(200);
    expect((await analyze(DEMO_KEY, new Uint8Array(1_100))).status).toBe(400);
    expect(await statuses(2, () => start(DEMO_KEY))).toEqual([200, 429]);
    // Twelve seconds a day, six in each.
    expect(await statuses(2, () => analyze(DEMO_KEY))).toEqual([200, 429]);
    const { keys } = KeyListSchema.parse(await (await service.admin('GET', '/keys')).json());
    const demo = keys.find(({ label }) => label === 'DEMO_API_KEY');
    const tenant = await (await service.admin('GET', `/tenants/${demo?.tenant}`)).json();
    expect(TenantSchema.parse(tenant).retention_days).toBe(1);
    const answered = await Promise.all(Array.from({ length: 120 }, () => metrics(DEMO_KEY)));
    await Promise.all(answered.map((answer) => answer.text()));
    expect(answered.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(100);
    expect(answered.some(({ status }) => status === 429)).toBe(true);
  });

  it('is an ordinary key where only its owner can reach the service', async () => {
    const own = await startService({ DEMO_IS_PUBLIC: 'false', DEMO_FILE_SIZE_MB: '0.001' });
    try {
      const answer = await own.post('/analyze', form('a.wav', new Uint8Array(5_000)), { 'X-API-Key': DEMO_KEY });
      expect(answer.status).toBe(200);
      await answer.text();
    } finally {
      await own.stop();
    }
  });
});
