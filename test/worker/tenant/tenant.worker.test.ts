import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Result } from '../../../src/contract/result.ts';
import type { TenantBody, TenantList, TenantPatch } from '../../../src/contract/tenants.ts';
import type { Actor } from '../../../src/worker/identity/caller.ts';
import { startService, type TestService } from '../../../support/service-under-test.ts';

const ACTOR = { who: 'operator', address: '', requestId: 'r' };

interface Objects {
  TENANT: Namespace<{
    create(id: string, how?: { name?: string; retentionDays?: number }): Promise<TenantBody>;
    read(): Promise<TenantBody | null>;
    patch(patch: TenantPatch, actor: Actor): Promise<Result<TenantBody>>;
  }>;
  DIRECTORY: Namespace<{ list(cursor: string, limit: number): Promise<TenantList> }>;
}
interface Namespace<T> {
  get(id: unknown): T;
  idFromName(name: string): unknown;
}

let service: TestService;
let env: Objects;
beforeAll(async () => {
  service = await startService();
  env = await service.harness.getWorker<Objects>().getEnv();
});
afterAll(() => service.stop());

const tenant = (id: string) => env.TENANT.get(env.TENANT.idFromName(id));
const list = (cursor = '', limit = 100) => env.DIRECTORY.get(env.DIRECTORY.idFromName('directory')).list(cursor, limit);

it('a tenant that was never created does not exist, and a request does not create it', async () => {
  expect(await tenant('nobody').read()).toBeNull();
  expect(await tenant('nobody').patch({ affect: 'none' }, ACTOR)).toMatchObject({ ok: false, code: 'NOT_FOUND' });
  expect(await tenant('nobody').read()).toBeNull();
  expect((await list()).tenants.map(({ id }) => id)).not.toContain('nobody');
});

it('a tenant is created once, is listed, and keeps its settings', async () => {
  const made = await tenant('acme').create('acme', { name: 'Acme & Sons' });
  expect(made).toMatchObject({ id: 'acme', name: 'Acme & Sons', limits: {}, affect: 'full', retention_days: null });
  expect(await tenant('acme').create('acme', { name: 'Another' })).toEqual(made);
  await tenant('acme').patch({ retention_days: 30, limits: { live_sessions: 3 } }, ACTOR);
  await tenant('acme').patch({ name: 'Acme', affect: 'words', words: ['Zorblax'] }, ACTOR);
  const { created_at } = made;
  const now = {
    id: 'acme',
    name: 'Acme',
    created_at,
    limits: { live_sessions: 3 },
    affect: 'words',
    access_log_days: 400,
    keep_original: false,
    retention_days: 30,
    redact: [],
    roles: null,
    words: ['Zorblax'],
  };
  expect(await tenant('acme').read()).toEqual(now);
  expect((await list()).tenants).toContainEqual({ id: 'acme', name: 'Acme', created_at });
});

it('the directory is read page by page, each tenant once', async () => {
  const ids = Array.from({ length: 7 }, (_, i) => `page-${i}`);
  await Promise.all(ids.map((id) => tenant(id).create(id)));
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: TenantList = await list(cursor, 3);
    expect(page.tenants.length).toBeLessThanOrEqual(3);
    seen.push(...page.tenants.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(ids));
});
