import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AnalysisResponseSchema, ErrorBodySchema } from '../../src/contract/analysis.ts';
import { type Sweep, sweepPending } from '../../src/worker/storage/pending.ts';
import { R2Store } from '../../src/worker/storage/r2.ts';
import { readEvents } from '../stack/client.ts';
import { type Answer, sayError, sayEverything, sayHalf } from './fake-pipeline.ts';
import { clear, form, KEY, OTHER_KEY, startService, type TestService } from './worker-under-test.ts';

const HOUR_MS = 3_600_000;
const KEPT_HOURS = 5;

let service: TestService;
beforeAll(async () => {
  service = await startService({ KEPT_UPLOAD_HOURS: String(KEPT_HOURS) });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const recording = () => form('call.wav', 'media', { goal: 'price', speakers: '2' });
const askAgain = (id: unknown, path = '/analyze', headers: Record<string, string> = {}) =>
  service.post(path, JSON.stringify({ conversation_id: id }), { 'Content-Type': 'application/json', ...headers });

const away: Answer = (response) => void response.destroy();
const full: Answer = (response) => void response.writeHead(503, { 'Retry-After': '7' }).end();

/** Sends a recording while the pipeline is away. @returns the conversation that the error names */
async function failed(path = '/analyze', answer: Answer = away): Promise<string> {
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

/** What lies there of a conversation: file names, and its marker. */
const left = async (id: string) =>
  (await service.objects())
    .filter((key) => key.includes(id))
    .map((key) => key.replace(/^.*\//, ''))
    .sort();

/** The conversation that the last event names. */
const conversationOf = (events: Awaited<ReturnType<typeof readEvents>>): string =>
  (events.at(-1)!.data as { conversation_id: string }).conversation_id;

describe('an upload whose analysis a machine failed', () => {
  it('is analysed when it is asked for again, as if nothing had happened', async () => {
    const undisturbed = AnalysisResponseSchema.parse(await (await service.post('/analyze', recording())).json());
    const id = await failed();
    expect(await left(id)).toEqual(['upload.wav', id].sort());
    const again = await askAgain(id);
    expect(again.status).toBe(200);
    const body = AnalysisResponseSchema.parse(await again.json());
    expect(body).toEqual(JSON.parse(JSON.stringify(undisturbed).replaceAll(undisturbed.conversation_id, id)));
    expect(service.pipeline.seen).toMatchObject([
      { bytes: 5, options: { goal: 'price', speakers: 2, suffix: '.wav' } },
    ]);
    expect(await left(id)).toEqual(['agent_outputs.json', 'events.ndjson', 'result.json', 'upload.wav']);
  });

  it('is told as a stream when it is asked for as one', async () => {
    const undisturbed = await readEvents(await service.post('/analyze/stream', recording()));
    const first = conversationOf(undisturbed);
    const id = await failed('/analyze/stream');
    for (const path of ['/analyze/stream', '/analyze?stream=true']) {
      const events = await readEvents(await askAgain(path === '/analyze/stream' ? id : await failed(), path));
      expect(events.at(-1)?.event).toBe('done');
      if (path === '/analyze/stream')
        expect(events).toEqual(JSON.parse(JSON.stringify(undisturbed).replaceAll(first, id)));
    }
  });

  it('is named in the last event of a stream that broke', async () => {
    service.pipeline.answer = async (response, seen) => {
      await sayHalf(response, seen);
      setTimeout(() => response.destroy(), 100);
    };
    const events = await readEvents(await service.post('/analyze/stream', recording()));
    const id = conversationOf(events);
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'ANALYSIS_FAILURE' } });
    expect(await left(id)).toContain('upload.wav');
    service.pipeline.answer = sayEverything;
    expect((await askAgain(id)).status).toBe(200);
  });

  it.each([
    ['a pipeline with a fault', sayError('ANALYSIS_FAILURE', 'Analysis failed: recogniser')],
    ['a pipeline that speaks nonsense', ((response) => void response.end('{"type":"?"}\n')) as Answer],
    ['a pipeline that refuses without a reason', ((response) => void response.writeHead(500).end('x')) as Answer],
  ])('is kept because of %s, too', async (_, answer) => {
    expect(await left(await failed('/analyze', answer))).toContain('upload.wav');
  });

  it('stays for as long as machines fail, and while all are full', async () => {
    const id = await failed();
    for (const [answer, status] of [
      [away, 500],
      [full, 503],
    ] as const) {
      service.pipeline.answer = answer;
      const response = await askAgain(id);
      expect(response.status).toBe(status);
      expect(ErrorBodySchema.parse(await response.json()).conversation_id).toBe(id);
    }
    service.pipeline.answer = sayEverything;
    expect((await askAgain(id)).status).toBe(200);
  });

  it('stays when the client that asked again leaves', async () => {
    const id = await failed();
    service.pipeline.answer = sayHalf;
    service.harness.clearLogs();
    const abort = new AbortController();
    const response = await fetch(new URL('/analyze/stream', service.url), {
      method: 'POST',
      headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ conversation_id: id }),
      signal: abort.signal,
    });
    await response.body!.getReader().read();
    abort.abort();
    const ended = () => service.harness.getLogs().some(({ message }) => message.includes('"path":"/analyze/stream"'));
    await vi.waitFor(() => expect(ended()).toBe(true), 20_000);
    expect(await left(id)).toEqual(['upload.wav', id].sort());
    service.pipeline.answer = sayEverything;
    expect((await askAgain(id)).status).toBe(200);
  });

  it('is removed once its media proves to be bad', async () => {
    const id = await failed();
    service.pipeline.answer = sayError('INVALID_MEDIA', 'The file is not audio');
    const response = await askAgain(id);
    expect(response.status).toBe(400);
    expect(ErrorBodySchema.parse(await response.json())).not.toHaveProperty('conversation_id');
    expect(await left(id)).toEqual([]);
    expect((await askAgain(id)).status).toBe(404);
  });
});

describe('who asks for what is not there', () => {
  it('is told so: another tenant, an unknown id, one that was analysed', async () => {
    const id = await failed();
    const { conversation_id: done } = (await (await service.post('/analyze', recording())).json()) as {
      conversation_id: string;
    };
    for (const [asked, headers] of [
      [id, { 'X-API-Key': OTHER_KEY }],
      [crypto.randomUUID(), {}],
      [done, {}],
    ] as const) {
      const response = await askAgain(asked, '/analyze', headers);
      expect(response.status).toBe(404);
      expect(ErrorBodySchema.parse(await response.json()).code).toBe('NOT_FOUND');
    }
    expect((await askAgain(id)).status).toBe(200);
  });

  it.each([undefined, null, 7, '', 'x', '../other', `${crypto.randomUUID()}/`])('must name an id: %s', async (id) => {
    const response = await askAgain(id);
    expect(response.status).toBe(400);
    expect(ErrorBodySchema.parse(await response.json()).detail).toMatch(/^conversation_id: /);
  });
});

describe('a sweep', () => {
  const sweep = async (times: Omit<Sweep, 'keptMs' | 'isUnderWay'>) => {
    const { MEDIA } = await service.harness.getWorker<{ MEDIA: ConstructorParameters<typeof R2Store>[0] }>().getEnv();
    expect(
      await sweepPending(new R2Store(MEDIA), { isUnderWay: async () => false, keptMs: KEPT_HOURS * HOUR_MS, ...times }),
    ).toBe(0);
  };

  it('lets a kept upload alone for its time, whatever began anew, and then removes it', async () => {
    const id = await failed();
    await sweep({ now: Date.now() + KEPT_HOURS * HOUR_MS - 60_000, startedAt: Date.now() + HOUR_MS });
    expect(await left(id)).toEqual(['upload.wav', id].sort());
    await sweep({ now: Date.now() + KEPT_HOURS * HOUR_MS });
    expect(await service.objects()).toEqual([]);
  });
});
