import { describe, expect, it } from 'vitest';
import { CommentListSchema, CommentSchema } from '../../../src/contract/conversations.ts';
import {
  analysed,
  ask,
  changed,
  get,
  listed,
  of,
  runService,
  service,
  tenantObject,
} from './conversations-under-test.ts';

runService();

describe('comments', () => {
  const comments = async (id: string) =>
    CommentListSchema.parse((await get(of(id, '/comments'))).body).comments.map(({ at, text }) => [at, text]);

  it('are kept by their place through a new analysis and a rebuilt catalogue, changed and deleted', async () => {
    const { id, tenant } = await analysed('commented.wav');
    const add = async (at: number, text: string) => {
      const { status, body } = await ask('POST', of(id, '/comments'), { at, text });
      expect(status).toBe(201);
      return CommentSchema.parse(body).comment_id;
    };
    const later = await add(3, 'Ask for the date.');
    const first = await add(1.5, 'A good\nbeginning.');
    expect(await comments(id)).toEqual([
      [1.5, 'A good\nbeginning.'],
      [3, 'Ask for the date.'],
    ]);
    expect(
      CommentSchema.parse((await ask('PATCH', of(id, `/comments/${later}`), { text: 'When?' })).body),
    ).toMatchObject({
      text: 'When?',
      at: 3,
    });
    await ask('POST', of(id, '/reanalyze'), {});
    await (await tenantObject(tenant)).loseCatalogue();
    expect((await service.admin('POST', `/tenants/${tenant}/reindex`)).status).toBe(200);
    expect((await changed('PATCH', of(id), { reviewed: true })).comments).toHaveLength(2);
    expect((await ask('DELETE', of(id, `/comments/${first}`))).status).toBe(204);
    expect(await comments(id)).toEqual([[3, 'When?']]);
    expect((await ask('DELETE', of(id, `/comments/${first}`))).status).toBe(404);
  });

  it.each([
    [{ at: -1, text: 'x' }, 'at'],
    [{ at: 1e6, text: 'x' }, 'at: the recording ends at'],
    [{ at: 0, text: ' ' }, 'text: must not be empty'],
    [{ at: 0, text: 'a\u0007' }, 'control characters'],
    [{ at: 0, text: 'x'.repeat(1001) }, 'text: is longer than 1000 characters'],
    [{ at: 0, text: 'x', by: 'me' }, 'by'],
  ])('%o is refused by name', async (body, fault) => {
    const { id } = await analysed('refused.wav');
    const { status, text } = await ask('POST', of(id, '/comments'), body);
    expect([status, text]).toEqual([400, expect.stringContaining(fault)]);
  });
});

it('a conversation is marked as reviewed, listed so, and to review again', async () => {
  const { id } = await analysed('reviewed.wav');
  const ids = async (query: string) => (await listed(query)).map((entry) => entry.conversation_id);
  expect(await ids('?reviewed=false&limit=100')).toContain(id);
  expect((await changed('PATCH', of(id), { reviewed: true })).reviewed_at).not.toBeNull();
  expect(await ids('?reviewed=true')).toContain(id);
  expect(await ids('?reviewed=false&limit=100')).not.toContain(id);
  expect((await changed('PATCH', of(id), { reviewed: false })).reviewed_at).toBeNull();
  expect(await ids('?reviewed=true')).not.toContain(id);
});
