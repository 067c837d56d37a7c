import { expect, it } from 'vitest';
import { MomentListSchema } from '../../../src/contract/patterns.ts';
import { type ViewBody, ViewListSchema, ViewSchema } from '../../../src/contract/views.ts';
import { linesOf, write } from '../../../support/fake-pipeline.ts';
import { DEMO_KEY, OTHER_KEY } from '../../../support/service-under-test.ts';
import { analysed, ask, get, runService, service, tenantObject } from '../conversations/conversations-under-test.ts';

runService();

const CALL = [
  'We would set it all up for you, the price is four hundred pounds a month.',
  "That's too expensive, the price is way over our budget.",
  'Would you like me to book you in for Tuesday morning, then we look at the price?',
  'Yes please, Tuesday would be great.',
  'Great, see you then.',
];
const VIEW = { name: 'Price', page: 'patterns', query: 'category=objection&q=price' };
const created = async (view: object): Promise<ViewBody> => {
  const { status, body, text } = await ask('POST', '/views', view);
  expect(status, text).toBe(201);
  return ViewSchema.parse(body);
};
const names = async () => ViewListSchema.parse((await get('/views')).body).views.map(({ name }) => name);

it('views are saved, listed by name, changed and deleted', async () => {
  const price = await created(VIEW);
  expect(price).toMatchObject(VIEW);
  const late = await created({ name: 'late', page: 'commitments', query: 'status=open' });
  expect(await names()).toEqual(['late', 'Price']);
  expect((await get(`/views/${late.id}`)).body).toEqual(late);
  const { body } = await ask('PATCH', `/views/${price.id}`, { query: 'q=cost' });
  expect(body).toMatchObject({ ...VIEW, query: 'q=cost' });
  expect((await ask('DELETE', `/views/${late.id}`)).status).toBe(204);
  expect((await ask('DELETE', `/views/${late.id}`)).status).toBe(404);
  expect(await names()).toEqual(['Price']);
  await ask('DELETE', `/views/${price.id}`);
});

it('views of one page have different names', async () => {
  const first = await created(VIEW);
  const again = await ask('POST', '/views', VIEW);
  expect([again.status, again.text]).toEqual([400, expect.stringContaining('already named Price')]);
  const other = await created({ ...VIEW, page: 'conversations' });
  const cost = await created({ ...VIEW, name: 'Cost' });
  expect((await ask('PATCH', `/views/${cost.id}`, { name: 'Price' })).status).toBe(400);
  expect((await ask('PATCH', `/views/${cost.id}`, { name: 'Cost', query: '' })).status).toBe(200);
  for (const { id } of [first, other, cost]) await ask('DELETE', `/views/${id}`);
});

it.each([
  [{ ...VIEW, page: 'keys' }, 'page'],
  [{ ...VIEW, name: '' }, 'name'],
  [{ ...VIEW, query: 'x'.repeat(2_001) }, 'query: is longer than 2000 characters'],
  [{ ...VIEW, told: true }, 'tell'],
  [{ ...VIEW, page: 'conversations', tell: true }, 'tell: only views of the page patterns have alerts'],
  [{ ...VIEW, query: 'outcome=maybe', tell: true }, 'query: outcome'],
])('%o is refused by name', async (body, fault) => {
  const { status, text } = await ask('POST', '/views', body);
  expect([status, text]).toEqual([400, expect.stringContaining(fault)]);
});

it('views are those of a tenant, and the demo key has none', async () => {
  const { id } = await created(VIEW);
  const asOther = { headers: { 'X-API-Key': OTHER_KEY } };
  expect((await fetch(new URL(`/views/${id}`, service.url), asOther)).status).toBe(404);
  expect(await (await fetch(new URL('/views', service.url), asOther)).json()).toEqual({ views: [] });
  const demo = { 'X-API-Key': DEMO_KEY, 'Content-Type': 'application/json' };
  expect((await service.post('/views', JSON.stringify(VIEW), demo)).status).toBe(403);
  await ask('DELETE', `/views/${id}`);
});

it('a view with an alert reports new conversations whose moments match, once each', async () => {
  service.pipeline.answer = (response, { options }) => {
    write(response, linesOf(options.conversation_id, CALL));
    response.end();
  };
  const category = 'objection';
  const url = 'https://example.com/hook';
  const hook = await ask<{ id: string }>('POST', '/webhooks', { url, events: ['view.matched'] });
  const offers = await created({ name: 'Doubts', page: 'patterns', query: `weeks=4&category=${category}`, tell: true });
  const wine = await created({ name: 'Wine', page: 'patterns', query: 'q=wine', tell: true });
  const silent = await created({ name: 'Silent', page: 'patterns', query: '' });
  const { id, tenant } = await analysed();
  await ask('POST', `/conversations/${id}/reanalyze`, {});
  const rows = (await (await tenantObject(tenant)).dump()).deliveries!.filter((row) => row.webhook === hook.body.id);
  const list = MomentListSchema.parse((await get(`/moments?category=${category}`)).body);
  const own = list.moments.filter((moment) => moment.conversation_id === id);
  expect(own.length).toBeGreaterThan(0);
  expect(rows.map((row) => JSON.parse(String(row.body)))).toEqual([
    {
      type: 'view.matched',
      timestamp: expect.any(String),
      data: {
        conversation_id: id,
        view: {
          id: offers.id,
          name: 'Doubts',
          count: own.length,
          moments: own.slice(0, 3).map(({ moment_id }) => expect.objectContaining({ moment_id, category })),
        },
      },
    },
  ]);
  expect((await ask<ViewBody>('PATCH', `/views/${offers.id}`, { tell: false })).body.tell).toBe(false);
  for (const one of [offers, wine, silent]) await ask('DELETE', `/views/${one.id}`);
  await ask('DELETE', `/webhooks/${hook.body.id}`);
});
