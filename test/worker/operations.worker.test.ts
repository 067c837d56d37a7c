import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AuditListSchema } from '../../src/contract/audit.ts';
import { JobSchema } from '../../src/contract/jobs.ts';
import { WelcomeSchema } from '../../src/contract/keys.ts';
import { type OperationsBody, OperationsSchema } from '../../src/contract/operations.ts';
import { sayError, sayEverything } from '../../support/fake-pipeline.ts';
import { ADMIN_TOKEN, DEMO_KEY, form, KEY, startService, type TestService } from '../../support/service-under-test.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const operations = async (query = ''): Promise<OperationsBody> =>
  OperationsSchema.parse(await (await service.admin('GET', `/operations${query}`)).json());

it('tells the operator what was analysed, what failed under which request, and what is stored', async () => {
  const well = await service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': KEY });
  expect(well.status).toBe(200);
  await well.text();
  service.pipeline.answer = sayError('NO_UTTERANCES', 'No utterances detected in uploaded media');
  const ill = await service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': KEY });
  const failed = (await ill.json()) as { request_id: string };
  await vi.waitFor(async () => {
    const told = await operations();
    const sum = (of: 'completed' | 'failed'): number => told.hours.reduce((count, hour) => count + hour[of], 0);
    expect({ completed: sum('completed'), failed: sum('failed') }).toEqual({ completed: 1, failed: 1 });
    expect(told.failures).toEqual([
      expect.objectContaining({
        code: 'NO_UTTERANCES',
        is_ours: false,
        count: 1,
        requests: [
          expect.objectContaining({
            request_id: failed.request_id,
            reason: 'No utterances detected in uploaded media',
            can_retry: false,
          }),
        ],
      }),
    ]);
    expect(told.duration_ms?.median).toBeGreaterThan(0);
    expect(told.tenants.some(({ stored_bytes }) => stored_bytes > 0)).toBe(true);
    expect(told).toMatchObject({ is_whole: true, has_language_model: false, has_live: true });
    expect(told.queue).toMatchObject({ running: 0, waiting: 0 });
    expect(told.queue?.slots).toBeGreaterThan(0);
    expect(told.pipelines?.total).toBe(1);
    expect(told.pool).toEqual({
      instances: [expect.objectContaining({ name: service.pipeline.url, state: 'ready' })],
      waiting_live: 0,
    });
    expect(told.dead_letters).toEqual([]);
  }, 20_000);
});

it('analyses again what a machine failed, and notes who asked for it', async () => {
  service.pipeline.answer = sayError('ANALYSIS_FAILURE', 'The pipeline stopped');
  const { conversation_id: id } = (await (
    await service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': KEY })
  ).json()) as { conversation_id: string };
  service.pipeline.answer = sayEverything;
  const listed = async () =>
    (await operations()).failures.flatMap(({ requests }) => requests).find((one) => one.conversation_id === id);
  const { tenant, can_retry: canRetry } = (await vi.waitUntil(listed, 20_000))!;
  expect(canRetry).toBe(true);
  const again = await service.admin('POST', `/tenants/${tenant}/conversations/${id}/retry`);
  expect({ status: again.status, job: JobSchema.parse(await again.json()).conversation_id }).toEqual({
    status: 202,
    job: id,
  });
  await vi.waitFor(async () => expect(await listed()).toBeUndefined(), 20_000);
  const acts = AuditListSchema.parse(await (await service.admin('GET', `/audit?tenant=${tenant}`)).json()).entries;
  expect(acts[0]).toMatchObject({ who: 'operator', act: 'conversation.retried', subject: id });
  await vi.waitFor(
    async () => expect((await service.admin('POST', `/tenants/${tenant}/conversations/${id}/retry`)).status).toBe(404),
    20_000,
  );
});

it('refuses invalid hours', async () => {
  for (const hours of ['0', '169', 'x'])
    expect((await service.admin('GET', `/operations?hours=${hours}`)).status).toBe(400);
});

it('gives a page the public demo key, and the signed-in user', async () => {
  const welcome = async (headers: Record<string, string> = {}) =>
    WelcomeSchema.parse(await (await fetch(new URL('/welcome', service.url), { headers })).json());
  expect(await welcome()).toEqual({
    demo_key: DEMO_KEY,
    has_sign_in: false,
    operator: null,
    person: null,
  });
  expect(await welcome({ Authorization: `Bearer ${ADMIN_TOKEN}` })).toEqual({
    demo_key: DEMO_KEY,
    has_sign_in: false,
    operator: 'operator',
    person: null,
  });
});

it('leads from the root to the pages, whatever their name, with their security headers', async () => {
  const root = await fetch(service.url, { redirect: 'manual' });
  expect({ status: root.status, to: root.headers.get('Location') }).toEqual({ status: 302, to: '/app' });
  for (const path of ['/app', '/app/live', '/app/conversations/anything']) {
    const page = await fetch(new URL(path, service.url));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<title>Undertone</title>');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(page.headers.get('Cache-Control')).toContain('must-revalidate');
  }
  expect((await fetch(new URL('/app/a/b/c', service.url))).status).toBe(404);
});
