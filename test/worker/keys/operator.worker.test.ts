import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { AuditListSchema } from '../../../src/contract/audit.ts';
import { ADMIN_TOKEN, KEY, startService, statusOf, type TestService } from '../../../support/service-under-test.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const call = (path: string, init: RequestInit = {}, at = service): Promise<Response> =>
  fetch(new URL(path, at.url), init);

/** Signs in. @returns the cookie as a browser would send it, and all its attributes */
async function signIn(token = ADMIN_TOKEN, headers: Record<string, string> = {}) {
  const response = await call('/session', {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ token }),
  });
  await response.text();
  const set = response.headers.get('Set-Cookie') ?? '';
  return { status: response.status, set, cookie: set.split(';')[0]! };
}
const withCookie = (cookie: string, headers: Record<string, string> = {}) => ({
  headers: { Cookie: cookie, ...headers },
});

describe('the admin token', () => {
  it('is accepted unchanged, and only in its header', async () => {
    expect(await statusOf(service.admin('GET', '/tenants'))).toBe(200);
    for (const headers of [
      {},
      { Authorization: ADMIN_TOKEN },
      { Authorization: 'Bearer' },
      { Authorization: `Bearer ${ADMIN_TOKEN}x` },
      { Authorization: `Bearer ${ADMIN_TOKEN.toUpperCase()}` },
      { Authorization: `Basic ${btoa(`admin:${ADMIN_TOKEN}`)}` },
      { 'X-API-Key': ADMIN_TOKEN },
    ])
      expect(await statusOf(call('/tenants', { headers: headers as Record<string, string> }))).toBe(401);
    expect(await statusOf(call(`/tenants?api_key=${ADMIN_TOKEN}`))).toBe(401);
  });

  it('is worthless where a key is required, and a key is worthless where it is required', async () => {
    expect(await statusOf(service.admin('GET', '/metrics'))).toBe(401);
    expect(await statusOf(call('/tenants', { headers: { 'X-API-Key': KEY } }))).toBe(403);
    // A key in the request takes precedence.
    expect(await statusOf(service.admin('GET', '/tenants', undefined, { 'X-API-Key': KEY }))).toBe(403);
  });

  it('cannot be guessed without limit', async () => {
    const from = { 'CF-Connecting-IP': '192.0.2.99' };
    const tries = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        call('/tenants', { headers: { Authorization: `Bearer guess-${i}`, ...from } }),
      ),
    );
    const refused = tries.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
    await Promise.all(tries.map((answer) => answer.body?.cancel()));
    expect(await statusOf(service.admin('GET', '/tenants', undefined, { 'CF-Connecting-IP': '192.0.2.98' }))).toBe(200);
    // Wrong guesses from an address that the operator shares do not lock the operator out.
    expect(await statusOf(service.admin('GET', '/tenants', undefined, from))).toBe(200);
    const signIn = call('/session', {
      method: 'POST',
      headers: { ...JSON_TYPE, ...from },
      body: JSON.stringify({ token: ADMIN_TOKEN }),
    });
    expect(await statusOf(signIn)).toBe(201);
  });
});

describe('a session', () => {
  it('is opened by the token, shown, and closed; a copy of its cookie is then worthless', async () => {
    const { status, set, cookie } = await signIn();
    expect(status).toBe(201);
    for (const part of [/^__Host-/, /; Secure/i, /; HttpOnly/i, /; SameSite=Strict/i, /; Path=\//i])
      expect(set).toMatch(part);
    expect(set).not.toMatch(/domain/i);
    const seen = await call('/session', withCookie(cookie));
    expect(await seen.json()).toEqual({ operator: 'operator', expires_at: expect.any(String) });
    expect(await statusOf(call('/tenants', withCookie(cookie)))).toBe(200);
    const closed = await call('/session', { method: 'DELETE', ...withCookie(cookie) });
    expect(closed.status).toBe(204);
    expect(closed.headers.get('Set-Cookie')).toMatch(/^__Host-undertone-operator=; Max-Age=0/);
    expect(await statusOf(call('/session', withCookie(cookie)))).toBe(401);
    expect(await statusOf(call('/tenants', withCookie(cookie)))).toBe(401);
  });

  it('is opened by nothing else', async () => {
    for (const token of ['', 'wrong', `${ADMIN_TOKEN} `, KEY])
      expect(await signIn(token)).toMatchObject({ status: 401, set: '' });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await statusOf(call('/session', { method: 'POST', headers: form, body: `token=${ADMIN_TOKEN}` }))).toBe(400);
  });

  it('cannot be forged', async () => {
    const { cookie } = await signIn();
    const [name, jwt = ''] = cookie.split('=');
    const [header = '', payload = '', signature = ''] = jwt.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const longer = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), exp: 9e9 }),
    );
    for (const forged of [
      '',
      'x',
      `${header}.${payload}.`,
      `${none}.${payload}.`,
      `${header}.${longer.toString('base64url')}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -2)}AA`,
      `${jwt}.${signature}`,
    ])
      expect(await statusOf(call('/session', withCookie(`${name}=${forged}`)))).toBe(401);
    expect(await statusOf(call('/session', withCookie(`other=${jwt}`)))).toBe(401);
    expect(await statusOf(call('/session', withCookie(cookie)))).toBe(200);
  });

  it('is not available to pages of other sites', async () => {
    const { cookie } = await signIn();
    const own = service.url.origin;
    const make = (headers: Record<string, string>) =>
      statusOf(
        call('/tenants', {
          method: 'POST',
          headers: { ...JSON_TYPE, Cookie: cookie, ...headers },
          body: '{"name":"by a page"}',
        }),
      );
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `${own}.evil.example` },
      { Origin: own, 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: own.replace(/:\d+$/, ':1'), 'Sec-Fetch-Site': 'same-site' },
    ])
      expect(await make(headers as Record<string, string>)).toBe(403);
    expect(await make({ Origin: own, 'Sec-Fetch-Site': 'same-origin' })).toBe(201);
    expect(await make({})).toBe(201);
    // The content types that a form of another page can send without a preflight.
    expect(await make({ 'Content-Type': 'text/plain' })).toBe(400);
    expect(await signIn(ADMIN_TOKEN, { Origin: 'https://evil.example' })).toMatchObject({ status: 403, set: '' });
  });

  it('ends with the token that opened it', async () => {
    const { cookie } = await signIn();
    await service.harness.update((options) => ({
      ...options,
      workers: options.workers.map((worker) => ({
        ...worker,
        vars: { ...('vars' in worker && worker.vars), ADMIN_TOKEN: 'another-admin-token-0123456789' },
      })),
    }));
    service.url = (await service.harness.listen()).url;
    expect(await statusOf(call('/session', withCookie(cookie)))).toBe(401);
  });
});

describe('Cloudflare Access', () => {
  const asked = async (operators: string, email: string): Promise<Response> => {
    const behind = await startService(
      { ACCESS_OPERATORS: operators },
      `[access.dev]\naud = "aud"\nidentity = { email = "${email}" }`,
    );
    try {
      const response = await call(
        '/tenants',
        { method: 'POST', headers: JSON_TYPE, body: '{"name":"by access"}' },
        behind,
      );
      const audit = await call('/audit', {}, behind);
      if (audit.ok) expect(AuditListSchema.parse(await audit.json()).entries[0]?.who).toBe(`operator ${email}`);
      else await audit.body?.cancel();
      return response;
    } finally {
      await behind.stop();
    }
  };

  it.each([
    ['those that the settings name', 'Ops@Acme.example, two@acme.example', 'ops@acme.example', 201],
    ['everybody it lets in, where the settings say so', '*', 'anyone@acme.example', 201],
    ['nobody else', 'ops@acme.example', 'intern@acme.example', 401],
    ['nobody where the settings name none', '', 'ops@acme.example', 401],
  ])('makes operators of %s', async (_, operators, email, status) => {
    const response = await asked(operators, email);
    if (status === 401) expect(ErrorBodySchema.parse(await response.json()).code).toBe('INVALID_KEY');
    expect(response.status).toBe(status);
  });
});

it('without an admin token, or with one that is too short, nobody is the operator', async () => {
  for (const [token, status] of [
    ['', 401],
    ['short', 500],
  ] as const) {
    const bare = await startService({ ADMIN_TOKEN: token });
    try {
      for (const given of ['', token, 'x'])
        expect(await statusOf(call('/tenants', { headers: { Authorization: `Bearer ${given}` } }, bare))).toBe(status);
    } finally {
      await bare.stop();
    }
  }
});
