import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type AnalysisResponse, AnalysisResponseSchema } from '../../../src/contract/analysis.ts';
import type { ConversationList } from '../../../src/contract/conversations.ts';
import type { LiveClient } from '../../../support/live-client.ts';
import { type LiveStack, startLiveStack } from '../../../support/live-service.ts';

const TTL_MS = 1_500;
let stack: LiveStack;
let client: LiveClient;
beforeAll(async () => {
  const ttl = String(TTL_MS / 1000);
  stack = await startLiveStack({
    LIVE_TTL_DEFAULT_SECONDS: ttl,
    LIVE_TTL_MIN_SECONDS: '1',
    LIVE_GRACE_SECONDS: '1',
    MAX_SESSIONS_PER_KEY: '2',
  });
  client = stack.client;
});
afterAll(() => stack.stop());

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for a session to be gone; @throws when it stays. */
async function gone(session: Parameters<LiveClient['control']>[0]): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await client.request(session.events_endpoint, { method: 'GET' });
    const type = response.headers.get('Content-Type') ?? '';
    if (response.status === 404) return ((await response.json()) as { detail: string }).detail;
    if (type.includes('event-stream') || response.status === 204) await response.body?.cancel();
    await wait(100);
  }
  throw new Error('the session is still there');
}

/** Tables of the session's object. */
async function tables(sessionId: string): Promise<unknown[]> {
  const storage = await stack.worker.getWorker().getDurableObjectStorage('LIVE', { id: sessionId });
  return storage.exec(`SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'`);
}

/** The stored result of a session, once its analysis as a file has ended. */
async function concluded(conversationId: string): Promise<AnalysisResponse> {
  return vi.waitFor(
    async () => {
      const answer = await client.request(`/conversations/${conversationId}`);
      return AnalysisResponseSchema.parse(await answer.json());
    },
    { timeout: 60_000, interval: 300 },
  );
}

it('an attached consumer gets an error when the session expires, and the stream ends', async () => {
  const session = await client.start();
  await client.chunk(session, 0);
  const reader = await client.attach(session);
  const events = await reader.end();
  expect(events.slice(-2)).toMatchObject([
    { event: 'status', data: { phase: 'expired', retained: true } },
    {
      event: 'error',
      data: { code: 'STREAM_FAILURE', message: 'Session expired', conversation_id: session.conversation_id },
    },
  ]);
  expect(await gone(session)).toBe('Unknown live session');
  expect(await tables(session.session_id)).toEqual([]);
  await vi.waitFor(() => expect(stack.echo.sessions.has(session.session_id)).toBe(false));
});

it('the media of a session that expires is analysed as a file, and the result says so', async () => {
  const session = await client.start();
  for (const seq of [0, 1, 2]) await client.chunk(session, seq);
  expect(await gone(session)).toBe('Unknown live session');
  const result = await concluded(session.conversation_id);
  expect(result.conversation_id).toBe(session.conversation_id);
  expect(result.warnings[0]).toContain('expired before it was finalized');
  const stored = await stack.upload(session.conversation_id);
  expect(new TextDecoder().decode(stored)).toBe('chunk 0chunk 1chunk 2');
  const { conversations } = (await (await client.request('/conversations')).json()) as ConversationList;
  expect(conversations.find(({ conversation_id: id }) => id === session.conversation_id)).toMatchObject({
    status: 'completed',
    mode: 'live',
  });
});

it('a session whose object dies as it expires loses no media', async () => {
  const session = await client.start();
  await client.chunk(session, 0);
  await wait(TTL_MS);
  await stack.crash(session.session_id);
  expect((await concluded(session.conversation_id)).conversation_id).toBe(session.conversation_id);
});

it('a session that expires without media leaves nothing stored', async () => {
  const session = await client.start();
  await wait(TTL_MS + 500);
  const chunk = await client.chunk(session, 0);
  expect(chunk.status).toBe(404);
  expect(await chunk.json()).toMatchObject({ detail: 'Unknown live session' });
  expect((await client.control(session, 'keepalive')).status).toBe(404);
  expect(await tables(session.session_id)).toEqual([]);
  expect((await client.request(`/conversations/${session.conversation_id}`)).status).toBe(404);
});

it('keepalives and accepted chunks keep a session beyond its ttl', async () => {
  const session = await client.start();
  for (let beat = 0; beat < 4; beat++) {
    await wait(TTL_MS * 0.6);
    const answer = beat % 2 === 0 ? await client.control(session, 'keepalive') : await client.chunk(session, beat >> 1);
    expect(answer.status).toBe(200);
  }
  await client.control(session, 'cancel');
});

it('a delivered session stays for the grace, can be resumed, and is then removed', async () => {
  const session = await client.start();
  await client.chunk(session, 0);
  await client.control(session, 'finalize');
  const events = await (await client.attach(session)).end();
  const cutOff = events.at(-3)!.id;
  const resumed = await client.attach(session, cutOff);
  await resumed.end();
  expect(resumed.names).toEqual(['status:completed', 'done']);
  expect(await gone(session)).toBe('Unknown live session');
  expect(await tables(session.session_id)).toEqual([]);
});

it('a session whose end was requested by HEAD only is not delivered, and stays', async () => {
  const session = await client.start({ ttl_seconds: 60 });
  await client.chunk(session, 0);
  await client.control(session, 'cancel');
  expect((await client.request(session.events_endpoint, { method: 'HEAD' })).status).toBe(200);
  // Longer than the grace.
  await wait(2_500);
  expect((await (await client.attach(session)).end()).at(-1)?.event).toBe('error');
});

it('a client that has the terminal event gets 204', async () => {
  const session = await client.start();
  await client.chunk(session, 0);
  await client.control(session, 'cancel');
  const events = await (await client.attach(session)).end();
  expect((await client.attach(session, events.at(-1)!.id)).status).toBe(204);
});

it('a key has a limit of open sessions, and may open another when one has ended', async () => {
  await wait(TTL_MS + 500);
  const first = await client.start({ ttl_seconds: 60 });
  const second = await client.start({ ttl_seconds: 60 });
  const refused = await client.json('/analyze/live/start', {});
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  await client.control(first, 'cancel');
  const third = await client.start();
  for (const session of [second, third]) await client.control(session, 'cancel');
});
