import { describe, expect, it, vi } from 'vitest';
import {
  type PersonBody,
  PersonListSchema,
  PersonProposalsSchema,
  PersonRemovalSchema,
  PersonSchema,
  ProposalsSchema,
} from '../../../src/contract/people.ts';
import {
  analysed,
  ask,
  changed,
  edited,
  get,
  listed,
  of,
  runService,
  service,
  shown,
  tenantObject,
  undone,
} from '../conversations/conversations-under-test.ts';

runService();

async function added(name: string, more: object = {}): Promise<PersonBody> {
  const { status, body, text } = await ask('POST', '/people', { name, ...more });
  expect(status, text).toBe(201);
  return PersonSchema.parse(body);
}
const removed = async (id: string) => PersonRemovalSchema.parse((await ask('DELETE', `/people/${id}`)).body);
const found = async (query: string) => (await listed(query)).map((entry) => entry.conversation_id);

describe('people', () => {
  it('are added, listed by name, changed and removed', async () => {
    const zoe = await added('Zoe Alt', { role: 'Agent', external_id: 'u-1' });
    expect(zoe).toMatchObject({ name: 'Zoe Alt', role: 'agent', external_id: 'u-1', conversations: 0, pending: 0 });
    const ann = await added('ann Berg');
    const names = PersonListSchema.parse((await get('/people')).body).people.map(({ name }) => name);
    expect(names.filter((name) => [zoe.name, ann.name].includes(name))).toEqual(['ann Berg', 'Zoe Alt']);
    const { body } = await ask('PATCH', `/people/${zoe.id}`, { role: null, name: 'Zoe Neu' });
    expect(body).toMatchObject({ name: 'Zoe Neu', role: null, external_id: 'u-1' });
    expect((await ask('POST', '/people', { name: 'Other', external_id: 'u-1' })).status).toBe(400);
    expect((await ask('PATCH', `/people/${ann.id}`, { external_id: 'u-1' })).text).toContain('external_id');
    expect(await removed(zoe.id)).toMatchObject({ id: zoe.id, conversations: 0, pending: 0 });
    expect((await get(`/people/${zoe.id}`)).status).toBe(404);
    expect((await ask('DELETE', `/people/${zoe.id}`)).status).toBe(404);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'Speaker_3' }, 'must not look like a speaker label'],
    [{ name: 'Ann\u0007' }, 'control characters'],
    [{ name: 'Ann', role: '<b>' }, 'role'],
    [{ name: 'Ann', role: 'x'.repeat(33) }, 'role: is longer than 32 characters'],
    [{ name: 'Ann', voice: 'x' }, 'voice'],
    [{}, 'name'],
  ])('%o is refused by name', async (body, fault) => {
    const { status, text } = await ask('POST', '/people', body);
    expect([status, text]).toEqual([400, expect.stringContaining(fault)]);
  });
});

describe('a person who speaks', () => {
  it('is shown in the result, exports, the list and the search until the person is removed', async () => {
    const { id, text } = await analysed('named.wav');
    const person = await added('Quirina Vale', { role: 'agent' });
    await edited(id, { speakers: { Speaker_0: 'Somebody' } });
    const record = await edited(id, { people: { Speaker_0: person.id } });
    expect(record.names.Speaker_0).toBe('Quirina Vale');
    expect(record.people).toEqual({ Speaker_0: { id: person.id, name: 'Quirina Vale', role: 'agent' } });
    expect((await shown(id)).timeline[0]).toMatchObject({ speaker: 'Quirina Vale', speaker_label: 'Speaker_0' });
    expect((await get(of(id, '/export?format=srt'))).text).toContain('Quirina Vale');
    expect(await found('?q=quirina')).toContain(id);
    expect(await found(`?person=${person.id}`)).toEqual([id]);
    expect((await get<PersonBody>(`/people/${person.id}`)).body.conversations).toBe(1);
    await ask('PATCH', `/people/${person.id}`, { name: 'Quirina Dale' });
    expect((await shown(id)).timeline[0]!.speaker).toBe('Quirina Dale');

    expect(await removed(person.id)).toMatchObject({ conversations: 1, pending: 0 });
    const after = await get(of(id, '/record'));
    expect(after.text).not.toContain('Quirina');
    expect(after.text).not.toContain(person.id);
    expect((await shown(id)).timeline[0]!.speaker).toBe('Somebody');
    expect(await found('?q=quirina')).toEqual([]);
    await undone(id);
    expect((await get(of(id))).text).toBe(text);
    expect((await service.stored()).filter((key) => key.includes(`${id}/edited-`))).toEqual([]);
  });

  it('is kept through merges, a new analysis, a rebuilt catalogue and undo', async () => {
    const { id, tenant } = await analysed('kept.wav');
    const person = await added('Kay Ford', { role: 'customer' });
    await edited(id, { people: { Speaker_1: person.id } });
    await edited(id, { merge: [['Speaker_1', 'Speaker_0']] });
    expect((await changed('PATCH', of(id), { reviewed: true })).people).toMatchObject({ Speaker_0: { id: person.id } });
    expect((await undone(id)).people).toMatchObject({ Speaker_1: { id: person.id } });
    expect((await ask('POST', of(id, '/reanalyze'), {})).status).toBe(200);
    expect((await changed('PATCH', of(id), { reviewed: false })).people).toMatchObject({
      Speaker_1: { id: person.id },
    });
    await (await tenantObject(tenant)).loseCatalogue();
    expect((await service.admin('POST', `/tenants/${tenant}/reindex`)).status).toBe(200);
    expect((await shown(id)).timeline.map(({ speaker }) => speaker)).toContain('Kay Ford');
    expect(await found(`?person=${person.id}`)).toEqual([id]);
    expect((await undone(id)).people).toEqual({});
  });

  it('is only one speaker, exists, and may have the name of another', async () => {
    const { id } = await analysed('two.wav');
    const ann = await added('Ann Same');
    const other = await added('Ann Same');
    expect((await ask('PATCH', of(id), { people: { Speaker_0: 'nobody' } })).text).toContain('people.Speaker_0');
    expect((await ask('PATCH', of(id), { people: { Speaker_7: ann.id } })).text).toContain('people.Speaker_7');
    await edited(id, { people: { Speaker_0: ann.id } });
    const twice = await ask('PATCH', of(id), { people: { Speaker_1: ann.id } });
    expect([twice.status, twice.text]).toEqual([400, expect.stringContaining('Speaker_0 already has this person')]);
    const { names } = await edited(id, { people: { Speaker_1: other.id } });
    expect(names).toEqual({ Speaker_0: 'Ann Same', Speaker_1: 'Ann Same (Speaker_1)' });
  });

  it('has a role that rules read, which follows the person', async () => {
    const { id } = await analysed('ruled.wav');
    const person = await added('Rae Role', { role: 'host' });
    const when = { talk_share: { who: { role: 'host' }, min: 0.01 } };
    const matched = async () =>
      (
        await ask<{ matches: { conversation_id: string; outcome: string }[] }>('POST', '/rules/try', { when })
      ).body.matches.filter(({ conversation_id, outcome }) => conversation_id === id && outcome === 'matched').length;
    expect(await matched()).toBe(0);
    await edited(id, { people: { Speaker_0: person.id } });
    expect(await matched()).toBe(1);
    await ask('PATCH', `/people/${person.id}`, { role: 'guest' });
    expect(await matched()).toBe(0);
  });

  it('is removed from more conversations than one response writes', async () => {
    const person = await added('Many Calls');
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      const { id } = await analysed(`many-${n}.wav`);
      await edited(id, { people: { Speaker_0: person.id } });
      ids.push(id);
    }
    const { conversations, pending } = await removed(person.id);
    expect([conversations, pending]).toEqual([12, 2]);
    for (const id of ids)
      await vi.waitFor(async () => expect((await get(of(id))).text).not.toContain('Many Calls'), 20_000);
  });
});

describe('a role that somebody sets', () => {
  it('is in the record, takes precedence over that of the person, and is read by rules until it is removed', async () => {
    const { id, text } = await analysed('set-role.wav');
    const person = await added('Role Holder', { role: 'host' });
    const matched = async (role: string) =>
      (
        await ask<{ matches: { conversation_id: string; outcome: string }[] }>('POST', '/rules/try', {
          when: { talk_share: { who: { role }, min: 0.01 } },
        })
      ).body.matches.some((one) => one.conversation_id === id && one.outcome === 'matched');
    await edited(id, { people: { Speaker_0: person.id } });
    expect((await edited(id, { roles: { Speaker_0: 'Referee' } })).roles).toEqual({ Speaker_0: 'referee' });
    expect([await matched('referee'), await matched('host')]).toEqual([true, false]);
    expect((await get(of(id, '/export?format=csv'))).text).toContain('"referee"');
    expect((await edited(id, { roles: { Speaker_0: null } })).roles).toEqual({});
    expect([await matched('referee'), await matched('host')]).toEqual([false, true]);
    expect((await ask('PATCH', of(id), { roles: { Speaker_7: 'agent' } })).text).toContain('roles.Speaker_7');
    expect((await ask('PATCH', of(id), { dismiss: [{ speaker: 'Speaker_0' }] })).status).toBe(400);
    await undone(id);
    await undone(id);
    await undone(id);
    expect((await get(of(id))).text).toBe(text);
  });

  it('is what is proposed, unless the proposal was dismissed', async () => {
    const { id, result } = await analysed('roles-proposed.wav');
    const turns = [
      'Thank you for calling customer support, how may I help you today?',
      'Hi, I would like to check on my order, it has not arrived. I want to get a refund. I am looking for the shirt that I bought. My order number is 4 4 5 6, and yes, that is my account. Thanks so much for your help.',
      'I am sorry to hear about that. May I have your full name, your account id and your order number please? I can book that for you. Is there anything else I can help you with today?',
    ];
    await edited(id, {
      correct: result.timeline.map(({ utterance_id }, i) => ({ utterance_id, text: turns[i]! })),
    });
    const roles = async () => ProposalsSchema.parse((await get(of(id, '/proposals'))).body).roles;
    const [first, second] = await roles();
    expect([first, second]).toMatchObject([{ role: 'agent' }, { role: 'customer' }]);
    await edited(id, { dismiss: [{ speaker: first!.speaker, role: 'agent' }] });
    expect(await roles()).toEqual([]);
    await undone(id);
    await edited(id, { roles: { [first!.speaker]: first!.role, [second!.speaker]: second!.role } });
    expect(await roles()).toEqual([]);
  });
});

describe('proposals', () => {
  it('name who says so, with the quote and the person of that name, and apply nothing', async () => {
    const { id, text, result } = await analysed('proposed.wav');
    const [utterance] = result.timeline;
    const said = 'Hello, my name is Quentin Park, how can I help?';
    await edited(id, { correct: [{ utterance_id: utterance!.utterance_id, text: said }] });
    const person = await added('quentin park');
    const proposals = async () => ProposalsSchema.parse((await get(of(id, '/proposals'))).body);
    const { names, roles } = await proposals();
    expect(names).toEqual([
      {
        ...{ speaker: utterance!.speaker, name: 'Quentin Park', from: 'introduction', sure: true, quote: said },
        ...{ utterance_id: utterance!.utterance_id, t_start: utterance!.t_start, person_id: person.id },
      },
    ]);
    expect(roles).toEqual([]);
    expect((await changed('PATCH', of(id), { people: { [utterance!.speaker]: person.id } })).names).toEqual({
      [utterance!.speaker]: 'quentin park',
    });
    expect((await proposals()).names).toEqual([]);
    await undone(id);
    await edited(id, { dismiss: [{ speaker: utterance!.speaker, name: 'Quentin park' }] });
    expect((await proposals()).names).toEqual([]);
    await undone(id);
    expect((await proposals()).names).toHaveLength(1);
    const ofPerson = async (path: string) => {
      const answer = await get(path);
      expect(answer.status, answer.text).toBe(200);
      return PersonProposalsSchema.parse(answer.body);
    };
    const path = `/people/${person.id}/proposals`;
    const page = await ofPerson(path);
    const { person_id: _, ...heard } = names[0]!;
    expect(page.proposals).toMatchObject([{ ...heard, conversation_id: id }]);
    expect(page.next_cursor).toBeNull();
    expect((await ofPerson(`${path}?cursor=1`)).proposals).toEqual([]);
    const other = await added('Zoe Park');
    expect((await ofPerson(`/people/${other.id}/proposals`)).proposals).toEqual([]);
    await edited(id, { people: { [utterance!.speaker]: person.id } });
    expect((await ofPerson(path)).proposals).toEqual([]);
    await undone(id);
    await edited(id, { dismiss: [{ speaker: utterance!.speaker, name: 'Quentin Park' }] });
    expect((await ofPerson(path)).proposals).toEqual([]);
    await undone(id);
    await undone(id);
    expect((await get(of(id))).text).toBe(text);
  });
});
