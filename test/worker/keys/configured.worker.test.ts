import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AnalysisResponseSchema } from '../../../src/contract/analysis.ts';
import { form, startService, type TestService } from '../../../support/service-under-test.ts';

const digest = (key: string): string => createHash('sha256').update(key).digest('hex');
const KEYS = [
  'bare',
  `sha256:${digest('by-digest')}`,
  'acme:one',
  `acme:sha256:${digest('two')}`,
  `ACME:${'x'.repeat(40)}`,
];

let service: TestService;
beforeAll(async () => {
  service = await startService({ API_KEYS: KEYS.join(' '), DEMO_API_KEY: 'demo-co:try' });
});
afterAll(() => service.stop());

/** The tenant under which a key's analysis is stored; the status if it is refused. */
async function tenantOf(key: string): Promise<string | number> {
  const response = await service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': key });
  const body = await response.json();
  return response.ok ? AnalysisResponseSchema.parse(body).artifact_dir.split('/')[0]! : response.status;
}

it.each([
  ['a bare key has one of its own, made from it', 'bare', digest('bare').slice(0, 16)],
  ['so has one given by its digest', 'by-digest', digest('by-digest').slice(0, 16)],
  ['a key behind a tenant has that', 'one', 'acme'],
  ['so has a digest behind a tenant', 'two', 'acme'],
  [
    'what no tenant can be called is part of the key',
    `ACME:${'x'.repeat(40)}`,
    digest(`ACME:${'x'.repeat(40)}`).slice(0, 16),
  ],
  ['the demo key may have a tenant, too', 'try', 'demo-co'],
])('tenants: %s', async (_, key, tenant) => {
  expect(await tenantOf(key)).toBe(tenant);
});

it.each(['acme:one', 'acme', 'acme:', '', `sha256:${digest('two')}`, digest('two')])('"%s" is no key', async (key) => {
  expect(await tenantOf(key)).toBe(401);
});

it('a replaced key keeps its tenant when the new one names it', async () => {
  const tenant = digest('bare').slice(0, 16);
  const rotated = await startService({ API_KEYS: `bare, ${tenant}:newer` });
  try {
    for (const key of ['bare', 'newer']) {
      const response = await rotated.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': key });
      expect(AnalysisResponseSchema.parse(await response.json()).artifact_dir).toMatch(`${tenant}/`);
    }
  } finally {
    await rotated.stop();
  }
});
