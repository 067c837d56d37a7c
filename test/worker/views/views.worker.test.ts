import { expect, it } from 'vitest';
import { type ViewBody, ViewListSchema, ViewSchema } from '../../../src/contract/views.ts';
import { DEMO_KEY, OTHER_KEY } from '../../../support/service-under-test.ts';
import { ask, get, runService, service } from '../conversations/conversations-under-test.ts';

runService();

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
  [{ ...VIEW, tell: true }, 'tell'],
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
