import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { IssuedKey } from '../../src/contract/keys.ts';
import { clear, form, startService, type TestService } from '../../support/service-under-test.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
let service: TestService;
let key: IssuedKey;
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true' });
  const made = await service.admin('POST', '/tenants', { name: 'Staff' });
  const { id: tenant } = (await made.json()) as { id: string };
  key = await service.issue({ tenant });
  const patched = await service.admin('PATCH', `/tenants/${tenant}`, {
    affect: 'words',
    words: ['Zorblax'],
    roles: ['agent', 'customer'],
  });
  expect(patched.status).toBe(200);
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const ask = (path: string, body?: BodyInit, headers: Record<string, string> = {}) =>
  service.post(path, body ?? '', { 'X-API-Key': key.key, ...headers });
const json = (path: string, body: object) => ask(path, JSON.stringify(body), JSON_TYPE);
const recording = (fields: Record<string, string> = {}) => form('a.wav', 'media', { affect: 'full', ...fields });
/** The options of the last analysis that the pipeline received. */
const seen = () =>
  vi.waitFor(() => {
    const last = service.pipeline.seen.at(-1);
    expect(last).toBeDefined();
    return last!.options;
  }, 20_000);

/** A completed upload in parts. */
async function inParts(): Promise<Response> {
  const opened = await json('/uploads', { filename: 'a.wav', bytes: 5, affect: 'full' });
  const { id } = (await opened.json()) as { id: string };
  const headers = { 'X-API-Key': key.key };
  await fetch(new URL(`/uploads/${id}/parts/1`, service.url), { method: 'PUT', headers, body: 'media' });
  return ask(`/uploads/${id}/complete`);
}

it.each<[string, () => Promise<Response>]>([
  ['an upload', () => ask('/analyze', recording())],
  ['a stream of events', () => ask('/analyze/stream', recording())],
  ['an analysis that nobody waits for', () => ask('/analyze', recording(), { Prefer: 'respond-async' })],
  ['a file in parts', inParts],
])('%s is analysed as its tenant allows', async (_, send) => {
  const answer = await send();
  await answer.text();
  expect(answer.ok).toBe(true);
  expect(await seen()).toMatchObject({
    affect: 'words',
    words: ['Zorblax'],
    roles: ['agent', 'customer'],
  });
});

it('a request may choose less affect, and never more', async () => {
  await (await ask('/analyze', recording({ affect: '{"Speaker_0":"none","*":"full"}' }))).text();
  expect((await seen()).affect).toEqual({ Speaker_0: 'none', '*': 'words' });
});

it('a repeated analysis keeps unnamed options, within its tenant’s current settings', async () => {
  const first = await ask('/analyze', recording({ affect: 'none', goal: 'price' }));
  const { conversation_id: id } = (await first.json()) as { conversation_id: string };
  service.pipeline.seen.length = 0;
  expect((await json(`/conversations/${id}/reanalyze`, { speakers: 2 })).status).toBe(200);
  expect(await seen()).toMatchObject({ affect: 'none', goal: 'price', speakers: 2 });
  service.pipeline.seen.length = 0;
  expect((await json(`/conversations/${id}/reanalyze`, { affect: 'full' })).status).toBe(200);
  expect((await seen()).affect).toBe('words');
});
