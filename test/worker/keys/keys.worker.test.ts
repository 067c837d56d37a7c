import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { AuditListSchema } from '../../../src/contract/audit.ts';
import { CurrentKeySchema, KeyListSchema, KeySchema, RotatedKeySchema } from '../../../src/contract/keys.ts';
import { TenantListSchema, TenantSchema } from '../../../src/contract/tenants.ts';
import { clear, form, KEY, startService, statusOf, type TestService } from '../../../support/service-under-test.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ KEY_TRUST_SECONDS: '0.2', API_KEYS: `${KEY}, acme-co:configured` });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const metrics = (key: string): Promise<Response> =>
  fetch(new URL('/metrics', service.url), { headers: { 'X-API-Key': key } });
/** Waits until requests with a key get this status. */
const answered = (key: string, status: number) =>
  vi.waitFor(async () => expect(await statusOf(metrics(key))).toBe(status), 10_000);
const errorOf = async (response: Promise<Response>) => {
  const answer = await response;
  const { code, detail } = ErrorBodySchema.parse(await answer.json());
  return { status: answer.status, code, detail };
};
/** A request with a key, and a JSON body if one is given. */
const ask = (key: string, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(new URL(path, service.url), {
    method,
    headers: { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
const newTenant = async (name: string) =>
  TenantSchema.parse(await (await service.admin('POST', '/tenants', { name })).json());
const keysOf = async (tenant: string) =>
  KeyListSchema.parse(await (await service.admin('GET', `/keys?tenant=${tenant}`)).json()).keys;

it('a key can ask what it is and what it permits', async () => {
  const tenant = await newTenant('Curious');
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const key = await service.issue({ tenant: tenant.id, label: 'CRM', scopes: ['read', 'admin'], expires_at });
  const current = async (of: string) => CurrentKeySchema.parse(await (await ask(of, 'GET', '/keys/current')).json());
  expect(await current(key.key)).toEqual({
    id: key.id,
    tenant: tenant.id,
    label: 'CRM',
    scopes: ['read', 'admin'],
    source: 'issued',
    created_at: key.created_at,
    expires_at,
  });
  await service.admin('PATCH', `/keys/${key.id}`, { label: 'CRM import' });
  expect((await current(key.key)).label).toBe('CRM import');
  const configured = { tenant: 'acme-co', label: 'API_KEYS', source: 'settings', created_at: null, expires_at: null };
  expect(await current('configured')).toMatchObject(configured);
});

describe('an issued key', () => {
  it('is shown once, may call, and stores under its tenant', async () => {
    const tenant = await newTenant('Acme');
    const key = await service.issue({ label: 'server', tenant: tenant.id });
    expect(key).toMatchObject({
      tenant: tenant.id,
      label: 'server',
      status: 'active',
      scopes: ['analyze', 'read', 'delete', 'live'],
    });
    expect(key.key).toMatch(new RegExp(`^ut_${key.id}_[0-9A-Za-z]{43}$`));
    const answer = await service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': key.key });
    expect(((await answer.json()) as { artifact_dir: string }).artifact_dir).toMatch(`${tenant.id}/`);
    const listed = await (await service.admin('GET', `/keys?tenant=${tenant.id}`)).text();
    expect(listed).toContain(key.id);
    expect(listed).not.toContain(key.key);
  });

  it('goes to the tenant "default" when the operator names none', async () => {
    const key = await service.issue();
    expect(key.tenant).toBe('default');
    expect(await statusOf(metrics(key.key))).toBe(200);
  });

  it('may do what its scopes allow and nothing else', async () => {
    const key = await service.issue({ scopes: ['read'] });
    expect(await statusOf(metrics(key.key))).toBe(200);
    const refused = service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': key.key });
    expect(await errorOf(refused)).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      detail: expect.stringContaining('analyze'),
    });
    await service.admin('PATCH', `/keys/${key.id}`, { scopes: ['analyze'] });
    await answered(key.key, 403);
    expect(await statusOf(service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': key.key }))).toBe(200);
  });

  it('with another secret is invalid', async () => {
    const { key } = await service.issue();
    const last = key.endsWith('a') ? 'b' : 'a';
    expect(await statusOf(metrics(key.slice(0, -1) + last))).toBe(401);
    expect(await statusOf(metrics(key))).toBe(200);
  });

  it('ends exactly when it expires, and continues when the end is postponed', async () => {
    const key = await service.issue({ expires_at: new Date(Date.now() + 2000).toISOString() });
    expect(await statusOf(metrics(key.key))).toBe(200);
    await answered(key.key, 401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(key.expires_at ?? ''));
    expect((await keysOf('default')).find(({ id }) => id === key.id)?.status).toBe('expired');
    await service.admin('PATCH', `/keys/${key.id}`, { expires_at: null });
    await answered(key.key, 200);
  });

  it('ends for good when it is revoked', async () => {
    const key = await service.issue();
    expect(await statusOf(metrics(key.key))).toBe(200);
    const revoked = KeySchema.parse(await (await service.admin('DELETE', `/keys/${key.id}`)).json());
    expect(revoked).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
    await answered(key.key, 401);
    await service.admin('PATCH', `/keys/${key.id}`, { expires_at: null });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await statusOf(metrics(key.key))).toBe(401);
  });

  it('is rotated: both are valid for the overlap, then only the new one', async () => {
    const old = await service.issue({ label: 'rotated' });
    const answer = await service.admin('POST', `/keys/${old.id}/rotate`, { overlap_seconds: 3 });
    const fresh = RotatedKeySchema.parse(await answer.json());
    expect(fresh).toMatchObject({
      label: 'rotated',
      tenant: old.tenant,
      replaces: { id: old.id, replaced_by: fresh.id },
    });
    expect(await Promise.all([old, fresh].map(({ key }) => statusOf(metrics(key))))).toEqual([200, 200]);
    await answered(old.key, 401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(fresh.replaces.expires_at ?? ''));
    expect(await statusOf(metrics(fresh.key))).toBe(200);
  });
});

describe('a key of the settings', () => {
  it('is listed with its tenant, and changed only in the settings', async () => {
    const [key] = await keysOf('acme-co');
    expect(key).toMatchObject({ label: 'API_KEYS', source: 'settings', status: 'active', tenant: 'acme-co' });
    for (const [method, path] of [
      ['PATCH', `/keys/${key?.id}`],
      ['DELETE', `/keys/${key?.id}`],
      ['POST', `/keys/${key?.id}/rotate`],
    ] as const)
      expect(await errorOf(service.admin(method, path, {}))).toMatchObject({
        status: 400,
        detail: expect.stringContaining('API_KEYS'),
      });
  });

  it('is among all keys, and its tenant among all tenants, before its first call', async () => {
    const fresh = await startService({ API_KEYS: 'bare, silent-co:never-used' });
    try {
      const { keys } = KeyListSchema.parse(await (await fresh.admin('GET', '/keys')).json());
      expect(keys.map(({ tenant, label }) => `${tenant} ${label}`)).toContain('silent-co API_KEYS');
      expect(keys).toHaveLength(3);
      const { tenants } = TenantListSchema.parse(await (await fresh.admin('GET', '/tenants')).json());
      expect(tenants.map(({ id }) => id)).toContain('silent-co');
    } finally {
      await fresh.stop();
    }
  });

  it('may have issued keys in the same tenant', async () => {
    const issued = await service.issue({ tenant: 'acme-co' });
    expect((await keysOf('acme-co')).map(({ id, source }) => [id, source])).toContainEqual([issued.id, 'issued']);
  });
});

describe('a key with the scope admin', () => {
  it('manages the keys of its own tenant', async () => {
    const { id: tenant } = await newTenant('Own');
    const { key: admin } = await service.issue({ tenant, scopes: ['admin'] });
    const made = await ask(admin, 'POST', '/keys', { label: 'second', scopes: ['read'] });
    expect(made.status).toBe(201);
    const second = (await made.json()) as { id: string; key: string; tenant: string };
    expect(second.tenant).toBe(tenant);
    expect(await statusOf(ask(admin, 'PATCH', `/keys/${second.id}`, { label: 'renamed' }))).toBe(200);
    expect(await statusOf(ask(admin, 'POST', `/keys/${second.id}/rotate`))).toBe(201);
    expect(await statusOf(ask(admin, 'DELETE', `/keys/${second.id}`))).toBe(200);
    const { keys } = KeyListSchema.parse(await (await ask(admin, 'GET', '/keys')).json());
    expect(new Set(keys.map((key) => key.tenant))).toEqual(new Set([tenant]));
    expect(TenantSchema.parse(await (await ask(admin, 'GET', `/tenants/${tenant}`)).json()).name).toBe('Own');
    const audit = AuditListSchema.parse(await (await ask(admin, 'GET', '/audit')).json());
    expect(audit.entries.map(({ act, who }) => [act, who.split(' ')[0]])).toEqual([
      ['key.revoked', 'key'],
      ['key.rotated', 'key'],
      ['key.changed', 'key'],
      ['key.issued', 'key'],
      ['key.issued', 'operator'],
      ['tenant.created', 'operator'],
    ]);
  });

  it('changes nothing of another tenant or of the operator', async () => {
    const [mine, other] = [await newTenant('Mine'), await newTenant('Other')];
    const { key: admin } = await service.issue({ tenant: mine.id, scopes: ['admin'] });
    const theirs = await service.issue({ tenant: other.id });
    const asked = [
      ask(admin, 'POST', '/keys', { label: 'x', tenant: other.id }),
      ask(admin, 'POST', '/keys', { label: 'x', limits: { live_sessions: 99 } }),
      ask(admin, 'GET', `/keys?tenant=${other.id}`),
      ask(admin, 'GET', `/audit?tenant=${other.id}`),
      ask(admin, 'POST', '/tenants', { name: 'x' }),
      ask(admin, 'GET', '/tenants'),
      ask(admin, 'PATCH', `/tenants/${mine.id}`, { retention_days: 9 }),
      ask(admin, 'GET', '/session'),
    ];
    expect(await Promise.all(asked.map(statusOf))).toEqual(asked.map(() => 403));
    const hidden = [
      ask(admin, 'PATCH', `/keys/${theirs.id}`, { label: 'x' }),
      ask(admin, 'DELETE', `/keys/${theirs.id}`),
      ask(admin, 'POST', `/keys/${theirs.id}/rotate`),
      ask(admin, 'GET', `/keys/${theirs.id}/usage`),
      ask(admin, 'GET', `/tenants/${other.id}`),
    ];
    expect(await Promise.all(hidden.map(statusOf))).toEqual(hidden.map(() => 404));
    expect(await statusOf(metrics(theirs.key))).toBe(200);
    // It administers and does nothing else.
    expect(await statusOf(metrics(admin))).toBe(403);
  });
});

describe('tenants', () => {
  it('are created, listed, read and changed', async () => {
    const made = await newTenant('  Many & Co  ');
    expect(made).toMatchObject({ name: 'Many & Co', limits: {}, affect: 'full', retention_days: null });
    const patch = { limits: { audio_minutes_per_day: 5 }, affect: 'none', retention_days: 7 };
    expect(await (await service.admin('PATCH', `/tenants/${made.id}`, patch)).json()).toEqual({ ...made, ...patch });
    expect(await (await service.admin('GET', `/tenants/${made.id}`)).json()).toEqual({ ...made, ...patch });
    const { tenants } = TenantListSchema.parse(await (await service.admin('GET', '/tenants')).json());
    expect(tenants).toContainEqual({ id: made.id, name: 'Many & Co', created_at: made.created_at });
  });

  it('that were never created are unknown', async () => {
    for (const id of ['nobody', 'pending', 'UPPER', 'a'.repeat(200)])
      expect(await statusOf(service.admin('GET', `/tenants/${encodeURIComponent(id)}`))).toBe(404);
    expect(await errorOf(service.admin('POST', '/keys', { label: 'x', tenant: 'nobody' }))).toMatchObject({
      status: 404,
    });
  });
});

describe('an invalid request', () => {
  it.each([
    ['POST', '/keys', {}, /^label: /],
    ['POST', '/keys', { label: '' }, /^label: /],
    ['POST', '/keys', { label: 'x'.repeat(129) }, /^label: /],
    ['POST', '/keys', { label: 'x', scopes: [] }, /^scopes: /],
    ['POST', '/keys', { label: 'x', scopes: ['root'] }, /^scopes\.0: /],
    ['POST', '/keys', { label: 'x', expires_at: 'soon' }, /^expires_at: /],
    ['POST', '/keys', { label: 'x', expires_at: '2020-01-01T00:00:00Z' }, /^expires_at: must be in the future/],
    ['POST', '/keys', { label: 'x', limits: { requests_per_minute: -1 } }, /^limits\.requests_per_minute: /],
    ['POST', '/keys', { label: 'x', secret: 'y' }, /secret/],
    ['POST', '/tenants', {}, /^name: /],
    ['PATCH', '/tenants/default', { affect: 'some' }, /^affect: /],
    ['PATCH', '/tenants/default', { retention_days: 0 }, /^retention_days: /],
    ['POST', '/session', {}, /^token: /],
    ['GET', '/audit?cursor=x', undefined, /^cursor: /],
    ['GET', '/tenants?limit=0', undefined, /^limit: /],
  ])('%s %s %j is a 400 that names the place', async (method, path, body, detail) => {
    await service.issue();
    expect(await errorOf(service.admin(method, path, body))).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      detail: expect.stringMatching(detail),
    });
  });
});

it('the audit lists every act, in pages, and contains no secret', async () => {
  const { id: tenant } = await newTenant('Audited');
  const key = await service.issue({ tenant, label: 'watched' });
  const rotated = RotatedKeySchema.parse(await (await service.admin('POST', `/keys/${key.id}/rotate`, {})).json());
  await service.admin('PATCH', `/tenants/${tenant}`, { retention_days: 3 });
  await service.admin('DELETE', `/keys/${rotated.id}`);
  const acts: string[] = [];
  let text = '';
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await service.admin('GET', `/audit?tenant=${tenant}&limit=2${cursor && `&cursor=${cursor}`}`);
    const body = await page.text();
    text += body;
    const { entries, next_cursor } = AuditListSchema.parse(JSON.parse(body));
    acts.push(...entries.map(({ act, subject }) => `${act} ${subject}`));
    cursor = next_cursor;
  }
  expect(acts).toEqual([
    `key.revoked ${rotated.id}`,
    `tenant.changed ${tenant}`,
    `key.rotated ${key.id}`,
    `key.issued ${key.id}`,
    `tenant.created ${tenant}`,
  ]);
  for (const secret of [key.key, rotated.key]) expect(text).not.toContain(secret.split('_').at(-1));
});

it('without a pepper no key is issued, and earlier ones are invalid', async () => {
  const bare = await startService({ KEY_PEPPER: '' });
  try {
    expect(await errorOf(bare.admin('POST', '/keys', { label: 'x' }))).toMatchObject({
      status: 404,
      code: 'KEYS_DISABLED',
    });
    const { key } = await service.issue();
    const asked = fetch(new URL('/metrics', bare.url), { headers: { 'X-API-Key': key } });
    expect(await statusOf(asked)).toBe(401);
  } finally {
    await bare.stop();
  }
});
