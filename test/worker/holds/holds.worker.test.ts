import { describe, expect, it, vi } from 'vitest';
import { AuditListSchema } from '../../../src/contract/audit.ts';
import { ConversationHoldsSchema, type HoldBody, HoldListSchema, HoldSchema } from '../../../src/contract/holds.ts';
import { sayRestAfter } from '../../../support/fake-pipeline.ts';
import { DEMO_KEY, OTHER_KEY } from '../../../support/service-under-test.ts';
import {
  analysed,
  ask,
  changed,
  edited,
  get,
  listed,
  MEDIA,
  of,
  reindexed,
  runService,
  service,
  tenantObject,
} from '../conversations/conversations-under-test.ts';

// An upload of a failed analysis is kept for some seconds.
runService({ KEPT_UPLOAD_HOURS: '0.0008' });

const set = async (id: string, more: object = {}): Promise<HoldBody> => {
  const { status, body, text } = await ask('PUT', of(id, '/hold'), { reason: 'Complaint 7', ...more });
  expect(status, text).toBe(200);
  return HoldSchema.parse(body);
};
const over = async (filter: object, more: object = {}): Promise<HoldBody> => {
  const { status, body, text } = await ask('POST', '/holds', { filter, reason: 'Dispute', ...more });
  expect(status, text).toBe(201);
  return HoldSchema.parse(body);
};
const holdsOf = async (id: string): Promise<HoldBody[]> =>
  ConversationHoldsSchema.parse((await get(of(id, '/hold'))).body).holds;
const refused = async (...call: Parameters<typeof ask>): Promise<unknown> => {
  const { status, body } = await ask<{ code: string }>(...call);
  return [status, body.code];
};
const audited = async (tenant: string) =>
  AuditListSchema.parse(await (await service.admin('GET', `/audit?tenant=${tenant}`)).json()).entries;

describe('a conversation on hold', () => {
  it('is not deleted, analysed again or lost by a rebuilt catalogue, until the hold is lifted', async () => {
    const { id, tenant } = await analysed('held.wav');
    const hold = await set(id);
    expect(hold).toMatchObject({ conversation_id: id, filter: null, until: null, conversations: 1 });
    expect(await refused('DELETE', of(id))).toEqual([409, 'ON_HOLD']);
    expect(await refused('POST', of(id, '/reanalyze'), { goal: 'Again?' })).toEqual([409, 'ON_HOLD']);
    const objects = (await service.stored()).filter((key) => key.includes(id));

    await (await tenantObject(tenant)).loseCatalogue();
    await reindexed(tenant);
    expect((await listed('?on_hold=true')).map((one) => one.conversation_id)).toEqual([id]);
    expect(await refused('DELETE', of(id))).toEqual([409, 'ON_HOLD']);
    expect((await service.stored()).filter((key) => key.includes(id))).toEqual(objects);

    // A second request changes the hold.
    const until = new Date(Date.now() + 86_400_000).toISOString();
    expect(await set(id, { reason: 'Complaint 8', until })).toMatchObject({
      id: hold.id,
      reason: 'Complaint 8',
      until,
    });
    expect(await holdsOf(id)).toMatchObject([{ id: hold.id, reason: 'Complaint 8' }]);
    // Edits never change what is kept.
    expect((await edited(id, { title: 'Theirs' })).on_hold).toBe(true);

    expect((await ask('DELETE', of(id, '/hold'))).status).toBe(204);
    expect((await ask('DELETE', of(id, '/hold'))).status).toBe(404);
    expect((await listed('?on_hold=false')).map((one) => one.conversation_id)).toContain(id);
    expect((await ask('DELETE', of(id))).status).toBe(200);
    const acts = (await audited(tenant)).filter(({ subject }) => subject === id).reverse();
    expect(acts.map(({ act, who, changes }) => ({ act, who, changes }))).toEqual([
      { act: 'hold.set', who: `key ${hold.set_by}`, changes: { reason: 'Complaint 7', until: null } },
      { act: 'hold.set', who: `key ${hold.set_by}`, changes: { reason: 'Complaint 8', until } },
      { act: 'hold.lifted', who: `key ${hold.set_by}`, changes: { reason: 'Complaint 8' } },
    ]);
  });

  it('outlives its retention, which applies when the hold ends by itself', async () => {
    const { id, tenant } = await analysed('old.wav');
    const { id: other } = await analysed('older.wav');
    const { MEDIA: bucket } = await service.harness
      .getWorker<{ MEDIA: { put(key: string, text: string): Promise<unknown> } }>()
      .getEnv();
    await set(id, { until: new Date(Date.now() + 4_000).toISOString() });
    for (const one of [id, other]) {
      const key = `${tenant}/records/${one}.json`;
      const record = JSON.parse(await service.text(key));
      const old = { createdAt: record.createdAt - 2 * 86_400_000, retentionDays: 1 };
      await bucket.put(key, JSON.stringify({ ...record, ...old }));
    }
    await reindexed(tenant);
    await vi.waitFor(async () => expect((await get(of(other))).status).toBe(404), 20_000);
    // The sweep that removed the other one found this one too.
    expect((await get(of(id))).status).toBe(200);
    await vi.waitFor(async () => expect((await get(of(id))).status).toBe(404), 20_000);
    expect((await service.stored()).filter((key) => key.includes(id))).toEqual([]);
  });

  it('keeps the documents of the analysis that a running one replaces', async () => {
    const { id, tenant } = await analysed('replaced.wav');
    const held = Promise.withResolvers<void>();
    service.pipeline.answer = sayRestAfter(held.promise);
    const begun = await ask('POST', of(id, '/reanalyze'), { goal: 'Again?' }, { Prefer: 'respond-async' });
    expect(begun.status).toBe(202);
    await set(id);
    held.resolve();
    await vi.waitFor(
      async () => expect((await changed('GET', of(id, '/record'))).reanalysis?.status).toBe('completed'),
      20_000,
    );
    const results = (await service.stored()).filter((key) => key.includes(id) && key.endsWith('/result.json'));
    expect(results).toContain(`${tenant}/${id}/result.json`);
    expect(results).toHaveLength(2);
    await ask('DELETE', of(id, '/hold'));
    expect((await ask('DELETE', of(id))).status).toBe(200);
    expect((await service.stored()).filter((key) => key.includes(id))).toEqual([]);
  });

  it('is refused while it is being analysed, and by name', async () => {
    const { id, tenant } = await analysed('named.wav');
    const running = crypto.randomUUID();
    await (await tenantObject(tenant)).live(running, MEDIA, false);
    expect(await refused('PUT', of(running, '/hold'), { reason: 'x' })).toEqual([409, 'NOT_COMPLETED']);
    const message = async (body: object) => (await ask('PUT', of(id, '/hold'), body)).text;
    expect(await message({})).toContain('reason');
    expect(await message({ reason: 'x', until: '2020-01-01T00:00:00Z' })).toContain('until: must be in the future');
    expect(await message({ reason: 'x', forever: true })).toContain('forever');
    expect((await ask('PUT', of('nothing', '/hold'), { reason: 'x' })).status).toBe(404);
    const stranger = { 'X-API-Key': OTHER_KEY };
    expect((await ask('PUT', of(id, '/hold'), { reason: 'x' }, stranger)).status).toBe(404);
    expect((await get(of(id, '/hold'), stranger)).status).toBe(404);
    expect((await ask('PUT', of(id, '/hold'), { reason: 'x' }, { 'X-API-Key': DEMO_KEY })).text).toContain(
      'The demo key cannot have holds',
    );
  });
});

describe('a hold over a filter', () => {
  it('keeps what matches now and later, also when the label is removed', async () => {
    const { id, tenant } = await analysed('labelled.wav');
    const { id: later } = await analysed('later.wav');
    const { id: free } = await analysed('free.wav');
    await edited(id, { labels: ['acme', 'x'] });
    const hold = await over({ label: 'acme' });
    expect(hold).toMatchObject({ conversation_id: null, filter: { label: 'acme' }, conversations: 1 });
    await edited(later, { labels: ['acme'] });
    for (const one of [id, later]) {
      await edited(one, { labels: [] });
      expect(await refused('DELETE', of(one))).toEqual([409, 'ON_HOLD']);
      expect(await holdsOf(one)).toMatchObject([{ id: hold.id, conversations: 2 }]);
    }
    await (await tenantObject(tenant)).loseCatalogue();
    await reindexed(tenant);
    expect(await refused('DELETE', of(id))).toEqual([409, 'ON_HOLD']);
    expect(HoldListSchema.parse((await get('/holds')).body).holds[0]).toEqual({ ...hold, conversations: 2 });
    expect((await ask('DELETE', of(free))).status).toBe(200);
    // A hold of its own does not end with the other, and the reverse.
    await set(id);
    expect((await ask('DELETE', of(id, '/hold'))).status).toBe(204);
    expect(await refused('DELETE', of(id))).toEqual([409, 'ON_HOLD']);
    expect((await ask('DELETE', `/holds/${hold.id}`)).status).toBe(204);
    expect((await ask('DELETE', `/holds/${hold.id}`)).status).toBe(404);
    for (const one of [id, later]) expect((await ask('DELETE', of(one))).status).toBe(200);
    expect((await audited(tenant)).slice(0, 1)).toMatchObject([
      { act: 'hold.lifted', subject: hold.id, changes: { filter: { label: 'acme' }, reason: 'Dispute' } },
    ]);
  });

  it('matches dates and a person, all of them', async () => {
    const { body: person } = await ask<{ id: string }>('POST', '/people', { name: 'Bo' });
    const before = await analysed('before.wav');
    const from = (await listed('?limit=1'))[0]!.created_at;
    const { id } = await analysed('with.wav');
    const { id: without } = await analysed('without.wav');
    await edited(id, { people: { Speaker_0: person.id } });
    await edited(before.id, { people: { Speaker_0: person.id } });
    const both = await over({ person: person.id, created_after: from });
    expect(both.conversations).toBe(1);
    expect((await listed('?on_hold=true')).map((one) => one.conversation_id)).toEqual([id]);
    const dates = await over({ created_after: from, created_before: new Date(Date.now() + 60_000).toISOString() });
    expect(dates.conversations).toBe(2);
    const { id: anew } = await analysed('anew.wav');
    expect((await listed('?on_hold=true')).map((one) => one.conversation_id)).toEqual([anew, without, id]);
    for (const hold of [both, dates]) await ask('DELETE', `/holds/${hold.id}`);
    expect(await listed('?on_hold=true')).toEqual([]);
    const message = async (filter: object) => (await ask('POST', '/holds', { filter, reason: 'x' })).text;
    expect(await message({})).toContain('filter: must have at least one filter');
    expect(await message({ title: 'x' })).toContain('title');
    expect(await message({ created_after: from, created_before: from })).toContain('must be later than');
  });
});

it('a tenant with holds is not removed, and the refusal names them', async () => {
  const made = (await (await service.admin('POST', '/tenants', { name: 'Stays' })).json()) as { id: string };
  const { key } = await service.issue({ tenant: made.id });
  const { id } = await analysed('kept.wav', {}, key);
  const own = { 'X-API-Key': key };
  const one = await ask<HoldBody>('PUT', of(id, '/hold'), { reason: 'Complaint 9' }, own);
  const all = await ask<HoldBody>('POST', '/holds', { filter: { label: 'x' }, reason: 'Dispute' }, own);
  const leaving = await service.admin('DELETE', `/tenants/${made.id}`);
  expect([leaving.status, await leaving.json()]).toEqual([
    409,
    {
      code: 'ON_HOLD',
      detail: `This tenant has 2 holds, to be lifted first: conversation ${id} (Complaint 9), ${all.body.id} (Dispute)`,
      request_id: expect.any(String),
    },
  ]);
  expect((await get(of(id), own)).status).toBe(200);
  for (const hold of [one, all]) await ask('DELETE', `/holds/${hold.body.id}`, undefined, own);
  expect((await service.admin('DELETE', `/tenants/${made.id}`)).status).toBe(200);
});

it('the recording of a failed analysis is kept, and not analysed again', async () => {
  const { tenant } = await analysed('first.wav');
  const [id, other] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const one of [id, other]) await (await tenantObject(tenant)).live(one, MEDIA, true);
  await set(id);
  const storedOf = async (one: string) => (await service.stored()).filter((key) => key.endsWith(`${one}/upload.wav`));
  await vi.waitFor(async () => expect(await storedOf(other)).toEqual([]), 20_000);
  expect(await storedOf(id)).toHaveLength(1);
  expect(await refused('POST', '/analyze/kept', { conversation_id: id })).toEqual([409, 'ON_HOLD']);
  await ask('DELETE', of(id, '/hold'));
  expect((await ask('POST', '/analyze/kept', { conversation_id: id })).status).toBe(200);
});
