import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type IssuedKey, KeyUsageSchema } from '../../../src/contract/keys.ts';
import { LiveClient } from '../../../support/live-client.ts';
import { type LiveStack, startLiveStack } from '../../../support/live-service.ts';

const ADMIN_TOKEN = 'live-admin-token-0123456789';

let stack: LiveStack;
beforeAll(async () => {
  stack = await startLiveStack({
    ADMIN_TOKEN,
    KEY_PEPPER: 'live-pepper-0123456789abcdef',
    KEY_TRUST_SECONDS: '0.3',
  });
});
afterAll(() => stack.stop());

const admin = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(new URL(path, stack.url), {
    method,
    headers: {
      Authorization: `Bearer ${ADMIN_TOKEN}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
const issue = async (more: object = {}): Promise<IssuedKey> =>
  (await (await admin('POST', '/keys', { label: 'live', ...more })).json()) as IssuedKey;
const client = ({ key }: IssuedKey): LiveClient => new LiveClient(stack.url, key);
const REVOKED = {
  event: 'error',
  data: { code: 'INVALID_KEY', message: 'The key that opened this session is no longer valid' },
};
const stored = async (conversationId: string): Promise<string[]> => {
  const { MEDIA } = await stack.worker
    .getWorker<{ MEDIA: { list(): Promise<{ objects: { key: string }[] }> } }>()
    .getEnv();
  return (await MEDIA.list()).objects
    .map(({ key }) => key)
    .filter((key) => key.includes(conversationId) && !key.includes('/records/'));
};

it('a session whose key is revoked ends with an error for its consumer, and the pipeline forgets it', async () => {
  const [opener, reader] = [await issue(), await issue()];
  const session = await client(opener).start({ suffix: '.wav' });
  for (const seq of [0, 1, 2, 3]) expect((await client(opener).chunk(session, seq)).status).toBe(200);
  const events = await client(reader).attach(session);
  await events.until(({ event }) => event === 'final_transcript');
  await admin('DELETE', `/keys/${opener.id}`);
  expect((await events.end()).at(-1)).toMatchObject(REVOKED);
  await vi.waitFor(() => expect(stack.echo.sessions.has(session.session_id)).toBe(false), 10_000);
  // Another key of the tenant cannot continue it either.
  expect((await client(reader).chunk(session, 4)).status).toBe(409);
  expect(await stored(session.conversation_id)).toEqual([]);
});

it('a session that waits for its first chunk ends too, and no longer counts', async () => {
  const tenant = ((await (await admin('POST', '/tenants', { name: 'one' })).json()) as { id: string }).id;
  await admin('PATCH', `/tenants/${tenant}`, { limits: { live_sessions: 1 } });
  const [opener, next] = [await issue({ tenant }), await issue({ tenant })];
  await client(opener).start({ ttl_seconds: 3600 });
  expect((await client(next).json('/analyze/live/start', {})).status).toBe(429);
  await admin('DELETE', `/keys/${opener.id}`);
  await vi.waitFor(async () => expect((await client(next).json('/analyze/live/start', {})).status).toBe(200), 20_000);
});

it('a tenant that is deleted during one of its sessions stays deleted', async () => {
  const tenant = ((await (await admin('POST', '/tenants', { name: 'leaving' })).json()) as { id: string }).id;
  const opener = await issue({ tenant });
  const session = await client(opener).start({ suffix: '.wav' });
  await client(opener).chunk(session, 0);
  const events = await client(opener).attach(session);
  expect((await admin('DELETE', `/tenants/${tenant}`)).status).toBe(200);
  await events.end();
  await vi.waitFor(() => expect(stack.echo.sessions.has(session.session_id)).toBe(false), 20_000);
  expect((await admin('GET', `/tenants/${tenant}`)).status).toBe(404);
  expect(await (await admin('GET', '/tenants')).text()).not.toContain(tenant);
  await vi.waitFor(async () => expect(await stored(session.conversation_id)).toEqual([]), 10_000);
});

it('a session whose key expires ends', async () => {
  const [opener, reader] = [await issue({ expires_at: new Date(Date.now() + 3_000).toISOString() }), await issue()];
  const session = await client(opener).start();
  await client(opener).chunk(session, 0);
  const events = await client(reader).attach(session);
  expect((await events.end()).at(-1)).toMatchObject(REVOKED);
});

it('a finalized session without a result ends, and nothing of it is stored', async () => {
  const [opener, reader] = [await issue(), await issue()];
  // The pipeline does not send the end, so the session stays in final processing.
  stack.echo.ending = { type: 'progress', stage: 'transcribing', progress: 0.5 };
  const session = await client(opener).start({ suffix: '.wav' });
  await client(opener).chunk(session, 0);
  expect((await client(opener).control(session, 'finalize')).status).toBe(200);
  await admin('DELETE', `/keys/${opener.id}`);
  const events = await client(reader).attach(session);
  expect((await events.end()).at(-1)).toMatchObject(REVOKED);
  stack.echo.ending = undefined;
  expect(await stored(session.conversation_id)).toEqual([]);
});

it('a consumer whose own key is revoked is dropped; the session goes on', async () => {
  const [opener, reader] = [await issue(), await issue()];
  const session = await client(opener).start({ suffix: '.wav' });
  await client(opener).chunk(session, 0);
  const events = await client(reader).attach(session);
  await events.until(({ event }) => event === 'status');
  await admin('DELETE', `/keys/${reader.id}`);
  const heard = await events.end();
  expect(heard.some(({ event }) => event === 'error')).toBe(false);
  expect((await client(opener).chunk(session, 1)).status).toBe(200);
  const own = await client(opener).attach(session, heard.at(-1)?.id);
  expect(own.status).toBe(200);
  await client(opener).control(session, 'finalize');
  expect((await own.end()).at(-1)?.event).toBe('done');
});

it('a session that ends by itself is not affected, and its audio is counted for its key', async () => {
  const opener = await issue();
  const session = await client(opener).start({ suffix: '.wav' });
  for (const seq of [0, 1, 2, 3]) await client(opener).chunk(session, seq);
  const events = await client(opener).attach(session);
  await client(opener).control(session, 'finalize');
  expect((await events.end()).at(-1)?.event).toBe('done');
  await vi.waitFor(async () => {
    const usage = KeyUsageSchema.parse(await (await admin('GET', `/keys/${opener.id}/usage`)).json());
    expect(usage.days[0]?.audio_minutes).toBeGreaterThan(0);
  }, 10_000);
  expect((await stored(session.conversation_id)).length).toBeGreaterThan(0);
  await admin('DELETE', `/keys/${opener.id}`);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await stored(session.conversation_id)).length).toBeGreaterThan(0);
});
