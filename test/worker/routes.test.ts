import { expect, it, vi } from 'vitest';
import { ROUTE_ROOTS } from '../../src/contract/routes.ts';

vi.mock('cloudflare:workers', () => ({ DurableObject: class {}, RpcTarget: class {} }));
vi.mock('@cloudflare/containers', () => ({ Container: class {} }));
// Node cannot import the files of weights, which the Worker's bundler takes as modules.
vi.mock('../../src/worker/segmentation/weights.ts', () => ({}));

it('lists the first segment of every route of the Worker, and no other', async () => {
  const { app } = await import('../../src/worker/app.ts');
  const paths = app.routes.map(({ path }) => path).filter((path) => path !== '/*');
  expect(new Set(paths.map((path) => path.split('/')[1]))).toEqual(new Set(ROUTE_ROOTS));
});

it('takes the id of a request from the header that a proxy in front gives it in, when the operator names one', async () => {
  const { app } = await import('../../src/worker/app.ts');
  const idUnder = async (env: object): Promise<string | null> =>
    (await app.request('/health', { headers: { 'X-Proxy-Id': 'proxied' } }, env)).headers.get('X-Request-Id');
  expect(await idUnder({ REQUEST_ID_HEADER: 'X-Proxy-Id' })).toBe('proxied');
  for (const env of [{}, { REQUEST_ID_HEADER: '' }, { REQUEST_ID_HEADER: 'X-Other' }])
    expect(await idUnder(env)).toMatch(/^[0-9a-f-]{36}$/);
});
