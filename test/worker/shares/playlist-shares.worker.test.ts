import { expect, it, vi } from 'vitest';
import { AccessLogSchema } from '../../../src/contract/access-log.ts';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import { SharedPlaylistSchema } from '../../../src/contract/playlists.ts';
import { type MadeShare, MadeShareSchema, ShareListSchema, ShareOpensSchema } from '../../../src/contract/shares.ts';
import { DEMO_KEY, form, KEY, OTHER_KEY } from '../../../support/service-under-test.ts';
import { analysed, ask, get, of, runService, service } from '../conversations/conversations-under-test.ts';

runService({ KEY_TRUST_SECONDS: '0.2' });

/** A WAV of 8 kHz in which each sample is its number. */
function counted(seconds: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + seconds * 16_000);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('RIFF....WAVEfmt '));
  for (const [at, value] of [
    [16, 16],
    [24, 8000],
    [28, 16_000],
  ] as const)
    view.setUint32(at, value, true);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    view.setUint16(at, value, true);
  bytes.set(new TextEncoder().encode('data'), 36);
  view.setUint32(40, seconds * 16_000, true);
  for (let i = 0; i < seconds * 8000; i++) view.setUint16(44 + 2 * i, i, true);
  return bytes;
}

const bearing = (token: string) => ({ 'X-API-Key': '', Authorization: `Bearer ${token}` });
const added = async (path: string, body: object): Promise<string> => {
  const { status, body: made, text } = await ask<{ id: string }>('POST', path, body);
  expect(status, text).toBe(201);
  return made.id;
};
const shared = async (list: string, share: object): Promise<MadeShare> => {
  const { status, body, text } = await ask('POST', `/playlists/${list}/shares`, share);
  expect(status, text).toBe(201);
  return MadeShareSchema.parse(body);
};

it('a share of a playlist reads and plays its pieces and nothing else, until it is taken back', async () => {
  const sent = await service.post('/analyze', form('Ann Smith.wav', counted(8)), {
    'X-API-Key': KEY,
  });
  const { conversation_id: id, timeline, artifact_dir } = (await sent.json()) as AnalysisResponse;
  const [tenant = ''] = artifact_dir.split('/');
  const [first, second] = timeline as [(typeof timeline)[0], (typeof timeline)[0]];
  const { id: another } = await analysed('another.wav');
  const list = await added('/playlists', { name: 'Answered well' });
  const cut = (second.t_start + second.t_end) / 2;
  const item = await added(`/playlists/${list}/items`, { conversation_id: id, from: first.t_start, to: first.t_end });
  await added(`/playlists/${list}/items`, { conversation_id: id, from: second.t_start, to: cut, note: 'listen' });
  const other = await added('/playlists', { name: 'Others' });

  const share = await shared(list, { days: 3 });
  expect(share).toMatchObject({ conversation_id: null, playlist_id: list, title: 'Answered well', status: 'active' });
  expect(share.path).toBe(`/app/shared/${list}#token=${share.token}`);
  const later = await added(`/playlists/${list}/items`, { conversation_id: id, from: 0, to: 0.5, position: 0 });
  const headers = { ...bearing(share.token), 'CF-Connecting-IP': '203.0.113.7' };

  const hidden = await get(`/playlists/${list}/pieces`, headers);
  const { pieces, ...head } = SharedPlaylistSchema.parse(hidden.body);
  expect(head).toEqual({ id: list, name: 'Answered well', hide_names: true, expires_at: share.expires_at });
  expect(pieces.map(({ note }) => note)).toEqual(['', 'listen']);
  expect(pieces[0]).toMatchObject({ id: item, title: null, quote: first.text });
  // Without titles and ids, the pieces of one conversation still have the same number.
  expect(pieces.map(({ conversation }) => conversation)).toEqual([1, 1]);
  for (const { speaker } of pieces) expect(speaker).toMatch(/^Speaker_\d$/);
  expect(hidden.text).not.toMatch(/Ann Smith/);
  expect(hidden.text).not.toContain(id);
  const said = pieces[1]!.quote!.replace(/ …$/, '');
  expect(said.length).toBeLessThan(second.text.length);
  expect(second.text.startsWith(said)).toBe(true);
  const named = await shared(list, { hide_names: false });
  expect(SharedPlaylistSchema.parse((await get(`/playlists/${list}/pieces`, bearing(named.token))).body)).toMatchObject(
    {
      pieces: [{ id: later }, { title: 'Ann Smith', speaker: first.speaker }, {}],
    },
  );

  // The sound has the samples of the piece alone.
  const answer = await fetch(new URL(pieces[0]!.media, service.url), { headers });
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'audio/wav']);
  const sound = new DataView(await answer.arrayBuffer());
  const samples = Array.from({ length: (sound.byteLength - 44) / 2 }, (_, i) => sound.getUint16(44 + 2 * i, true));
  const [from, to] = [Math.floor(first.t_start * 16_000) >> 1, Math.floor(first.t_end * 16_000) >> 1];
  expect([samples[0], samples.at(-1), samples.length]).toEqual([from, to - 1, to - from]);
  expect(sound.getUint32(40, true)).toBe(2 * samples.length);

  for (const [path, status] of [
    [`/playlists/${list}/items/${later}/media`, 404],
    [`/playlists/${list}`, 403],
    [`/playlists/${other}/pieces`, 403],
    ['/playlists', 403],
    [of(id), 403],
    [of(id, '/media'), 403],
    [of(another), 403],
    ['/shares', 403],
  ] as const)
    expect([path, (await get(path, headers)).status]).toEqual([path, status]);
  expect((await ask('POST', `/playlists/${list}/shares`, {}, headers)).status).toBe(403);

  const opens = async () => ShareOpensSchema.parse((await get(`/shares/${share.id}/opens`)).body).opens;
  await vi.waitFor(async () => expect(await opens()).toHaveLength(2));
  const heard = (await opens()).find(({ act }) => act === 'recording_requested')!;
  expect(heard.from_s).toBeCloseTo(first.t_start, 2);
  expect(heard.to_s).toBeCloseTo(first.t_end, 2);
  const { shares } = ShareListSchema.parse((await get(`/shares?playlist_id=${list}`)).body);
  expect(shares.map(({ id: one, opens: n }) => [one, n])).toEqual([
    [named.id, 1],
    [share.id, 1],
  ]);
  const log = await service.admin('GET', `/access-log?tenant=${tenant}&share_id=${share.id}`);
  expect(AccessLogSchema.parse(await log.json()).entries.map(({ conversation_id }) => conversation_id)).toContain(id);

  await ask('DELETE', `/shares/${share.id}`);
  expect((await get(`/playlists/${list}/pieces`, headers)).status).toBe(401);
  expect((await get(pieces[0]!.media, headers)).status).toBe(401);
  // A deleted conversation leaves, and a deleted playlist takes its shares with it.
  await ask('DELETE', of(id));
  expect((await get(`/playlists/${list}/pieces`, bearing(named.token))).body).toMatchObject({ pieces: [] });
  await ask('DELETE', `/playlists/${list}`);
  expect((await get(`/playlists/${list}/pieces`, bearing(named.token))).status).toBe(401);
  expect(ShareListSchema.parse((await get(`/shares?playlist_id=${list}`)).body).shares).toEqual([]);
});

it('a playlist is shared only by its own tenant, and a recording that cannot be cut is not sent', async () => {
  const { id } = await analysed('call.ogg');
  const list = await added('/playlists', { name: 'Mine' });
  const item = await added(`/playlists/${list}/items`, { conversation_id: id, from: 0, to: 1 });
  expect((await ask('POST', `/playlists/${list}/shares`, {}, { 'X-API-Key': OTHER_KEY })).status).toBe(404);
  expect((await ask('POST', `/playlists/${list}/shares`, {}, { 'X-API-Key': DEMO_KEY })).status).toBe(403);
  expect((await ask('POST', `/playlists/${list}/shares`, { days: 91 })).status).toBe(400);
  const { token } = await shared(list, {});
  const { status, text } = await get(`/playlists/${list}/items/${item}/media`, bearing(token));
  expect([status, text]).toEqual([404, expect.stringContaining('cannot be cut')]);
});
