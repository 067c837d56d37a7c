import { compactVerify, createLocalJWKSet } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import {
  type ConversationRecordBody,
  type DeletionReceipt,
  DeletionReceiptSchema,
} from '../../../src/contract/conversations.ts';
import { type ReceiptKeys, ReceiptKeysSchema } from '../../../src/contract/receipts.ts';
import { TenantReceiptSchema } from '../../../src/contract/tenants.ts';
import { SPOKEN, sayEverything, sayHalf } from '../../../support/fake-pipeline.ts';
import { form } from '../../../support/service-under-test.ts';
import {
  analysed,
  ask,
  changed,
  edited,
  get,
  listed,
  MEDIA,
  of,
  type Rows,
  runService,
  service,
  tenantObject,
} from './conversations-under-test.ts';

runService();

describe('removed', () => {
  /** All rows about conversations in a tenant's object, without counters, times and the log of who accessed them. */
  async function kept(tenant: string): Promise<Rows> {
    const {
      due: _due,
      usage: _usage,
      last_use: _last,
      rooms: _rooms,
      access: _access,
      sqlite_sequence: _counters,
      erasures: _erased,
      receipts: _receipts,
      jobs = [],
      ...rows
    } = await (await tenantObject(tenant)).dump();
    // The workflow of an ended job is removed some seconds later.
    return { ...rows, jobs: jobs.map(({ workflow: _workflow, ...job }) => job) };
  }

  it('a conversation leaves nothing, and the receipt lists what was removed', async () => {
    const { tenant } = await analysed('stays.wav');
    const [objects, rows] = [await service.stored(), await kept(tenant)];
    const { id } = await analysed('goes.wav');
    await edited(id, { labels: ['x'], speakers: { Speaker_0: 'Ann' } });
    await changed('POST', of(id, '/feedback'), { utterance_id: `${id}_utt_0`, thumb: 'up' });
    await ask('POST', of(id, '/reanalyze'), {});
    const own = (await service.stored()).filter((key) => !objects.includes(key));
    const answer = await ask<DeletionReceipt>('DELETE', of(id));
    const receipt = DeletionReceiptSchema.parse(answer.body);
    expect(receipt.conversation_id).toBe(id);
    expect(receipt.objects.map(({ key }) => key).sort()).toEqual(own.sort());
    expect(receipt.bytes).toBe(receipt.objects.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(receipt.index).toEqual(expect.arrayContaining(['record', 'text', 'labels', 'job']));
    const { signed, ...shown } = receipt;
    const { body: keys } = await get<ReceiptKeys>('/receipts/keys', { 'X-API-Key': '' });
    expect(ReceiptKeysSchema.strict().parse(keys)).toEqual(keys);
    // The secret part is not published.
    expect(JSON.stringify(keys)).not.toContain('"d"');
    const { payload, protectedHeader } = await compactVerify(signed, createLocalJWKSet(keys));
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'undertone-receipt+jws', kid: keys.keys[0]!.kid });
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      ...shown,
      tenant,
      deleted_by: expect.stringMatching(new RegExp(`^key ${tenant}_`)),
    });
    const [head, , signature] = signed.split('.');
    const other = Buffer.from(JSON.stringify({ ...shown, bytes: 0 })).toString('base64url');
    await expect(compactVerify(`${head}.${other}.${signature}`, createLocalJWKSet(keys))).rejects.toThrow();
    expect(await service.stored()).toEqual(objects);
    expect(await kept(tenant)).toEqual(rows);
    expect((await get(of(id))).status).toBe(404);
    expect((await ask('DELETE', of(id))).status).toBe(404);
    for (const word of ['goes', 'ann', 'tuesday'])
      expect((await listed(`?q=${word}`)).map((c) => c.conversation_id)).not.toContain(id);
  });

  it('a conversation leaves no workflow, ended or running, and those of others go on', async () => {
    const { tenant } = await analysed('of the same tenant.wav');
    service.pipeline.answer = sayHalf;
    const begin = async (filename: string): Promise<string> => {
      const answer = await service.post('/analyze', form(filename, MEDIA), { Prefer: 'respond-async' });
      return ((await answer.json()) as { conversation_id: string }).conversation_id;
    };
    const workflow = async (id: string) => (await tenantObject(tenant)).workflow(`${id}-1`);
    const stays = await begin('stays.wav');
    await vi.waitFor(async () => expect(await workflow(stays)).toBe('running'), 20_000);
    const [objects, rows] = [await service.stored(), await kept(tenant)];
    const leaves = async (id: string): Promise<void> => {
      expect(await workflow(id)).not.toBeNull();
      expect((await ask('DELETE', of(id))).status).toBe(200);
      expect(await workflow(id)).toBeNull();
    };
    await leaves(await begin('running.wav'));
    service.pipeline.answer = sayEverything;
    const done = await begin('done.wav');
    await vi.waitFor(async () => expect((await listed('?status=completed'))[0]?.conversation_id).toBe(done), 40_000);
    await leaves(done);
    await vi.waitFor(async () => expect(await service.stored()).toEqual(objects), 40_000);
    // Running jobs renew their leases every few seconds.
    const still = ({ jobs = [], ...others }: Rows) => ({
      ...others,
      // An ended workflow is removed later.
      jobs: jobs.map(({ id, request }) => ({ id, request })),
    });
    expect(still(await kept(tenant))).toEqual(still(rows));
    expect(await workflow(stays)).toBe('running');
    expect((await ask('DELETE', of(stays))).status).toBe(200);
  });

  it('a conversation is removed when its retention ends', async () => {
    const { id, tenant } = await analysed('old.wav');
    expect((await changed('PATCH', of(id), { retention_days: 3 })).expires_at).toBe(
      new Date(Date.parse((await listed())[0]!.created_at) + 3 * 86_400_000).toISOString(),
    );
    expect((await changed('PATCH', of(id), { retention_days: null })).expires_at).toBeNull();
    // An old record.
    const { MEDIA: bucket } = await service.harness
      .getWorker<{ MEDIA: { put(key: string, text: string): Promise<unknown> } }>()
      .getEnv();
    const key = `${tenant}/records/${id}.json`;
    const record = JSON.parse(await service.text(key));
    await bucket.put(
      key,
      JSON.stringify({ ...record, createdAt: record.createdAt - 2 * 86_400_000, retentionDays: 1 }),
    );
    await service.admin('POST', `/tenants/${tenant}/reindex`);
    await vi.waitFor(async () => {
      expect((await get(of(id))).status).toBe(404);
      expect((await service.stored()).filter((name) => name.includes(id))).toEqual([]);
    }, 20_000);
  });

  it('a lost catalogue is rebuilt as it was', async () => {
    const { id, tenant } = await analysed('lost.wav');
    await edited(id, { title: 'Found', labels: ['again'], speakers: { Speaker_1: 'Zoe' } });
    const { id: anew } = await analysed('anew.wav');
    await ask('POST', of(anew, '/reanalyze'), { goal: 'Again?' });
    const queries = ['', '?q=zoe', '?label=again', '?q=discount', '?status=failed', '?mode=replay'];
    const lists = () => Promise.all(queries.map((query) => listed(query)));
    const rowsOf = async () => {
      const { conversations = [], facets = [], texts = [] } = await kept(tenant);
      const ids = new Map(conversations.map(({ n, id: own }) => [n, own]));
      const named = (rows: Record<string, unknown>[]) =>
        rows.map(({ n, ...row }) => JSON.stringify({ ...row, id: ids.get(n) })).sort();
      return { conversations: named(conversations), facets: named(facets), texts: named(texts) };
    };
    const before = [await lists(), await rowsOf()];
    await (await tenantObject(tenant)).loseCatalogue();
    expect(await listed()).toEqual([]);
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await service.admin('POST', `/tenants/${tenant}/reindex?cursor=${cursor}`);
      cursor = ((await page.json()) as { next_cursor: string | null }).next_cursor;
    }
    expect([await lists(), await rowsOf()]).toEqual(before);
  });

  it('a conversation without its result is still listed, and can be removed', async () => {
    const { id, tenant } = await analysed('damaged.wav');
    const { MEDIA: bucket } = await service.harness
      .getWorker<{ MEDIA: { delete(key: string): Promise<void> } }>()
      .getEnv();
    await bucket.delete(`${tenant}/${id}/result.json`);
    await (await tenantObject(tenant)).loseCatalogue();
    expect((await service.admin('POST', `/tenants/${tenant}/reindex`)).status).toBe(200);
    expect((await listed()).find((c) => c.conversation_id === id)).toMatchObject({ result: null });
    expect((await ask('DELETE', of(id))).status).toBe(200);
  });

  it('deletions and changes during a rebuild of the catalogue stay', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, (_, i) => analysed(`meanwhile ${i}.wav`)));
    const [gone, named] = [made.slice(0, 4), made.slice(4)];
    const tenant = made[0]!.tenant;
    const [reindexed] = await Promise.all([
      service.admin('POST', `/tenants/${tenant}/reindex`),
      ...gone.map(({ id }) => ask('DELETE', of(id))),
      ...named.map(({ id }) => edited(id, { title: 'Meanwhile', speakers: { Speaker_0: 'Ann' } })),
    ]);
    expect(reindexed.status).toBe(200);
    const left = await listed('?limit=100');
    for (const { id } of gone) expect(left.map((c) => c.conversation_id)).not.toContain(id);
    for (const { id } of named) {
      expect(left.find((c) => c.conversation_id === id)).toMatchObject({ title: 'Meanwhile' });
      expect((await get(of(id))).text).toContain('Ann');
    }
  });

  it('a tenant leaves nothing, and can be exported before', async () => {
    const { tenant: other } = await analysed('of another tenant.wav');
    const tenants = await (await service.admin('GET', '/tenants')).json();
    const [objects, rows] = [await service.stored(), await kept(other)];
    const made = (await (await service.admin('POST', '/tenants', { name: 'Leaving' })).json()) as { id: string };
    const { key } = await service.issue({ tenant: made.id });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await analysed(`call ${i}.wav`, {}, key)).id);
    const lines = async (path: string) => {
      const text = await (await service.admin('GET', path)).text();
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { conversation: ConversationRecordBody; result: AnalysisResponse });
    };
    const all = await lines(`/tenants/${made.id}/export`);
    expect(all.map(({ conversation }) => conversation.conversation_id)).toEqual([...ids].sort());
    for (const { conversation, result } of all) {
      expect(result.conversation_id).toBe(conversation.conversation_id);
      expect(result.timeline).toHaveLength(SPOKEN.length);
    }
    // An interrupted export resumes.
    const after = all[0]!.conversation.conversation_id;
    expect(await lines(`/tenants/${made.id}/export?after=${after}`)).toEqual(all.slice(1));
    const own = await get('/conversations/export', { 'X-API-Key': key });
    expect(own.text.trim().split('\n')).toHaveLength(3);

    service.pipeline.answer = sayHalf;
    const begun = await service.post('/analyze', form('running.wav', MEDIA), {
      'X-API-Key': key,
      Prefer: 'respond-async',
    });
    expect(begun.status).toBe(202);
    const { conversation_id: running } = (await begun.json()) as { conversation_id: string };
    const workflow = async () => (await tenantObject(other)).workflow(`${running}-1`);
    await vi.waitFor(async () => expect(await workflow()).toBe('running'), 20_000);
    const leaving = service.admin('DELETE', `/tenants/${made.id}`);
    // It ends running jobs first, which takes seconds; nothing new begins in the meantime.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const late = await service.post('/analyze', form('late.wav', MEDIA), { 'X-API-Key': key, Prefer: 'respond-async' });
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([401, 'INVALID_KEY']);
    const gone = await leaving;
    const { signed, ...shown } = TenantReceiptSchema.parse(await gone.json());
    expect(shown).toMatchObject({ id: made.id, objects: expect.any(Number), bytes: expect.any(Number) });
    // One key signs all receipts of the service.
    const { body: keys } = await get<ReceiptKeys>('/receipts/keys');
    const { payload } = await compactVerify(signed, createLocalJWKSet(keys));
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      ...shown,
      tenant: made.id,
      deleted_by: 'operator',
    });
    expect((await service.admin('GET', `/tenants/${made.id}`)).status).toBe(404);
    expect(await (await service.admin('GET', '/tenants')).json()).toEqual(tenants);
    expect(await (await service.admin('GET', '/audit')).text()).toContain('"act":"tenant.deleted"');
    await vi.waitFor(async () => expect(await service.stored()).toEqual(objects), 40_000);
    expect(await (await tenantObject(made.id)).dump()).toEqual({});
    expect(await workflow()).toBeNull();
    expect(await kept(other)).toEqual(rows);
  });

  it.each([{}, { Prefer: 'respond-async' }])(
    'a tenant does not come back by an upload that was under way (%o)',
    async (how) => {
      const made = (await (await service.admin('POST', '/tenants', { name: 'Leaving' })).json()) as { id: string };
      const { key } = await service.issue({ tenant: made.id });
      const before = await service.stored();
      const upload = new Request(new URL('/analyze', service.url), {
        method: 'POST',
        body: form('late.wav', MEDIA.repeat(400_000)),
      });
      const whole = await upload.bytes();
      const rest = Promise.withResolvers<void>();
      const body = new ReadableStream({
        async start(controller) {
          controller.enqueue(whole.subarray(0, -9));
          await rest.promise;
          controller.enqueue(whole.subarray(-9));
          controller.close();
        },
      });
      const headers = { 'X-API-Key': key, 'Content-Type': upload.headers.get('Content-Type')!, ...how };
      const answer = fetch(upload.url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
      const isUnderWay = async () => (await service.stored()).some((name) => name.includes(made.id));
      await vi.waitFor(async () => expect(await isUnderWay()).toBe(true), 10_000);
      expect((await service.admin('DELETE', `/tenants/${made.id}`)).status).toBe(200);
      rest.resolve();
      expect((await answer).status).toBe(401);
      expect((await service.admin('GET', `/tenants/${made.id}`)).status).toBe(404);
      expect(await (await tenantObject(made.id)).dump()).toEqual({});
      expect(await service.stored()).toEqual(before);
    },
  );
});
