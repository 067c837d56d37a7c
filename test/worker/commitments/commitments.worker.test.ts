import { beforeEach, describe, expect, it } from 'vitest';
import {
  type CommitmentEntry,
  CommitmentEntrySchema,
  type CommitmentList,
  CommitmentListSchema,
} from '../../../src/contract/commitments.ts';
import type { ConversationList, DeletionReceipt } from '../../../src/contract/conversations.ts';
import { linesOf, write } from '../../../support/fake-pipeline.ts';
import {
  analysed,
  ask,
  edited,
  get,
  of,
  runService,
  service,
  shown,
  tenantObject,
} from '../conversations/conversations-under-test.ts';

runService();

const OWED = [
  'Hello, thanks for calling, how can I help with the contract?',
  "I'll send you the signed contract by Friday.",
  'Great, thank you very much.',
  "And I'll call the supplier about the discount as soon as possible.",
  'What else is there to talk about now?',
];
const WEDNESDAY = { recorded_at: '2026-11-25T10:00:00Z', time_zone: 'Europe/London' };

beforeEach(() => {
  service.pipeline.answer = (response, { options }) => {
    write(response, linesOf(options.conversation_id, OWED));
    response.end();
  };
});

async function listed(query = ''): Promise<CommitmentList> {
  const { status, body, text } = await get(`/commitments${query}`);
  expect(status, text).toBe(200);
  return CommitmentListSchema.parse(body);
}
const ofConversation = async (id: string, query = '') =>
  (await listed(query)).commitments.filter((one) => one.conversation_id === id);
const patched = async (id: string, status: string | null): Promise<CommitmentEntry> => {
  const { status: code, body, text } = await ask('PATCH', `/commitments/${id}`, { status });
  expect(code, text).toBe(200);
  return CommitmentEntrySchema.parse(body);
};

describe('the list of commitments', () => {
  it('has those of every conversation by their day, with filters and pages', async () => {
    const { id } = await analysed('first.wav', WEDNESDAY);
    const own = await ofConversation(id);
    expect(own).toMatchObject([
      {
        owner: 'Speaker_1',
        to: 'Speaker_0',
        deed: 'send you the signed contract',
        due: { date: '2026-11-27', said: 'Friday', time_zone: 'Europe/London', time_zone_source: 'given' },
        status: 'accepted',
        status_source: 'words',
        title: 'first',
      },
      { owner: 'Speaker_1', due: null, vague_due: 'as soon as possible', status: 'open' },
    ]);
    const { commitments } = await shown(id);
    expect(commitments).toHaveLength(2);
    const { conversations } = (await get('/conversations')).body as ConversationList;
    expect(conversations.find(({ conversation_id }) => conversation_id === id)?.commitments).toEqual({
      count: 2,
      unsure: commitments!.filter(({ confidence }) => confidence < 0.5).length,
    });
    const due = await ofConversation(id, '?due_before=2026-11-28');
    expect(due.map(({ deed }) => deed)).toEqual(['send you the signed contract']);
    expect(await ofConversation(id, '?due_before=2026-11-27')).toEqual([]);
    expect(await ofConversation(id, '?status=done')).toEqual([]);
    expect(await ofConversation(id, '?status=open,accepted')).toHaveLength(2);

    const all = (await listed()).commitments.map(({ commitment_id }) => commitment_id);
    const paged: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await listed(`?limit=1${cursor}`);
      paged.push(...page.commitments.map(({ commitment_id }) => commitment_id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(paged).toEqual(all);
    const { counts } = await listed();
    expect(Object.values(counts.statuses).reduce((a, b) => a + b)).toBe(all.length);
    expect(counts.undated).toBe((await listed()).commitments.filter(({ due: day }) => day === null).length);
  });

  it.each([
    ['?status=late', 'status: must be offered'],
    ['?due_before=friday', 'due_before'],
    ['?cursor=nonsense', 'cursor: does not belong to this list'],
    ['?owner=Anna', 'owner'],
    ['/export?format=pdf', 'format'],
  ])('refuses %s by name', async (query, fault) => {
    const { status, text } = await get(`/commitments${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(fault)]);
  });

  it('follows names, people, merges and removal', async () => {
    const { id, tenant } = await analysed('followed.wav', WEDNESDAY);
    await edited(id, { speakers: { Speaker_1: 'Quirina Vale' } });
    expect((await ofConversation(id, '?person=Quirina%20Vale')).map(({ owner }) => owner)).toEqual([
      'Quirina Vale',
      'Quirina Vale',
    ]);
    const { body: person } = await ask<{ id: string }>('POST', '/people', { name: 'Ada Berg' });
    await edited(id, { people: { Speaker_1: person.id } });
    expect(await ofConversation(id, `?person=${person.id}`)).toHaveLength(2);
    expect(await ofConversation(id, '?person=Quirina%20Vale')).toEqual([]);
    await ask('DELETE', `/people/${person.id}`);
    expect(await ofConversation(id, `?person=${person.id}`)).toEqual([]);
    expect(await ofConversation(id, '?person=Quirina%20Vale')).toHaveLength(2);
    // One person alone owes nothing to anybody.
    await edited(id, { merge: [['Speaker_1', 'Speaker_0']] });
    expect(await ofConversation(id)).toEqual([]);
    await ask('POST', of(id, '/undo'));
    expect(await ofConversation(id)).toHaveLength(2);
    const receipt = await ask<DeletionReceipt>('DELETE', of(id));
    expect(receipt.body.index).toContain('commitments');
    expect(await ofConversation(id)).toEqual([]);
    const rows = (await (await tenantObject(tenant)).dump()).commitments!;
    expect(JSON.stringify(rows)).not.toContain(id);
  });
});

it('lists the questions that were left open beside them, of the person who asked', async () => {
  service.pipeline.answer = (response, { options }) => {
    write(
      response,
      linesOf(options.conversation_id, ['When can the training start for the new team?', "I don't know."]),
    );
    response.end();
  };
  const { id } = await analysed('asked.wav', WEDNESDAY);
  const asked = async (query = '') => {
    const { open_questions, counts } = await listed(query);
    expect(counts.open_questions).toBe(open_questions.length);
    return open_questions.filter((one) => one.conversation_id === id);
  };
  expect(await asked()).toMatchObject([
    {
      speaker: 'Speaker_0',
      title: 'asked',
      quote: 'When can the training start for the new team?',
      reply: { quote: "I don't know" },
    },
  ]);
  await edited(id, { speakers: { Speaker_0: 'Quirina Asker' } });
  expect(await asked('?person=Quirina%20Asker')).toHaveLength(1);
  expect(await asked('?person=Quirina%20Other')).toEqual([]);
  await ask('DELETE', of(id));
  expect(await asked()).toEqual([]);
});

describe('the status of a commitment', () => {
  it('is set by a person, and kept through another analysis and a rebuild', async () => {
    const { id, tenant } = await analysed('kept.wav', WEDNESDAY);
    const [first] = await ofConversation(id);
    expect(await patched(first!.commitment_id, 'done')).toMatchObject({
      status: 'done',
      status_source: 'person',
      state: 'accepted',
    });
    expect((await ofConversation(id, '?status=done')).map(({ commitment_id }) => commitment_id)).toEqual([
      first!.commitment_id,
    ]);
    const again = await ask('POST', of(id, '/reanalyze'), { goal: 'What was promised?' });
    expect(again.status, again.text).toBe(200);
    const kept = await ofConversation(id);
    expect(kept.map(({ status }) => status)).toEqual(['done', 'open']);
    expect(kept[0]!.due?.date).toBe('2026-11-27');
    await (await tenantObject(tenant)).loseCatalogue();
    expect(await ofConversation(id)).toEqual([]);
    for (let cursor = ''; ; ) {
      const page = await service.admin('POST', `/tenants/${tenant}/reindex?cursor=${cursor}`);
      const { next_cursor } = (await page.json()) as { next_cursor: string | null };
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    expect(await ofConversation(id)).toEqual(kept);
    expect(await patched(kept[0]!.commitment_id, null)).toMatchObject({ status: 'accepted', status_source: 'words' });
  });

  it('is refused for an unknown commitment or status', async () => {
    expect((await ask('PATCH', '/commitments/c_utt_0_commitment_0', { status: 'done' })).status).toBe(404);
    const { id } = await analysed('refused.wav', WEDNESDAY);
    const [first] = await ofConversation(id);
    const wrong = await ask('PATCH', `/commitments/${first!.commitment_id}`, { status: 'late' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('status')]);
  });
});

describe('an export of commitments', () => {
  it('is a table or a calendar with the same entries', async () => {
    const { id } = await analysed('exported.wav', WEDNESDAY);
    const [first, second] = await ofConversation(id);
    await patched(second!.commitment_id, 'done');
    const csv = await get('/commitments/export?format=csv');
    expect(csv.headers.get('Content-Type')).toContain('text/csv');
    const row = csv.text.split('\r\n').find((line) => line.includes(first!.commitment_id))!;
    expect(row).toContain('"Speaker_1","Speaker_0","send you the signed contract","2026-11-27"');
    const ics = await get('/commitments/export?format=ics');
    expect(ics.headers.get('Content-Type')).toContain('text/calendar');
    const lines = ics.text.split('\r\n');
    expect(lines.every((line) => new TextEncoder().encode(line).length <= 75)).toBe(true);
    const plain = ics.text.replaceAll('\r\n ', '');
    const tasks = plain.split('BEGIN:VTODO').slice(1);
    const task = tasks.find((text) => text.includes(first!.commitment_id))!;
    expect(task).toContain('SUMMARY:Speaker_1 to Speaker_0: send you the signed contract\r\n');
    expect(task).toContain('DUE;VALUE=DATE:20261127\r\nSTATUS:NEEDS-ACTION');
    const undated = tasks.find((text) => text.includes(second!.commitment_id))!;
    expect(undated).not.toContain('DUE');
    expect(undated).toContain('STATUS:COMPLETED');
    expect(tasks).toHaveLength((await listed()).commitments.length);
  });
});

it('commitments of a new conversation are reported to webhooks, once', async () => {
  const url = 'https://example.com/hook';
  const hook = await ask<{ id: string }>('POST', '/webhooks', { url, events: ['commitment.made'] });
  expect(hook.status, hook.text).toBe(201);
  const { id, tenant } = await analysed('hooked.wav', WEDNESDAY);
  await ask('POST', of(id, '/reanalyze'), {});
  const rows = (await (await tenantObject(tenant)).dump()).deliveries!.filter((row) => row.webhook === hook.body.id);
  const bodies = rows.map((row) => JSON.parse(String(row.body)));
  expect(bodies).toMatchObject([
    {
      type: 'commitment.made',
      data: { conversation_id: id, commitments: [{ deed: 'send you the signed contract' }, { due: null }] },
    },
  ]);
  await ask('DELETE', `/webhooks/${hook.body.id}`);
});
