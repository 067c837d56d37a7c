import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnalysisResponse, type ExportedConversation, Undertone } from '../../src/sdk/index.ts';
import { ADMIN_TOKEN, clear, KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { allOf } from '../../support/stream-events.ts';

let service: TestService;
let undertone: Undertone;
let operator: Undertone;
beforeAll(async () => {
  service = await startService();
  undertone = new Undertone({ url: service.url, key: KEY });
  operator = new Undertone({ url: service.url, token: ADMIN_TOKEN });
});
afterAll(() => service.stop());

const call = (name = 'call.wav') => new File(['a recording'], name);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('stored conversations', () => {
  let analysis: AnalysisResponse;
  let id: string;
  beforeAll(async () => {
    await clear(service);
    analysis = await undertone.analyze(call('prices.wav'));
    id = analysis.conversation_id;
  });

  it('are listed page by page, and found by their words', async () => {
    const second = await undertone.analyze(call('again.wav'));
    const page = await undertone.conversations.list({ limit: 1 });
    expect(page.conversations.map((one) => one.conversation_id)).toEqual([second.conversation_id]);
    const ids = (await all(undertone.conversations.all({ limit: 1 }))).map((one) => one.conversation_id);
    expect(ids).toEqual([second.conversation_id, id]);
    const found = await undertone.conversations.list({ q: 'price' });
    expect(found.conversations.flatMap(({ matches }) => matches ?? [])[0]?.text).toContain('price');
    expect((await undertone.conversations.list({ q: 'zeppelin' })).conversations).toEqual([]);
    expect(await undertone.conversations.delete(second.conversation_id)).toMatchObject({ objects: expect.anything() });
  });

  it('are edited, and the edit is undone', async () => {
    expect((await undertone.conversations.record(id)).title).toBe('prices');
    const edited = await undertone.conversations.edit(id, { title: 'A price', speakers: { Speaker_0: 'Michelle' } });
    expect(edited).toMatchObject({ title: 'A price', names: { Speaker_0: 'Michelle' } });
    expect((await undertone.conversations.undo(id)).title).toBe('prices');
    await expect(undertone.conversations.undo(id)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' });
    expect(await undertone.conversations.get(id)).toEqual(analysis);
  });

  it('receive feedback', async () => {
    const utterance_id = analysis.timeline[0]?.utterance_id ?? '';
    const { feedback } = await undertone.conversations.feedback(id, { utterance_id, thumb: 'up' });
    expect(feedback).toMatchObject([{ kind: 'utterance', on: utterance_id, thumb: 'up' }]);
  });

  it('are exported, one or all', async () => {
    const captions = await (await undertone.conversations.export(id, 'vtt')).text();
    expect(captions).toMatch(/^WEBVTT/);
    const lines: ExportedConversation[] = await all(undertone.conversations.exportAll());
    expect(lines.map(({ conversation }) => conversation.conversation_id)).toEqual([id]);
    expect(lines[0]?.result?.timeline).toEqual(analysis.timeline);
    expect(await all(undertone.conversations.exportAll({ after: id }))).toEqual([]);
  });

  it('are replayed: the recording, and the events from any position', async () => {
    expect(await (await undertone.conversations.media(id, { original: true })).text()).toBe('a recording');
    const events = await allOf(undertone.conversations.events(id));
    expect(events.at(-1)?.event).toBe('done');
    expect(await allOf(undertone.conversations.events(id, { after: 2 }))).toEqual(events.slice(3));
    expect(await allOf(undertone.conversations.events(id, { after: events.length - 1 }))).toEqual([]);
  });

  it('are analysed again', async () => {
    const again = await undertone.conversations.reanalyze(id, { goal: 'What is agreed?' });
    expect(again).toMatchObject({ conversation_id: id, goal: 'What is agreed?' });
  });

  it('throw while there is no result', async () => {
    await expect(undertone.conversations.get('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('keys, tokens and tenants', () => {
  it('the operator creates, changes, reads and removes a tenant', async () => {
    const tenant = await operator.tenants.create({ name: 'Acme' });
    expect((await operator.tenants.list()).tenants.map(({ id }) => id)).toContain(tenant.id);
    expect(await operator.tenants.change(tenant.id, { retention_days: 30 })).toMatchObject({ retention_days: 30 });
    expect(await operator.tenants.get(tenant.id)).toMatchObject({ name: 'Acme', retention_days: 30 });
    const { key } = await operator.keys.issue({ label: 'first', tenant: tenant.id });
    const own = new Undertone({ url: service.url, key });
    await own.analyze(call());
    expect(await all(operator.tenants.export(tenant.id))).toHaveLength(1);
    expect(await operator.tenants.reindex(tenant.id)).toEqual({ conversations: 1, next_cursor: null });
    expect((await operator.tenants.audit({ tenant: tenant.id })).entries.length).toBeGreaterThan(0);
    expect(await operator.tenants.delete(tenant.id)).toMatchObject({ id: tenant.id });
    await expect(operator.tenants.get(tenant.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a key is issued, changed, rotated, measured and revoked', async () => {
    const { id } = await operator.keys.issue({ label: 'a', scopes: ['read'] });
    expect(await operator.keys.change(id, { label: 'b' })).toMatchObject({ label: 'b' });
    const next = await operator.keys.rotate(id, { overlap_seconds: 0 });
    expect(next).toMatchObject({ label: 'b', replaces: { id } });
    expect((await operator.keys.list({ tenant: 'default' })).keys.map((key) => key.id)).toContain(next.id);
    const reader = new Undertone({ url: service.url, key: next.key });
    await expect(reader.analyze(call())).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect((await operator.keys.usage(next.id, { days: 1 })).id).toBe(next.id);
    expect(await operator.keys.revoke(next.id)).toMatchObject({ status: 'revoked' });
  });

  it('a token permits its purpose and nothing else', async () => {
    const { token } = await undertone.tokens.mint({ for: { upload: 'new' }, ttl_seconds: 60 });
    const page = new Undertone({ url: service.url, token: () => token });
    const analysis = await page.analyze(call());
    expect(analysis.utterances).toBe(3);
    await expect(page.conversations.list()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const reading = await undertone.tokens.mint({ for: { conversation: analysis.conversation_id } });
    const reader = new Undertone({ url: service.url, token: reading.token });
    expect(await reader.conversations.get(analysis.conversation_id)).toEqual(analysis);
  });
});
