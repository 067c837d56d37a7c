import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type AccessEntry, AccessLogSchema, ConversationAccessSchema } from '../../src/contract/access-log.ts';
import { AuditListSchema } from '../../src/contract/audit.ts';
import { IssuedKeySchema } from '../../src/contract/keys.ts';
import { OperationsSchema } from '../../src/contract/operations.ts';
import { form, KEY, OTHER_KEY, startService, type TestService } from '../../support/service-under-test.ts';

let service: TestService;
let receiver: Server;
let received = 0;
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true' });
  receiver = createServer((_, response) => {
    received++;
    response.writeHead(410).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(async () => {
  receiver.close();
  await service.stop();
});

const ask = (path: string, headers: Record<string, string> = { 'X-API-Key': KEY }, method = 'GET', body?: unknown) =>
  fetch(new URL(path, service.url), {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
const read = async (...call: Parameters<typeof ask>) => {
  const response = await ask(...call);
  await response.arrayBuffer();
  return response.status;
};

const analysed = async (key = KEY): Promise<string> => {
  const answer = await service.post('/analyze', form('call.wav', new Uint8Array(1000)), { 'X-API-Key': key });
  return ((await answer.json()) as { conversation_id: string }).conversation_id;
};

/** The tenant of a key, as the service names it. */
const tenantOfKey = async (key = KEY): Promise<string> =>
  ((await (await ask('/keys/current', { 'X-API-Key': key })).json()) as { tenant: string }).tenant;

const log = async (query: Record<string, string>): Promise<AccessEntry[]> => {
  const response = await service.admin('GET', `/access-log?${new URLSearchParams(query)}`);
  return AccessLogSchema.parse(await response.json()).entries;
};

it('lists who opened, exported, edited and deleted a conversation, with the requested part of the recording', async () => {
  const id = await analysed();
  const tenant = await tenantOfKey();
  const issued = IssuedKeySchema.parse(
    await (await service.admin('POST', '/keys', { tenant, label: 'nightly export', scopes: ['read'] })).json(),
  );
  const exporter = { 'X-API-Key': issued.key };
  expect(await read(`/conversations/${id}`)).toBe(200);
  expect(await read(`/conversations/${id}/events`)).toBe(200);
  expect(await read(`/conversations/${id}/media`, { 'X-API-Key': KEY, Range: 'bytes=250-499' })).toBe(206);
  expect(await read(`/conversations/${id}/media`, { 'X-API-Key': KEY, Range: 'bytes=400-749' })).toBe(206);
  expect(await read(`/conversations/${id}/export?format=csv`, exporter)).toBe(200);
  expect(await read(`/conversations/${id}`, exporter, 'PATCH', { title: 'Ours' })).toBe(403);
  expect(await read(`/conversations/${id}`, undefined, 'PATCH', { title: 'Ours' })).toBe(200);
  const token = (
    (await (await ask('/tokens', undefined, 'POST', { for: { conversation: id }, ttl_seconds: 60 })).json()) as {
      token: string;
    }
  ).token;
  expect(await read(`/conversations/${id}`, { Authorization: `Bearer ${token}` })).toBe(200);
  // A stranger's request is not logged.
  expect(await read(`/conversations/${id}`, { 'X-API-Key': OTHER_KEY })).toBe(404);

  const entries = await vi.waitUntil(async () => {
    const all = await log({ tenant, conversation_id: id });
    return all.length === 8 && all;
  }, 10_000);
  expect(entries.map(({ act, by_token, key_label }) => ({ act, by_token, key_label })).reverse()).toEqual(
    expect.arrayContaining([
      { act: 'analyzed', by_token: false, key_label: null },
      { act: 'opened', by_token: false, key_label: null },
      { act: 'recording_requested', by_token: false, key_label: null },
      { act: 'exported', by_token: false, key_label: 'nightly export' },
      { act: 'refused', by_token: false, key_label: 'nightly export' },
      { act: 'edited', by_token: false, key_label: null },
      { act: 'shared', by_token: false, key_label: null },
      { act: 'opened', by_token: true, key_label: null },
    ]),
  );
  expect(new Set(entries.map(({ title }) => title))).toEqual(new Set(['Ours']));
  const heard = entries.find(({ act }) => act === 'recording_requested')!;
  expect(heard.requests).toBe(2);
  // The fake recording has 1,000 bytes: a quarter of it to three quarters.
  expect(heard.to_s! / heard.from_s!).toBeCloseTo(3, 2);
  const opened = entries.find(({ act, by_token }) => act === 'opened' && !by_token)!;
  expect(opened.requests).toBe(2);

  expect((await log({ tenant, key_id: issued.id })).map(({ act }) => act).sort()).toEqual(['exported', 'refused']);
  expect((await log({ tenant, act: 'shared' })).map(({ conversation_id }) => conversation_id)).toEqual([id]);
  expect(await log({ tenant, since: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);

  // Anybody who may read the conversation may see who did, with the networks alone.
  const shown = await ask(`/conversations/${id}/access?limit=7`);
  const own = ConversationAccessSchema.parse(await shown.json());
  expect(own.entries.map(({ id: entry }) => entry)).toEqual(entries.slice(0, 7).map(({ id: entry }) => entry));
  expect(own.next_cursor).not.toBeNull();
  expect(JSON.stringify(own)).not.toContain('"address"');
  expect(await read(`/conversations/${id}/access`, { 'X-API-Key': OTHER_KEY })).toBe(404);
  expect(await read(`/conversations/${id}/access`, { Authorization: `Bearer ${token}` })).toBe(403);

  expect(await read(`/conversations/${id}`, undefined, 'DELETE')).toBe(200);
  expect(await read(`/conversations/${id}/access`)).toBe(404);
  await vi.waitFor(async () => {
    const [last] = await log({ tenant, conversation_id: id });
    expect(last).toMatchObject({ act: 'deleted', title: null, from_s: null });
  });
});

it('is paged, and open to the administrators of the tenant alone', async () => {
  const tenant = await tenantOfKey();
  for (let i = 0; i < 3; i++) await read(`/conversations/${await analysed()}`);
  await vi.waitFor(async () => expect((await log({ tenant, act: 'opened' })).length).toBeGreaterThanOrEqual(3));
  const all = await log({ tenant });
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const response = await service.admin(
      'GET',
      `/access-log?${new URLSearchParams({ tenant, limit: '2', ...(cursor && { cursor }) })}`,
    );
    const page = AccessLogSchema.parse(await response.json());
    seen.push(...page.entries.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(all.map(({ id }) => id));
  expect((await service.admin('GET', '/access-log')).status).toBe(400);
  expect((await service.admin('GET', '/access-log?tenant=nobody-here')).status).toBe(404);
  expect(await read('/access-log')).toBe(403);
  const other = await tenantOfKey(OTHER_KEY);
  const admin = IssuedKeySchema.parse(
    await (await service.admin('POST', '/keys', { tenant: other, label: 'admin', scopes: ['admin'] })).json(),
  );
  expect(await read(`/access-log?tenant=${tenant}`, { 'X-API-Key': admin.key })).toBe(403);
  const own = AccessLogSchema.parse(await (await ask('/access-log', { 'X-API-Key': admin.key })).json());
  expect(own.entries).toEqual([]);
});

it('lists what was done with the conversations of a person, and by a model, and exports it', async () => {
  const tenant = await tenantOfKey();
  const [id, other] = [await analysed(), await analysed()];
  const person = ((await (await ask('/people', undefined, 'POST', { name: 'Bo' })).json()) as { id: string }).id;
  expect(await read(`/conversations/${id}`, undefined, 'PATCH', { people: { Speaker_0: person }, title: '=1' })).toBe(
    200,
  );
  expect(await read(`/conversations/${other}`)).toBe(200);
  const client = { 'X-API-Key': KEY, Accept: 'application/json, text/event-stream', 'CF-Connecting-IP': '203.0.113.9' };
  const call = { name: 'get_transcript', arguments: { conversation_id: id } };
  const told = await ask('/mcp', client, 'POST', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
  expect(await told.text()).toContain('thanks for calling');
  const entries = await vi.waitUntil(async () => {
    const all = await log({ tenant, person });
    return all.some(({ act }) => act === 'opened') && all;
  }, 10_000);
  expect(new Set(entries.map((entry) => entry.conversation_id))).toEqual(new Set([id]));
  expect(entries.find(({ act }) => act === 'opened')).toMatchObject({ address: '203.0.113.9', title: '=1' });
  expect(await log({ tenant, person: 'person_none' })).toEqual([]);

  const file = await service.admin('GET', `/access-log/export?tenant=${tenant}&person=${person}`);
  expect(file.headers.get('Content-Type')).toContain('text/csv');
  const rows = (await file.text()).replace('\ufeff', '').trimEnd().split('\r\n');
  expect(rows[0]).toMatch(/^id,at,until,requests,act,key_id,.*,title,from_s,to_s$/);
  expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(entries.map((entry) => `"${entry.id}"`));
  // A title is never a formula.
  for (const row of rows.slice(1)) expect(row).toContain(`"'=1"`);
  expect((await service.admin('GET', '/access-log/export')).status).toBe(400);
});

it('is kept for as long as the tenant says', async () => {
  const tenant = await tenantOfKey(OTHER_KEY);
  await analysed(OTHER_KEY);
  await vi.waitFor(async () => expect(await log({ tenant })).not.toEqual([]));
  const settings = async () => (await service.admin('GET', `/tenants/${tenant}`)).json();
  expect(await settings()).toMatchObject({ access_log_days: 400 });
  for (const days of [29, 3651, null])
    expect((await service.admin('PATCH', `/tenants/${tenant}`, { access_log_days: days })).status).toBe(400);
  expect((await service.admin('PATCH', `/tenants/${tenant}`, { access_log_days: 30 })).status).toBe(200);
  expect(await settings()).toMatchObject({ access_log_days: 30, retention_days: null });
  expect(await log({ tenant })).not.toEqual([]);
});

it('shows the operator which webhook messages were given up, and sends one again', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const created = (await (await ask('/webhooks', undefined, 'POST', { url })).json()) as { id: string };
  const id = await analysed();
  const tenant = await tenantOfKey();
  const undelivered = async () =>
    OperationsSchema.parse(await (await service.admin('GET', '/operations')).json()).undelivered?.find(
      ({ conversation_id, event }) => conversation_id === id && event === 'analysis.completed',
    );
  const given = (await vi.waitUntil(undelivered, 20_000))!;
  expect(given).toMatchObject({ tenant, webhook_id: created.id, url, attempts: 1, last_status: 410 });
  const before = received;
  const again = `/tenants/${tenant}/webhooks/${created.id}/deliveries/${given.id}/redeliver`;
  const sent = await service.admin('POST', again);
  expect({ status: sent.status, body: await sent.json() }).toMatchObject({ status: 202, body: { status: 'pending' } });
  await vi.waitFor(() => expect(received).toBeGreaterThan(before), 10_000);
  const acts = AuditListSchema.parse(await (await service.admin('GET', `/audit?tenant=${tenant}`)).json()).entries;
  expect(acts[0]).toMatchObject({ who: 'operator', act: 'delivery.repeated', subject: given.id });
  expect((await service.admin('POST', again.replace(given.id, 'msg_none'))).status).toBe(404);
});
