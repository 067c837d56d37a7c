import { beforeEach, expect, it } from 'vitest';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import {
  ADMISSION_TABLES,
  Admission,
  type BothLimits,
  type UploadReservation,
} from '../../../src/worker/tenant/admission.ts';
import { DatabaseSize } from '../../../src/worker/tenant/database-size.ts';
import type { Limits } from '../../../src/worker/tenant/limits.ts';
import { USAGE_TABLES, Usage } from '../../../src/worker/tenant/usage.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const MOST = Number.POSITIVE_INFINITY;
const FREE: Limits = {
  requests_per_minute: MOST,
  live_sessions: MOST,
  running_analyses: MOST,
  audio_minutes_per_day: MOST,
  stored_gigabytes: MOST,
  file_megabytes: MOST,
};
const limits = (key: Partial<Limits>, tenant: Partial<Limits> = {}): BothLimits => ({
  key: { ...FREE, ...key },
  tenant: { ...FREE, ...tenant },
});

let admission: Admission;
let usage: Usage;
let stored: number;
let announced: number;
let databaseBytes: number;
beforeEach(() => {
  stored = 0;
  announced = 0;
  databaseBytes = 0;
  const sql = new MemorySql();
  migrate(sql, { usage: USAGE_TABLES, admission: ADMISSION_TABLES });
  usage = new Usage(sql);
  admission = new Admission(
    sql,
    usage,
    () => stored,
    () => announced,
    new DatabaseSize(() => databaseBytes),
  );
});

/** Enters an analysis; the detail of the refusal if it is refused. */
function enter(key: string, both: BothLimits, uploads = MOST): UploadReservation | string {
  const entered = admission.enterAnalysis(key, both, uploads, NOON);
  return entered.ok ? entered.value : entered.detail;
}
const place = (entered: UploadReservation | string): UploadReservation => {
  if (typeof entered === 'string') throw new Error(entered);
  return entered;
};

it('limits the uploads of a key, and admits another when one is complete', () => {
  const first = place(enter('a', limits({}), 1));
  expect(enter('a', limits({}), 1)).toMatch(/1 uploads open/);
  place(enter('b', limits({}), 1));
  first.received(true);
  place(enter('a', limits({}), 1));
});

it('limits the analyses of a key and of its tenant; a slot is released once, however often it is left', () => {
  const both = limits({ running_analyses: 2 }, { running_analyses: 3 });
  const [first] = [place(enter('a', both)), place(enter('a', both))];
  expect(enter('a', both)).toMatch(/This key already has 2 analyses running, its limit/);
  place(enter('b', both));
  expect(enter('b', both)).toMatch(/This tenant already has 3 analyses running, its limit/);
  first!.leave();
  first!.leave();
  place(enter('a', both));
  expect(enter('a', both)).toMatch(/This key already has 2 analyses running, its limit/);
});

it('limits live sessions of a key and of its tenant', () => {
  const both = limits({ live_sessions: 1 }, { live_sessions: 2 });
  const refusal = (key: string) => admission.refusalOfSession(key, both, NOON);
  admission.enterSession('s1', 'a');
  expect(refusal('a')).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfter: 10,
    quota: { name: 'key-live-sessions', limit: 1, remaining: 0, unit: 'concurrent-requests' },
  });
  expect(refusal('b')).toBeNull();
  admission.enterSession('s2', 'b');
  expect(refusal('c')).toMatchObject({ quota: { name: 'tenant-live-sessions' } });
  admission.leaveSession('s1');
  admission.leaveSession('s1');
  expect(refusal('a')).toBeNull();
  expect(admission.sessions()).toEqual(['s2']);
});

it('limits the minutes of audio of a day, and says when the next begins', () => {
  usage.addAudio('a', 119, NOON);
  const both = limits({ audio_minutes_per_day: 2 }, { audio_minutes_per_day: 3 });
  place(enter('a', both));
  usage.addAudio('a', 1, NOON);
  expect(admission.enterAnalysis('a', both, MOST, NOON)).toMatchObject({
    ok: false,
    retryAfter: 43_200,
    quota: {
      name: 'key-audio',
      limit: 2,
      remaining: 0,
      windowSeconds: 86_400,
      resetSeconds: 43_200,
      unit: 'audio-minutes',
    },
  });
  expect(admission.refusalOfSession('a', both, NOON)).toMatchObject({ quota: { name: 'key-audio' } });
  place(enter('b', both));
  usage.addAudio('b', 60, NOON);
  expect(enter('b', both)).toMatch(/This tenant has reached its limit of 3 minutes/);
  expect(admission.enterAnalysis('b', both, MOST, NOON + 43_200_000)).toMatchObject({ ok: true });
});

it('limits a tenant’s stored bytes', () => {
  const both = limits({}, { stored_gigabytes: 1 });
  stored = 1024 ** 3 - 1;
  place(enter('a', both));
  stored = 1024 ** 3;
  expect(enter('a', both)).toMatch(/This tenant already stores 1 GB, its limit/);
  stored -= 5;
  place(enter('a', both));
});

it('counts what open uploads have announced as stored, except for those uploads themselves', () => {
  const both = limits({}, { stored_gigabytes: 1 });
  announced = 1024 ** 3;
  expect(enter('a', both)).toMatch(/This tenant already stores 1 GB, its limit/);
  expect(admission.refusalOfSession('a', both, NOON)).toMatchObject({ code: 'RATE_LIMITED' });
  expect(admission.enterAnalysis('a', both, MOST, NOON, undefined, true)).toMatchObject({ ok: true });
  stored = 1024 ** 3;
  expect(admission.enterAnalysis('a', both, MOST, NOON, undefined, true)).toMatchObject({ ok: false });
});

it('a limit of 0 admits nobody', () => {
  expect(enter('a', limits({ running_analyses: 0 }))).toMatch(/0 analyses/);
  expect(enter('a', limits({ audio_minutes_per_day: 0 }))).toMatch(/0 minutes/);
});

it('a one-time token is spent by a complete upload, and not by an aborted one', () => {
  const once = { id: 'u', until: NOON + 1000 };
  const again = () => admission.enterAnalysis('a', limits({}), MOST, NOON, once);
  const first = again();
  expect(again()).toMatchObject({ ok: false, code: 'INVALID_KEY' });
  if (first.ok) first.value.received(false);
  const second = again();
  expect(second.ok).toBe(true);
  if (second.ok) second.value.received(true);
  expect(again()).toMatchObject({ ok: false, code: 'INVALID_KEY' });
  if (second.ok) second.value.leave();
  if (first.ok) first.value.leave();
  expect(again()).toMatchObject({ ok: false, code: 'INVALID_KEY' });
  admission.forget(NOON + 1001);
  expect(again().ok).toBe(true);
});

it('an abandoned upload of a token may be sent again', () => {
  const once = { id: 'u', until: NOON + 1000 };
  const first = admission.enterAnalysis('a', limits({}), MOST, NOON, once);
  if (first.ok) first.value.leave();
  expect(admission.enterAnalysis('a', limits({}), MOST, NOON, once).ok).toBe(true);
});

it('refuses recordings and sessions once the database is nine tenths full, but lets running work end', () => {
  databaseBytes = 8_999_999_999;
  const running = place(enter('a', limits({})));
  databaseBytes = 9_123_000_000;
  const refused = admission.enterAnalysis('a', limits({}), MOST, NOON);
  expect(refused).toMatchObject({ ok: false, code: 'STORAGE_FULL', detail: expect.stringContaining('is 91 % full') });
  expect(admission.refusalOfSession('a', limits({}), NOON)).toMatchObject({ code: 'STORAGE_FULL' });
  running.received(true);
  running.leave();
  databaseBytes = 8_000_000_000;
  place(enter('a', limits({})));
});
