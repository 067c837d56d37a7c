import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AnalysisResponseSchema } from '../../../src/contract/analysis.ts';
import { type LiveSessionBody, LiveSessionSchema } from '../../../src/contract/live.ts';
import { ndjsonLine } from '../../../src/contract/ndjson.ts';
import { LiveClient, refusal } from '../../../support/live-client.ts';
import { type LiveStack, OTHER_KEY, startLiveStack } from '../../../support/live-service.ts';

let stack: LiveStack;
let client: LiveClient;
beforeAll(async () => {
  stack = await startLiveStack();
  client = stack.client;
});
afterAll(() => stack.stop());

describe('a session', () => {
  it('is unknown to another key', async () => {
    const session = await client.ingesting();
    const stranger = new LiveClient(stack.url, OTHER_KEY);
    const unknown = { status: 404, code: 'UNKNOWN_SESSION', detail: 'Unknown live session' };
    expect(await refusal(stranger.chunk(session, 1))).toEqual(unknown);
    expect(await refusal(stranger.control(session, 'cancel'))).toEqual(unknown);
    expect(await refusal(stranger.request(session.events_endpoint))).toEqual(unknown);
  });

  it.each(['nothing', 'f'.repeat(64)])('that does not exist is unknown (%s)', async (id) => {
    const unknown = { status: 404, code: 'UNKNOWN_SESSION', detail: 'Unknown live session' };
    expect(await refusal(client.json(`/analyze/live/${id}/control`, { action: 'keepalive' }))).toEqual(unknown);
    expect(await refusal(client.request(`/analyze/live/${id}/events`))).toEqual(unknown);
  });

  it('leaves the same artifacts as batch, with the result of its events', async () => {
    const session = await client.start({ suffix: '.wav', goal: 'prices' });
    for (let seq = 0; seq < 3; seq++) await client.chunk(session, seq);
    await client.control(session, 'finalize');
    const reader = await client.attach(session);
    await reader.end();
    const { MEDIA } = await stack.worker.getWorker<{ MEDIA: R2Bucket }>().getEnv();
    const { objects } = await MEDIA.list();
    const mine = objects
      .map(({ key }) => key)
      .filter((key) => key.includes(session.conversation_id) && !key.includes('/records/'));
    expect(mine.map((key) => key.split('/').pop()).sort()).toEqual([
      'agent_outputs.json',
      'events.ndjson',
      'levels.json',
      'result.json',
      'upload.wav',
    ]);
    const text = async (name: string) => (await MEDIA.get(mine.find((key) => key.endsWith(name))!))!.text();
    expect(await text('upload.wav')).toBe('chunk 0chunk 1chunk 2');
    const result = AnalysisResponseSchema.parse(JSON.parse(await text('result.json')));
    expect(result).toMatchObject({ utterances: 3, goal: 'prices', conversation_id: session.conversation_id });
    const told = (await text('events.ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(told.map(({ id, event }) => ({ id, event }))).toEqual(
      reader.received.map(({ id, event }) => ({ id, event })),
    );
    const summary = reader.received.find(({ event }) => event === 'summary_update');
    expect(summary?.data).toEqual(result.summary);
  });

  it.each([
    ['LIVE_ASR_FAILURE', 'error'],
    ['NO_UTTERANCES', 'warn'],
  ] as const)('that fails with %s is logged under its request, session and conversation', async (code, level) => {
    stack.worker.clearLogs();
    stack.echo.ending = { type: 'error', code, message: 'said to the client' };
    const started = await client.json('/analyze/live/start', { suffix: '.wav' });
    const session = LiveSessionSchema.parse(await started.json());
    await client.chunk(session, 0);
    await client.control(session, 'finalize');
    const events = await (await client.attach(session)).end();
    stack.echo.ending = undefined;
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code } });
    const isMachines = code === 'LIVE_ASR_FAILURE';
    expect(events.at(-1)?.data.conversation_id).toBe(isMachines ? session.conversation_id : undefined);
    expect((await objectsOf(session)).includes('upload.wav')).toBe(isMachines);
    const line = stack.worker.getLogs().find(({ message }) => message.includes(session.session_id));
    expect(JSON.parse(line?.message ?? '{}')).toMatchObject({
      level,
      code,
      request_id: started.headers.get('X-Request-Id'),
      session_id: session.session_id,
      conversation_id: session.conversation_id,
    });
  });

  it('that a machine fails while chunks arrive keeps every accepted chunk', async () => {
    const session = await client.start({ suffix: '.wav' });
    const piece = new Uint8Array(60_000);
    let taken = 0;
    for (; taken < 30; taken++) expect((await client.chunk(session, taken, piece)).status).toBe(200);
    const goesOn = async (): Promise<number> => {
      for (; ; taken++) {
        const { status } = await client.chunk(session, taken, piece);
        if (status !== 200) return status;
      }
    };
    const refused = goesOn();
    const failure = ndjsonLine({ type: 'error', code: 'LIVE_ASR_FAILURE', message: 'no room' });
    for (const reader of stack.echo.sessions.get(session.session_id)!.readers) reader.end(failure);
    expect([503, 409]).toContain(await refused);
    const events = await (await client.attach(session)).end();
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { conversation_id: session.conversation_id } });
    expect((await stack.upload(session.conversation_id))?.length).toBe(taken * piece.length);
  });

  it('that was cancelled leaves no object behind', async () => {
    const session = await client.ingesting(2);
    await client.control(session, 'cancel');
    await (await client.attach(session)).end();
    expect(await objectsOf(session)).toEqual([]);
    await vi.waitFor(() => expect(stack.echo.sessions.has(session.session_id)).toBe(false));
  });
});

/** File names of a session's objects. */
async function objectsOf({ conversation_id }: LiveSessionBody): Promise<(string | undefined)[]> {
  const { MEDIA } = await stack.worker.getWorker<{ MEDIA: R2Bucket }>().getEnv();
  const { objects } = await MEDIA.list();
  const own = objects.map(({ key }) => key).filter((key) => key.includes(conversation_id));
  return own.filter((key) => !key.includes('/records/')).map((key) => key.split('/').pop());
}

interface R2Bucket {
  list(): Promise<{ objects: { key: string }[] }>;
  get(key: string): Promise<{ text(): Promise<string> } | null>;
}
