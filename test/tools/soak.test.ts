import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it, vi } from 'vitest';
import { type StreamEvent, UndertoneError } from '../../src/sdk/index.ts';
import { accountsOf } from '../../tools/soak/accounts.ts';
import { comesTrue, faultsOfEvents, isOutcomeUnknown, Ledger } from '../../tools/soak/ledger.ts';
import { livesOf, type MemorySample } from '../../tools/soak/levels.ts';

// The judgements of the soak, on made-up runs.

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

const MINUTE = 60_000;
const MB = 2 ** 20;

/** One sample a second of a process whose memory follows a function of its age, ms. */
const samplesOf = (pid: number, minutes: number, megabytes: (age: number) => number): MemorySample[] =>
  Array.from({ length: minutes * 60 }, (_, s) => ({
    ...{ role: 'pipeline' as const, pid, at: s * 1000, bytes: megabytes(s * 1000) * MB },
  }));

it('judges the memory of each process by its level after warm-up', () => {
  const level = samplesOf(1, 10, (age) => (age < 4 * MINUTE ? 100 + age / MINUTE : 500));
  const leaking = samplesOf(2, 10, (age) => 400 + (20 * age) / MINUTE);
  const short = samplesOf(3, 5, () => 400);
  const lives = livesOf([...level, ...leaking, ...short], 5 * MINUTE, MINUTE);
  expect(lives.map(({ pid, isLevel }) => [pid, isLevel])).toEqual([
    [1, true],
    [2, false],
    [3, undefined],
  ]);
});

it('finds gaps and repetitions among the events of a session', () => {
  const event = (id: number, name: string, data: object = {}) => ({ id, event: name, data }) as unknown as StreamEvent;
  const whole = [event(0, 'status'), event(1, 'final_transcript', { text: 'a' }), event(2, 'status'), event(3, 'done')];
  expect(faultsOfEvents(whole)).toEqual([]);
  expect(faultsOfEvents(whole.slice(1))).toEqual(['event 0 has the id 1']);
  expect(faultsOfEvents([...whole.slice(0, 2), event(2, 'final_transcript', { text: 'a' }), event(3, 'done')])).toEqual(
    ['a lasting event came twice'],
  );
  expect(faultsOfEvents(whole.slice(0, 3))).toEqual(['0 events `done`']);
});

it('reports another result for the same recording, and two messages about one end', () => {
  vi.spyOn(console, 'log').mockReturnValue();
  const ledger = new Ledger();
  const one = { kind: 'file call.wav', bytes: new Uint8Array() };
  ledger.completed({ id: 'a', ...one }, 'hello');
  ledger.completed({ id: 'b', ...one }, 'hello');
  ledger.message('m1', 'analysis.completed', 'a');
  ledger.message('m1', 'analysis.completed', 'a');
  expect(ledger.findings).toEqual([]);
  ledger.completed({ id: 'c', ...one }, 'hullo');
  ledger.message('m2', 'analysis.completed', 'a');
  expect(ledger.findings.map(({ what }) => what)).toEqual([
    'another result for the same recording',
    'two messages about one end of an analysis',
  ]);
});

it('takes the first yes for an answer, and gives up when it is too late', async () => {
  const once = [false, true, false];
  expect(
    await comesTrue(
      async () => once.shift()!,
      () => false,
    ),
  ).toBe(true);
  expect(once).toHaveLength(1);
  expect(
    await comesTrue(
      async () => false,
      () => true,
    ),
  ).toBe(false);
});

it('knows which failures leave open whether a request was carried out', () => {
  const of = (code: string, options: ConstructorParameters<typeof UndertoneError>[2]) =>
    isOutcomeUnknown(new UndertoneError(code, '', options));
  expect(of('CONNECTION_FAILED', {})).toBe(true);
  expect(of('ANALYSIS_FAILURE', { status: 500 })).toBe(true);
  expect(of('ANALYSIS_FAILURE', { status: 500, conversationId: 'kept' })).toBe(false);
  expect(of('OVERLOADED', { status: 503 })).toBe(false);
});

it('accounts for objects and rows after the end', () => {
  vi.spyOn(console, 'log').mockReturnValue();
  const state = mkdtempSync(join(tmpdir(), 'undertone-accounts-'));
  folders.push(state);
  const open = (path: string): DatabaseSync => {
    mkdirSync(join(state, path, '..'), { recursive: true });
    return new DatabaseSync(join(state, path));
  };
  const bucket = open('v3/r2/bucket/a.sqlite');
  bucket.exec(`CREATE TABLE _mf_objects (key TEXT, blob_id TEXT);
    CREATE TABLE _mf_multipart_uploads (upload_id TEXT, key TEXT, state INTEGER);
    CREATE TABLE _mf_multipart_parts (upload_id TEXT, object_key TEXT, blob_id TEXT);`);
  const store = bucket.prepare('INSERT INTO _mf_objects VALUES (?, ?)');
  for (const id of ['kept', 'unlisted'])
    for (const name of ['upload.wav', 'result.json', 'events.ndjson', 'agent_outputs.json'])
      store.run(`t/${id}/${name}`, `${id}-${name}`);
  store.run('erased/t/gone', 'erased-gone');
  bucket.close();
  const tenant = open('v3/do/undertone-Tenant/b.sqlite');
  tenant.exec(`CREATE TABLE conversations (id TEXT, status TEXT);
    CREATE TABLE erasures (conversation TEXT);
    CREATE TABLE texts (words TEXT);
    INSERT INTO conversations VALUES ('kept', 'completed'), ('hollow', 'completed');
    INSERT INTO erasures VALUES ('gone');
    INSERT INTO texts VALUES ('words of gone');`);
  tenant.close();
  const live = open('v3/do/undertone-LiveSession/c.sqlite');
  live.exec('CREATE TABLE session (id INTEGER); INSERT INTO session VALUES (0)');
  live.close();

  const ledger = new Ledger();
  ledger.deleted.add('gone');
  ledger.completed({ id: 'lost', kind: 'file', bytes: new Uint8Array() }, '');
  const { analyses, liveSessions, ofDeleted } = accountsOf(state, ledger);
  expect([analyses, liveSessions]).toEqual([2, 1]);
  expect([...ofDeleted]).toEqual([
    ['erasures', 1],
    ['texts', 1],
  ]);
  expect(ledger.findings.map(({ what, seen }) => `${what}: ${seen}`)).toEqual([
    'an analysis that no row lists: unlisted',
    'a completed row without its objects: hollow',
    'an acknowledged analysis that is not stored: lost',
    'rows of deleted conversations: 1 in texts',
    'live sessions that outlived their grace: 1',
  ]);
});
