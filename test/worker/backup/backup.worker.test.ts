import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runBackup } from '../../../scripts/deploy/backup.ts';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import type { IssuedKey } from '../../../src/contract/keys.ts';
import type { TenantBody } from '../../../src/contract/tenants.ts';
import { ADMIN_TOKEN, form, startService, type TestService } from '../../../support/service-under-test.ts';
import { startProcess } from '../../../support/started.ts';
import { EXTENDED } from '../../../support/worker.ts';

interface StoredCopy {
  arrayBuffer(): Promise<ArrayBuffer>;
  httpMetadata: object;
  customMetadata: object;
}
interface BucketOfTest {
  list(): Promise<{ objects: { key: string }[] }>;
  get(key: string): Promise<StoredCopy | null>;
  put(key: string, bytes: ArrayBuffer, options: object): Promise<unknown>;
  delete(keys: string[]): Promise<void>;
}
type Rows = Record<string, Record<string, unknown>[]>;
interface Bindings {
  MEDIA: BucketOfTest;
  BACKUP: BucketOfTest;
  TENANT: { idFromName(name: string): unknown; get(id: unknown): { dump(): Promise<Rows> } };
}

/** The service that is lost, and the new one that gets its backup. */
let lost: TestService;
let fresh: TestService;
beforeAll(async () => {
  [lost, fresh] = await Promise.all([startService({}, '', EXTENDED), startService({}, '', EXTENDED)]);
});
afterAll(() => Promise.all([lost?.stop(), fresh?.stop()]));

const bindings = (service: TestService): Promise<Bindings> => service.harness.getWorker<Bindings>().getEnv();
const keysIn = async (bucket: BucketOfTest) => (await bucket.list()).objects.map(({ key }) => key);
const backup = (service: TestService, route: 'backup' | 'restore' = 'backup') =>
  runBackup(route, { url: String(service.url), adminToken: ADMIN_TOKEN });

let key: IssuedKey;
let tenant: string;
const call = (service: TestService, method: string, path: string, body?: object) =>
  fetch(new URL(path, service.url), {
    method,
    headers: { 'X-API-Key': key.key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
async function done(service: TestService, method: string, path: string, body?: object): Promise<void> {
  const answer = await call(service, method, path, body);
  expect(answer.ok, `${method} ${path}: ${await answer.clone().text()}`).toBe(true);
}
async function analysed(name: string): Promise<string> {
  const answer = await lost.post('/analyze', form(name, `media of ${name}`), { 'X-API-Key': key.key });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as AnalysisResponse).conversation_id;
}

/** Everything that a client and the operator can read. */
async function answers(service: TestService, ids: readonly string[]): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const paths = [
    '/conversations',
    '/conversations?q=thank',
    '/webhooks',
    '/people',
    '/rules',
    '/playlists',
    '/views',
    '/keys/current',
    '/receipts/keys',
    ...ids.flatMap((id) =>
      ['', '/record', '/media', '/comments', '/export?format=txt'].map((what) => `/conversations/${id}${what}`),
    ),
  ];
  for (const path of paths) {
    const answer = await call(service, 'GET', path);
    seen[path] = [answer.status, await answer.text()];
  }
  const { audit: _, ...admin } = Object.fromEntries(
    await Promise.all(
      [`/tenants/${tenant}`, `/keys?tenant=${tenant}`].map(async (path) => [
        path,
        ((await (await service.admin('GET', path)).text()) as string).replace(/"last_used_at":"[^"]*"/g, ''),
      ]),
    ),
  );
  return { ...seen, ...admin };
}

/** The rows of a tenant that nobody changes by reading. */
async function rows(service: TestService): Promise<Rows> {
  const { TENANT } = await bindings(service);
  const {
    due,
    usage,
    last_use,
    access,
    audit,
    erasures,
    receipts,
    jobs = [],
    sqlite_sequence,
    ...rest
  } = await TENANT.get(TENANT.idFromName(tenant)).dump();
  return { ...rest, jobs: jobs.map(({ workflow: _, ...job }) => job) };
}

it('a restored deployment answers as before, and what was erased stays erased', async () => {
  const made = (await (await lost.admin('POST', '/tenants', { name: 'Acme' })).json()) as TenantBody;
  tenant = made.id;
  await lost.admin('PATCH', `/tenants/${tenant}`, { retention_days: 30, words: ['Zorblax'] });
  key = await lost.issue({ tenant, label: 'server' });
  const [stays, edited, erased, late] = [
    await analysed('stays.wav'),
    await analysed('edited.wav'),
    await analysed('erased.wav'),
    await analysed('late.wav'),
  ];
  await done(lost, 'PATCH', `/conversations/${edited}`, {
    title: 'Äpfel',
    labels: ['x'],
    speakers: { Speaker_0: 'Ann' },
  });
  await done(lost, 'POST', `/conversations/${edited}/comments`, { at: 0, text: 'Listen' });
  await done(lost, 'POST', `/conversations/${stays}/feedback`, { utterance_id: `${stays}_utt_0`, thumb: 'up' });
  await done(lost, 'POST', '/people', { name: 'Berta' });
  await done(lost, 'POST', '/playlists', { name: 'Good calls' });
  await done(lost, 'POST', '/views', { name: 'Price', page: 'patterns', query: 'q=price' });
  await done(lost, 'POST', '/webhooks', {
    url: 'https://receiver.example.com/hook',
    events: ['analysis.completed'],
  });
  await done(lost, 'DELETE', `/conversations/${erased}`);

  // The command, as an operator runs it.
  const command = startProcess(['scripts/backup.ts', 'backup', '--url', String(lost.url)], { ADMIN_TOKEN });
  expect(await command.ended, command.lines.join('\n')).toBe(0);
  expect(command.lines.at(-1)).toMatch(/^backup of \S+: \d+ tenants, \d+ objects .* copied, 0 copies/);
  const copies = await keysIn((await bindings(lost)).BACKUP);
  expect(copies.filter((one) => one.includes(erased) && one.startsWith('objects/'))).toEqual([]);
  // A second one copies nothing.
  expect(await backup(lost)).toMatchObject({ objects: 0, removed: 0 });

  // After the backup: one more erasure, which only its ledger tells.
  await done(lost, 'DELETE', `/conversations/${late}`);
  await vi.waitFor(async () => {
    const kept = await keysIn((await bindings(lost)).BACKUP);
    expect(kept).toContain(`erased/${tenant}/${late}`);
    expect(kept.filter((one) => one.startsWith(`objects/${tenant}/${late}`))).toEqual([]);
  }, 20_000);
  const ids = [stays, edited];
  const [before, rowsBefore] = [await answers(lost, ids), await rows(lost)];

  // Everything but the bucket of the backup is lost. Somebody also kept an old copy of the erased recording.
  const [from, to] = [(await bindings(lost)).BACKUP, (await bindings(fresh)).BACKUP];
  for (const name of await keysIn(from)) {
    const object = (await from.get(name))!;
    const { httpMetadata, customMetadata } = object;
    await to.put(name, await object.arrayBuffer(), { httpMetadata, customMetadata });
  }
  const old = new TextEncoder().encode('media of late.wav').buffer;
  await to.put(`objects/${tenant}/${late}/upload.wav`, old, {});
  expect((await fresh.admin('GET', `/tenants/${tenant}`)).status).toBe(404);

  const restored = await backup(fresh, 'restore');
  expect(restored.objects).toBeGreaterThan(0);
  await vi.waitFor(
    async () => expect((await keysIn(to)).filter((name) => name.startsWith(`objects/${tenant}/${late}`))).toEqual([]),
    20_000,
  );
  expect(await answers(fresh, ids)).toEqual(before);
  expect(await rows(fresh)).toEqual(rowsBefore);
  for (const id of [erased, late]) expect((await call(fresh, 'GET', `/conversations/${id}`)).status).toBe(404);
  expect(JSON.stringify(await rows(fresh))).not.toContain(late);
  expect((await fresh.stored()).filter((name) => name.includes(late) || name.includes(erased))).toEqual([]);
  // A key works, and an erasure and a new conversation too.
  const acts = (await (await fresh.admin('GET', `/audit?tenant=${tenant}`)).json()) as { entries: { act: string }[] };
  expect(acts.entries.map(({ act }) => act)).toEqual(expect.arrayContaining(['tenant.restored', 'key.issued']));

  // Somebody copies the erased recording and its record back by hand, and rebuilds the catalogue.
  const { MEDIA } = await bindings(fresh);
  const record = await MEDIA.get(`${tenant}/records/${stays}.json`);
  const text = new TextDecoder().decode(await record!.arrayBuffer()).replaceAll(stays, late);
  await MEDIA.put(`${tenant}/records/${late}.json`, new TextEncoder().encode(text).buffer as ArrayBuffer, {});
  await MEDIA.put(`${tenant}/${late}/upload.wav`, old, {});
  expect((await fresh.admin('POST', `/tenants/${tenant}/reindex`)).status).toBe(200);
  expect((await call(fresh, 'GET', `/conversations/${late}`)).status).toBe(404);
  expect((await fresh.stored()).filter((name) => name.includes(late))).toEqual([]);
  expect(await answers(fresh, ids)).toEqual(before);

  // Restoring again changes nothing.
  expect(await backup(fresh, 'restore')).toMatchObject({ tenants: 0, objects: 0, removed: 0 });
  expect(await rows(fresh)).toEqual(rowsBefore);
});

it('a lost object comes back, and a running service keeps the rest', async () => {
  const { MEDIA } = await bindings(lost);
  const names = (await keysIn(MEDIA)).filter((name) => name.startsWith(`${tenant}/`));
  const ids = [...new Set(names.flatMap((name) => /\/records\/(.+)\.json$/.exec(name)?.[1] ?? []))];
  const before = await answers(lost, ids);
  await MEDIA.delete(names.filter((name) => name.endsWith('result.json') || name.endsWith('upload.wav')));
  expect(await answers(lost, ids)).not.toEqual(before);
  const restored = await backup(lost, 'restore');
  expect(restored).toMatchObject({ tenants: 0, objects: 2 * ids.length });
  expect(await answers(lost, ids)).toEqual(before);
});

it('a removed tenant leaves the backup', async () => {
  const receipt = await lost.admin('DELETE', `/tenants/${tenant}`);
  expect(receipt.status).toBe(200);
  const { BACKUP } = await bindings(lost);
  expect((await keysIn(BACKUP)).filter((name) => name.includes(tenant))).toEqual([]);
  await backup(lost, 'restore');
  expect((await lost.admin('GET', `/tenants/${tenant}`)).status).toBe(404);
});

it('an invalid cursor, and a route without the operator, are refused', async () => {
  for (const route of ['/backup', '/restore']) {
    for (const cursor of ['x', 'rows:', 'rows:../x:', 'all:acme:', 'objects:Acme:a'])
      expect((await fresh.admin('POST', `${route}?cursor=${encodeURIComponent(cursor)}`)).status, cursor).toBe(400);
    expect((await fetch(new URL(route, fresh.url), { method: 'POST' })).status).toBe(401);
  }
});
