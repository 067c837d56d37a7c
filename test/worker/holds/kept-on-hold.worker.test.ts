import { beforeAll, expect, it, vi } from 'vitest';
import { RedactionJobSchema } from '../../../src/contract/redactions.ts';
import {
  analysed,
  ask,
  backedUp,
  get,
  listed,
  of,
  reindexed,
  restored,
  runService,
  service,
  tenantObject,
} from '../conversations/conversations-under-test.ts';

runService();

let tenant: string;
let as: { 'X-API-Key': string };
let id: string;
let before: Record<string, string>;
beforeAll(async () => {
  ({ id: tenant } = (await (await service.admin('POST', '/tenants', { name: 'Kept' })).json()) as { id: string });
  as = { 'X-API-Key': (await service.issue({ tenant })).key };
  ({ id } = await analysed('kept.wav', {}, as['X-API-Key']));
  await ask('PATCH', of(id), { labels: ['acme'] }, as);
  expect((await ask('PUT', of(id, '/hold'), { reason: 'Complaint 7' }, as)).status).toBe(200);
  expect((await ask('POST', '/holds', { filter: { label: 'acme' }, reason: 'Dispute' }, as)).status).toBe(201);
  before = await kept();
});

/** Everything stored of the conversation except for its record. */
async function kept(): Promise<Record<string, string>> {
  const keys = (await service.stored()).filter((key) => key.startsWith(`${tenant}/${id}`));
  return Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await service.text(key)])));
}

const refused = async (method: string, path: string, body?: object): Promise<void> => {
  const answer = await ask<{ code: string }>(method, path, body, as);
  expect([answer.status, answer.body.code]).toEqual([409, 'ON_HOLD']);
};

/** Makes a conversation older than its retention, as if it had been sent two days ago. */
async function outlive(one: string): Promise<void> {
  const { MEDIA } = await service.harness
    .getWorker<{ MEDIA: { put(key: string, text: string): Promise<unknown> } }>()
    .getEnv();
  const key = `${tenant}/records/${one}.json`;
  const record = JSON.parse(await service.text(key));
  const old = { createdAt: record.createdAt - 2 * 86_400_000, retentionDays: 1 };
  await MEDIA.put(key, JSON.stringify({ ...record, ...old }));
}

it.each<[what: string, act: () => Promise<void>]>([
  ['its deletion', () => refused('DELETE', of(id))],
  ['a new analysis', () => refused('POST', of(id, '/reanalyze'), { goal: 'Again?' })],
  ['its redaction', () => refused('POST', of(id, '/redact'), { kinds: ['card'] })],
  [
    'a redaction over a filter',
    async () => {
      const begun = await ask('POST', '/redactions', { filter: { label: 'acme' }, kinds: ['card'] }, as);
      const { redaction_id } = RedactionJobSchema.parse(begun.body);
      await vi.waitFor(async () => {
        const job = RedactionJobSchema.parse((await get(`/redactions/${redaction_id}`, as)).body);
        expect(job).toMatchObject({ status: 'completed', on_hold: 1, redacted: 0 });
      }, 20_000);
    },
  ],
  [
    'the removal of its tenant',
    async () => {
      const answer = await service.admin('DELETE', `/tenants/${tenant}`);
      expect(answer.status).toBe(409);
    },
  ],
  [
    'a rebuilt catalogue',
    async () => {
      await (await tenantObject(tenant)).loseCatalogue();
      await reindexed(tenant);
    },
  ],
  [
    'the loss of its tenant and a restoration',
    async () => {
      await backedUp();
      await restored(tenant);
    },
  ],
  [
    'the end of its retention',
    async () => {
      const { id: other } = await analysed('other.wav', {}, as['X-API-Key']);
      for (const one of [id, other]) await outlive(one);
      await reindexed(tenant);
      // The sweep that removes this one finds the one on hold, too.
      await vi.waitFor(async () => expect((await get(of(other), as)).status).toBe(404), 20_000);
    },
  ],
])(
  'a conversation on hold outlives %s',
  async (_, act) => {
    await act();
    expect(await kept()).toEqual(before);
    const entries = await listed('?on_hold=true', as['X-API-Key']);
    expect(entries.map(({ conversation_id }) => conversation_id)).toEqual([id]);
    const { body } = await get<{ holds: { reason: string }[] }>(of(id, '/hold'), as);
    expect(body.holds.map(({ reason }) => reason).sort()).toEqual(['Complaint 7', 'Dispute']);
  },
  60_000,
);

it('and is deleted once both holds are lifted, which retention does and says in a receipt', async () => {
  const { body } = await get<{ holds: { id: string }[] }>(of(id, '/hold'), as);
  for (const hold of body.holds) expect((await ask('DELETE', `/holds/${hold.id}`, undefined, as)).status).toBe(204);
  await vi.waitFor(async () => expect((await get(of(id), as)).status).toBe(404), 20_000);
  const { receipts } = (await get<{ receipts: object[] }>(`/receipts?conversation_id=${id}`, as)).body;
  expect(receipts).toMatchObject([{ kind: 'retention', by: 'retention', redaction: null }]);
}, 60_000);
