import { expect, it } from 'vitest';
import type { DeletionReceipt } from '../../../src/contract/conversations.ts';
import {
  type PlaylistBody,
  type PlaylistDetail,
  PlaylistDetailSchema,
  type PlaylistItem,
  PlaylistItemSchema,
  PlaylistListSchema,
  PlaylistSchema,
} from '../../../src/contract/playlists.ts';
import { DEMO_KEY, OTHER_KEY } from '../../../support/service-under-test.ts';
import {
  analysed,
  ask,
  edited,
  get,
  of,
  reindexed,
  runService,
  tenantObject,
} from '../conversations/conversations-under-test.ts';

runService();

const created = async (name: string): Promise<PlaylistBody> => {
  const { status, body, text } = await ask('POST', '/playlists', { name });
  expect(status, text).toBe(201);
  return PlaylistSchema.parse(body);
};
const added = async (playlist: string, item: object): Promise<PlaylistItem> => {
  const { status, body, text } = await ask('POST', `/playlists/${playlist}/items`, item);
  expect(status, text).toBe(201);
  return PlaylistItemSchema.parse(body);
};
const read = async (playlist: string): Promise<PlaylistDetail> =>
  PlaylistDetailSchema.parse((await get(`/playlists/${playlist}`)).body);
const notesOf = async (playlist: string) => (await read(playlist)).list.map(({ note }) => note);

it('a playlist holds pieces of conversations in an order of its own', async () => {
  const { id, result } = await analysed('listed.wav');
  const { timeline } = result;
  const { id: list } = await created('Best');
  const [first, second] = timeline;
  const one = await added(list, { conversation_id: id, from: first!.t_start, to: first!.t_end, note: 'one' });
  expect(one).toMatchObject({
    conversation_id: id,
    conversation: { title: 'listed' },
    quote: first!.text,
    speaker: first!.speaker,
    media: `/conversations/${id}/media#t=${first!.t_start},${first!.t_end}`,
    page: `/app/conversations/${id}?t=${first!.t_start}`,
  });
  const two = await added(list, { conversation_id: id, from: second!.t_start, to: second!.t_end, note: 'two' });
  await added(list, { conversation_id: id, from: 0, to: 0.5, note: 'zero', position: 0 });
  expect(await notesOf(list)).toEqual(['zero', 'one', 'two']);
  await ask('PATCH', `/playlists/${list}/items/${two.id}`, { position: 0 });
  expect(await notesOf(list)).toEqual(['two', 'zero', 'one']);
  const noted = await ask<PlaylistItem>('PATCH', `/playlists/${list}/items/${one.id}`, { note: 'uno', position: 400 });
  expect(noted.body).toMatchObject({ note: 'uno', from: one.from });
  expect(await notesOf(list)).toEqual(['two', 'zero', 'uno']);
  expect((await ask('DELETE', `/playlists/${list}/items/${two.id}`)).status).toBe(204);
  const left = await read(list);
  expect(left).toMatchObject({ name: 'Best', items: 2 });
  expect(left.seconds).toBeCloseTo(one.to - one.from + 0.5, 2);

  expect((await ask<PlaylistBody>('PATCH', `/playlists/${list}`, { name: 'Better' })).body.name).toBe('Better');
  expect(PlaylistListSchema.parse((await get('/playlists')).body).playlists.map(({ name }) => name)).toContain(
    'Better',
  );
  expect((await ask('DELETE', `/playlists/${list}`)).status).toBe(204);
  expect((await get(`/playlists/${list}`)).status).toBe(404);
});

it('items follow names and corrections, stay through a rebuild, and leave with their conversation', async () => {
  const { id, result, tenant } = await analysed('followed.wav');
  const [first] = result.timeline;
  const { id: list } = await created('Followed');
  await added(list, { conversation_id: id, from: first!.t_start, to: first!.t_end });
  await edited(id, { speakers: { [first!.speaker]: 'Quirina Vale' } });
  await edited(id, { correct: [{ utterance_id: first!.utterance_id, text: 'Corrected words.' }] });
  expect((await read(list)).list).toMatchObject([{ speaker: 'Quirina Vale', quote: 'Corrected words.' }]);
  await reindexed(tenant);
  expect((await read(list)).items).toBe(1);
  const receipt = await ask<DeletionReceipt>('DELETE', of(id));
  expect(receipt.body.index).toContain('playlists');
  expect(await read(list)).toMatchObject({ items: 0, list: [] });
  const rows = await (await tenantObject(tenant)).dump();
  expect(JSON.stringify(rows.playlist_items)).not.toContain(id);
});

it('a piece that cannot be is refused by name, and other tenants see nothing', async () => {
  const { id } = await analysed('refused.wav');
  const { id: list } = await created('Refused');
  const refused = async (item: object, path = `/playlists/${list}/items`) => {
    const { status, text } = await ask('POST', path, item);
    return `${status} ${text}`;
  };
  expect(await refused({ conversation_id: id, from: 2, to: 1 })).toMatch(/^400 .*to: must be later/);
  expect(await refused({ conversation_id: id, from: 9e5, to: 1e6 })).toMatch(/^400 .*the conversation ends at/);
  expect(await refused({ conversation_id: id, from: 0, to: 1, start: 1 })).toMatch(/^400 .*start/);
  expect(await refused({ conversation_id: 'nothing', from: 0, to: 1 })).toMatch(/^404/);
  expect(await refused({ name: '' }, '/playlists')).toMatch(/^400 .*name/);
  const item = await added(list, { conversation_id: id, from: 0, to: 1 });
  const changed = await ask('PATCH', `/playlists/${list}/items/${item.id}`, { from: 1 });
  expect([changed.status, changed.text]).toEqual([400, expect.stringContaining('to: must be later')]);
  const other = { 'X-API-Key': OTHER_KEY };
  expect((await get(`/playlists/${list}`, other)).status).toBe(404);
  expect((await get<{ playlists: [] }>('/playlists', other)).body.playlists).toEqual([]);
  expect((await ask('DELETE', `/playlists/${list}/items/${item.id}`, undefined, other)).status).toBe(404);
  const demo = await ask('POST', '/playlists', { name: 'Ours' }, { 'X-API-Key': DEMO_KEY });
  expect([demo.status, demo.text]).toEqual([403, expect.stringContaining('The demo key cannot have playlists')]);
});
