import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ACCESS, type Access } from '../../../src/contract/access.ts';
import { AccessLogSchema } from '../../../src/contract/access-log.ts';
import { AuditListSchema } from '../../../src/contract/audit.ts';
import { type CurrentKeyBody, KeyListSchema, WelcomeSchema } from '../../../src/contract/keys.ts';
import { MemberListSchema, type MemberRole, ROLE_SCOPES } from '../../../src/contract/members.ts';
import { CLIENT_ID, CLIENT_SECRET, type FakeIssuer, startFakeIssuer } from '../../../support/fake-issuer.ts';
import { form, startService, type TestService } from '../../../support/service-under-test.ts';

// Signing in of people, with an issuer in this process.

let service: TestService;
let issuer: FakeIssuer;
beforeAll(async () => {
  issuer = await startFakeIssuer();
  service = await startService({
    ...{ OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
    KEY_TRUST_SECONDS: '0.2',
  });
});
afterAll(async () => {
  issuer.close();
  await service.stop();
});
afterEach(() => {
  issuer.claims = {};
  issuer.isForged = false;
});

const PERSON = '__Host-undertone-person';
const SELF = { 'Sec-Fetch-Site': 'same-origin' };
let emails = 0;
/** Concurrent requests. */
const AT_ONCE = 16;

const at = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(new URL(path, service.url), { redirect: 'manual', ...init, headers });
const cookieOf = (answer: Response, name: string): string =>
  answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`)) ?? '';
const pair = (cookie: string): string => cookie.split(';')[0]!;

async function newTenant(): Promise<string> {
  return ((await (await service.admin('POST', '/tenants', { name: 'Signs in' })).json()) as { id: string }).id;
}
const put = (tenant: string, email: string, role: MemberRole) =>
  service.admin('PUT', `/members/${encodeURIComponent(email)}?tenant=${tenant}`, { role });
/** A new member, whom the issuer signs in next. */
async function member(tenant: string, role: MemberRole): Promise<string> {
  const email = `person-${++emails}@example.com`;
  expect((await put(tenant, email, role)).status).toBe(200);
  issuer.claims.email = email;
  return email;
}

/** Begins a sign-in and goes through the issuer. @returns the callback, as the browser would ask for it */
async function begun(tenant: string, to = '/app/live') {
  const start = await at(`/sign-in?tenant=${tenant}&to=${to}`);
  expect(start.status).toBe(302);
  const back = await fetch(start.headers.get('Location')!, { redirect: 'manual' });
  const callback = new URL(back.headers.get('Location')!);
  return { path: callback.pathname + callback.search, cookie: cookieOf(start, '__Host-undertone-sign-in') };
}
async function ended(tenant: string): Promise<Response> {
  const { path, cookie } = await begun(tenant);
  return at(path, { Cookie: pair(cookie) });
}
async function signedIn(tenant: string): Promise<Record<string, string>> {
  const answer = await ended(tenant);
  expect(answer.status, await answer.text()).toBe(302);
  return { Cookie: pair(cookieOf(answer, PERSON)), ...SELF };
}
const refusal = async (tenant: string): Promise<unknown> => {
  const answer = await ended(tenant);
  const { code, detail } = (await answer.json()) as { code: string; detail: string };
  expect(cookieOf(answer, PERSON)).toBe('');
  return [answer.status, code, detail];
};

it('signs a member in with the role, logs what the person does, and signs out', async () => {
  const tenant = await newTenant();
  const email = await member(tenant, 'analyst');
  const { path, cookie } = await begun(tenant);
  expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax/i);
  const answer = await at(path, { Cookie: pair(cookie) });
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/app/live']);
  expect(issuer.exchanges.at(-1)!.get('code_verifier')).toMatch(/^\w{43}$/);
  const session = cookieOf(answer, PERSON);
  expect(session).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Strict/i);
  expect(session).not.toContain('Domain');
  const own = { Cookie: pair(session), ...SELF };
  const welcome = WelcomeSchema.parse(await (await at('/welcome', own)).json());
  expect(welcome).toMatchObject({ has_sign_in: true, person: { email, tenant, role: 'analyst' } });
  const current = (await (await at('/keys/current', own)).json()) as CurrentKeyBody;
  expect(current).toMatchObject({ tenant, label: email, scopes: ROLE_SCOPES.analyst, source: 'sign_in' });
  expect((await at('/conversations', own)).status).toBe(200);
  await vi.waitFor(async () => {
    const log = await service.admin('GET', `/access-log?tenant=${tenant}`);
    expect(AccessLogSchema.parse(await log.json()).entries[0]).toMatchObject({ act: 'listed', key_label: email });
  });
  // A page of another site cannot use the cookie.
  expect((await at('/conversations', { ...own, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await at('/conversations', { ...own, Origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await at('/sign-in', { ...own, Origin: 'https://elsewhere.example' }, { method: 'DELETE' })).status).toBe(
    403,
  );
  const analysed = await at('/analyze', own, { method: 'POST', body: form('call.wav', 'media') });
  const { conversation_id: conversation } = (await analysed.json()) as { conversation_id: string };
  const minted = await at(
    '/tokens',
    { ...own, 'Content-Type': 'application/json' },
    { method: 'POST', body: JSON.stringify({ for: { conversation } }) },
  );
  const bearer = { Authorization: `Bearer ${((await minted.json()) as { token: string }).token}` };
  expect((await at('/sign-in', own, { method: 'DELETE' })).status).toBe(204);
  await vi.waitFor(async () => expect((await at('/conversations', own)).status).toBe(401));
  // The work that a person began goes on, such as a page that plays a recording, until the member is removed.
  expect((await at(`/conversations/${conversation}`, bearer)).status).toBe(200);
  expect((await service.admin('DELETE', `/members/${email}?tenant=${tenant}`)).status).toBe(204);
  await vi.waitFor(async () => expect((await at(`/conversations/${conversation}`, bearer)).status).toBe(401));
  const audit = await service.admin('GET', `/audit?tenant=${tenant}`);
  const acts = AuditListSchema.parse(await audit.json()).entries.map(({ act, who }) => `${who} ${act}`);
  expect(acts.slice(0, 4)).toEqual([
    'operator member.removed',
    `person ${email} session.closed`,
    `person ${email} key.issued`,
    'operator member.added',
  ]);
});

it('refuses what the issuer does not vouch for, and sign-ins of others', async () => {
  const tenant = await newTenant();
  const email = await member(tenant, 'viewer');
  const now = Math.floor(Date.now() / 1000);
  const cases: [Record<string, unknown>, string][] = [
    [{ aud: 'another' }, 'not valid'],
    [{ aud: [CLIENT_ID, 'another'] }, 'for another client'],
    [{ azp: 'another' }, 'for another client'],
    [{ iss: 'https://issuer.example' }, 'not valid'],
    [{ exp: now - 90 }, 'not valid'],
    [{ iat: undefined }, 'not valid'],
    [{ nonce: 'of another sign-in' }, 'belongs to another sign-in'],
    [{ email: undefined }, 'no e-mail address'],
    [{ email_verified: false }, 'has not verified'],
    [{ email_verified: undefined }, 'has not verified'],
  ];
  for (const [claims, why] of cases) {
    issuer.claims = { email, ...claims };
    expect(await refusal(tenant)).toEqual([401, 'INVALID_KEY', expect.stringContaining(why)]);
  }
  issuer.claims = { email };
  issuer.isForged = true;
  expect(await refusal(tenant)).toEqual([401, 'INVALID_KEY', expect.stringContaining('not valid')]);
  issuer.isForged = false;
  issuer.claims = { email: 'stranger@example.com' };
  expect(await refusal(tenant)).toEqual([403, 'FORBIDDEN', expect.stringContaining('not a member')]);
  expect(await refusal('nobody-here')).toEqual([403, 'FORBIDDEN', expect.stringContaining('not a member')]);
  // Clocks may differ by a minute, and addresses by their capitals.
  issuer.claims = { email: email.toUpperCase(), exp: now - 30 };
  expect((await ended(tenant)).status).toBe(302);
});

it('ends a sign-in once, in the browser that began it', async () => {
  const tenant = await newTenant();
  await member(tenant, 'viewer');
  const { path, cookie } = await begun(tenant);
  const refused = async (where: string, headers: Record<string, string>) => {
    const answer = await at(where, headers);
    return [answer.status, ((await answer.json()) as { detail: string }).detail];
  };
  const NOT_BEGUN = [401, expect.stringContaining('this browser did not begin it')];
  expect(await refused(path, {})).toEqual(NOT_BEGUN);
  expect(await refused(path.replace('state=', 'state=x'), { Cookie: pair(cookie) })).toEqual(NOT_BEGUN);
  const another = await begun(tenant);
  expect(await refused(path, { Cookie: pair(another.cookie) })).toEqual(NOT_BEGUN);
  expect((await at(path, { Cookie: pair(cookie) })).status).toBe(302);
  expect(await refused(path, { Cookie: pair(cookie) })).toEqual([401, expect.stringContaining('used before')]);
  const denied = another.path.replace(/code=[^&]*/, 'error=access_denied');
  expect(await refused(denied, { Cookie: pair(another.cookie) })).toEqual([
    401,
    expect.stringContaining('refused by the issuer'),
  ]);
  expect((await at(`/sign-in?tenant=${tenant}&to=//elsewhere.example`)).status).toBe(400);
  expect((await at(`/sign-in?tenant=${tenant}&to=https://elsewhere.example`)).status).toBe(400);
});

it('a changed role and a removed member end the sessions, and a manager stays', async () => {
  const tenant = await newTenant();
  const boss = await member(tenant, 'manager');
  const own = await signedIn(tenant);
  const email = await member(tenant, 'viewer');
  const session = await signedIn(tenant);
  const byBoss = (method: string, of: string, body?: object) =>
    at(
      `/members/${of}`,
      { ...own, 'Content-Type': 'application/json' },
      { method, body: body && JSON.stringify(body) },
    );
  expect((await byBoss('PUT', email, { role: 'analyst' })).status).toBe(200);
  await vi.waitFor(async () => expect((await at('/conversations', session)).status).toBe(401));
  const again = await signedIn(tenant);
  expect((await at('/keys/current', again)).status).toBe(200);
  // The session is a key, which an administrator revokes but does not change.
  const keys = KeyListSchema.parse(await (await at('/keys', own)).json()).keys;
  const key = keys.find(({ label, status }) => label === email && status === 'active')!;
  expect(key.source).toBe('sign_in');
  const changed = await service.admin('PATCH', `/keys/${key.id}`, { scopes: ['admin'] });
  expect([changed.status, ((await changed.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining('change the role of the member'),
  ]);
  expect((await service.admin('POST', `/keys/${key.id}/rotate`, {})).status).toBe(400);
  for (const answer of [await byBoss('DELETE', boss), await byBoss('PUT', boss, { role: 'viewer' })])
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([409, 'LAST_MANAGER']);
  expect((await byBoss('DELETE', email)).status).toBe(204);
  await vi.waitFor(async () => expect((await at('/keys/current', again)).status).toBe(401));
  const { members } = MemberListSchema.parse(await (await at('/members', own)).json());
  expect(members).toMatchObject([{ email: boss, role: 'manager', signed_in_at: expect.any(String) }]);
  expect((await at(`/members?tenant=${await newTenant()}`, own)).status).toBe(403);
  expect((await put(tenant, 'no address', 'viewer')).status).toBe(400);
});

it.each(Object.entries(ROLE_SCOPES))('%s: the table of access decides on every route', async (role, scopes) => {
  const tenant = await newTenant();
  await member(tenant, role as MemberRole);
  const own = await signedIn(tenant);
  const wrong: object[] = [];
  const tryOne = async ([route, access]: [string, Access]): Promise<void> => {
    const [method = '', path = ''] = route.split(' ');
    const answer = await at(path.replace(':email', 'x').replaceAll(/:\w+/g, 'none'), own, { method });
    const text = await answer.text();
    const scope = access === 'admin' ? 'admin' : typeof access === 'object' ? access.scope : null;
    const isAdmitted = access !== 'operator' && (scope === null || (scopes as readonly string[]).includes(scope));
    const isRefused = answer.status === 403 && text.includes('FORBIDDEN');
    if (isAdmitted === isRefused || answer.status === 401) wrong.push({ route, status: answer.status, text });
  };
  const routes = Object.entries(ACCESS).filter(([, access]) => access !== 'open' && access !== 'pipeline');
  for (let i = 0; i < routes.length; i += AT_ONCE) await Promise.all(routes.slice(i, i + AT_ONCE).map(tryOne));
  expect(wrong).toEqual([]);
});
