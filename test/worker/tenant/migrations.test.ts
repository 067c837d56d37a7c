import { beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import { AUDIT_TABLES, Audit } from '../../../src/worker/tenant/audit.ts';
import { isValidAt, KEY_TABLES, KeyStore } from '../../../src/worker/tenant/keys/key-store.ts';
import { TenantKeys } from '../../../src/worker/tenant/keys/tenant-keys.ts';
import { secondsToMidnight, USAGE_TABLES, Usage } from '../../../src/worker/tenant/usage.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const DAY = 86_400_000;
const ACTOR = { who: 'operator', address: '192.0.2.7', requestId: 'r-1' };

let store: KeyStore;
let usage: Usage;
let audit: Audit;
let keys: TenantKeys;
beforeEach(() => {
  const sql = new MemorySql();
  migrate(sql, { keys: KEY_TABLES, usage: USAGE_TABLES, audit: AUDIT_TABLES });
  store = new KeyStore(sql);
  usage = new Usage(sql);
  audit = new Audit(sql);
  keys = new TenantKeys(() => 'acme', store, usage, audit);
});

const issue = (id: string, more: { expiresAt?: number | null; now?: number } = {}) =>
  keys.issue(
    { id, digest: new ArrayBuffer(32), label: id, scopes: ['read'], limits: {}, expiresAt: more.expiresAt ?? null },
    ACTOR,
    more.now ?? NOON,
  );

describe('keys', () => {
  it('are valid until they expire or are revoked, and stay listed', () => {
    issue('a', { expiresAt: NOON + 10 });
    issue('b');
    expect(isValidAt(store.find('a')!, NOON + 9)).toBe(true);
    expect(isValidAt(store.find('a')!, NOON + 10)).toBe(false);
    keys.revoke('b', ACTOR, NOON + 20);
    keys.revoke('b', ACTOR, NOON + 30);
    const told = Object.fromEntries(
      keys.list(NOON + 30).map(({ id, status, revoked_at }) => [id, [status, revoked_at]]),
    );
    expect(told).toEqual({ acme_a: ['expired', null], acme_b: ['revoked', new Date(NOON + 20).toISOString()] });
  });

  it('are replaced by one of the same kind, and stay valid for the overlap, but not beyond their own end', () => {
    issue('a', { expiresAt: NOON + 5000 });
    const rotated = keys.rotate('a', { id: 'b', digest: new ArrayBuffer(32) }, 3, ACTOR, NOON);
    expect(rotated).toMatchObject({ ok: true, value: { issued: { id: 'acme_b', scopes: ['read'], label: 'a' } } });
    expect(store.find('a')).toMatchObject({ expiresAt: NOON + 3000, replacedBy: 'b' });
    expect(store.find('b')).toMatchObject({ expiresAt: NOON + 5000, replacedBy: null });
    expect(keys.rotate('b', { id: 'c', digest: new ArrayBuffer(32) }, 60, ACTOR, NOON)).toMatchObject({ ok: true });
    expect(store.find('b')).toMatchObject({ expiresAt: NOON + 5000 });
  });

  it('are not replaced twice, nor once they are no longer valid', () => {
    for (const id of ['a', 'b']) issue(id);
    keys.rotate('a', { id: 'c', digest: new ArrayBuffer(32) }, 60, ACTOR, NOON);
    keys.revoke('b', ACTOR, NOON);
    const next = { id: 'd', digest: new ArrayBuffer(32) };
    for (const id of ['a', 'b'])
      expect(keys.rotate(id, next, 60, ACTOR, NOON)).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(keys.rotate('nobody', next, 60, ACTOR, NOON)).toMatchObject({ code: 'NOT_FOUND' });
    expect(store.find('d')).toBeNull();
  });

  it('change only in the named fields', () => {
    issue('a', { expiresAt: NOON + DAY });
    keys.patch('a', { label: 'new' }, ACTOR, NOON);
    expect(store.find('a')).toMatchObject({ label: 'new', scopes: ['read'], expiresAt: NOON + DAY });
    keys.patch('a', { scopes: ['live'], expires_at: null, limits: { live_sessions: 1 } }, ACTOR, NOON);
    expect(store.find('a')).toMatchObject({
      label: 'new',
      scopes: ['live'],
      expiresAt: null,
      limits: { live_sessions: 1 },
    });
  });

  it('of a tenant are limited in number; those no longer valid do not count', () => {
    for (let i = 0; i < 1000; i++) issue(`k${i}`);
    expect(issue('more')).toMatchObject({ ok: false, code: 'INVALID_REQUEST' });
    keys.revoke('k0', ACTOR, NOON);
    expect(issue('more')).toMatchObject({ ok: true });
  });

  it('are forgotten long after they were valid', () => {
    issue('old', { expiresAt: NOON });
    issue('stands');
    store.forget(NOON + 399 * DAY);
    expect(store.find('old')).not.toBeNull();
    store.forget(NOON + 401 * DAY);
    expect(store.find('old')).toBeNull();
    expect(store.find('stands')).not.toBeNull();
  });
});

describe('usage', () => {
  it('is counted by key and day', () => {
    usage.count('a', { requests: 3, refusals: 1, lastAt: NOON });
    usage.count('a', { requests: 2, refusals: 0, lastAt: NOON + 60_000 });
    usage.count('a', { requests: 1, refusals: 0, lastAt: NOON + DAY });
    usage.count('b', { requests: 9, refusals: 0, lastAt: NOON });
    usage.addAudio('a', 90, NOON);
    expect(usage.days('a', NOON)).toEqual([
      { day: '2026-11-23', requests: 1, audio_minutes: 0, refusals: 0 },
      { day: '2026-11-22', requests: 5, audio_minutes: 1.5, refusals: 1 },
    ]);
    expect(usage.days('a', NOON + DAY)).toHaveLength(1);
    expect([usage.audioMinutes(NOON), usage.audioMinutes(NOON, 'b'), usage.audioMinutes(NOON + DAY)]).toEqual([
      1.5, 0, 0,
    ]);
  });

  it('has the last call of a key, and does not count a refusal as a call', () => {
    usage.count('a', { requests: 1, refusals: 0, lastAt: NOON });
    usage.count('a', { requests: 1, refusals: 0, lastAt: NOON - 5 });
    usage.count('a', { requests: 0, refusals: 4, lastAt: NOON + 50 });
    expect(usage.lastUses()).toEqual(new Map([['a', NOON]]));
  });

  it('ends its day at midnight of UTC', () => {
    expect(secondsToMidnight(Date.parse('2026-11-22T23:59:30Z'))).toBe(30);
    expect(secondsToMidnight(Date.parse('2026-11-23T00:00:00Z'))).toBe(86_400);
  });

  it('is eventually forgotten', () => {
    usage.count('a', { requests: 1, refusals: 0, lastAt: NOON });
    usage.forget(NOON + 399 * DAY);
    expect(usage.days('a', 0)).toHaveLength(1);
    usage.forget(NOON + 402 * DAY);
    expect([usage.days('a', 0), usage.lastUses().size]).toEqual([[], 0]);
  });
});

describe('the audit', () => {
  it('names the actor, the action, the object, the address and the request', () => {
    issue('a');
    keys.patch('a', { label: 'new' }, ACTOR, NOON + 1);
    const { entries } = audit.list(null, 10);
    expect(entries).toEqual([
      expect.objectContaining({ act: 'key.changed', changes: { label: 'new' } }),
      {
        id: '1',
        at: new Date(NOON).toISOString(),
        who: 'operator',
        address: '192.0.2.7',
        request_id: 'r-1',
        act: 'key.issued',
        subject: 'acme_a',
        changes: { label: 'a', scopes: ['read'], limits: {}, expires_at: null },
      },
    ]);
  });

  it('is read page by page, each entry once, while others are written', () => {
    for (let i = 0; i < 25; i++) audit.record(ACTOR, 'key.changed', `s${i}`, {}, NOON);
    const seen: string[] = [];
    for (let cursor: string | null = 'first'; cursor !== null; ) {
      const page = audit.list(cursor === 'first' ? null : Number(cursor), 10);
      seen.push(...page.entries.map(({ subject }) => subject));
      cursor = page.next_cursor;
      audit.record(ACTOR, 'key.changed', 'meanwhile', {}, NOON);
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `s${24 - i}`));
  });
});
