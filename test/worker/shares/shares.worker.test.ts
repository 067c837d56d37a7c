import { describe, expect, it, vi } from 'vitest';
import { AccessLogSchema } from '../../../src/contract/access-log.ts';
import type { DeletionReceipt } from '../../../src/contract/conversations.ts';
import type { IssuedKey } from '../../../src/contract/keys.ts';
import {
  type MadeShare,
  MadeShareSchema,
  type ShareBody,
  ShareListSchema,
  type ShareOpen,
  ShareOpensSchema,
  ShareSchema,
} from '../../../src/contract/shares.ts';
import { DEMO_KEY, OTHER_KEY } from '../../../support/service-under-test.ts';
import {
  analysed,
  ask,
  get,
  of,
  runService,
  service,
  tenantObject,
} from '../conversations/conversations-under-test.ts';

runService({ KEY_TRUST_SECONDS: '0.2' });

const bearing = (token: string) => ({ 'X-API-Key': '', Authorization: `Bearer ${token}` });
const made = async (id: string, more: object = {}, key?: string): Promise<MadeShare> => {
  const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
  const { status, body, text } = await ask('POST', '/shares', { conversation_id: id, ...more }, headers);
  expect(status, text).toBe(201);
  return MadeShareSchema.parse(body);
};
const sharesOf = async (id: string): Promise<ShareBody[]> =>
  ShareListSchema.parse((await get(`/shares?conversation_id=${id}`)).body).shares;
const opensOf = async (share: string): Promise<ShareOpen[]> =>
  ShareOpensSchema.parse((await get(`/shares/${share}/opens`)).body).opens;

describe('a share', () => {
  it('reads its conversation and nothing else, until it is taken back', async () => {
    const { id, tenant } = await analysed('shared.wav');
    const { id: another } = await analysed('another.wav');
    const share = await made(id, { days: 3, label: 'Friday' });
    expect(share).toMatchObject({ conversation_id: id, status: 'active', label: 'Friday', opens: 0, title: 'shared' });
    expect(Date.parse(share.expires_at) - Date.parse(share.created_at)).toBe(3 * 86_400_000);
    expect(share.path).toBe(`/app/shared/${id}#token=${share.token}`);
    const headers = bearing(share.token);
    expect((await get(of(id), headers)).status).toBe(200);
    expect((await get(of(id, '/media'), headers)).status).toBe(200);
    // Those who have the link are told when it ends; those who have a key have no link.
    const ends = async (sent?: Record<string, string>): Promise<string | null> =>
      (await get(of(id, '/record'), sent)).headers.get('Sunset');
    expect(await ends(headers)).toBe(new Date(share.expires_at).toUTCString());
    expect(await ends()).toBeNull();
    expect((await get(`${of(id, '/media')}?token=${share.token}`, { 'X-API-Key': '' })).status).toBe(200);
    expect((await get(of(another), headers)).status).toBe(403);
    expect((await get('/shares', headers)).status).toBe(403);
    expect((await ask('PATCH', of(id), { title: 'Mine' }, headers)).status).toBe(403);
    expect((await ask('POST', '/shares', { conversation_id: id }, headers)).status).toBe(403);
    // The token is stored only as a digest.
    expect(JSON.stringify((await (await tenantObject(tenant)).dump()).shares)).not.toContain(share.token.slice(-43));

    const { body } = await ask('DELETE', `/shares/${share.id}`);
    expect(ShareSchema.parse(body)).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
    expect((await get(of(id), headers)).status).toBe(401);
    expect((await get(of(id, '/media'), headers)).status).toBe(401);
    expect(await sharesOf(id)).toMatchObject([{ id: share.id, status: 'revoked' }]);
    const again = await ask<ShareBody>('DELETE', `/shares/${share.id}`);
    expect(again.body.revoked_at).toBe(ShareSchema.parse(body).revoked_at);
  });

  it('lists what was opened and heard with it', async () => {
    const { id, tenant } = await analysed('heard.wav');
    const [share, other] = [await made(id), await made(id)];
    expect(await opensOf(share.id)).toEqual([]);
    const headers = { ...bearing(share.token), 'CF-Connecting-IP': '203.0.113.7' };
    await get(of(id), headers);
    await get(of(id, '/media'), headers);
    await get(of(id), bearing(other.token));
    await vi.waitFor(async () => expect(await opensOf(share.id)).toHaveLength(2));
    expect((await opensOf(share.id)).map(({ act }) => act).sort()).toEqual(['opened', 'recording_requested']);
    await vi.waitFor(async () => expect(await opensOf(other.id)).toHaveLength(1));
    const [newest, older] = await sharesOf(id);
    expect([newest!.id, older!.id]).toEqual([other.id, share.id]);
    expect(older).toMatchObject({ opens: 1, last_opened_at: expect.any(String) });
    const first = ShareOpensSchema.parse((await get(`/shares/${share.id}/opens?limit=1`)).body);
    const second = (await get(`/shares/${share.id}/opens?limit=1&cursor=${first.next_cursor}`)).body;
    expect(ShareOpensSchema.parse(second)).toMatchObject({ opens: [expect.any(Object)], next_cursor: null });
    const log = await service.admin('GET', `/access-log?tenant=${tenant}&conversation_id=${id}`);
    const { entries } = AccessLogSchema.parse(await log.json());
    expect(new Set(entries.map(({ share_id }) => share_id))).toEqual(new Set([share.id, other.id, null]));
  });

  it('ends with its conversation and with its key', async () => {
    const { id, tenant } = await analysed('goes.wav');
    const key = (await (
      await service.admin('POST', '/keys', { tenant, label: 'shares', scopes: ['read'] })
    ).json()) as IssuedKey;
    const byKey = await made(id, {}, key.key);
    expect((await get(of(id), bearing(byKey.token))).status).toBe(200);
    await service.admin('DELETE', `/keys/${key.id}`);
    await vi.waitFor(async () => expect((await get(of(id), bearing(byKey.token))).status).toBe(401), 10_000);
    const share = await made(id);
    const receipt = await ask<DeletionReceipt>('DELETE', of(id));
    expect(receipt.body.index).toContain('shares');
    expect((await get(of(id), bearing(share.token))).status).toBe(401);
    expect(await sharesOf(id)).toEqual([]);
    expect((await get(`/shares/${share.id}/opens`)).status).toBe(404);
    expect((await (await tenantObject(tenant)).dump()).shares?.filter((row) => row.conversation === id)).toEqual([]);
  });

  it('is refused by name, and kept from other tenants and the public key', async () => {
    const { id } = await analysed('refused.wav');
    const refused = async (body: object) => (await ask('POST', '/shares', body)).text;
    expect(await refused({ conversation_id: id, days: 91 })).toContain('days');
    expect(await refused({ conversation_id: id, forever: true })).toContain('forever');
    expect((await ask('POST', '/shares', { conversation_id: 'nothing' })).status).toBe(404);
    const share = await made(id);
    const stranger = { 'X-API-Key': OTHER_KEY };
    expect((await ask('POST', '/shares', { conversation_id: id }, stranger)).status).toBe(404);
    expect((await ask('DELETE', `/shares/${share.id}`, undefined, stranger)).status).toBe(404);
    expect((await get<{ shares: [] }>('/shares', stranger)).body.shares).toEqual([]);
    const demo = await ask('POST', '/shares', { conversation_id: id }, { 'X-API-Key': DEMO_KEY });
    expect([demo.status, demo.text]).toEqual([403, expect.stringContaining('The demo key cannot have shares')]);
    const wrong = `${share.token.slice(0, -1)}${share.token.endsWith('a') ? 'b' : 'a'}`;
    expect((await get(of(id), bearing(wrong))).status).toBe(401);
  });
});
