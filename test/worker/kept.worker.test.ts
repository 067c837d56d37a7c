import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AnalysisResponseSchema, ErrorBodySchema } from '../../src/contract/analysis.ts';
import { type ConversationEntry, ConversationRecordSchema } from '../../src/contract/conversations.ts';
import { JobSchema } from '../../src/contract/jobs.ts';
import { TokenSchema } from '../../src/contract/tokens.ts';
import { type PipelineAnswer, sayError, sayEverything, sayHalf } from '../../support/fake-pipeline.ts';
import { clear, form, KEY, OTHER_KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { readEvents } from '../../support/stream-client.ts';

const HOUR_MS = 3_600_000;
const KEPT_HOURS = 5;

let service: TestService;
beforeAll(async () => {
  service = await startService({ KEPT_UPLOAD_HOURS: String(KEPT_HOURS) });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const recording = () =>
  form('call.wav', 'media', { goal: 'price', speakers: '2', recorded_at: '2026-11-25T10:00:00Z' });
const askAgain = (
  id: string,
  path = '/analyze',
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(new URL(path, service.url), {
    method: 'POST',
    headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ conversation_id: id }),
    signal,
  });

const away: PipelineAnswer = (response) => void response.destroy();

/** Sends a recording while the pipeline is unavailable. @returns the conversation that the error names */
async function failed(path = '/analyze', answer: PipelineAnswer = away): Promise<string> {
  service.pipeline.answer = answer;
  const response = await service.post(path, recording());
  expect(response.status).toBe(500);
  const body = ErrorBodySchema.parse(await response.json());
  expect(body.code).toBe('ANALYSIS_FAILURE');
  expect(body.detail).toContain(`kept for ${KEPT_HOURS} hours`);
  expect(body.detail).toContain(`{"conversation_id": "${body.conversation_id}"} as JSON to POST /analyze`);
  service.pipeline.answer = sayEverything;
  service.pipeline.seen.length = 0;
  return body.conversation_id!;
}

/** File names of a conversation's objects. */
const left = async (id: string) =>
  (await service.objects())
    .filter((key) => key.includes(id))
    .map((key) => key.replace(/^.*\//, ''))
    .sort();

/** The conversation that the last event names. */
const conversationOf = (events: Awaited<ReturnType<typeof readEvents>>): string =>
  (events.at(-1)!.data as { conversation_id: string }).conversation_id;

const jobOf = async (id: string) => {
  const response = await fetch(new URL(`/conversations/${id}`, service.url), { headers: { 'X-API-Key': KEY } });
  return JobSchema.parse(await response.json());
};

/** A conversation's entry in the list. */
const entryOf = async (id: string): Promise<ConversationEntry> => {
  const response = await fetch(new URL(`/conversations/${id}/record`, service.url), { headers: { 'X-API-Key': KEY } });
  return ConversationRecordSchema.parse(await response.json());
};

describe('an upload whose analysis a machine failed', () => {
  it('is analysed on request, with the same result as without the fault', async () => {
    const undisturbed = AnalysisResponseSchema.parse(await (await service.post('/analyze', recording())).json());
    const id = await failed();
    expect(await left(id)).toEqual(['upload.wav']);
    const { status, error, kept_until, created_at } = await jobOf(id);
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'ANALYSIS_FAILURE' });
    expect(Date.parse(kept_until!) - Date.parse(created_at)).toBeGreaterThanOrEqual(KEPT_HOURS * HOUR_MS);
    const again = await askAgain(id);
    expect(again.status).toBe(200);
    const body = AnalysisResponseSchema.parse(await again.json());
    expect(body).toEqual(JSON.parse(JSON.stringify(undisturbed).replaceAll(undisturbed.conversation_id, id)));
    expect(service.pipeline.seen).toMatchObject([
      { bytes: 5, options: { goal: 'price', speakers: 2, suffix: '.wav' } },
    ]);
    expect(await left(id)).toEqual(['agent_outputs.json', 'events.ndjson', 'levels.json', 'result.json', 'upload.wav']);
  });

  it('is listed as failed, then as processing while it is analysed again, then with its outcome', async () => {
    const id = await failed();
    const waiting = await entryOf(id);
    expect(waiting).toMatchObject({ status: 'failed', error: { code: 'ANALYSIS_FAILURE' }, result: null });
    expect(waiting.stored_bytes).toBe(5);
    expect(waiting.kept_until).toBe((await jobOf(id)).kept_until);
    service.pipeline.answer = sayHalf;
    expect((await askAgain(id, '/analyze', { Prefer: 'respond-async' })).status).toBe(202);
    expect(await entryOf(id)).toMatchObject({
      status: expect.stringMatching(/^(queued|running)$/),
      error: null,
      ended_at: null,
    });
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1), 20_000);
    const cancelled = await fetch(new URL(`/conversations/${id}/cancel`, service.url), {
      method: 'POST',
      headers: { 'X-API-Key': KEY },
    });
    expect(cancelled.status).toBe(200);
    expect(await entryOf(id)).toMatchObject({ status: 'cancelled', stored_bytes: 0 });
    expect(await left(id)).toEqual([]);

    const other = await failed();
    expect((await askAgain(other)).status).toBe(200);
    const done = await entryOf(other);
    expect(done).toMatchObject({ status: 'completed', error: null, kept_until: null, result: { utterances: 3 } });
    expect(done.created_at <= done.ended_at!).toBe(true);
    const read = await fetch(new URL(`/conversations/${other}/export?format=txt`, service.url), {
      headers: { 'X-API-Key': KEY },
    });
    expect(await read.text()).toContain('Tuesday');
  });

  it('is analysed as a stream on request', async () => {
    const undisturbed = await readEvents(await service.post('/analyze/stream', recording()));
    const id = await failed('/analyze/stream');
    const events = await readEvents(await askAgain(id, '/analyze/stream'));
    expect(events).toEqual(JSON.parse(JSON.stringify(undisturbed).replaceAll(conversationOf(undisturbed), id)));
  });

  it('is analysed by a job when the client does not wait', async () => {
    const id = await failed();
    const response = await askAgain(id, '/analyze', { Prefer: 'respond-async' });
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ conversation_id: id });
    await vi.waitFor(async () => expect(await left(id)).toContain('result.json'), 20_000);
  });

  it('is named in the last event of a failed stream', async () => {
    service.pipeline.answer = async (response, seen) => {
      await sayHalf(response, seen);
      setTimeout(() => response.destroy(), 100);
    };
    const events = await readEvents(await service.post('/analyze/stream', recording()));
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'ANALYSIS_FAILURE' } });
    const id = conversationOf(events);
    expect(await left(id)).toEqual(['upload.wav']);
    service.pipeline.answer = sayEverything;
    expect((await askAgain(id)).status).toBe(200);
  });

  it.each([
    ['a pipeline with a fault', sayError('ANALYSIS_FAILURE', 'Analysis failed: recogniser')],
    ['a pipeline with invalid lines', ((response) => void response.end('{"type":"?"}\n')) as PipelineAnswer],
    [
      'a pipeline that refuses without a reason',
      ((response) => void response.writeHead(500).end('x')) as PipelineAnswer,
    ],
  ])('is also kept after %s', async (_, answer) => {
    expect(await left(await failed('/analyze', answer))).toEqual(['upload.wav']);
  });

  it('is retried until a pipeline is back, also when the client leaves', async () => {
    const id = await failed();
    service.pipeline.answer = away;
    const leave = new AbortController();
    const left = askAgain(id, '/analyze', {}, leave.signal).catch(() => 'left');
    await vi.waitFor(() => expect(service.pipeline.seen.length).toBeGreaterThan(0), 20_000);
    leave.abort();
    expect(await left).toBe('left');
    service.pipeline.answer = sayEverything;
    expect((await askAgain(id)).status).toBe(200);
  });

  it('is removed when its media proves to be bad', async () => {
    const id = await failed();
    service.pipeline.answer = sayError('INVALID_MEDIA', 'The file is not audio');
    for (let time = 0; time < 2; time++) {
      const response = await askAgain(id);
      expect(response.status).toBe(400);
      const body = ErrorBodySchema.parse(await response.json());
      expect(body.code).toBe('INVALID_MEDIA');
      expect(body).not.toHaveProperty('conversation_id');
      expect(await left(id)).toEqual([]);
    }
    expect(service.pipeline.seen).toHaveLength(1);
  });
});

describe('a request for a kept upload', () => {
  it('finds only conversations of its tenant', async () => {
    const id = await failed();
    for (const [asked, headers] of [
      [id, { 'X-API-Key': OTHER_KEY }],
      [crypto.randomUUID(), {}],
    ] as const) {
      const response = await askAgain(asked, '/analyze', headers);
      expect(response.status).toBe(404);
      expect(ErrorBodySchema.parse(await response.json()).code).toBe('NOT_FOUND');
    }
    const done = AnalysisResponseSchema.parse(await (await service.post('/analyze', recording())).json());
    expect(await (await askAgain(done.conversation_id)).json()).toEqual(done);
    expect(service.pipeline.seen).toHaveLength(1);
  });

  it('with a token for an upload may not name another conversation', async () => {
    const id = await failed();
    const json = { 'Content-Type': 'application/json' };
    const minted = await service.post('/tokens', '{"for":{"upload":"new"}}', json);
    const { token } = TokenSchema.parse(await minted.json());
    const headers = { Authorization: `Bearer ${token}`, 'X-API-Key': '' };
    expect((await askAgain(id, '/analyze', headers)).status).toBe(403);
  });

  it.each([undefined, null, 7, '', 'x', '../other', `${crypto.randomUUID()}/`])('must name an id: %s', async (id) => {
    const response = await service.post('/analyze', `{"conversation_id":${JSON.stringify(id) ?? '{}'}}`, {
      'Content-Type': 'application/json',
    });
    expect(response.status).toBe(400);
    expect(ErrorBodySchema.parse(await response.json()).detail).toMatch(/^conversation_id: /);
  });
});

it('removes a kept upload when its time is over', async () => {
  const brief = await startService({ KEPT_UPLOAD_HOURS: String(2_000 / HOUR_MS) });
  try {
    brief.pipeline.answer = away;
    const response = await brief.post('/analyze', recording());
    const { conversation_id } = ErrorBodySchema.parse(await response.json());
    await vi.waitFor(async () => expect(await brief.objects()).toEqual([]), 30_000);
    const again = await brief.post('/analyze', JSON.stringify({ conversation_id }), {
      'Content-Type': 'application/json',
    });
    expect(again.status).toBe(500);
    const body = ErrorBodySchema.parse(await again.json());
    expect(body.detail).not.toContain('kept');
    expect(body).not.toHaveProperty('conversation_id');
  } finally {
    await brief.stop();
  }
});
