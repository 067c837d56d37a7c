import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { SCOPES } from '../../src/contract/keys.ts';
import { ROUTE_ROOTS } from '../../src/contract/routes.ts';
import { UsageLimitsSchema } from '../../src/contract/tenants.ts';
import { app } from '../../src/worker/app.ts';
import { answerError } from '../../src/worker/http/errors.ts';
import type { AppEnv } from '../../src/worker/identity/env.ts';
import { ACCESS, requireAccess } from '../../src/worker/keys/access.ts';
import { LIMIT_SETTINGS } from '../../src/worker/settings/limit-settings.ts';

/** Work that a request starts for later is not awaited here. */
const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
vi.stubGlobal('scheduler', { wait: () => new Promise(() => undefined) });

it('lists the first segment of every route of the Worker, and no other', async () => {
  const paths = app.routes.map(({ path }) => path).filter((path) => path !== '/*');
  expect(new Set(paths.map((path) => path.split('/')[1]))).toEqual(new Set(ROUTE_ROOTS));
});

/** `METHOD /path` of every route; `ALL` is middleware. */
async function routesOfWorker(): Promise<string[]> {
  return app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
}

it('lists what every route of the Worker requires of its caller, and no other route', async () => {
  expect(new Set(await routesOfWorker())).toEqual(new Set(Object.keys(ACCESS)));
});

it('requires a key, the operator or a pipeline for every route but the few open ones', async () => {
  const open: string[] = [];
  for (const route of new Set(await routesOfWorker())) {
    const [method = '', path = ''] = route.split(' ');
    const { status } = await app.request(path.replace(/:\w+/g, 'x'), { method }, {}, context);
    if (status !== 401) open.push(route);
  }
  expect(open).toEqual([
    'GET /receipts/keys',
    'GET /sign-in',
    'GET /sign-in/callback',
    'DELETE /sign-in',
    'POST /session',
    'GET /health',
    'GET /ready',
    'GET /',
    'GET /app',
    'GET /app/:page',
    'GET /app/:page/:id',
    'GET /welcome',
    'GET /openapi.json',
    'GET /llms.txt',
    'GET /schemas/:name',
    'GET /docs',
    'GET /docs/:page',
  ]);
});

it('answers nobody on a route that is not listed', async () => {
  const forgotten = new Hono<AppEnv>().use(requireAccess).get('/forgotten', (c) => c.text('secret'));
  forgotten.onError(answerError);
  const answer = await forgotten.request('/forgotten', {}, {});
  expect({ status: answer.status, text: await answer.text() }).toMatchObject({
    status: 403,
    text: expect.not.stringContaining('secret'),
  });
});

it('takes the id of a request from the header of a proxy in front, when the operator names one', async () => {
  const idUnder = async (env: object): Promise<string | null> =>
    (await app.request('/health', { headers: { 'X-Proxy-Id': 'proxied' } }, env, context)).headers.get('X-Request-Id');
  expect(await idUnder({ REQUEST_ID_HEADER: 'X-Proxy-Id' })).toBe('proxied');
  for (const env of [{}, { REQUEST_ID_HEADER: '' }, { REQUEST_ID_HEADER: 'X-Other' }])
    expect(await idUnder(env)).toMatch(/^[0-9a-f-]{36}$/);
});

it('docs/reference/accounts.md and docs/guides/limits.md have every route of administration, every scope and every limit', async () => {
  const page = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
  const told = page('reference/accounts.md') + page('guides/limits.md');
  const routes = Object.keys(ACCESS).filter((route) => /^\w+ \/(keys|tenants|tokens|session|audit)\b/.test(route));
  expect(routes.length).toBeGreaterThan(14);
  for (const route of routes) expect(told).toContain(`\`${route.replace(/:\w+/g, '{id}')}\``);
  for (const scope of SCOPES) expect(told).toContain(`| \`${scope}\` |`);
  for (const limit of Object.keys(UsageLimitsSchema.shape)) expect(told).toContain(`| \`${limit}\``);
  for (const { name } of Object.values(LIMIT_SETTINGS)) expect(told).toContain(`\`${name}\``);
});
